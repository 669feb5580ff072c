package session

import (
	"errors"
	"strings"
	"time"

	"ridgeline/terrain/fault"
)

// Severity is how much a message matters.
type Severity int

// The severities.
const (
	Info Severity = iota
	Warning
	Error
)

// Notice is a message for the user: a sentence, shown as a toast and kept in the
// console.
type Notice struct {
	Severity Severity
	Text     string
	Action   string // a button's title, or empty
	Run      string // the line that the button runs
	// Of is the command that failed. Without a text, the notice takes back what was told of
	// that command: it was tried again.
	Of string
}

// Line is one line of the console.
type Line struct {
	Severity Severity
	Input    bool // the user typed it
	Text     string
	Time     time.Time
}

// maxLines bounds the console.
const maxLines = 5000

// Tell shows a message.
func (s *Session) Tell(n Notice) {
	s.notices = append(s.notices, n)
	s.Print(n.Severity, n.Text)
}

// Say shows an information.
func (s *Session) Say(text string) { s.Tell(Notice{Text: text}) }

// Warn shows a warning.
func (s *Session) Warn(text string) { s.Tell(Notice{Severity: Warning, Text: text}) }

// Fail shows an error as a sentence, and that of a command in the words of the window.
func (s *Session) Fail(err error) {
	if why := (notNow{}); errors.As(err, &why) {
		s.Say(fault.Sentence(why.error))
	} else if err != nil {
		_, of := s.inWords(err)
		s.refuse(of, err)
	}
}

// mouseWork stands for what is drawn and dragged among the commands that fail.
const mouseWork = "the mouse"

// refuse shows an error about a command or a gesture; of is empty for what is neither.
func (s *Session) refuse(of string, err error) {
	err, _ = s.inWords(err)
	s.Tell(Notice{Severity: Error, Text: fault.Sentence(err), Of: of})
	if of != "" {
		s.failed[of] = true
	}
}

// notNow is why a command cannot run now: nothing has failed.
type notNow struct{ error }

// Unwrap gives the reason itself.
func (n notNow) Unwrap() error { return n.error }

// again takes back what was told of a command that is tried again.
func (s *Session) again(id string) {
	if s.failed[id] {
		delete(s.failed, id)
		s.notices = append(s.notices, Notice{Of: id})
	}
}

// inWords gives the error of a command to who pressed a button or a key and wrote no
// command: with its title in place of its id, and nothing but the reason where that is a
// sentence by itself. of is the command; empty if it was none.
func (s *Session) inWords(err error) (told error, of string) {
	var e *fault.Error
	if !errors.As(err, &e) || e.File != "" {
		return err, ""
	}
	id, ok := strings.CutPrefix(e.Op, "run ")
	if !ok {
		return err, ""
	}
	c, unknown := s.Env.Registry.Find(id)
	if unknown != nil {
		return err, ""
	}
	if e.Found == "" && e.Want == "" && e.Err != nil {
		return e.Err, id
	}
	f := *e
	place := strings.TrimSuffix(c.Title, "…")
	// The argument too, but for those that say no more than the title.
	switch arg := strings.TrimPrefix(strings.TrimPrefix(e.Place, id), ": "); arg {
	case "", "ids", "object", "points":
	default:
		place += ": " + arg
	}
	f.Op, f.Place = "", place
	return &f, id
}

// TakeNotices gives the messages that were not shown yet, and forgets them.
func (s *Session) TakeNotices() []Notice {
	n := s.notices
	s.notices = nil
	return n
}

// Print adds a line to the console without a toast.
func (s *Session) Print(sev Severity, text string) {
	s.addLine(Line{Severity: sev, Text: text, Time: s.now()})
}

func (s *Session) addLine(l Line) {
	s.lines = append(s.lines, l)
	if len(s.lines) > maxLines {
		s.lines = append(s.lines[:0:0], s.lines[len(s.lines)-maxLines/2:]...)
	}
	s.linesSeen++
	s.invalidate()
}

// Lines is the console, oldest first, for reading only. count grows with every
// line ever printed.
func (s *Session) Lines() (lines []Line, count int) { return s.lines, s.linesSeen }
