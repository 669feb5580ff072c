package editor

import (
	"context"
	"fmt"
	"image"
	"io"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/occluders/cull"
	"ridgeline/viewport/host"
	"ridgeline/viewport/render"
)

// Cull asks what of a level is drawn in a view, and why the rest is not.
type Cull struct {
	Level *document.Level
	Path  string // of the level: its meshes; may be empty

	Size      image.Point // pixels of the picture
	Eye, Look *mgl64.Vec3 // nil: where the level keeps its camera
	FovY      float64     // vertical, radians; 0 is the editor's own
	Do        string      // commands that are run before, such as cull.set
	Out       io.Writer   // what the commands print; nil discards
	Oracle    bool        // compare with what has a pixel when nothing is culled
}

// CullReport is the answer. Its keys stay as they are once written.
type CullReport struct {
	Objects  int           `json:"objects"` // tested: objects, points of scatters, tiles of the ground
	Drawn    int           `json:"drawn"`
	Tests    []CullTest    `json:"tests"`
	Verdicts []CullVerdict `json:"verdicts"`
	// What the oracle says; nil without it. Hidden is how many of those inside the view
	// have no pixel, and Efficiency the share of them that was removed.
	Hidden     *int          `json:"hidden,omitempty"`
	FalseCulls []CullVerdict `json:"falseCulls,omitzero"`
	Efficiency *float64      `json:"efficiency,omitempty"`
	ByItself   []CullShare   `json:"byItself,omitempty"`
	PerTest    []CullPerTest `json:"perTest,omitempty"`
}

// CullTest is what one test did.
type CullTest struct {
	Name    string `json:"name"`
	Tried   int    `json:"tried"`
	Removed int    `json:"removed"`
	Ns      int64  `json:"ns"`
}

// CullShare is the share of the hidden that one test removes when it runs with the
// frustum test alone.
type CullShare struct {
	Name       string  `json:"name"`
	Removed    int     `json:"removed"`
	Efficiency float64 `json:"efficiency"`
}

// CullPerTest compares a test with what its own blockers hide: the ground, walls of
// rooms, hulls of occluders. Hidden are the things and tiles inside the view that these
// alone hide, Removed those of them that the test removes when it runs with the
// frustum test alone.
type CullPerTest struct {
	Name       string  `json:"name"`
	Hidden     int     `json:"hidden"`
	Removed    int     `json:"removed"`
	Efficiency float64 `json:"efficiency"` // 1 where nothing is hidden
}

// CullVerdict is what became of one thing. An ID is an entity's; a scatter's with #
// and the number of the point; or tile:x,y.
type CullVerdict struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Verdict string   `json:"verdict"`
	By      []string `json:"by"` // a side of the view; closed portals; a place on the ground; occluders
}

// Run makes the report.
func (q Cull) Run(ctx context.Context) (*CullReport, error) {
	s := session.New(q.Level, session.Options{Temporary: true, Path: q.Path})
	defer s.Close()
	s.LoadModels(ctx)
	if q.Do != "" {
		s.Resize(q.Size, 1)
		if err := execute(s, q.Do, q.Out); err != nil {
			return nil, err
		}
		s.View.Settle()
		s.LoadModels(ctx)
	}
	if q.Eye != nil || q.Look != nil {
		at := s.Env.View.Camera
		if q.Eye != nil {
			at.Eye = *q.Eye
		}
		if q.Look != nil {
			at.Look = *q.Look
		}
		s.View.Place(at.Eye, at.Look)
	}
	if q.FovY > 0 {
		s.View.Rig.Camera.FovY = q.FovY
	}
	s.Resize(q.Size, 1)
	s.Tick(0)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.Scene().Complete()
	v := viewOf(s, q.Size)
	run, _ := s.Culling.Run(cull.ViewOf(v.Eye, v.ViewProj), q.Size)
	r := &CullReport{Objects: run.Entries, Drawn: len(run.Drawn), Tests: []CullTest{}, Verdicts: []CullVerdict{}}
	for t, st := range run.Stats {
		if s.Culling.Tests().Has(cull.Test(t)) {
			r.Tests = append(r.Tests, CullTest{cull.Test(t).String(), st.Tried, st.Removed, st.Time.Nanoseconds()})
		}
	}
	for e, v := range run.Verdicts {
		if v != cull.Absent {
			r.Verdicts = append(r.Verdicts, verdictOf(s, int32(e)))
		}
	}
	if !q.Oracle {
		return r, nil
	}
	return r, q.judge(s, r)
}

// judge compares the report with what can be seen.
func (q Cull) judge(s *session.Session, r *CullReport) error {
	gl, err := host.NewHeadlessGL()
	if err != nil {
		return err
	}
	defer gl.Close()
	c := &scene{s: s}
	if err := gl.Do(c.Init); err != nil {
		return err
	}
	defer gl.Do(func() error { c.Release(); return nil })
	var t truth
	v := viewOf(s, q.Size)
	err = gl.Do(func() error {
		if err := c.r.Update(c.world(s.Level())); err != nil {
			return err
		}
		return t.find(c, v, q.Size)
	})
	if err != nil {
		return err
	}
	j := s.Culling.Judge(t.has)
	share := j.Efficiency()
	r.Hidden, r.Efficiency, r.FalseCulls = &j.Hidden, &share, []CullVerdict{}
	for _, e := range j.False {
		r.FalseCulls = append(r.FalseCulls, verdictOf(s, e))
	}
	if err := q.judgeTests(s, gl, c, v, r); err != nil {
		return err
	}
	// Each test by itself: what the others would have removed first counts too.
	view := cull.ViewOf(v.Eye, v.ViewProj)
	was := s.Env.View.Off
	for test := cull.Backface; test < cull.NumTests; test++ {
		if was.Has(test) {
			continue
		}
		s.Env.View.Off = cull.All &^ cull.Only(cull.Frustum, test)
		s.Culling.Run(view, q.Size)
		j := s.Culling.Judge(t.has)
		r.ByItself = append(r.ByItself, CullShare{test.String(), j.Removed[test], j.Of(test)})
	}
	s.Env.View.Off = was
	s.Culling.Run(view, q.Size)
	return nil
}

// judgeTests compares each test with what its own blockers hide.
func (q Cull) judgeTests(s *session.Session, gl *host.GL, c *scene, v render.View, r *CullReport) error {
	view := cull.ViewOf(v.Eye, v.ViewProj)
	was := s.Env.View.Off
	defer func() {
		s.Env.View.Off = was
		s.Culling.Run(view, q.Size)
	}()
	return gl.Do(func() error {
		bare, err := render.New()
		if err != nil {
			return err
		}
		defer bare.Release()
		b := newBlockers(c, bare, v, q.Size)
		if err := b.look(); err != nil {
			return err
		}
		for _, test := range [...]cull.Test{cull.Portal, cull.Terrain, cull.Occluder} {
			if was.Has(test) {
				continue
			}
			hidden, err := b.of(test)
			if err != nil {
				return err
			}
			if hidden == nil {
				continue
			}
			s.Env.View.Off = cull.All &^ cull.Only(cull.Frustum, test)
			run, _ := s.Culling.Run(view, q.Size)
			per := CullPerTest{Name: test.String(), Efficiency: 1}
			for e := range hidden {
				switch verdict := run.Verdicts[e]; {
				case verdict == cull.Absent || verdict == cull.ByFrustum || b.outside(e):
				case verdict != cull.Drawn:
					per.Removed++
					per.Hidden++
				default:
					per.Hidden++
				}
			}
			if per.Hidden > 0 {
				per.Efficiency = float64(per.Removed) / float64(per.Hidden)
			}
			r.PerTest = append(r.PerTest, per)
		}
		return nil
	})
}

// verdictOf tells what became of an entry of the tree.
func verdictOf(s *session.Session, entry int32) CullVerdict {
	id, name := s.Culling.NameOf(entry)
	reason := s.Culling.Explain(entry)
	return CullVerdict{ID: id, Name: name, Verdict: reason.Verdict.String(), By: by(s, &reason)}
}

// sides are those of the view, as a frustum's planes are numbered.
var sides = [...]string{"left", "right", "bottom", "top", "near", "far"}

// by lists what removed something.
func by(s *session.Session, r *cull.Reason) []string {
	out := []string{}
	v := s.Scene().Visibility()
	id := func(id document.ID) string { return strconv.FormatUint(uint64(id), 10) }
	switch r.Verdict {
	case cull.ByFrustum:
		if r.Plane >= 0 {
			out = append(out, sides[r.Plane])
		}
	case cull.ByPortal:
		for _, p := range r.Portals {
			out = append(out, id(v.Portals[p].ID))
		}
	case cull.ByTerrain:
		out = append(out, fmt.Sprintf("%.2f,%.2f", r.Ground[0], r.Ground[2]))
	case cull.ByOccluder:
		for _, o := range r.Occluders {
			out = append(out, id(v.Occluders[o].ID))
		}
	}
	return out
}
