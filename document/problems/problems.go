package problems

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/occluders/nodetree"
)

// Kind says what sort of problem it is. The names stay as they are once written.
type Kind string

// The kinds.
const (
	Leak          Kind = "leak"            // a cell out of which can be seen where there is no portal
	Unseen        Kind = "not-in-cell"     // a thing that is seen from a cell that it does not touch
	Bare          Kind = "bare"            // a thing in a cell that is seen from outside of it
	TooBig        Kind = "too-big"         // an occluder that is bigger than the mesh it stands for
	Degenerate    Kind = "degenerate"      // points that make no solid or no polygon
	Huge          Kind = "huge"            // what is larger than document.LargestSpan
	NotConvex     Kind = "not-convex"      // points inside the hull, or a portal that is not convex
	Bent          Kind = "bent"            // a polygon whose corners are not in one plane
	Unlinked      Kind = "unlinked"        // a portal that is not between two cells
	OffFace       Kind = "off-face"        // a portal away from the faces of its cells
	Duplicate     Kind = "duplicate"       // two portals in one place, facing the same way
	Opposed       Kind = "opposed"         // two portals in one place, facing each other
	Overlap       Kind = "overlap"         // two cells that overlap
	CrossedByDoor Kind = "crossed-by-door" // an occluder that an open portal crosses
	Useless       Kind = "useless"         // an occluder that never removes anything
)

// Severity says how bad a problem is.
type Severity uint8

// The severities, the worst first.
const (
	Error   Severity = iota // hides what can be seen
	Warning                 // has more drawn than need be
	Note                    // does nothing
)

// String is the severity's name.
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[min(s, Note)] }

// Problem is something that is wrong.
type Problem struct {
	Kind     Kind
	Severity Severity
	Entities []document.ID // what it is about, the thing to blame first; the first of very many
	At       mgl64.Vec3    // where in the world
	Text     string        // a sentence
	Fix      Fix
}

// Fix puts a problem right. One without a script does not exist.
type Fix struct {
	Title  string // of a button
	Script string // command lines, to be run as one step
}

// Exists reports whether there is a fix.
func (f Fix) Exists() bool { return f.Script != "" }

// Options say how to look.
type Options struct {
	// Cameras are looked from besides those of the level.
	Cameras []document.Camera
	// Progress is told how much is done, 0–1. May be nil.
	Progress func(done float64)
}

// Find lists the problems of a scene's level, the worst first, in an order that depends
// on nothing but the level. The scene must be of no other goroutine meanwhile. The
// error is that of the context.
func Find(ctx context.Context, s *scene.Scene, o Options) ([]Problem, error) {
	return find(ctx, s, o, mostEffort)
}

func find(ctx context.Context, s *scene.Scene, o Options, most effort) ([]Problem, error) {
	if s.Level() == nil {
		return nil, ctx.Err()
	}
	f := &finder{ctx: ctx, s: s, l: s.Level(), v: s.Visibility(), options: o, effort: most}
	boxes := make([]geom.Box, len(f.v.Cells))
	for i := range f.v.Cells {
		f.cells = append(f.cells, f.v.Cells[i].Pieces)
		boxes[i] = f.v.Cells[i].Box
	}
	f.tree = nodetree.Build(boxes, nodetree.Options{Split: nodetree.Oct, MaxItems: 8})
	f.same()
	steps := []func(){f.shapes, f.huge, f.portals, f.overlaps, f.leaks, f.unseen, f.bigger, f.useless}
	for i, step := range steps {
		if ctx.Err() != nil {
			break
		}
		step()
		if o.Progress != nil {
			o.Progress(float64(i+1) / float64(len(steps)))
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.dropFixesOfLocked()
	slices.SortStableFunc(f.out, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Kind, b.Kind), slices.Compare(a.Entities, b.Entities))
	})
	return f.out, nil
}

// finder is one search.
type finder struct {
	ctx     context.Context
	s       *scene.Scene
	l       *document.Level
	v       *scene.Visibility
	cells   [][]*hull.Hull
	tree    *nodetree.Tree // over the cells
	first   []int          // of the cells that are the same room as each cell, the first
	options Options
	effort  effort
	out     []Problem
	found   []int32 // scratch of near
}

// mostListed is how many things a problem is about at most, where each may be in many
// problems: so that what is told of a level grows as the level does, however many
// things are in one place.
const mostListed = 16

// near keeps of the cells those that a box touches. Their indices are others than in
// the scene.
func (f *finder) near(b geom.Box) [][]*hull.Hull {
	f.found = f.tree.AppendOverlapping(f.found[:0], b)
	slices.Sort(f.found)
	out := make([][]*hull.Hull, len(f.found))
	for i, k := range f.found {
		out[i] = f.cells[k]
	}
	return out
}

func (f *finder) add(p Problem) { f.out = append(f.out, p) }

// dropFixesOfLocked takes away fixes that would be refused: what is locked is not
// changed. Those of several things have left out what is locked.
func (f *finder) dropFixesOfLocked() {
	for i := range f.out {
		switch p := &f.out[i]; p.Kind {
		case Overlap, Duplicate, Opposed, Unseen:
		default:
			if p.Fix.Exists() && f.locked(p.Entities[0]) {
				p.Fix = Fix{}
			}
		}
	}
}

// locked reports whether a thing is not to be changed.
func (f *finder) locked(id document.ID) bool {
	e, ok := f.l.Entity(id)
	if !ok {
		return false
	}
	_, locked := f.l.Effective(e)
	return locked
}
