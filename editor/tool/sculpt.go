package tool

import (
	"errors"
	"fmt"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/terrain/brush"
)

// Sculpt changes heights. Ctrl turns raise into lower and back; Shift smooths,
// whatever the operation.
type Sculpt struct {
	Op    brush.Op // Raise, Lower, Smooth or Flatten
	Brush *Brush   // shared with the options
}

// ID implements Tool.
func (*Sculpt) ID() string { return "sculpt" }

// Hover implements Tool.
func (s *Sculpt) Hover(l *document.Level, in Input) Preview { return hover(l, in, s.Brush) }

// op is what the modifiers make of the operation.
func (s *Sculpt) op(m Modifiers) (brush.Op, error) {
	switch {
	case m&Shift != 0:
		return brush.Smooth, nil
	case m&Ctrl == 0:
		return s.Op, nil
	case s.Op == brush.Raise:
		return brush.Lower, nil
	case s.Op == brush.Lower:
		return brush.Raise, nil
	}
	return 0, fmt.Errorf("%s has no opposite, so Ctrl does nothing with it", s.Op)
}

// Press implements Tool.
func (s *Sculpt) Press(env *command.Env, in Input) (Drag, error) {
	op, err := s.op(in.Modifiers)
	if err != nil {
		return nil, err
	}
	return press(env, in, command.StrokeName(op), s.Brush.of(op))
}

// Paint raises the weight of a layer.
type Paint struct {
	Layer int    // index
	Brush *Brush // shared with the options
}

// ID implements Tool.
func (*Paint) ID() string { return "paint" }

// Hover implements Tool.
func (p *Paint) Hover(l *document.Level, in Input) Preview { return hover(l, in, p.Brush) }

// Press implements Tool.
func (p *Paint) Press(env *command.Env, in Input) (Drag, error) {
	layers := env.Doc.Level().Layers
	switch {
	case in.Modifiers&(Ctrl|Shift) != 0:
		return nil, errors.New("painting has no opposite: choose the layer that should show instead")
	case p.Layer < 0 || p.Layer >= len(layers):
		return nil, fmt.Errorf("there is no layer %d to paint, expected 0 to %d", p.Layer, len(layers)-1)
	}
	b := p.Brush.of(brush.Paint)
	b.Layer = uint8(p.Layer)
	return press(env, in, "Paint "+layers[p.Layer].Name, b)
}
