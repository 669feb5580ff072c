package panel

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/icons"
	"ridgeline/terrain"
	"ridgeline/terrain/heightmap"
	"ridgeline/widgets"
)

// importDialog shows what a heightmap holds before it is loaded, and asks how it is
// read and what its values become.
type importDialog struct {
	sh     *Shell
	dialog widgets.Dialog
	of     *session.Importer

	cols, rows widgets.Number
	bits       widgets.Choice
	order      widgets.Choice
	signed     widgets.Check

	spacing, low, high widgets.Number
	void               widgets.Choices

	nodata        widgets.Field
	nodataProblem string
}

// The choices of how a raw file is read.
var (
	rawBits   = [...]int{0, 8, 16, 32}
	bitTitles = [...]string{sGuess, "8", "16", "32"}
	orders    = [...]heightmap.Endian{heightmap.EndianAuto, heightmap.LittleEndian, heightmap.BigEndian}
	orderText = [...]string{sGuess, sLittle, sBig}
)

func (d *importDialog) layout(gtx layout.Context) layout.Dimensions {
	sh, im := d.sh, d.sh.s.Importer()
	if im != d.of {
		d.of = im
		d.dialog.Close()
		if im != nil {
			d.dialog.Open()
			*d = importDialog{sh: sh, of: im, dialog: d.dialog}
		}
	}
	if im == nil {
		return layout.Dimensions{}
	}
	d.readAs(gtx, im)
	d.become(gtx, im)
	if id, ok := d.dialog.Update(gtx); ok {
		d.of = nil
		if id == sImport {
			sh.s.Import()
		} else {
			sh.s.CancelImport()
		}
		sh.again = true
		return layout.Dimensions{}
	}
	reason := ""
	if err := im.Ready(); err != nil {
		// The dialog says which file it is about, and where that lies helps nobody.
		reason = strings.ReplaceAll(err.Error(), im.Path+": ", "")
		reason = capital(strings.ReplaceAll(reason, "the size as WIDTHxHEIGHT", sStateSize))
	}
	w := sh.th.Dialog(&d.dialog, sImporting, "",
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: sImport, Title: sImport, Importance: widgets.Primary, Default: true, Reason: reason})
	w.Width = 480
	return w.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return d.body(gtx, im, reason) })
}

// raw reports whether the file has no header, so that it must be said how it is
// read.
func raw(im *session.Importer) bool {
	f := im.Read.Format
	if f == heightmap.Auto {
		f, _ = heightmap.FormatOf(im.Path)
	}
	switch f {
	case heightmap.Raw, heightmap.R8, heightmap.R16, heightmap.R32:
		return true
	}
	return false
}

// readAs takes changes of how the file is read and has it looked at again.
func (d *importDialog) readAs(gtx layout.Context, im *session.Importer) {
	was := im.Read
	size := func(n *widgets.Number, v *int, found int) {
		n.Integer, n.Min, n.Max, n.Step = true, 0, heightmap.MaxSide, 64
		committed := false
		for {
			c, ok := n.Update(gtx)
			if !ok {
				break
			}
			if c.Phase == widgets.Commit {
				*v, committed = int(c.Value), true
			}
		}
		if !committed && !n.Dragging() {
			n.Value = float64(*v)
			if *v == 0 && im.Err == nil {
				n.Value = float64(found)
			}
		}
	}
	size(&d.cols, &im.Read.Cols, im.Info.Cols)
	size(&d.rows, &im.Read.Rows, im.Info.Rows)
	if i, ok := d.bits.Update(gtx); ok {
		im.Read.Bits = rawBits[i]
	}
	if i, ok := d.order.Update(gtx); ok {
		im.Read.Endian = orders[i]
	}
	if on, ok := d.signed.Update(gtx); ok {
		im.Read.Signed = on
	}
	for i, b := range rawBits {
		if b == im.Read.Bits {
			d.bits.Selected = i
		}
	}
	for i, e := range orders {
		if e == im.Read.Endian {
			d.order.Selected = i
		}
	}
	d.signed.Value = im.Read.Signed
	d.readNodata(gtx, im)
	if im.Read == was {
		return
	}
	d.sh.again = true
	// One side alone says nothing: the file is looked at when both are known.
	if (im.Read.Cols == 0) == (im.Read.Rows == 0) {
		d.sh.s.Inspect()
	}
}

// readNodata takes the value that stands for unknown heights.
func (d *importDialog) readNodata(gtx layout.Context, im *session.Importer) {
	for {
		ev, ok := d.nodata.Update(gtx)
		if !ok {
			break
		}
		switch ev.Kind {
		case widgets.FieldChanged:
			d.nodataProblem = ""
		case widgets.FieldCancelled:
			d.dialog.Cancel()
		default:
			before := im.Read.Nodata
			text := strings.TrimSpace(ev.Text)
			v, err := strconv.ParseFloat(text, 64)
			switch {
			case text == "":
				im.Read.Nodata = nil
			case err != nil:
				d.nodataProblem = sNotNodata
			case before == nil || *before != v && !(math.IsNaN(v) && math.IsNaN(*before)):
				im.Read.Nodata = &v
			}
			// A second Enter is for the dialog.
			if ev.Kind == widgets.FieldSubmitted && d.nodataProblem == "" && im.Read.Nodata == before {
				d.dialog.Accept()
			}
		}
	}
}

// become takes changes of what the values become.
func (d *importDialog) become(gtx layout.Context, im *session.Importer) {
	for _, f := range [...]struct {
		n *widgets.Number
		v *float64
	}{{&d.spacing, &im.Spacing}, {&d.low, &im.Min}, {&d.high, &im.Max}} {
		if f.n == &d.spacing {
			f.n.Log, f.n.Min, f.n.Max = true, terrain.MinSpacing, 1e4
		} else {
			f.n.Min, f.n.Max, f.n.Step = -terrain.MaxHeight, terrain.MaxHeight, 10
		}
		changed := false
		for {
			c, ok := f.n.Update(gtx)
			if !ok {
				break
			}
			*f.v, changed = c.Value, true
		}
		if !changed && !f.n.Dragging() {
			f.n.Value = *f.v
		}
	}
	if i, ok := d.void.Update(gtx); ok {
		im.Void = heightmap.VoidPolicy(i)
	}
	d.void.Selected = int(im.Void)
}

func (d *importDialog) body(gtx layout.Context, im *session.Importer, reason string) layout.Dimensions {
	sh, th := d.sh, d.sh.th
	fact := func(name, text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions { return sh.fact(gtx, name, text, factColumn) }
	}
	num := func(n *widgets.Number, label, unit string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			s := th.Number(n, unit)
			s.Label = label
			return s.Layout(gtx)
		}
	}
	heading := func(text string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			return stack(gtx, 0, 0, layout.Spacer{Height: 6}.Layout, th.Heading(text).Layout)
		}
	}
	known := im.Err == nil && im.Info.Cols > 0
	about := []layout.Widget{fact(sFileLabel, filepath.Base(im.Path))}
	if known {
		about = append(about, facts(fact, &im.Info)...)
	}
	parts := []layout.Widget{func(gtx layout.Context) layout.Dimensions { return stack(gtx, 0, 0, about...) }}
	if im.Busy && !known {
		parts = append(parts, th.Dim(sInspecting).Layout)
	}
	if raw(im) {
		parts = append(parts, heading(sReadAs),
			columns(8, num(&d.cols, sColumns, ""), num(&d.rows, sRows, "")),
			columns(8,
				func(gtx layout.Context) layout.Dimensions {
					return sh.labelled(gtx, sBits, th.Choice(&d.bits, sBits, bitTitles[:]...).Layout)
				},
				func(gtx layout.Context) layout.Dimensions {
					return sh.labelled(gtx, sByteOrder, th.Choice(&d.order, sByteOrder, orderText[:]...).Layout)
				}),
			func(gtx layout.Context) layout.Dimensions { return th.Check(&d.signed, sSigned).Layout(gtx) },
		)
	}
	parts = append(parts, func(gtx layout.Context) layout.Dimensions {
		return sh.labelled(gtx, sNodata, func(gtx layout.Context) layout.Dimensions {
			f := th.Field(&d.nodata, sNodata)
			f.Hint, f.Problem, f.Tip = sNone, d.nodataProblem, widgets.Tip{Title: sNodata, Help: sNodataTip}
			if n := im.Info.Nodata; known && n != nil {
				f.Hint = sample(*n)
			}
			return f.Layout(gtx)
		})
	})
	if known {
		lo, hi := im.Info.SampleRange()
		parts = append(parts, heading(sBecome),
			columns(8, num(&d.low, fmt.Sprintf(sHeightOf, sample(lo)), uMetre), num(&d.high, fmt.Sprintf(sHeightOf, sample(hi)), uMetre)),
			num(&d.spacing, sSpacing, uMetre),
		)
		if im.Info.Voids > 0 {
			parts = append(parts, func(gtx layout.Context) layout.Dimensions {
				return sh.labelled(gtx, sVoids, th.Segments(&d.void, sFill, sHoles).Layout)
			})
		}
		parts = append(parts, fact(sGround, ground(im)))
		if steep(im) {
			parts = append(parts, func(gtx layout.Context) layout.Dimensions {
				return sh.note(gtx, sSteep, icons.Warning)
			})
		}
	}
	if known {
		for _, n := range im.Info.Notes {
			parts = append(parts, func(gtx layout.Context) layout.Dimensions {
				return sh.note(gtx, n, icons.Info)
			})
		}
	}
	if reason != "" && !im.Busy {
		parts = append(parts, func(gtx layout.Context) layout.Dimensions { return sh.problem(gtx, reason) })
	}
	return stack(gtx, 0, 6, parts...)
}

// facts tells what the file holds.
func facts(fact func(name, text string) layout.Widget, i *heightmap.Info) []layout.Widget {
	kind := sUnsigned
	switch {
	case i.Float:
		kind = sFloating
	case i.Signed:
		kind = sSignedKind
	}
	if i.Bits > 8 && (i.Format == heightmap.Raw || i.Format == heightmap.R16 || i.Format == heightmap.R32) {
		order := sLittleKind
		if i.BigEndian {
			order = sBigKind
		}
		kind += ", " + order
	}
	voids := sNone
	if i.Voids > 0 {
		voids = fmt.Sprintf(sCount, grouped(i.Voids))
	}
	return []layout.Widget{
		fact(sFormat, fmt.Sprintf("%s, %d bits, %s", strings.ToUpper(string(i.Format)), i.Bits, kind)),
		fact(sSamples, fmt.Sprintf("%d × %d", i.Cols, i.Rows)),
		fact(sValues, sample(i.SampleMin)+" to "+sample(i.SampleMax)),
		fact(sVoids, voids),
	}
}

func sample(v float64) string { return widgets.FormatNumber(v, 2) }

// steep reports whether the ground would be higher than it is wide: then most likely
// the values are not the metres that they are taken for.
func steep(im *session.Importer) bool {
	i := &im.Info
	lo, hi := i.SampleRange()
	if hi <= lo {
		return false
	}
	rise := (i.SampleMax - i.SampleMin) / (hi - lo) * (im.Max - im.Min)
	return rise > float64(max(i.Cols, i.Rows)-1)*im.Spacing
}

// ground tells the extent and the heights of the level that the import makes.
func ground(im *session.Importer) string {
	i := &im.Info
	lo, hi := i.SampleRange()
	at := func(s float64) float64 {
		if hi <= lo {
			return im.Min
		}
		return im.Min + (s-lo)/(hi-lo)*(im.Max-im.Min)
	}
	return fmt.Sprintf("%s × %s, heights %s to %s",
		distance(float64(i.Cols-1)*im.Spacing), distance(float64(i.Rows-1)*im.Spacing),
		widgets.FormatNumber(at(i.SampleMin), 2), metres(at(i.SampleMax)))
}
