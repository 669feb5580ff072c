package problems_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/problems"
	"ridgeline/document/problems/problemtest"
	"ridgeline/document/scene"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/hull"
)

// trial culls a scene with some of its occluders.
type trial struct {
	s      *scene.Scene
	culler cull.Culler
	own    cull.Scene
}

func newTrial(s *scene.Scene) *trial { return &trial{s: s, own: s.Visibility().Scene} }

// removes gives the entries that the occluders with remove from a place, sorted.
func (b *trial) removes(at document.Camera, with func(i int) bool) (out []int) {
	all := b.s.Visibility().Scene.Occluders
	b.own.Occluders = make([]cull.Shape, len(all))
	for i := range all {
		if with(i) {
			b.own.Occluders[i] = all[i]
		} else {
			b.own.Occluders[i] = beyond(all[i], at.Eye)
		}
	}
	for e, v := range b.culler.Run(&b.own, problems.ViewAt(b.s, at), problems.PictureSize, cull.All).Verdicts {
		if v == cull.ByOccluder {
			out = append(out, e)
		}
	}
	return out
}

// beyond is an occluder taken so far away from the eye that nothing is behind it. In the
// picture it looks the same, so that the lines of the buffer go through its corners still,
// which what other occluders hide may depend on.
func beyond(o cull.Shape, eye mgl64.Vec3) cull.Shape {
	if o.Hull == nil || o.Hull.Bounds().DistanceTo(eye) < 2*cull.Skin {
		return cull.Shape{} // the near plane opens it, and there are no such lines
	}
	var far []mgl64.Vec3
	for _, v := range o.Hull.Vertices {
		far = append(far, eye.Add(v.Sub(eye).Mul(1e4)))
	}
	h, err := hull.Of(far)
	if err != nil {
		panic(err)
	}
	return cull.Shape{Hull: h}
}

// hides tells which occluders take part in what all remove together from a place.
func (b *trial) hides(at document.Camera) []int {
	b.removes(at, func(int) bool { return true })
	return b.culler.Hides(nil)
}

// walls is a level of a few boxes to hide and walls on a grid, which hide them alone,
// together, twice or not at all.
func walls(t *rapid.T) *document.Document {
	nowhere, err := document.NoTerrain()
	if err != nil {
		t.Fatal(err)
	}
	l := document.NewLevel(nowhere)
	doc := document.New(l, document.Options{})
	grid := func(name string, n int) float64 { return 4 * float64(rapid.IntRange(-n, n).Draw(t, name)) }
	err = doc.Do("all", func(tx *document.Tx) error {
		if err := tx.SetAssets([]document.Asset{{Name: "lamp", File: "asset:a.glb"}, {Name: "rock", File: "asset:b.glb"}}); err != nil {
			return err
		}
		put := func(d document.Data, at mgl64.Vec3) error {
			return tx.Put(document.Entity{ID: tx.NewID(), Kind: d.Kind(), Data: d, Translation: at})
		}
		for range rapid.IntRange(1, 6).Draw(t, "walls") {
			half := mgl64.Vec3{2, 2, 0.1}
			if rapid.Bool().Draw(t, "across") {
				half = mgl64.Vec3{0.1, 2, 2}
			}
			half = half.Mul(rapid.SampledFrom([]float64{1, 0.5}).Draw(t, "size"))
			b := problemtest.Box(-half[0], -half[1], -half[2], half[0], half[1], half[2])
			if err := put(document.Occluder{Points: problemtest.Corners(b)}, mgl64.Vec3{grid("x", 2), 0, grid("z", 2)}); err != nil {
				return err
			}
		}
		for range rapid.IntRange(0, 6).Draw(t, "things") {
			at := mgl64.Vec3{grid("x", 4) + 1, 0, grid("z", 4) + 1}
			if err := put(document.Object{Asset: rapid.SampledFrom([]string{"lamp", "lamp", "rock"}).Draw(t, "asset")}, at); err != nil {
				return err
			}
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "bookmarks") {
			eye := mgl64.Vec3{grid("x", 5) + 1.5, 0.5, grid("z", 5) + 1.5}
			if err := tx.SetBookmark(string(rune('a'+i)), document.Camera{Eye: eye, Look: mgl64.Vec3{grid("x", 1), 0, grid("z", 1)}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// An occluder is told of as useless exactly if from no place it removes anything by
// itself, nor takes part in what all remove; and then nothing more is drawn without it,
// nor without all that are told of.
func TestUselessByTrial(t *testing.T) {
	lib := problemtest.Models()
	useless, twice, together := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		doc := walls(t)
		s := problemtest.Stage(doc.Level(), lib)
		list, err := problems.Find(context.Background(), s, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		told := map[document.ID]bool{}
		for _, p := range list {
			if p.Kind == problems.Useless {
				told[p.Entities[0]] = true
			}
		}
		v := s.Visibility()
		fixed := []document.Camera{doc.Level().Settings.Camera}
		for _, c := range doc.Level().Settings.Bookmarks {
			fixed = append(fixed, c)
		}
		places := slices.Clone(fixed)
		for i := range v.Occluders {
			places = append(places, problems.Ring(s, i)...)
		}
		b := newTrial(s)
		all := func(int) bool { return true }
		for i := range v.Occluders {
			alone, part, spared := false, false, true
			for _, at := range slices.Concat(fixed, problems.Ring(s, i)) {
				alone = alone || len(b.removes(at, func(k int) bool { return k == i })) > 0
			}
			for _, at := range places {
				part = part || b.hides(at)[i] > 0
				spared = spared && slices.Equal(b.removes(at, all), b.removes(at, func(k int) bool { return k != i }))
			}
			is := told[v.Occluders[i].ID]
			if is == (alone || part) {
				t.Fatalf("occluder %d: told of %v, removes something alone %v, takes part %v", i, is, alone, part)
			}
			if is && !spared {
				t.Fatalf("without the useless occluder %d more is drawn", i)
			}
			switch {
			case is:
				useless++
			case alone && spared:
				twice++
			case !alone:
				together++
			}
		}
		for _, at := range places {
			left := b.removes(at, func(k int) bool { return !told[v.Occluders[k].ID] })
			if !slices.Equal(left, b.removes(at, all)) {
				t.Fatalf("without all useless occluders %v is removed from %v, not %v", left, at, b.removes(at, all))
			}
		}
	})
	t.Logf("%d useless, %d that others can stand for, %d of use with others alone", useless, twice, together)
	if !testing.Short() && (useless == 0 || twice == 0) { // few tries may miss one
		t.Error("not all kinds were met")
	}
}

// Two in one place both are of use; each that hides with others what none hides alone is.
func TestUselessMeaning(t *testing.T) {
	rock := func(x, z float64) document.Entity {
		return document.Entity{Translation: mgl64.Vec3{x, 0, z}, Data: document.Object{Asset: "rock"}}
	}
	wall := func(x0, x1, z float64) document.Entity {
		return document.Entity{Data: document.Occluder{Points: problemtest.Corners(problemtest.Box(x0, -3, z-0.1, x1, 3, z+0.1))}}
	}
	for name, c := range map[string]struct {
		list []document.Entity
		want int
	}{
		"twice":           {[]document.Entity{rock(0, 10), wall(-4, 4, 0), wall(-4, 4, 0)}, 0},
		"one behind":      {[]document.Entity{rock(0, 10), wall(-4, 4, 0), wall(-4, 4, 1)}, 0},
		"halves":          {[]document.Entity{rock(0, 14), wall(-4, 0, 0), wall(0, 4, 0)}, 0},
		"nothing to hide": {[]document.Entity{wall(-4, 4, 0), wall(-4, 0, 3)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			doc := problemtest.Level(t, false)
			problemtest.Put(t, doc, c.list...)
			n := 0
			for _, p := range find(t, doc) {
				if p.Kind == problems.Useless {
					n++
				}
			}
			if n != c.want {
				t.Errorf("%d are useless, expected %d", n, c.want)
			}
		})
	}
}

// Where there is no time for all, those that were not tried are told of together, and
// nothing is proposed against them.
func TestUselessUntried(t *testing.T) {
	doc := problemtest.Level(t, false)
	var list []document.Entity
	const n = 12
	for i := range n {
		list = append(list, document.Entity{Data: document.Occluder{Points: problemtest.Corners(problemtest.Box(40*float64(i), 0, 0, 40*float64(i)+1, 1, 1))}})
	}
	ids := problemtest.Put(t, doc, list...)
	s := problemtest.Stage(doc.Level(), problemtest.Models())
	for _, c := range []struct {
		name            string
		together, alone int
		untried         []document.ID // that are told of; of the others each in one line
		text            string
	}{
		{"all", 1 << 30, 1 << 30, nil, ""},
		{"no pictures", 0, 1 << 30, ids, "12 occluders were not seen to remove anything; they were not tried"},
		{"none alone", 1 << 30, 0, ids, "12 occluders were not seen to remove anything; they were not tried"},
		{"some alone", 1 << 30, 16*n - 1, ids[n-1:], "Occluder 12 was not seen to remove anything; it was not tried"},
		{"some pictures", (1 + 16*(n-2)) * (1000 + n), 1 << 30, ids[n-2:], "2 occluders were not seen to remove anything; they were not tried"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := problems.FindWithin(context.Background(), s, problems.Options{}, c.together, c.alone)
			if err != nil {
				t.Fatal(err)
			}
			var each []document.ID
			said := c.text == ""
			for _, p := range got {
				switch {
				case p.Kind != problems.Useless:
				case c.text != "" && strings.HasPrefix(p.Text, c.text):
					said = true
					if !slices.Equal(p.Entities, c.untried) || p.Fix.Exists() || p.Severity != problems.Note {
						t.Errorf("%+v, expected it of %v", p, c.untried)
					}
				default:
					each = append(each, p.Entities[0])
				}
			}
			slices.Sort(each)
			if want := ids[:n-len(c.untried)]; !said || !slices.Equal(each, want) {
				t.Errorf("useless: %v, expected %v and %q; %v", each, want, c.text, said)
			}
		})
	}
	// A bookmark that was not looked from may be the one.
	problemtest.Edit(t, doc, func(tx *document.Tx) error {
		if err := tx.SetBookmark("a", document.Camera{Eye: mgl64.Vec3{0, 0, 50}}); err != nil {
			return err
		}
		return tx.SetBookmark("b", document.Camera{Eye: mgl64.Vec3{0, 0, 90}})
	})
	got, err := problems.FindWithin(context.Background(), problemtest.Stage(doc.Level(), nil), problems.Options{}, 1000+n, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range got {
		if p.Kind == problems.Useless && p.Fix.Exists() {
			t.Errorf("%+v, although not all bookmarks were looked from", p)
		}
	}
}
