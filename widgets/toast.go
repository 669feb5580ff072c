package widgets

import (
	"image"
	"image/color"
	"slices"
	"time"

	"gioui.org/io/event"
	"gioui.org/io/semantic"
	"gioui.org/layout"
	"gioui.org/op"
	"gioui.org/op/clip"

	"ridgeline/icons"
)

// Severity is how bad a message is.
type Severity uint8

const (
	// Info tells of something that went well.
	Info Severity = iota
	// Warn tells of something to look at.
	Warn
	// Error tells of something that failed.
	Error
)

// severityLook is the icon and colour of a severity.
func (th *Theme) severityLook(s Severity) (icons.Name, color.NRGBA) {
	switch s {
	case Warn:
		return icons.Warning, th.Color.Warn
	case Error:
		return icons.Error, th.Color.Error
	}
	return icons.Info, th.Color.AccentHigh
}

// toastTime is how long a toast stays. Errors stay longer, or until they are closed.
const toastTime = 6 * time.Second

// toastMax is the most toasts kept; older ones that are no errors go first.
const toastMax = 6

// Toast is one message.
type Toast struct {
	Severity Severity
	Text     string // a sentence
	// Action titles a button; Update returns ID when it is pressed.
	Action string
	ID     string
	// Of is what the message is about, for Withdraw. An error about something that may
	// simply be tried again goes by itself, if later than others. May be empty.
	Of string
}

// stays reports whether a message stays until it is closed.
func (m *Toast) stays() bool { return m.Severity == Error && m.Of == "" }

// time is how long a message stays.
func (m *Toast) time() time.Duration {
	if m.Severity == Error {
		return 3 * toastTime
	}
	return toastTime
}

type toastEntry struct {
	Toast
	until         time.Time // zero until it was shown
	close, action Button
	area          sense
}

// Toasts is the state of the messages in the corner of a window.
type Toasts struct {
	list   []*toastEntry
	picked []string
}

// Add shows a message. The same message again only stays longer.
func (t *Toasts) Add(m Toast) {
	for _, e := range t.list {
		if e.Toast == m {
			e.until = time.Time{}
			return
		}
	}
	t.list = append(t.list, &toastEntry{Toast: m})
	for len(t.list) > toastMax {
		drop := 0
		for i, e := range t.list {
			if e.Severity != Error {
				drop = i
				break
			}
		}
		t.remove(drop)
	}
}

// Withdraw removes the messages about something that has become different since.
func (t *Toasts) Withdraw(of string) {
	t.list = slices.DeleteFunc(t.list, func(e *toastEntry) bool { return e.Of == of })
}

// Len is the number of messages on screen.
func (t *Toasts) Len() int { return len(t.list) }

// Clear removes all messages.
func (t *Toasts) Clear() { t.list = nil }

func (t *Toasts) remove(i int) { t.list = append(t.list[:i], t.list[i+1:]...) }

// Update returns the ID of the next message whose action was pressed.
func (t *Toasts) Update(gtx layout.Context) (id string, ok bool) {
	t.events(gtx)
	if len(t.picked) == 0 {
		return "", false
	}
	id = t.picked[0]
	t.picked = t.picked[:copy(t.picked, t.picked[1:])]
	return id, true
}

func (t *Toasts) events(gtx layout.Context) {
	for i := 0; i < len(t.list); i++ {
		e := t.list[i]
		if e.action.Clicked(gtx) {
			t.picked = append(t.picked, e.ID)
			t.remove(i)
			i--
			continue
		}
		// A message isn't taken away while it is being read.
		held := e.area.hovered || e.stays() || e.until.IsZero()
		if e.close.Clicked(gtx) || !held && !gtx.Now.Before(e.until) {
			t.remove(i)
			i--
		}
	}
}

// ToastsStyle draws Toasts.
type ToastsStyle struct {
	// Bottom is how far above the window's bottom the stack begins, for
	// instance the height of a status bar.
	Bottom int
	state  *Toasts
	th     *Theme
}

// Toasts draws t. It is a layer of Theme.Window.
func (th *Theme) Toasts(t *Toasts) ToastsStyle { return ToastsStyle{state: t, th: th} }

// Layout stacks the messages upwards from the bottom right corner, the newest
// one lowest.
func (s ToastsStyle) Layout(gtx layout.Context) layout.Dimensions {
	th, t := s.th, s.state
	t.events(gtx)
	win := gtx.Constraints.Max
	m := gtx.Dp(12)
	w := min(gtx.Dp(360), win.X-2*m)
	y := win.Y - m - s.Bottom
	for i := len(t.list) - 1; i >= 0 && y > 0; i-- {
		e := t.list[i]
		if e.until.IsZero() {
			e.until = gtx.Now.Add(e.time())
		}
		if !e.stays() && gtx.Now.Before(e.until) {
			gtx.Execute(op.InvalidateCmd{At: e.until})
		}
		eg := gtx
		eg.Constraints = layout.Constraints{Min: image.Pt(w, 0), Max: image.Pt(w, win.Y)}
		r := record(eg, func(gtx layout.Context) layout.Dimensions { return th.toast(gtx, e) })
		y -= r.size.Y
		r.add(gtx, image.Pt(win.X-m-w, y))
		y -= gtx.Dp(8)
	}
	return layout.Dimensions{Size: win}
}

func (th *Theme) toast(gtx layout.Context, e *toastEntry) layout.Dimensions {
	for {
		if _, ok := e.area.next(gtx, &e.area); !ok {
			break
		}
	}
	name, c := th.severityLook(e.Severity)
	w := gtx.Constraints.Max.X
	pad, px := gtx.Dp(10), gtx.Dp(th.Size.IconSize)
	left := pad + px + gtx.Dp(8)
	side := gtx.Dp(th.Size.Row)

	tg := gtx
	tg.Constraints = layout.Constraints{Max: image.Pt(w-left-side-gtx.Dp(4), 1<<16)}
	body := record(tg, th.Body(e.Text).draw)
	h := max(body.size.Y+2*pad, gtx.Dp(36))
	var act recorded
	if e.Action != "" {
		b := th.Button(&e.action, e.Action)
		act = record(tg, b.Layout)
		h += act.size.Y + gtx.Dp(2)
	}
	box := image.Rect(0, 0, w, h)
	th.popupBox(gtx, box)
	defer clip.Rect(box).Push(gtx.Ops).Pop()
	event.Op(gtx.Ops, &e.area)
	semantic.LabelOp(e.Text).Add(gtx.Ops)
	strip := clip.UniformRRect(box, gtx.Dp(th.Size.Radius)).Push(gtx.Ops)
	fillRect(gtx.Ops, c, image.Rect(0, 0, gtx.Dp(3), h))
	strip.Pop()
	th.drawIcon(gtx, name, c, image.Pt(pad, pad+gtx.Dp(1)), px)
	body.add(gtx, image.Pt(left, pad-gtx.Dp(1)))
	if e.Action != "" {
		act.add(gtx, image.Pt(left, h-act.size.Y-pad))
	}
	x := th.IconButton(&e.close, icons.Close, "Dismiss")
	x.IconSize = 12
	at(gtx, image.Pt(w-side-gtx.Dp(5), gtx.Dp(5)), x.Layout)
	return layout.Dimensions{Size: box.Max}
}
