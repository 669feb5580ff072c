package heightmap

import (
	"bytes"
	"fmt"
	"io"

	"ridgeline/terrain/fault"
)

const utf8BOM = "\xef\xbb\xbf"

// token is one word between white space; empty text is the end of the file. The
// text is valid until the next call of next.
type token struct {
	text         []byte
	line, column int // from 1; columns count bytes
}

func (t token) place() string { return fmt.Sprintf("line %d, column %d", t.line, t.column) }

// lexer splits a stream into words. It takes lines that end in LF, CR LF or CR.
type lexer struct {
	r         io.Reader
	buf       []byte
	pos, end  int
	base      int64 // position in the file of buf[0]
	atEOF     bool
	line      int
	lineStart int64
	afterCR   bool
}

// longestWord bounds a word; no number needs as much.
const longestWord = 1024

func newLexer(r io.Reader) *lexer {
	return &lexer{r: r, buf: make([]byte, 1<<16), line: 1}
}

// fill moves what is left to the front and reads on.
func (l *lexer) fill() error {
	copy(l.buf, l.buf[l.pos:l.end])
	l.base += int64(l.pos)
	l.end -= l.pos
	l.pos = 0
	for !l.atEOF && l.end < len(l.buf) {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		switch {
		case err == io.EOF:
			l.atEOF = true
		case err != nil:
			return err
		case n > 0:
			return nil
		}
	}
	return nil
}

func (l *lexer) next() (token, error) {
	for {
		if l.base == 0 && l.pos == 0 && l.end == 0 && !l.atEOF {
			if err := l.fillBeginning(); err != nil {
				return token{}, err
			}
		}
		l.skipSpace()
		if l.pos < l.end {
			break
		}
		if l.atEOF {
			return l.token(nil), nil
		}
		if err := l.fill(); err != nil {
			return token{}, err
		}
	}
	l.afterCR = false
	n := 0
	for {
		for l.pos+n < l.end && !isSpace[l.buf[l.pos+n]] {
			n++
		}
		if l.pos+n < l.end || l.atEOF || n > longestWord {
			break
		}
		if err := l.fill(); err != nil {
			return token{}, err
		}
	}
	t := l.token(l.buf[l.pos : l.pos+n])
	if n > longestWord {
		return t, &fault.Error{Place: t.place(), Found: fmt.Sprintf("a word of more than %d characters", longestWord), Want: "a number"}
	}
	l.pos += n
	return t, nil
}

// fillBeginning reads the first bytes and steps over a byte-order mark.
func (l *lexer) fillBeginning() error {
	for l.end < len(utf8BOM) && !l.atEOF {
		if err := l.fill(); err != nil {
			return err
		}
	}
	if bytes.HasPrefix(l.buf[:l.end], []byte(utf8BOM)) {
		l.pos = len(utf8BOM)
		l.lineStart = int64(l.pos)
	}
	return nil
}

func (l *lexer) token(text []byte) token {
	return token{text, l.line, int(l.base+int64(l.pos)-l.lineStart) + 1}
}

func (l *lexer) skipSpace() {
	for ; l.pos < l.end; l.pos++ {
		b := l.buf[l.pos]
		if b == ' ' {
			l.afterCR = false
			continue
		}
		if !isSpace[b] {
			return
		}
		if b == '\r' || b == '\n' && !l.afterCR {
			l.line++
		}
		if b == '\r' || b == '\n' {
			l.lineStart = l.base + int64(l.pos) + 1
		}
		l.afterCR = b == '\r'
	}
}

var isSpace = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '\v': true, '\f': true}
