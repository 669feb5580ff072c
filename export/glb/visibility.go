package glb

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/qmuntal/gltf"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/export/visibility"
	"ridgeline/export/visibility/take"
	"ridgeline/occluders/geom"
)

// shapes are the models of assets as far as visibility goes, by file: bounds and
// occluders without triangles.
type shapes map[string]*scene.Model

// Model implements scene.Library.
func (s shapes) Model(a *document.Asset) *scene.Model { return s[a.File] }

func (s shapes) note(file string, m *mesh.Model) {
	s[file] = scene.NewModel(&mesh.Model{Bounds: m.Bounds, Occluders: m.Occluders})
}

// addVisibility adds what hides what in the level. Its payloads are written last.
func (p *plan) addVisibility(ctx context.Context, l *document.Level, o *Options, off float64) error {
	s := scene.New(p.shapes)
	s.Update(l, nil)
	d := take.Scene(s, p.place)
	if p.turned() {
		d.Root = p.nodes.n // see addRoot
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.Ground != nil && p.groundNode != none {
		d.Ground.Node = p.groundNode
	}
	if o.Quantize {
		coarsen(d, off)
	}
	roundOut(d)
	kind := map[Heights]visibility.Heights{HeightsFloat: visibility.Float, Heights16: visibility.Bits16, HeightsNone: visibility.Without}[o.Heights]
	if p.named {
		kind = visibility.Without
		p.begin("visibility.bin")
	}
	value, payloads, err := d.Encode(kind, func(size int64) int { return p.addView(int(size), 0, gltf.TargetNone) })
	if err != nil {
		return fmt.Errorf("visibility: %w", err)
	}
	p.payloads = payloads
	if p.doc.Extensions == nil {
		p.doc.Extensions = gltf.Extensions{}
	}
	p.doc.Extensions[visibility.Extension] = json.RawMessage(value)
	p.uses(visibility.Extension)
	return nil
}

// coarsen makes up for vertices that are written with few bits: ground that is off by so
// much, and things by a part of their size.
func coarsen(d *visibility.Data, off float64) {
	for i := range d.Boxes {
		b := &d.Boxes[i]
		if b.IsEmpty() {
			continue
		}
		by := off
		if s := b.Size(); i >= d.Chunks() {
			by = max(s[0], s[1], s[2]) / (1 << 14) // the file's steps are a 65534th of the longest side, before it is turned
		}
		for a := range 3 {
			b.Min[a], b.Max[a] = b.Min[a]-by, b.Max[a]+by
		}
	}
	if d.Ground != nil {
		d.Ground.Off = off
	}
}

// roundOut makes up for places of instances that are written in 32 bits, about the middle
// of those of their node: 24 bits of how far they reach, and of the size of what stands there
// for its turn and scale.
func roundOut(d *visibility.Data) {
	reach := map[int32]geom.Box{}
	each := func(do func(node int32, b *geom.Box)) {
		for i := range d.Things {
			if b := &d.Boxes[d.Chunks()+i]; d.Things[i].Instance != visibility.None && !b.IsEmpty() {
				do(d.Things[i].Node, b)
			}
		}
	}
	each(func(node int32, b *geom.Box) {
		all, ok := reach[node]
		if !ok {
			all = geom.EmptyBox()
		}
		reach[node] = all.Union(*b)
	})
	each(func(node int32, b *geom.Box) {
		s := reach[node].Size()
		by := max(s[0], s[1], s[2]) / (1 << 22)
		for a := range 3 {
			b.Min[a], b.Max[a] = b.Min[a]-by, b.Max[a]+by
		}
	})
}

// addCameras notes the level's bookmarks in the scene's extras.
func (p *plan) addCameras(l *document.Level) {
	if len(l.Settings.Bookmarks) == 0 {
		return
	}
	type place struct {
		Eye  [3]float64 `json:"eye"`
		Look [3]float64 `json:"look"`
	}
	cameras := map[string]place{}
	for name, c := range l.Settings.Bookmarks {
		cameras[name] = place{c.Eye, c.Look}
	}
	p.doc.Scenes[0].Extras = map[string]any{"cameras": cameras}
}

// place says where the file shows a thing or, unless point is visibility.None, a point
// of a scatter.
func (p *plan) place(id document.ID, point int) (node, instance int) {
	at := p.places[id]
	if point >= 0 {
		at = p.points[id][point]
	}
	return at.node, at.instance
}
