package tool

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/occluders/geom"
	"ridgeline/terrain"
	"ridgeline/terrain/brush"
)

const side = 129

// hills is a level of 128 m with gentle hills, away from the origin.
func hills(t testing.TB) *document.Level {
	t.Helper()
	h := make([]float32, side*side)
	for i := range h {
		h[i] = float32(3*math.Sin(float64(i%side)/11) + 2*math.Cos(float64(i/side)/7))
	}
	f, err := terrain.FromHeights(side, side, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	return document.NewLevel(f.WithOrigin(1000, -500))
}

func newEnv(l *document.Level) *command.Env {
	return command.NewEnv(command.Standard(), document.New(l, document.Options{}), nil)
}

// down is a ray straight down on a point given from the level's corner.
func down(x, z float64, at time.Duration) Input {
	return Input{Ray: geom.Ray{Origin: mgl64.Vec3{1000 + x, 900, -500 + z}, Dir: mgl64.Vec3{0, -1, 0}}, Time: at}
}

// play presses at the first input, moves through the others and releases at end,
// with ticks as often as tick says.
func play(t testing.TB, env *command.Env, tool Tool, inputs []Input, end time.Duration, tick func() time.Duration) {
	t.Helper()
	d, err := tool.Press(env, inputs[0])
	if err != nil || d == nil {
		t.Fatalf("press: %v, %v", d, err)
	}
	next := inputs[0].Time + tick()
	for _, in := range append(inputs[1:len(inputs):len(inputs)], Input{Time: end}) {
		for ; next < in.Time; next += tick() {
			if err := d.Tick(next); err != nil {
				t.Fatal(err)
			}
		}
		if in.Time == end {
			break
		}
		if err := d.Move(in); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.End(end); err != nil {
		t.Fatal(err)
	}
}

func never() time.Duration { return time.Hour }

func every(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// same reports whether two fields hold the same samples.
func same(a, b *terrain.Field) bool {
	for r := range side {
		for c := range side {
			if a.Sample(c, r) != b.Sample(c, r) || a.SplatAt(c, r) != b.SplatAt(c, r) {
				return false
			}
		}
	}
	return true
}

func tools() map[string]func() Tool {
	b := Brush{Radius: 7.3, Strength: 20, Weight: 0.4, Hardness: 0.25, Spacing: 0.2}
	m := map[string]func() Tool{"paint": func() Tool { return &Paint{Layer: 2, Brush: &b} }}
	for op := brush.Raise; op < brush.Paint; op++ {
		m[op.String()] = func() Tool { return &Sculpt{Op: op, Brush: &b} }
	}
	return m
}

// A path is the same stroke however it is cut into events and frames.
func TestStrokeDoesNotDependOnEvents(t *testing.T) {
	corners := []mgl64.Vec2{{10, 10}, {90, 30}, {60, 110}, {70, 112}}
	total := holdDelay - time.Millisecond // nowhere does it rest
	path := func(cuts int) []Input {
		list := []Input{down(corners[0][0], corners[0][1], 0)}
		legs := len(corners) - 1
		for i := range legs {
			for k := 1; k <= cuts; k++ {
				p := corners[i].Add(corners[i+1].Sub(corners[i]).Mul(float64(k) / float64(cuts)))
				list = append(list, down(p[0], p[1], total*time.Duration(i*cuts+k)/time.Duration(legs*cuts+1)))
			}
		}
		return list
	}
	for name, tool := range tools() {
		t.Run(name, func(t *testing.T) {
			want := newEnv(hills(t))
			play(t, want, tool(), path(1), total, never)
			if same(want.Doc.Level().Terrain, hills(t).Terrain) {
				t.Fatal("the stroke did nothing")
			}
			for _, cuts := range []int{2, 7, 333} {
				got := newEnv(hills(t))
				play(t, got, tool(), path(cuts), total, every(7*time.Millisecond))
				if !same(got.Doc.Level().Terrain, want.Doc.Level().Terrain) {
					t.Errorf("%d events a leg make another level", cuts)
				}
			}
		})
	}
}

// A recorded stroke, with rests, is the same whatever the frame rate.
func TestStrokeDoesNotDependOnFrames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var rec []Input
	now, x, z := time.Duration(0), 60.0, 60.0
	for range 150 {
		rec = append(rec, down(x, z, now))
		if r.IntN(12) == 0 {
			now += time.Duration(r.IntN(700)) * time.Millisecond // a rest
		}
		now += time.Duration(4+r.IntN(20)) * time.Millisecond
		x, z = x+r.NormFloat64()*3, z+r.NormFloat64()*3
	}
	random := func() time.Duration { return time.Duration(1 + r.IntN(int(300*time.Millisecond))) }
	for name, tool := range tools() {
		t.Run(name, func(t *testing.T) {
			want := newEnv(hills(t))
			play(t, want, tool(), rec, now, never)
			for _, tick := range []func() time.Duration{every(time.Second / 7), every(time.Second / 60), random} {
				got := newEnv(hills(t))
				play(t, got, tool(), rec, now, tick)
				if !same(got.Doc.Level().Terrain, want.Doc.Level().Terrain) {
					t.Error("another frame rate makes another level")
				}
			}
		})
	}
}

// Strength is metres a second at the centre, on top of the first dab.
func TestHoldRaisesByTheSecond(t *testing.T) {
	b := Brush{Radius: 10, Strength: 3, Hardness: 0.5, Spacing: 0.25}
	for _, seconds := range []float64{0, 0.05, 0.1, 0.5, 2} {
		env := newEnv(hills(t))
		before := env.Doc.Level().Terrain.Sample(64, 64)
		end := time.Duration(seconds * float64(time.Second))
		play(t, env, &Sculpt{Op: brush.Raise, Brush: &b}, []Input{down(64, 64, 0)}, end, every(time.Second/60))
		want := 3 * DabTime.Seconds()
		if end >= holdDelay {
			want += 3 * seconds
		}
		if got := float64(env.Doc.Level().Terrain.Sample(64, 64) - before); !(math.Abs(got-want) < 1e-4) {
			t.Errorf("after %g s: %g m, want %g", seconds, got, want)
		}
	}
}

func TestStrokeIsOneStep(t *testing.T) {
	env := newEnv(hills(t))
	first := env.Doc.Level()
	var notices int
	env.Doc.Subscribe(func(*document.Level, document.Change) { notices++ })
	b := DefaultBrush()
	in := []Input{down(20, 20, 0), down(80, 80, 20*time.Millisecond), down(20, 90, 60*time.Millisecond)}
	play(t, env, &Sculpt{Op: brush.Raise, Brush: &b}, in, time.Second, every(time.Second/60))
	if h := env.Doc.History(); len(h) != 1 || h[0].Name != "Raise ground" {
		t.Fatalf("history %+v", h)
	}
	if notices < 4 {
		t.Errorf("%d notices: the stroke did not show while it was made", notices)
	}
	last := env.Doc.Level().Terrain
	if env.Doc.Undo(); !same(env.Doc.Level().Terrain, first.Terrain) {
		t.Error("undo does not give the level as it was")
	}
	if env.Doc.Redo(); !same(env.Doc.Level().Terrain, last) {
		t.Error("redo does not give the level as it became")
	}
}

func TestCancelTakesTheStrokeBack(t *testing.T) {
	env := newEnv(hills(t))
	first := env.Doc.Level().Terrain
	b := DefaultBrush()
	d, err := (&Sculpt{Op: brush.Flatten, Brush: &b}).Press(env, down(20, 20, 0))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Move(down(90, 90, time.Millisecond)), d.Tick(time.Second)); err != nil {
		t.Fatal(err)
	}
	if same(env.Doc.Level().Terrain, first) {
		t.Fatal("the stroke does not show")
	}
	d.Cancel()
	if !same(env.Doc.Level().Terrain, first) || env.Doc.Position() != 0 || env.Doc.Dirty() {
		t.Error("something is left of the stroke")
	}
	d.Cancel()
}

func TestUndoDuringStroke(t *testing.T) {
	env := newEnv(hills(t))
	first := env.Doc.Level().Terrain
	b := DefaultBrush()
	d, err := (&Sculpt{Op: brush.Raise, Brush: &b}).Press(env, down(20, 20, 0))
	if err != nil {
		t.Fatal(err)
	}
	undo, _ := env.Registry.Lookup("undo")
	if err := undo.Do(t.Context(), env, command.Args{}); err != nil {
		t.Fatal(err)
	}
	if !same(env.Doc.Level().Terrain, first) {
		t.Error("something is left of the stroke")
	}
	if err := d.Move(down(30, 30, time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if err := d.Tick(time.Second); !errors.Is(err, document.ErrClosed) {
		t.Errorf("error %v, want that the edit is closed", err)
	}
	if err := d.End(time.Second); !errors.Is(err, document.ErrClosed) {
		t.Errorf("error %v, want that the edit is closed", err)
	}
	if !same(env.Doc.Level().Terrain, first) || env.Doc.Position() != 0 {
		t.Error("the stroke went on")
	}
}

// A command that changes the ground during a stroke is not painted over.
func TestGroundChangedDuringStroke(t *testing.T) {
	env := newEnv(hills(t))
	b := DefaultBrush()
	d, err := (&Sculpt{Op: brush.Raise, Brush: &b}).Press(env, down(20, 20, 0))
	if err != nil {
		t.Fatal(err)
	}
	call, _ := command.Parse("terrain.stroke op=lower at=1100,-400 radius=5 strength=1")
	if err := env.Registry.Run(t.Context(), env, call); err != nil {
		t.Fatal(err)
	}
	if err := d.Move(down(30, 30, time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if err := d.Tick(time.Millisecond); !errors.Is(err, errMeddled) {
		t.Errorf("error %v", err)
	}
}

func TestModifiers(t *testing.T) {
	for _, test := range []struct {
		op   brush.Op
		mods Modifiers
		want string
	}{
		{brush.Raise, 0, "Raise ground"}, {brush.Raise, Ctrl, "Lower ground"}, {brush.Lower, Ctrl, "Raise ground"},
		{brush.Raise, Shift, "Smooth ground"}, {brush.Flatten, Shift, "Smooth ground"}, {brush.Flatten, 0, "Flatten ground"},
		{brush.Flatten, Ctrl, ""}, {brush.Smooth, Ctrl, ""},
	} {
		env := newEnv(hills(t))
		b := DefaultBrush()
		in := down(40, 40, 0)
		in.Modifiers = test.mods
		d, err := (&Sculpt{Op: test.op, Brush: &b}).Press(env, in)
		if test.want == "" {
			if err == nil {
				t.Errorf("%s with %b: no error", test.op, test.mods)
			}
			continue
		}
		if err != nil || d.End(0) != nil || env.Doc.History()[0].Name != test.want {
			t.Errorf("%s with %b: %v, %+v", test.op, test.mods, err, env.Doc.History())
		}
	}
	env := newEnv(hills(t))
	b := DefaultBrush()
	for _, p := range []*Paint{{Layer: 4, Brush: &b}, {Layer: -1, Brush: &b}} {
		if _, err := p.Press(env, down(40, 40, 0)); err == nil {
			t.Errorf("layer %d was painted", p.Layer)
		}
	}
}

func TestSkyAndHover(t *testing.T) {
	env := newEnv(hills(t))
	b := DefaultBrush()
	tool := &Sculpt{Op: brush.Raise, Brush: &b}
	sky := Input{Ray: geom.Ray{Origin: mgl64.Vec3{1064, 50, -436}, Dir: mgl64.Vec3{0, 1, 0}}}
	if d, err := tool.Press(env, sky); d != nil || err != nil {
		t.Errorf("a press in the sky gives %v, %v", d, err)
	}
	if p := tool.Hover(env.Doc.Level(), sky); p.OK {
		t.Errorf("a ring in the sky: %+v", p)
	}
	p := tool.Hover(env.Doc.Level(), down(40, 50, 0))
	y, _ := env.Doc.Level().Terrain.Height(1040, -450)
	if !p.OK || p.Center.Sub(mgl64.Vec3{1040, y, -450}).Len() > 1e-9 || p.Radius != 20 || p.Inner != 6 {
		t.Errorf("ring %+v", p)
	}
	if d, err := (&Select{}).Press(env, down(40, 50, 0)); d == nil || err != nil {
		t.Errorf("select gives %v, %v", d, err)
	}
}

// A stroke that leaves the terrain reaches its edge, and one that comes back
// elsewhere draws no line between.
func TestStrokeLeavesTheGround(t *testing.T) {
	env := newEnv(hills(t))
	before := env.Doc.Level().Terrain
	b := Brush{Radius: 4, Strength: 20, Hardness: 0.5, Spacing: 0.25}
	in := []Input{down(100, 20, 0), down(140, 20, 1e6), down(140, 100, 2e6), down(100, 100, 3e6), down(90, 100, 4e6)}
	play(t, env, &Sculpt{Op: brush.Raise, Brush: &b}, in, 5e6, never)
	after := env.Doc.Level().Terrain
	raised := func(c, r int) bool { return after.Sample(c, r) > before.Sample(c, r) }
	for _, p := range [][2]int{{100, 20}, {115, 20}, {128, 20}, {100, 100}, {92, 100}} {
		if !raised(p[0], p[1]) {
			t.Errorf("sample %v is not raised", p)
		}
	}
	for _, p := range [][2]int{{100, 60}, {120, 60}, {115, 100}, {0, 20}, {128, 60}} {
		if raised(p[0], p[1]) {
			t.Errorf("sample %v is raised", p)
		}
	}
}

// Looking over a crest into the distance, a stroke ends at the crest.
func TestStrokeOverACrest(t *testing.T) {
	env := newEnv(hills(t))
	before := env.Doc.Level().Terrain
	b := Brush{Radius: 3, Strength: 20, Hardness: 0.5, Spacing: 0.25}
	eye := mgl64.Vec3{1000, 12, -436}
	at := func(x, y float64) geom.Ray {
		return geom.Ray{Origin: eye, Dir: mgl64.Vec3{1000 + x, y, -436}.Sub(eye)}
	}
	d, err := (&Sculpt{Op: brush.Raise, Brush: &b}).Press(env, Input{Ray: at(30, 2)})
	if err != nil || d == nil {
		t.Fatal(d, err)
	}
	if err := errors.Join(d.Move(Input{Ray: at(400, 11), Time: 1e6}), d.End(2e6)); err != nil {
		t.Fatal(err)
	}
	for c := 60; c < side; c++ {
		if env.Doc.Level().Terrain.Sample(c, 64) != before.Sample(c, 64) {
			t.Fatalf("column %d behind the crest is raised", c)
		}
	}
}

func TestBrushSettings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Setting(rapid.IntRange(0, int(settingCount)-1).Draw(t, "setting"))
		r := s.Range()
		b := DefaultBrush()
		b.Set(s, rapid.Float64Range(r.Low, r.High).Draw(t, "value"))
		was := b.Get(s)
		for range rapid.IntRange(0, 200).Draw(t, "grow") {
			b.Grow(s)
		}
		grown := b.Get(s)
		for range rapid.IntRange(0, 400).Draw(t, "shrink") {
			b.Shrink(s)
		}
		if v := b.Get(s); !(v >= r.Min && v <= r.Max) || grown < was*0.99 {
			t.Fatalf("%s: %g, then %g, then %g", r.Name, was, grown, v)
		}
	})
	b := DefaultBrush()
	b.Strength = 0
	if b.Grow(Strength); b.Strength <= 0 {
		t.Error("a strength of 0 cannot be raised by key")
	}
	if b.Set(Radius, math.NaN()); b != (Brush{20, b.Strength, 0.3, 0.3, 0.25}) {
		t.Errorf("not a number changed %+v", b)
	}
	b = Brush{Radius: math.NaN(), Strength: -5, Weight: 7, Hardness: math.Inf(1), Spacing: 0}
	if b.Sanitize(); b != (Brush{20, 0, 1, 1, brush.MinSpacing}) {
		t.Errorf("sanitized to %+v", b)
	}
	for op := brush.Raise; op <= brush.Paint; op++ {
		big := Brush{Radius: brush.MaxRadius, Strength: maxStrength, Weight: 1, Hardness: 1, Spacing: brush.MaxSpacing}
		if err := big.of(op).Check(); err != nil {
			t.Errorf("%s: %v", op, err)
		}
	}
}

// Frames in which nothing happens take no memory.
func TestIdleFramesDoNotAllocate(t *testing.T) {
	env := newEnv(hills(t))
	b := DefaultBrush()
	tool := &Sculpt{Op: brush.Raise, Brush: &b}
	in := down(40, 40, 0)
	if n := testing.AllocsPerRun(100, func() { tool.Hover(env.Doc.Level(), in) }); n != 0 {
		t.Errorf("hovering allocates %g times", n)
	}
	d, err := tool.Press(env, in)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Cancel()
	if n := testing.AllocsPerRun(100, func() { _, _ = d.Preview(), d.Tick(0) }); n != 0 {
		t.Errorf("a tick without news allocates %g times", n)
	}
}
