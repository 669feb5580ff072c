package session

import (
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/editor/tool"
)

// dropping is an asset that is being dragged over the viewport.
type dropping struct {
	name    string // "" for none
	preview tool.Preview
}

// DragAsset shows an asset where a drop at a pixel of the viewport would place it,
// and reports whether it would. Until DropAsset or CancelDropAsset it stands for
// what the tool shows under the pointer.
func (s *Session) DragAsset(name string, x, y float64) bool {
	defer s.invalidate()
	s.dropping = dropping{name: name}
	if s.cannotDrop(name) != nil || !s.inside(x, y) {
		return false
	}
	p, in := s.dropTool(name), s.inputAt(mgl64.Vec2{x, y}, 0, s.View.clock)
	s.dropping.preview = p.Hover(s.Level(), in)
	return s.dropping.preview != (tool.Preview{})
}

// DropAsset places an asset at a pixel of the viewport, as one step of the history,
// and reports whether it did. It is selected then.
func (s *Session) DropAsset(name string, x, y float64) bool {
	s.CancelDropAsset()
	if !s.inside(x, y) {
		return false
	}
	if err := s.cannotDrop(name); err != nil {
		s.Fail(err)
		return false
	}
	placed := false
	_, err := s.guard("placing "+name, func() (func() error, error) {
		p, in := s.dropTool(name), s.inputAt(mgl64.Vec2{x, y}, 0, s.View.clock)
		d, err := p.Press(s.Env, in)
		if err != nil || d == nil {
			return nil, err
		}
		options := s.placing.Options
		s.placing = p // what is placed next is drawn anew
		s.placing.Options = options
		placed = true
		s.note(d)
		return nil, d.End(s.View.clock)
	})
	s.Fail(err)
	s.invalidate()
	return placed && err == nil
}

// CancelDropAsset gives a drag of an asset up.
func (s *Session) CancelDropAsset() {
	if s.dropping != (dropping{}) {
		s.dropping = dropping{}
		s.invalidate()
	}
}

// dropTool is the tool of the mode object for another asset.
func (s *Session) dropTool(name string) tool.Placing {
	o := s.Place
	o.Asset = name
	p := s.placing
	p.Options = &o
	return p
}

// cannotDrop tells why an asset cannot be placed.
func (s *Session) cannotDrop(name string) error {
	if s.file.readOnly {
		return errReadOnly
	}
	if _, ok := s.Level().Asset(name); !ok {
		return fmt.Errorf("the level has no asset %q", name)
	}
	return nil
}

// inside reports whether a pixel is one of the viewport.
func (s *Session) inside(x, y float64) bool {
	return x >= 0 && y >= 0 && image.Pt(int(x), int(y)).In(image.Rectangle{Max: s.View.size})
}
