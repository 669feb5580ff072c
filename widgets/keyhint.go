package widgets

import (
	"image"
	"strings"

	"gioui.org/layout"
	"gioui.org/op"
)

// SplitKeys takes a shortcut such as "Ctrl+Shift+Z" apart into its keys. The
// plus key itself is written last: "Ctrl++".
func SplitKeys(s string) []string {
	if s == "" {
		return nil
	}
	if s == "+" {
		return []string{"+"}
	}
	if head, ok := strings.CutSuffix(s, "++"); ok {
		return append(strings.Split(head, "+"), "+")
	}
	return strings.Split(s, "+")
}

// KeysStyle draws a shortcut as a row of key caps.
type KeysStyle struct {
	Keys string
	th   *Theme
}

// Keys draws a shortcut such as "Ctrl+Shift+Z".
func (th *Theme) Keys(s string) KeysStyle { return KeysStyle{s, th} }

// Layout draws the key caps in one line.
func (k KeysStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := k.th
	h := gtx.Dp(18)
	pad, gap := gtx.Dp(5), gtx.Dp(3)
	x := 0
	rest := k.Keys
	for rest != "" {
		part := rest
		if i := strings.IndexByte(rest[1:], '+'); i >= 0 {
			part, rest = rest[:i+1], rest[i+2:]
		} else {
			rest = ""
		}
		l := th.Dim(part)
		l.Size = th.Size.Small - 1
		m := op.Record(gtx.Ops)
		w := l.drawIn(gtx, image.Rect(0, 0, 1<<16, h))
		call := m.Stop()
		cap := image.Rect(x, 0, x+max(w+2*pad, h), h)
		outline(gtx.Ops, th.Color.Border, th.Color.Field, cap, gtx.Dp(3), hairline(gtx))
		off := op.Offset(image.Pt(x+(cap.Dx()-w)/2, 0)).Push(gtx.Ops)
		call.Add(gtx.Ops)
		off.Pop()
		x = cap.Max.X + gap
	}
	return layout.Dimensions{Size: image.Pt(max(0, x-gap), h)}
}
