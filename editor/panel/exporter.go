package panel

import (
	"fmt"
	"path/filepath"

	"gioui.org/layout"

	"ridgeline/editor/session"
	"ridgeline/export/glb"
	"ridgeline/widgets"
)

// exportDialog asks how a level is written as glTF.
type exportDialog struct {
	sh     *Shell
	dialog widgets.Dialog
	of     *session.Exporter

	chunk, lods, heights, bake, mesh widgets.Choice
	scale                            widgets.Number
	checks                           [len(exportChecks)]widgets.Check
	chosen                           widgets.Check
}

// The choices of numbers, and their titles.
var (
	exportChunks  = [...]int{32, 64, 128}
	exportBakes   = [...]int{0, 64, 128, 256, 512, 1024, 2048}
	exportHeights = [...]string{sHeightsFloat, sHeights16, sNone}
	exportMeshes  = [...]float64{0.5, 0.25, 0.1} // the first of them, as many as are chosen
	exportParts   = [...]string{sNone, "½", "½, ¼", "½, ¼, ⅒"}
)

// exportChecks are the options that are on or off.
var exportChecks = [...]struct {
	title, help string
	of          func(o *glb.Options) *bool
	off         bool // the option says that it is not so
}{
	{sUnlit, sUnlitHelp, func(o *glb.Options) *bool { return &o.Unlit }, false},
	{sQuantize, sQuantizeHelp, func(o *glb.Options) *bool { return &o.Quantize }, false},
	{sInstancing, sInstancingHelp, func(o *glb.Options) *bool { return &o.Instancing }, false},
	{sZUp, sZUpHelp, func(o *glb.Options) *bool { return &o.ZUp }, false},
	{sExportSun, sExportSunHelp, func(o *glb.Options) *bool { return &o.Sun }, false},
	{sExportCameras, sExportCamerasHelp, func(o *glb.Options) *bool { return &o.Cameras }, false},
	{sExportVisibility, sExportVisibilityHelp, func(o *glb.Options) *bool { return &o.NoVisibility }, true},
	{sStrict, sStrictHelp, func(o *glb.Options) *bool { return &o.Strict }, false},
}

func (d *exportDialog) layout(gtx layout.Context) layout.Dimensions {
	sh, ex := d.sh, d.sh.s.Exporter()
	if ex != d.of {
		d.of = ex
		d.dialog.Close()
		if ex != nil {
			d.dialog.Open()
			*d = exportDialog{sh: sh, of: ex, dialog: d.dialog}
		}
	}
	if ex == nil {
		return layout.Dimensions{}
	}
	d.read(gtx, ex)
	if id, ok := d.dialog.Update(gtx); ok {
		d.of = nil
		if id == sExport {
			sh.s.Export()
		} else {
			sh.s.CancelExport()
		}
		sh.again = true
		return layout.Dimensions{}
	}
	w := sh.th.Dialog(&d.dialog, sExporting, "",
		widgets.DialogButton{ID: sCancel, Title: sCancel, Cancel: true},
		widgets.DialogButton{ID: sExport, Title: sExport, Importance: widgets.Primary, Default: true})
	w.Width = 480
	return w.Layout(gtx, func(gtx layout.Context) layout.Dimensions { return d.body(gtx, ex) })
}

// read takes what was changed.
func (d *exportDialog) read(gtx layout.Context, ex *session.Exporter) {
	o := &ex.Options
	if i, ok := d.chunk.Update(gtx); ok {
		o.Chunk = exportChunks[i]
	}
	if i, ok := d.lods.Update(gtx); ok {
		o.LODs = i + 1
	}
	if i, ok := d.heights.Update(gtx); ok {
		o.Heights = glb.Heights(i)
	}
	if i, ok := d.bake.Update(gtx); ok {
		o.Bake = exportBakes[i]
	}
	if i, ok := d.mesh.Update(gtx); ok {
		o.MeshLODs = exportMeshes[:i:i]
	}
	d.chunk.Selected, d.lods.Selected, d.heights.Selected, d.bake.Selected = 1, 3, int(o.Heights), 0
	d.mesh.Selected = min(len(o.MeshLODs), len(exportMeshes))
	for i, c := range exportChunks {
		if c == o.Chunk {
			d.chunk.Selected = i
		}
	}
	if o.LODs > 0 {
		d.lods.Selected = o.LODs - 1
	}
	for i, b := range exportBakes {
		if b == o.Bake {
			d.bake.Selected = i
		}
	}
	d.scale.Log, d.scale.Min, d.scale.Max = true, glb.MinScale, glb.MaxScale
	changed := false
	for {
		c, ok := d.scale.Update(gtx)
		if !ok {
			break
		}
		o.Scale, changed = c.Value, true
	}
	if !changed && !d.scale.Dragging() {
		d.scale.Value = 1
		if o.Scale != 0 {
			d.scale.Value = o.Scale
		}
	}
	for i := range d.checks {
		c := &exportChecks[i]
		if on, ok := d.checks[i].Update(gtx); ok {
			*c.of(o) = on != c.off
		}
		d.checks[i].Value = *c.of(o) != c.off
	}
	if on, ok := d.chosen.Update(gtx); ok {
		ex.Chosen = on
	}
	d.chosen.Value = ex.Chosen
}

func (d *exportDialog) body(gtx layout.Context, ex *session.Exporter) layout.Dimensions {
	sh, th := d.sh, d.sh.th
	choice := func(label, help string, c *widgets.Choice, titles ...string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			return sh.labelled(gtx, label, func(gtx layout.Context) layout.Dimensions {
				s := th.Choice(c, label, titles...)
				s.Tip = widgets.Tip{Title: label, Help: help}
				return s.Layout(gtx)
			})
		}
	}
	check := func(c *widgets.Check, title, help string) layout.Widget {
		return func(gtx layout.Context) layout.Dimensions {
			s := th.Check(c, title)
			s.Tip = widgets.Tip{Title: title, Help: help}
			return s.Layout(gtx)
		}
	}
	numbers := func(vs []int) (out []string) {
		for _, v := range vs {
			if v == 0 {
				out = append(out, sNone)
				continue
			}
			out = append(out, fmt.Sprint(v))
		}
		return out
	}
	levels := make([]string, glb.MaxLODs)
	for i := range levels {
		levels[i] = fmt.Sprint(i + 1)
	}
	parts := []layout.Widget{
		func(gtx layout.Context) layout.Dimensions {
			return sh.fact(gtx, sFileLabel, filepath.Base(ex.Path), factColumn)
		},
	}
	if ex.Things > 0 {
		parts = append(parts, check(&d.chosen, fmt.Sprintf(sOnlySelected, ex.Things), sOnlySelectedHelp))
	}
	if sh.s.Level().HasTerrain() && !ex.Chosen {
		parts = append(parts,
			columns(8, choice(sChunk, sChunkHelp, &d.chunk, numbers(exportChunks[:])...), choice(sLODs, sLODsHelp, &d.lods, levels...)),
			columns(8, choice(sExportBake, sBakeHelp, &d.bake, numbers(exportBakes[:])...), choice(sExportHeights, sHeightsHelp, &d.heights, exportHeights[:]...)))
	}
	parts = append(parts, columns(8, choice(sMeshLODs, sMeshLODsHelp, &d.mesh, exportParts[:]...), func(gtx layout.Context) layout.Dimensions {
		s := th.Number(&d.scale, "")
		s.Label = sUnits
		return s.Layout(gtx)
	}))
	for i := 0; i < len(d.checks); i += 2 {
		parts = append(parts, columns(8,
			check(&d.checks[i], exportChecks[i].title, exportChecks[i].help),
			check(&d.checks[i+1], exportChecks[i+1].title, exportChecks[i+1].help)))
	}
	return stack(gtx, 0, 6, parts...)
}
