package panel

import (
	"time"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/widgets"
)

// console is the panel in which commands are typed. The lines are the session's.
type console struct {
	sh    *Shell
	view  widgets.Console
	seen  int  // lines of the session that the view has
	echo  int  // inputs that the view printed by itself
	shown bool // it was on screen in the last frame
	since time.Time
}

func (c *console) init(sh *Shell) {
	c.sh = sh
	c.view.Complete = func(input string) widgets.Completion { return complete(sh.s, input) }
}

// sync prints the lines that are new.
func (c *console) sync() {
	lines, count := c.sh.s.Lines()
	fresh := min(count-c.seen, len(lines))
	c.seen = count
	for _, l := range lines[len(lines)-fresh:] {
		kind := widgets.LineOutput
		switch {
		case l.Input && c.echo > 0:
			c.echo--
			continue
		case l.Input:
			kind = widgets.LineInput
		case l.Severity == session.Warning:
			kind = widgets.LineWarn
		case l.Severity == session.Error:
			kind = widgets.LineError
		}
		c.view.Print(kind, l.Text)
	}
}

// appeared gives the keyboard to the console when it has just been opened.
func (c *console) appeared(gtx layout.Context) {
	is := c.sh.s.Shown(panelConsole)
	if is && !c.shown {
		c.view.Focus()
		c.since = gtx.Now
	}
	if !is && c.shown {
		c.sh.unfocus(gtx)
	}
	c.shown = is
}

// consoleKey is the letter of the key that shows and hides the console. No command has it.
const consoleKey = '`'

// opening is how long after the console has appeared the letter of the key that opened it
// may still arrive.
const opening = 300 * time.Millisecond

// toggled hides the console when its key is pressed in it. The letter is not wanted.
func (c *console) toggled(gtx layout.Context) {
	if c.view.Take(consoleKey) && gtx.Now.Sub(c.since) > opening {
		c.sh.s.Show(panelConsole, false)
	}
}

func (c *console) layout(gtx layout.Context) layout.Dimensions {
	for {
		line, ok := c.view.Update(gtx)
		if !ok {
			break
		}
		c.echo++
		c.sh.s.RunConsole(line)
		c.sh.again = true
	}
	c.toggled(gtx)
	c.sync()
	st := c.sh.th.Console(&c.view)
	st.Hint = sTypeHere
	return st.Layout(gtx)
}
