package document_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/terrain"
)

// snapshot is a level copied out in full: nothing in it is shared.
type snapshot struct {
	Cols, Rows int
	OriginX    float64
	Heights    []float32
	Splats     []terrain.Splat
	Light      []terrain.RGB
	Flags      []uint8
	Lo, Hi     float32
	Entities   map[document.ID]document.Entity
	Layers     []document.Layer
	Assets     []document.Asset
	Settings   document.Settings
	NextID     document.ID
}

func snap(l *document.Level) *snapshot {
	f := l.Terrain
	c, r := f.Size()
	x, _ := f.Origin()
	s := &snapshot{
		Cols: c, Rows: r, OriginX: x,
		Heights: make([]float32, c*r), Splats: make([]terrain.Splat, c*r), Light: make([]terrain.RGB, c*r), Flags: make([]uint8, c*r),
		Entities: map[document.ID]document.Entity{}, Layers: slices.Clone(l.Layers), Assets: slices.Clone(l.Assets), Settings: l.Settings, NextID: l.NextID,
	}
	f.CopyHeights(s.Heights, c, f.Bounds())
	f.CopySplats(s.Splats, c, f.Bounds())
	f.CopyLight(s.Light, c, f.Bounds())
	f.CopyFlags(s.Flags, c, f.Bounds())
	s.Lo, s.Hi = f.MinMax()
	for e := range l.Entities() {
		s.Entities[e.ID] = e.Clone()
	}
	return s
}

func (s *snapshot) equal(o *snapshot) bool {
	return s.Cols == o.Cols && s.Rows == o.Rows && s.OriginX == o.OriginX && s.Lo == o.Lo && s.Hi == o.Hi && s.NextID == o.NextID &&
		slices.Equal(s.Heights, o.Heights) && slices.Equal(s.Splats, o.Splats) && slices.Equal(s.Light, o.Light) && slices.Equal(s.Flags, o.Flags) &&
		reflect.DeepEqual(s.Entities, o.Entities) && reflect.DeepEqual(s.Layers, o.Layers) && slices.EqualFunc(s.Assets, o.Assets, func(a, b document.Asset) bool { return reflect.DeepEqual(a, b) }) && reflect.DeepEqual(s.Settings, o.Settings)
}

// mirror is a level that is kept up with by listening only.
type mirror struct{ *snapshot }

func (m *mirror) follow(l *document.Level, c document.Change) {
	now := snap(l)
	if c.WholeTerrain {
		m.Cols, m.Rows, m.OriginX = now.Cols, now.Rows, now.OriginX
		m.Heights, m.Splats, m.Light, m.Flags = now.Heights, now.Splats, now.Light, now.Flags
	}
	for _, t := range c.Tiles {
		r := l.Terrain.TileRect(t.X, t.Y)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for i := y*m.Cols + r.Min.X; i < y*m.Cols+r.Max.X; i++ {
				if t.Planes&terrain.PlaneHeights != 0 {
					m.Heights[i] = now.Heights[i]
				}
				if t.Planes&terrain.PlaneSplats != 0 {
					m.Splats[i] = now.Splats[i]
				}
				if t.Planes&terrain.PlaneLight != 0 {
					m.Light[i] = now.Light[i]
				}
				if t.Planes&terrain.PlaneFlags != 0 {
					m.Flags[i] = now.Flags[i]
				}
			}
		}
	}
	for _, id := range c.Entities {
		if e, ok := now.Entities[id]; ok {
			m.Entities[id] = e
		} else {
			delete(m.Entities, id)
		}
	}
	if c.Assets {
		m.Assets = now.Assets
	}
	if c.Layers {
		m.Layers = now.Layers
	}
	if c.Settings {
		m.Settings = now.Settings
	}
	m.Lo, m.Hi, m.NextID = now.Lo, now.Hi, now.NextID // not told
}

// edit is one random change of a level.
func edit(t *rapid.T) func(*document.Tx) error {
	n := rapid.IntRange(1, 1000).Draw(t, "n")
	pick := func(tx *document.Tx) (*document.Entity, bool) {
		l := tx.Level()
		skip := n % (l.Len() + 1)
		for e := range l.Entities() {
			if skip == 0 {
				return e, true
			}
			skip--
		}
		return nil, false
	}
	tile := func(tx *document.Tx, change func(d *terrain.Draft, x, y, i int)) error {
		d := tx.Level().Terrain.Draft()
		w, h := tx.Level().Terrain.TileGrid()
		change(d, n%w, n/3%h, 0)
		change(d, n/2%w, n/5%h, n%2)
		f, _ := d.Field()
		return tx.SetTerrain(f)
	}
	switch rapid.IntRange(0, 15).Draw(t, "edit") {
	case 0, 1:
		return func(tx *document.Tx) error {
			return tile(tx, func(d *terrain.Draft, x, y, i int) { d.Heights(x, y)[i] += float32(n) })
		}
	case 2:
		return func(tx *document.Tx) error {
			return tile(tx, func(d *terrain.Draft, x, y, i int) {
				d.Splats(x, y)[i].Over, d.Light(x, y)[i].G = uint8(n%2), uint8(n)
			})
		}
	case 3:
		return func(tx *document.Tx) error {
			return tile(tx, func(d *terrain.Draft, x, y, i int) { d.Flags(x, y)[i] ^= terrain.Hole })
		}
	case 4, 5:
		return func(tx *document.Tx) error {
			e := document.Entity{
				ID: tx.NewID(), Kind: document.KindObject, Name: fmt.Sprint(n), Translation: mgl64.Vec3{float64(n), 0.1, 0},
				Data: document.Object{Asset: "Tree", Extra: document.Extra{"n": []byte("1")}},
			}
			if p, ok := pick(tx); ok {
				e.Parent = p.ID
			}
			return tx.Put(e)
		}
	case 6:
		return func(tx *document.Tx) error {
			e, ok := pick(tx)
			if !ok {
				return nil
			}
			c := e.Clone()
			c.Hidden = !c.Hidden
			c.Properties = map[string]string{"n": fmt.Sprint(n)}
			c.Kind, c.Data = document.KindMarker, document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{1, float64(n), 2}}}
			return tx.Put(c)
		}
	case 7:
		return func(tx *document.Tx) error {
			if e, ok := pick(tx); ok {
				return tx.Delete(e.ID, document.Policy(n%2))
			}
			return nil
		}
	case 8:
		return func(tx *document.Tx) error {
			s := tx.Level().Settings.Sun
			s.Azimuth = float64(n)
			return errors.Join(tx.SetNodeTree(document.NodeTree{Split: document.SplitOct, Size: float64(n), Items: n % 2}), tx.SetSun(s), tx.SetGeo("n", fmt.Sprint(n%3)))
		}
	case 9:
		return func(tx *document.Tx) error {
			ls := slices.Clone(tx.Level().Layers)
			ls[n%len(ls)].UVScale = float64(n)
			return tx.SetLayers(ls)
		}
	case 10:
		return func(tx *document.Tx) error {
			if n%2 == 0 {
				return tx.DeleteBookmark(fmt.Sprint(n % 3))
			}
			return tx.SetBookmark(fmt.Sprint(n%3), document.Camera{Eye: mgl64.Vec3{float64(n), 0, 0}})
		}
	case 11:
		return func(tx *document.Tx) error {
			f := tx.Level().Terrain
			if n%3 == 0 {
				return tx.SetTerrain(f.WithOrigin(float64(n), 0))
			}
			g, err := terrain.FromTiles(60+n%30, 20, 1, func(x, y int) terrain.Tile { return f.Tile(0, 0) })
			if err != nil {
				return err
			}
			return tx.SetTerrain(g)
		}
	case 12:
		return func(tx *document.Tx) error {
			if n%4 == 0 {
				return tx.SetAssets(nil)
			}
			return tx.SetAsset(document.Asset{Name: fmt.Sprint(n % 5), File: fmt.Sprintf("asset:%d.glb", n), Source: "/a"})
		}
	case 13:
		return func(tx *document.Tx) error {
			if n%4 == 0 {
				return tx.SetEntityLayers(nil)
			}
			return tx.SetEntityLayers([]document.EntityLayer{{Name: fmt.Sprint(n % 3), Hidden: n%2 == 0}, {Name: "z", Locked: true}})
		}
	case 14:
		return func(tx *document.Tx) error {
			if err := tx.SetGeo("lost", "x"); err != nil {
				return err
			}
			return errExpected
		}
	}
	return func(tx *document.Tx) error {
		if err := tx.Put(document.Entity{ID: tx.NewID(), Kind: document.KindCell}); err != nil {
			return err
		}
		panic("expected")
	}
}

var errExpected = errors.New("expected")

// machine drives a document beside a list of full copies.
type machine struct {
	doc    *document.Document
	mirror mirror
	first  *document.Level

	state  document.State
	states []*snapshot // states[k] has k steps done, beginning with the oldest that is left
	at     int
	keys   []string // merge key of each step, "" when nothing can join it
	now    time.Time
	times  []time.Time

	drags []*document.Open
	bases []*snapshot
	ends  bool // history may lose its ends
}

func (m *machine) current() *snapshot {
	if len(m.drags) > 0 {
		return snap(m.doc.Level())
	}
	return m.states[m.at]
}

func fine(t *rapid.T, err error) bool {
	var p *document.PanicError
	if err == nil || errors.Is(err, errExpected) || errors.As(err, &p) && p.Value == "expected" {
		return err == nil
	}
	t.Fatal(err)
	return false
}

// pushed notes what an edit led to.
func (m *machine) pushed(t *rapid.T, key string, before *snapshot) {
	after := snap(m.doc.Level())
	if s := m.doc.State(); s == m.state {
		// An edit that only takes an id is none.
		b, a := *before, *after
		b.NextID, a.NextID = 0, 0
		if !b.equal(&a) {
			t.Fatal("an edit made no step")
		}
		return
	}
	m.states, m.keys, m.times = m.states[:m.at+1], m.keys[:m.at], m.times[:m.at]
	if m.at > 0 && key != "" && m.keys[m.at-1] == key && m.now.Sub(m.times[m.at-1]) < time.Second && m.doc.Position() == m.at {
		m.states[m.at], m.times[m.at-1] = after, m.now
		return
	}
	m.states, m.keys, m.times = append(m.states, after), append(m.keys, key), append(m.times, m.now)
	m.at++
}

// moved notes that the position changed by undo or redo: no step that was passed
// can be joined.
func (m *machine) moved(to int) {
	for k := min(to, m.at); k < max(to, m.at); k++ {
		m.keys[k] = ""
	}
	m.at = to
}

func (m *machine) closeDrags() { m.drags, m.bases = nil, nil }

func (m *machine) run(t *rapid.T, dir string) {
	actions := map[string]func(*rapid.T){
		"do": func(t *rapid.T) {
			fn, before := edit(t), m.current()
			err := m.doc.Do("do", fn)
			if !fine(t, err) {
				return
			}
			if len(m.drags) == 0 {
				m.pushed(t, "", before)
			}
		},
		"merge": func(t *rapid.T) {
			fn, before := edit(t), m.current()
			key := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")
			if m.ends { // what joined and what was forgotten cannot be told apart
				key = ""
			}
			m.now = m.now.Add(time.Duration(rapid.IntRange(0, 1200).Draw(t, "ms")) * time.Millisecond)
			if fine(t, m.doc.DoMerge("merge", key, m.now, fn)) && len(m.drags) == 0 {
				m.pushed(t, key, before)
			}
		},
		"nested": func(t *rapid.T) {
			a, b, before := edit(t), edit(t), m.current()
			fails := rapid.Bool().Draw(t, "fails")
			err := m.doc.Do("outer", func(tx *document.Tx) error {
				if !fine(t, m.doc.Do("inner", a)) {
					return nil
				}
				o := m.doc.Begin("drag in edit")
				level := snap(tx.Level())
				if fine(t, o.Step(b)) {
					o.Cancel()
				}
				if now := snap(tx.Level()); !now.equal(level) {
					t.Fatal("a cancelled drag in an edit left something")
				}
				if fails {
					return errExpected
				}
				return nil
			})
			if fine(t, err) && len(m.drags) == 0 {
				m.pushed(t, "", before)
			}
		},
		"begin": func(t *rapid.T) {
			if len(m.drags) < 3 {
				m.bases = append(m.bases, m.current())
				m.drags = append(m.drags, m.doc.Begin("drag"))
			}
		},
		"step": func(t *rapid.T) {
			if n := len(m.drags); n > 0 {
				fine(t, m.drags[rapid.IntRange(0, n-1).Draw(t, "drag")].Step(edit(t)))
			}
		},
		"commit": func(t *rapid.T) {
			n := len(m.drags)
			if n == 0 {
				return
			}
			if err := m.drags[n-1].Commit(); err != nil {
				t.Fatal(err)
			}
			base := m.bases[n-1]
			m.drags, m.bases = m.drags[:n-1], m.bases[:n-1]
			if n == 1 {
				m.pushed(t, "", base)
			}
		},
		"cancel": func(t *rapid.T) {
			n := len(m.drags)
			if n == 0 {
				return
			}
			k := rapid.IntRange(0, n-1).Draw(t, "drag")
			m.drags[k].Cancel()
			if now := snap(m.doc.Level()); !now.equal(m.bases[k]) {
				t.Fatal("a cancelled drag left something")
			}
			m.drags, m.bases = m.drags[:k], m.bases[:k]
		},
		"undo": func(t *rapid.T) {
			had, was := len(m.drags), m.doc.Position()
			_, ok := m.doc.Undo()
			switch {
			case had > 0 && ok:
				m.closeDrags()
			case ok != (was > 0):
				t.Fatalf("undo gave %v at %d", ok, was)
			case ok:
				m.moved(m.at - 1)
			}
		},
		"redo": func(t *rapid.T) {
			left := len(m.doc.History()) - m.doc.Position()
			_, ok := m.doc.Redo()
			if ok != (left > 0 && len(m.drags) == 0) {
				t.Fatalf("redo gave %v with %d steps left", ok, left)
			}
			if ok {
				m.moved(m.at + 1)
			}
		},
		"jump": func(t *rapid.T) {
			to := rapid.IntRange(0, len(m.doc.History())).Draw(t, "to")
			was := m.doc.Position()
			if !m.doc.JumpTo(to) {
				t.Fatal("jump failed")
			}
			m.closeDrags()
			m.moved(m.at + to - was)
		},
		"": func(t *rapid.T) { m.check(t) },
	}
	t.Repeat(actions)
	m.finish(t, dir)
}

func (m *machine) check(t *rapid.T) {
	// Steps may have been forgotten at either end.
	if m.ends {
		if front := m.at - m.doc.Position(); front > 0 {
			m.states, m.keys, m.times, m.at = m.states[front:], m.keys[front:], m.times[front:], m.at-front
		}
		n := len(m.doc.History())
		m.states, m.keys, m.times = m.states[:n+1], m.keys[:n], m.times[:n]
	}
	if p, n := m.doc.Position(), len(m.doc.History()); p != m.at || n != len(m.states)-1 {
		t.Fatalf("%d of %d steps are done, expected %d of %d", p, n, m.at, len(m.states)-1)
	}
	m.state = m.doc.State()
	now := snap(m.doc.Level())
	if len(m.drags) == 0 && !now.equal(m.states[m.at]) {
		t.Fatalf("the level is not as it was: at %d of %d, %v", m.at, len(m.states), m.doc.History())
	}
	if m.mirror.NextID = now.NextID; !now.equal(m.mirror.snapshot) {
		t.Fatal("listeners were not told everything")
	}
	if err := m.doc.Level().Validate(); err != nil {
		t.Fatal(err)
	}
	for e := range m.doc.Level().Entities() {
		for c := range m.doc.Level().Children(e.ID) {
			if c.Parent != e.ID {
				t.Fatal("children are wrong")
			}
		}
	}
}

// finish undoes everything and compares the bytes.
func (m *machine) finish(t *rapid.T, dir string) {
	m.check(t)
	if !m.doc.JumpTo(0) {
		t.Fatal("jump failed")
	}
	m.closeDrags()
	m.moved(0)
	m.check(t)
	if !m.ends && dir != "" {
		a, b := saved(t, dir, m.first), saved(t, dir, m.doc.Level())
		if !bytes.Equal(a, b) {
			t.Fatalf("undoing everything gave other bytes:\n%s\nexpected\n%s", b, a)
		}
	}
	if err := m.doc.Close(); err != nil {
		t.Fatal(err)
	}
}

func saved(t *rapid.T, dir string, l *document.Level) []byte {
	path := filepath.Join(dir, "a.ridge")
	if _, _, err := store.Save(context.Background(), path, l, nil, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func start(t *rapid.T, o document.Options) *machine {
	f, err := terrain.Flat(66, 20, 1)
	if err != nil {
		t.Fatal(err)
	}
	o.Report = func(err error) { t.Fatal(err) }
	l := document.NewLevel(f)
	m := &machine{doc: document.New(l, o), first: l, mirror: mirror{snap(l)}, state: 1, states: []*snapshot{snap(l)}, now: time.Unix(1e9, 0)}
	m.doc.Subscribe(m.mirror.follow)
	return m
}

func TestHistoryInMemory(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) { start(t, document.Options{}).run(t, dir) })
}

func TestHistoryOnDisk(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(1, 100_000).Draw(t, "limit")
		start(t, document.Options{HistoryBytes: limit, SpillDir: dir}).run(t, "")
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d folders are left, %v", len(left), err)
	}
}

func TestHistoryForgets(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		o := document.Options{HistoryBytes: rapid.Int64Range(1, 100_000).Draw(t, "limit")}
		if rapid.Bool().Draw(t, "disk") {
			o.SpillDir, o.SpillBytes = dir, rapid.Int64Range(1, 2000).Draw(t, "spill")
		}
		m := start(t, o)
		m.ends = true
		m.run(t, "")
	})
}
