package panel

import (
	"fmt"
	"math"

	"gioui.org/layout"

	"ridgeline/editor/command"
	"ridgeline/widgets"
)

// arrayDialog asks how what is selected is to be copied along a line.
type arrayDialog struct {
	sh     *Shell
	dialog widgets.Dialog
	shown  bool
	count  widgets.Number
	how    widgets.Choices
	by, to widgets.Vector
}

// The ways to say where the copies stand.
const (
	arrayBy = iota
	arrayTo
)

// open shows the dialog with a step as long as what is selected.
func (d *arrayDialog) open() {
	s := d.sh.s
	step, pivot := 1.0, command.Pivot(s.Level(), s.Selection())
	if b := s.Scene().BoundsOf(s.Selection()...); !b.IsEmpty() {
		step = roundUp(b.Size()[0])
	}
	d.count, d.by, d.to = widgets.Number{Value: 5}, widgets.Vector{}, widgets.Vector{}
	d.by.Show([3]float64{step, 0, 0}, [3]bool{})
	d.to.Show([3]float64{neat(pivot[0] + 4*step), neat(pivot[1]), neat(pivot[2])}, [3]bool{})
	d.dialog.Open()
	d.shown, d.sh.again = true, true
}

// neat drops what nobody reads of a coordinate.
func neat(v float64) float64 { return math.Round(v*1e3) / 1e3 }

// roundUp is a length that reads well and is not shorter.
func roundUp(v float64) float64 {
	if !(v > 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return neat(math.Ceil(v/unit-1e-9) * unit)
}

// vector is the numbers that count.
func (d *arrayDialog) vector() *widgets.Vector {
	if d.how.Selected == arrayTo {
		return &d.to
	}
	return &d.by
}

func (d *arrayDialog) line() string {
	v := d.vector()
	at := number(v.Axes[0].Value) + "," + number(v.Axes[1].Value) + "," + number(v.Axes[2].Value)
	return callLine("object.array", "count", fmt.Sprintf("%.0f", d.count.Value), [...]string{"by", "to"}[d.how.Selected], at)
}

func (d *arrayDialog) layout(gtx layout.Context) layout.Dimensions {
	if !d.shown {
		return layout.Dimensions{}
	}
	d.count.Integer, d.count.Min, d.count.Max = true, 2, 100_000
	for {
		if _, ok := d.count.Update(gtx); !ok {
			break
		}
	}
	d.how.Update(gtx)
	for {
		if _, ok := d.vector().Update(gtx); !ok {
			break
		}
	}
	if id, ok := d.dialog.Update(gtx); ok {
		d.shown, d.sh.again = false, true
		if id == sArrayMake {
			d.sh.run(d.line())
		}
		return layout.Dimensions{}
	}
	return d.sh.th.Dialog(&d.dialog, sArrayTitle, sArrayText,
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: sArrayMake, Title: sArrayMake, Importance: widgets.Primary, Default: true, Reason: d.reason()},
	).Layout(gtx, d.body)
}

// reason tells why it cannot be done.
func (d *arrayDialog) reason() string {
	if why := d.sh.why("edit.duplicate"); why != "" {
		return why
	}
	call, err := command.Parse(d.line())
	if err == nil {
		_, err = d.sh.s.Env.Registry.Check(call)
	}
	if err != nil {
		return sentence(err)
	}
	if d.how.Selected == arrayBy && d.length() == 0 {
		return sNoStep
	}
	return ""
}

// length is how far it is from the first to the last.
func (d *arrayDialog) length() float64 {
	v := d.vector()
	var at [3]float64
	for i := range at {
		at[i] = v.Axes[i].Value
	}
	if d.how.Selected == arrayBy {
		return math.Hypot(math.Hypot(at[0], at[1]), at[2]) * (d.count.Value - 1)
	}
	p := command.Pivot(d.sh.s.Level(), d.sh.s.Selection())
	return math.Hypot(math.Hypot(at[0]-p[0], at[1]-p[1]), at[2]-p[2])
}

func (d *arrayDialog) body(gtx layout.Context) layout.Dimensions {
	th := d.sh.th
	title := [...]string{sArrayStep, sArrayEnd}[d.how.Selected]
	return stack(gtx, 0, 8,
		func(gtx layout.Context) layout.Dimensions {
			n := th.Number(&d.count, "")
			n.Label = sArrayCount
			return n.Layout(gtx)
		},
		th.Segments(&d.how, sArrayByStep, sArrayToEnd).Layout,
		func(gtx layout.Context) layout.Dimensions {
			v := th.Vector(d.vector(), title, uMetre)
			v.LabelWidth = labelAbove
			return v.Layout(gtx)
		},
		func(gtx layout.Context) layout.Dimensions {
			if r := d.reason(); r != "" {
				return d.sh.problem(gtx, r)
			}
			apart := d.length() / (d.count.Value - 1)
			return th.Dim(fmt.Sprintf(sArraySum, distance(d.length()), distance(apart))).Layout(gtx)
		},
	)
}
