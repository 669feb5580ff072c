package lods

import (
	"context"
	"errors"
	"math"
	"os"
	"testing"

	"ridgeline/document/mesh"
)

func garage(t *testing.T) *mesh.Model {
	t.Helper()
	m, err := mesh.Load(t.Context(), os.DirFS("../../testdata/meshes"), "building-garage.glb")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Each level has no more triangles than was asked for, as far as there is such a one, uses
// the materials of the model, and the more it is simplified the more it is off.
func TestShares(t *testing.T) {
	m := garage(t)
	all, err := Of(t.Context(), m, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	least := all.Share(0)
	last := math.MaxInt
	off := -1.0
	for _, share := range []float64{1, 0.7, 0.5, 0.25, 0.1, 0.01} {
		l := all.Share(share)
		if most := max(int(share*float64(m.Triangles())), least.Triangles); l.Triangles > most || l.Triangles > last || l.Error < off {
			t.Errorf("share %g: %d triangles, expected at most %d; off %g after %g", share, l.Triangles, most, l.Error, off)
		}
		last, off = l.Triangles, l.Error
		n := 0
		used := map[uint32]int{}
		for _, p := range m.Parts {
			for _, v := range m.Indices[p.First:][:p.Count] {
				used[v] = p.Material
			}
		}
		for k, list := range l.Indices {
			n += len(list) / 3
			for _, v := range list {
				if used[v] != k {
					t.Fatalf("share %g: vertex %d of material %d is drawn with %d", share, v, used[v], k)
				}
			}
		}
		if n != l.Triangles {
			t.Errorf("share %g: %d triangles listed, %d told", share, n, l.Triangles)
		}
	}
	if whole := all.Share(1); whole.Triangles != m.Triangles() || whole.Error != 0 {
		t.Errorf("the whole has %d triangles of %d and is off by %g", whole.Triangles, m.Triangles(), whole.Error)
	}
}

// A limit of the error gives the simplest level that keeps it.
func TestWithin(t *testing.T) {
	all, err := Of(t.Context(), garage(t), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := math.MaxInt
	for _, metres := range []float64{1e-6, 0.01, 0.05, 0.2, 1} {
		l := all.Within(metres)
		if l.Error > metres || l.Triangles > last {
			t.Errorf("within %g m: off %g, %d triangles after %d", metres, l.Error, l.Triangles, last)
		}
		last = l.Triangles
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ctx, garage(t), 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// What ends early has the same levels down to there.
func TestLeast(t *testing.T) {
	m := garage(t)
	all, err := Of(t.Context(), m, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	least := (m.Triangles() + all.Share(0).Triangles) / 2
	some, err := Of(t.Context(), m, least, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{1, float64(least+1) / float64(m.Triangles())} {
		if a, b := all.Share(share), some.Share(share); a.Triangles != b.Triangles || a.Error != b.Error {
			t.Errorf("share %g: %d triangles off by %g, of all %d off by %g", share, b.Triangles, b.Error, a.Triangles, a.Error)
		}
	}
	if a, b := all.Share(0), some.Share(0); b.Triangles <= a.Triangles {
		t.Errorf("it went on to %d of at least %d triangles", b.Triangles, a.Triangles)
	}
}
