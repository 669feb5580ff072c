package panel

import (
	"image"
	"math"

	"gioui.org/layout"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/icons"
	"ridgeline/widgets"
)

// bakeLine bakes the light in the background.
const bakeLine = "app.bake"

// sun is the section of the level's sun. Dragging a number shows the result at
// once and is one step of the history.
type sun struct {
	sh      *Shell
	numbers [4]widgets.Number
	bake    widgets.Button
	open    *document.Open // the drag in the making
}

// sunFields are the numbers, as the command sun.set names and bounds them.
var sunFields = [...]struct {
	name, title, unit string
	min, max, step    float64
	get               func(*document.Sun) float64
	set               func(*document.Sun, float64)
}{
	{"azimuth", sAzimuth, uDegree, -360, 360, 5,
		func(s *document.Sun) float64 { return degrees(s.Azimuth) },
		func(s *document.Sun, v float64) { s.Azimuth = v * math.Pi / 180 }},
	{"elevation", sElevation, uDegree, -90, 90, 5,
		func(s *document.Sun) float64 { return degrees(s.Elevation) },
		func(s *document.Sun, v float64) { s.Elevation = v * math.Pi / 180 }},
	{"intensity", sIntensity, "", 0, 100, 0.1,
		func(s *document.Sun) float64 { return s.Intensity },
		func(s *document.Sun, v float64) { s.Intensity = v }},
	{"ambient", sAmbient, "", 0, 1, 0.05,
		func(s *document.Sun) float64 { return s.Ambient },
		func(s *document.Sun, v float64) { s.Ambient = v }},
}

// degrees turns radians into degrees without the noise of the conversion.
func degrees(rad float64) float64 { return math.Round(rad*180/math.Pi*1e9) / 1e9 }

func (u *sun) layout(gtx layout.Context) layout.Dimensions {
	return u.sh.section(gtx, sSun, u.body)
}

func (u *sun) body(gtx layout.Context) layout.Dimensions {
	sh, th := u.sh, u.sh.th
	now := sh.s.Level().Settings.Sun
	reason := sh.why("sun.set azimuth=0")
	dragging := false
	rows := make([]layout.Widget, len(sunFields))
	for i := range sunFields {
		f, n := &sunFields[i], &u.numbers[i]
		n.Min, n.Max, n.Step = f.min, f.max, f.step
		for {
			c, ok := n.Update(gtx)
			if !ok {
				break
			}
			u.change(i, c)
			now = sh.s.Level().Settings.Sun
		}
		dragging = dragging || n.Dragging()
		if !n.Dragging() {
			n.Value = f.get(&now)
		}
		rows[i] = func(gtx layout.Context) layout.Dimensions {
			d := th.Number(n, f.unit)
			d.Label, d.Reason = f.title, reason
			return d.Layout(gtx)
		}
	}
	if u.open != nil && !dragging {
		u.finish() // the number went away in the middle of a drag
	}
	if u.bake.Clicked(gtx) {
		sh.run(bakeLine)
	}
	return stack(gtx, 8, 6,
		columns(6, rows[0], rows[1]),
		columns(6, rows[2], rows[3]),
		func(gtx layout.Context) layout.Dimensions {
			b := th.Button(&u.bake, sBake)
			b.Icon, b.Reason = icons.Sun, sh.why(bakeLine)
			b.Tip.Title = sNotBaked
			if now.Baked {
				b.Tip.Title = sBaked
			}
			return b.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			text := sNotBaked
			if now.Baked {
				text = sBaked
			}
			l := th.Dim(text)
			l.Size = th.Size.Small
			gtx.Constraints.Min = image.Point{}
			return l.Layout(gtx)
		},
	)
}

// change takes one change of number i.
func (u *sun) change(i int, c widgets.Change) {
	sh, f := u.sh, &sunFields[i]
	sh.again = true
	switch {
	case c.Phase == widgets.Cancel:
		if u.open != nil {
			u.open.Cancel()
			u.open = nil
		}
	case c.Phase == widgets.Commit && u.open == nil:
		now := sh.s.Level().Settings.Sun
		if f.get(&now) != c.Value { // typed, or by the arrow keys
			sh.run(command.Call{ID: "sun.set", Args: []command.Arg{{Name: f.name, Value: number(c.Value)}}}.String())
		}
	default:
		if u.open == nil {
			u.open = sh.s.Document().Begin("Set the sun")
		}
		err := u.open.Step(func(tx *document.Tx) error {
			s := tx.Level().Settings.Sun
			if f.get(&s) == c.Value {
				return nil
			}
			f.set(&s, c.Value)
			s.Baked = false
			return tx.SetSun(s)
		})
		if err != nil { // undo has closed it
			u.open = nil
			return
		}
		if c.Phase == widgets.Commit {
			u.finish()
		}
	}
}

// finish keeps what the drag did as one step.
func (u *sun) finish() {
	err := u.open.Commit()
	u.open = nil
	if err != document.ErrClosed {
		u.sh.s.Fail(err)
	}
}
