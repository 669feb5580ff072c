package command

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"ridgeline/terrain/fault"
)

// Call is one command as it was written: its id and its arguments in order. It
// is only text; whether the command exists and takes these arguments is found
// out when it is checked or run.
type Call struct {
	ID   string
	Args []Arg
}

// Arg is one argument. Name is empty for a value that stands without its key.
type Arg struct{ Name, Value string }

// Parse reads a line that holds exactly one command.
func Parse(line string) (Call, error) {
	calls, err := ParseLine(line)
	switch {
	case err != nil:
		return Call{}, err
	case len(calls) == 0:
		return Call{}, &fault.Error{Op: "read a command", Found: "nothing", Want: "a command such as terrain.stroke"}
	case len(calls) > 1:
		return Call{}, &fault.Error{Op: "read a command", Found: calls[0].ID + "; " + calls[1].ID, Want: "one command"}
	}
	return calls[0], nil
}

// ParseLine reads the commands of one line, none when it is blank or a comment.
// The place in its errors is a column, counted in characters from 1.
func ParseLine(line string) ([]Call, error) {
	p := parser{src: line}
	if !utf8.ValidString(line) {
		return nil, &fault.Error{Op: "read a command", Found: "bytes that are not UTF-8", Want: "UTF-8 text"}
	}
	var calls []Call
	for {
		call, ok, err := p.call()
		if err != nil {
			return nil, err
		}
		if ok {
			calls = append(calls, call)
		}
		if p.pos == len(p.src) {
			return calls, nil
		}
	}
}

// parser walks one line; pos is a byte offset at a rune's start.
type parser struct {
	src string
	pos int
}

// call reads up to and with the next ';', or to the end; ok is false when there
// is no word.
func (p *parser) call() (c Call, ok bool, err error) {
	for {
		p.blanks()
		r := p.peek()
		switch {
		case r < 0 || r == '#':
			p.pos = len(p.src)
			return c, ok, nil
		case r == ';':
			p.pos++
			return c, ok, nil
		}
		start := p.pos
		if !ok {
			if c.ID, err = p.bare(false); err != nil {
				return c, false, err
			}
			if c.ID == "" || strings.Contains(c.ID, "=") {
				p.pos = start
				return c, false, p.fail(quoteWord(p.word()), "a command such as terrain.stroke")
			}
			ok = true
			continue
		}
		arg, err := p.arg()
		if err != nil {
			return c, false, err
		}
		c.Args = append(c.Args, arg)
	}
}

func (p *parser) arg() (a Arg, err error) {
	start := p.pos
	if r := p.peek(); r != '"' && r != '\'' {
		key, err := p.bare(true)
		if err != nil {
			return a, err
		}
		if p.peek() != '=' {
			return Arg{Value: key}, nil
		}
		if !isKey(key) {
			p.pos = start
			return a, p.fail(quoteWord(p.word()), "an argument as name=value")
		}
		p.pos++
		a.Name = key
	}
	switch p.peek() {
	case '"', '\'':
		a.Value, err = p.quoted()
	default:
		a.Value, err = p.bare(false)
	}
	return a, err
}

// bare reads an unquoted word, up to '=' if toEquals.
func (p *parser) bare(toEquals bool) (string, error) {
	start := p.pos
	for {
		r := p.peek()
		switch {
		case r < 0 || r == ';' || unicode.IsSpace(r) || toEquals && r == '=':
			return p.src[start:p.pos], nil
		case r == '"' || r == '\'':
			return "", p.fail("a quote inside a word", "quotes around the whole value")
		}
		p.pos += utf8.RuneLen(r)
	}
}

// quoted reads a value in quotes.
func (p *parser) quoted() (string, error) {
	open, start := p.peek(), p.pos
	p.pos++
	var b strings.Builder
	for {
		r := p.peek()
		if r < 0 {
			p.pos = start
			return "", p.fail("a quote that is not closed", "a closing "+string(open))
		}
		p.pos += utf8.RuneLen(r)
		switch {
		case r == open:
			if n := p.peek(); n >= 0 && n != ';' && !unicode.IsSpace(n) {
				return "", p.fail(quoteWord(string(n))+" after a closing quote", "a space")
			}
			return b.String(), nil
		case r == '\\' && open == '"':
			e := p.peek()
			i := strings.IndexRune(`"\nrt`, e)
			if e < 0 || i < 0 {
				p.pos--
				return "", p.fail("a \\ that escapes nothing", `\", \\, \n, \r or \t`)
			}
			b.WriteByte("\"\\\n\r\t"[i])
			p.pos++
		default:
			b.WriteRune(r)
		}
	}
}

func (p *parser) blanks() {
	for r := p.peek(); r >= 0 && unicode.IsSpace(r); r = p.peek() {
		p.pos += utf8.RuneLen(r)
	}
}

// peek is the rune at pos, −1 at the end.
func (p *parser) peek() rune {
	if p.pos == len(p.src) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return r
}

// word is the text from pos to the next space or end of the command, for messages.
func (p *parser) word() string {
	rest := p.src[p.pos:]
	if i := strings.IndexFunc(rest, func(r rune) bool { return r == ';' || unicode.IsSpace(r) }); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

func (p *parser) fail(found, want string) error {
	return &fault.Error{
		Op: "read a command", Place: "column " + itoa(utf8.RuneCountInString(p.src[:p.pos])+1),
		Found: found, Want: want,
	}
}

func isKey(s string) bool {
	for _, r := range s {
		if !(r == '_' || r == '-' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}

// String writes the call so that Parse gives it back.
func (c Call) String() string {
	var b strings.Builder
	b.WriteString(c.ID)
	for _, a := range c.Args {
		b.WriteByte(' ')
		if a.Name != "" {
			b.WriteString(a.Name)
			b.WriteByte('=')
		}
		writeValue(&b, a)
	}
	return b.String()
}

func writeValue(b *strings.Builder, a Arg) {
	v := a.Value
	plain := v != "" && !strings.ContainsFunc(v, func(r rune) bool {
		return r == '"' || r == '\'' || r == ';' || unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if a.Name == "" && (strings.Contains(v, "=") || strings.HasPrefix(v, "#")) {
		plain = false
	}
	if plain {
		b.WriteString(v)
		return
	}
	b.WriteByte('"')
	for _, r := range v {
		if i := strings.IndexRune("\"\\\n\r\t", r); i >= 0 {
			b.WriteByte('\\')
			b.WriteByte(`"\nrt`[i])
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
