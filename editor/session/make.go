package session

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/sample"
)

// Maker is the dialog for a new level.
type Maker struct {
	Ground     bool // else the level is made of meshes alone, and the numbers don't count
	Cols, Rows int
	Spacing    float64 // metres
}

// Maker is the dialog for a new level, or nil.
func (s *Session) Maker() *Maker { return s.maker }

func (s *Session) askNew() {
	s.maker = &Maker{Ground: true, Cols: 513, Rows: 513, Spacing: 1}
	s.invalidate()
}

// Ready tells why no level can be made; nil when one can.
func (m *Maker) Ready() error {
	if !m.Ground {
		return nil
	}
	if err := terrain.CheckSize(m.Cols, m.Rows); err != nil {
		return err
	}
	return terrain.CheckSpacing(m.Spacing)
}

// CancelMaker closes the dialog.
func (s *Session) CancelMaker() {
	s.maker = nil
	s.invalidate()
}

// Make makes the level as the dialog says and closes it.
func (s *Session) Make() {
	m := s.maker
	if m == nil || m.Ready() != nil {
		return
	}
	s.maker = nil
	s.unlessDirty(func() {
		f, err := m.field()
		if err != nil {
			s.Fail(err)
			return
		}
		s.NewLevel(document.NewLevel(f), "")
	})
}

// field is the ground that the dialog asks for.
func (m *Maker) field() (*terrain.Field, error) {
	if !m.Ground {
		return document.NoTerrain()
	}
	return terrain.Flat(m.Cols, m.Rows, m.Spacing)
}

// openSample opens the level that comes with the editor.
func (s *Session) openSample() { s.unlessDirty(s.loadSample) }

func (s *Session) loadSample() {
	since := s.moment()
	s.Start("Opening the sample level", func(context.Context, func(float64)) (func() error, error) {
		l, err := SampleLevel()
		return func() error {
			if s.editedSince(since) {
				s.askEdited(s.loadSample)
				return nil
			}
			s.NewLevel(l, SampleName)
			return nil
		}, err
	}, nil)
}

// SampleName is what the sample level is called.
const SampleName = "Sample"

// SampleLevel makes the level that comes with the editor.
func SampleLevel() (*document.Level, error) {
	f, err := sample.Field()
	if err != nil {
		return nil, fmt.Errorf("the sample level cannot be made: %w", err)
	}
	l := document.NewLevel(f)
	l.Settings.Camera = sampleCamera
	l.Settings.Sun.Azimuth, l.Settings.Sun.Elevation = 250*math.Pi/180, 32*math.Pi/180
	l.Settings.Sun.Intensity, l.Settings.Sun.Ambient = 1.15, 0.22
	return l, nil
}

// sampleCamera looks up the valley from the south.
var sampleCamera = document.Camera{
	Eye:  mgl64.Vec3{13600, 3900, 17500},
	Look: mgl64.Vec3{10000, 1700, 8500},
}
