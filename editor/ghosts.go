package editor

import (
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/editor/session"
	"ridgeline/occluders/geom"
	"ridgeline/viewport/render"
)

// ghosts are what was culled, as the renderer shows it.
type ghosts struct {
	list   []session.Ghost
	things []render.Ghost
	chunks []render.GhostChunk
}

// fill takes what the session shows of it in a frustum.
func (g *ghosts) fill(s *session.Session, f *geom.Frustum) {
	g.list = s.Culling.AppendGhosts(g.list[:0], f)
	g.things, g.chunks = g.things[:0], g.chunks[:0]
	for _, it := range g.list {
		_, slot, isChunk := s.Scene().Entry(it.Entry)
		if isChunk {
			g.chunks = append(g.chunks, render.GhostChunk{Chunk: int(it.Entry), Colour: it.Colour})
			continue
		}
		item := &s.Scene().Items()[slot]
		g.things = append(g.things, render.Ghost{Model: item.Model.Model, World: item.World, Colour: it.Colour})
	}
}

// heat is a heat map, as the renderer shows it.
type heat struct {
	made    *session.Heat
	picture render.HeatMap
}

// of gives the picture of a heat map; nil for none.
func (t *heat) of(h *session.Heat) *render.HeatMap {
	if h == nil {
		t.made = nil
		return nil
	}
	if t.made != h {
		t.made = h
		t.picture = render.HeatMap{
			Min: mgl64.Vec2(h.Min), Max: mgl64.Vec2(h.Max), Cols: h.Cols, Rows: h.Rows, Values: make([]float32, len(h.Triangles)),
		}
		for i := range t.picture.Values {
			t.picture.Values[i] = h.Share(i)
		}
	}
	return &t.picture
}
