package widgets

import (
	"image"
	"image/color"

	"gioui.org/layout"
	"gioui.org/unit"
)

// axisNames are the letters of the three axes.
var axisNames = [3]string{"X", "Y", "Z"}

// Vector is the state of three numbers, one for each axis. The numbers' bounds,
// steps and values are the caller's to set.
type Vector struct {
	Axes [3]Number
}

// VectorChange is a Change of one axis, 0 for X.
type VectorChange struct {
	Axis int
	Change
}

// Update returns the next change of any axis.
func (v *Vector) Update(gtx layout.Context) (VectorChange, bool) {
	for i := range v.Axes {
		if c, ok := v.Axes[i].Update(gtx); ok {
			return VectorChange{i, c}, true
		}
	}
	return VectorChange{}, false
}

// Dragging reports whether the user is dragging one of the numbers.
func (v *Vector) Dragging() bool {
	return v.Axes[0].Dragging() || v.Axes[1].Dragging() || v.Axes[2].Dragging()
}

// Show sets the values and which of them are mixed. A number that is being
// dragged keeps its own.
func (v *Vector) Show(value [3]float64, mixed [3]bool) {
	for i := range v.Axes {
		if n := &v.Axes[i]; !n.Dragging() {
			n.Value, n.Mixed = value[i], mixed[i]
		}
	}
}

// VectorStyle draws a Vector.
type VectorStyle struct {
	// Label stands at the left, or above where there is no room for the numbers
	// beside it. With the axis behind it, it is the numbers' semantic label.
	Label string
	Unit  string // behind the label, and understood when typed
	Tip   Tip
	// LabelWidth is the column left of the numbers.
	LabelWidth unit.Dp
	// Reason disables the numbers when it isn't empty.
	Reason string

	state *Vector
	th    *Theme
}

// Vector draws v with coloured letters for the axes.
func (th *Theme) Vector(v *Vector, label, unit string) VectorStyle {
	return VectorStyle{Label: label, Unit: unit, LabelWidth: 80, state: v, th: th}
}

// vectorField is the least width of a number for which the label goes to the left.
const vectorField = 76

// Layout draws the numbers over the width of the constraints.
func (s VectorStyle) Layout(gtx layout.Context) layout.Dimensions {
	th := s.th
	for {
		if _, ok := s.state.Update(gtx); !ok {
			break
		}
	}
	size := image.Pt(gtx.Constraints.Max.X, gtx.Dp(th.Size.Row))
	gap, y := gtx.Dp(th.Size.Gap), 0
	left := gtx.Dp(s.LabelWidth)
	label := th.Dim(s.Label)
	if s.Unit != "" {
		label.Text += " (" + s.Unit + ")"
	}
	if s.Reason != "" {
		label.Color = th.Color.Disabled
	}
	switch {
	case s.Label == "":
		left = 0
	case size.X-left < 3*gtx.Dp(vectorField)+2*gap:
		left, y = 0, gtx.Dp(20)
		label.drawIn(gtx, image.Rect(0, 0, size.X, y))
	default:
		label.drawIn(gtx, image.Rect(0, 0, left-gtx.Dp(4), size.Y))
	}
	colors := [3]color.NRGBA{th.Color.AxisX, th.Color.AxisY, th.Color.AxisZ}
	total := size.X - left - 2*gap
	for i := range s.state.Axes {
		x0, x1 := total*i/3+i*gap, total*(i+1)/3+i*gap
		n := th.Number(&s.state.Axes[i], s.Unit)
		n.Label, n.Letter, n.LetterColor = axisNames[i], axisNames[i], colors[i]
		if s.Label != "" {
			n.Label = s.Label + " " + axisNames[i]
		}
		n.Tip, n.Reason = s.Tip, s.Reason
		ng := gtx
		ng.Constraints = layout.Exact(image.Pt(x1-x0, size.Y))
		at(ng, image.Pt(left+x0, y), n.Layout)
	}
	size.Y += y
	return layout.Dimensions{Size: size}
}
