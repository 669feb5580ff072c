package command

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
)

// tree makes up a level of objects within objects. With even, no scale is uneven.
func tree(t *rapid.T, even bool) *document.Level {
	n := rapid.IntRange(1, 8).Draw(t, "objects")
	f, err := document.NoTerrain()
	if err != nil {
		t.Fatal(err)
	}
	var list []document.Entity
	far := rapid.SampledFrom([]float64{1, 100, 1e5}).Draw(t, "far")
	for i := range n {
		number := rapid.Float64Range(-1, 1)
		vec := func(what string) mgl64.Vec3 {
			return mgl64.Vec3{number.Draw(t, what), number.Draw(t, what), number.Draw(t, what)}
		}
		factor := func() float64 {
			s := math.Exp2(2 * number.Draw(t, "scale"))
			return math.Copysign(s, number.Draw(t, "mirror"))
		}
		e := document.Entity{ID: document.ID(i + 1), Kind: document.KindObject, Translation: vec("at").Mul(far), Data: document.Object{Asset: "Box"}}
		e.Rotation = mgl64.QuatRotate(3*number.Draw(t, "angle"), vec("axis").Add(mgl64.Vec3{0, 0, 1e-3}).Normalize())
		e.Scale = mgl64.Vec3{factor(), factor(), factor()}
		if even {
			for k := range e.Scale {
				e.Scale[k] = math.Copysign(e.Scale[0], e.Scale[k])
			}
		}
		if i > 0 && rapid.Bool().Draw(t, "child") {
			e.Parent = document.ID(rapid.IntRange(1, i).Draw(t, "parent"))
		}
		list = append(list, e)
	}
	l, err := document.NewLevel(f).WithEntities(list)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// worlds are the world matrices of all entities.
func worlds(l *document.Level) map[document.ID]mgl64.Mat4 {
	m := make(map[document.ID]mgl64.Mat4)
	for e := range l.Entities() {
		m[e.ID], _ = l.World(e.ID)
	}
	return m
}

// apart is the largest difference between matrices, relative to their own size.
func apart(a, b mgl64.Mat4) float64 {
	size, diff := 0.0, 0.0
	for i := range a {
		size = max(size, math.Abs(a[i]), math.Abs(b[i]))
		if d := math.Abs(a[i] - b[i]); !(d <= diff) {
			diff = d
		}
	}
	return diff / size
}

// same reports the first thing whose world matrix is not what it is in was.
func same(t *rapid.T, what string, l *document.Level, was map[document.ID]mgl64.Mat4) {
	for e := range l.Entities() {
		m, _ := l.World(e.ID)
		if w, ok := was[e.ID]; ok && !(apart(m, w) <= 1e-9) {
			t.Fatalf("%s moves %d: it stood\n%v and stands\n%v", what, e.ID, w, m)
		}
	}
}

func ids(t *rapid.T, l *document.Level) string {
	s := ""
	for range rapid.IntRange(1, 3).Draw(t, "chosen") {
		s += fmt.Sprintf(",%d", rapid.IntRange(1, l.Len()).Draw(t, "id"))
	}
	return s[1:]
}

func quiet(l *document.Level) *Env {
	return NewEnv(Standard(), document.New(l, document.Options{}), nil)
}

func do(t *rapid.T, e *Env, format string, args ...any) error {
	call, err := Parse(fmt.Sprintf(format, args...))
	if err != nil {
		t.Fatal(err)
	}
	return e.Registry.Run(t.Context(), e, call)
}

// Grouping, taking groups apart and changing parents leave everything where it is.
func TestWorldTransformsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := tree(t, true)
		was := worlds(l)
		e := quiet(l)
		if err := do(t, e, "object.group ids=%s", ids(t, l)); err != nil {
			t.Fatal(err)
		}
		group := e.View.Selection[0]
		same(t, "grouping", e.Doc.Level(), was)
		chosen, to := ids(t, l), rapid.IntRange(0, l.Len()+1).Draw(t, "to")
		if err := do(t, e, "object.parent ids=%s to=%d", chosen, to); err == nil {
			same(t, "a new parent", e.Doc.Level(), was)
		} else if to == 0 {
			t.Fatal(err) // with a parent it may be below itself
		}
		if err := do(t, e, "object.ungroup ids=%d", group); err != nil {
			t.Fatal(err)
		}
		same(t, "taking a group apart", e.Doc.Level(), was)
		if err := do(t, e, "object.set id=%s parent=0", ids(t, l)); err != nil {
			t.Fatal(err)
		}
		same(t, "having no parent", e.Doc.Level(), was)
		if _, ok := e.Doc.Level().Entity(group); ok {
			t.Fatal("the group is still there")
		}
	})
}

// Where a shear would be needed, a new parent is refused or leaves all where it is.
func TestShearsAreRefused(t *testing.T) {
	refused, kept := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := tree(t, false)
		was := worlds(l)
		e := quiet(l)
		if err := do(t, e, "object.parent ids=%s to=%d", ids(t, l), rapid.IntRange(0, l.Len()).Draw(t, "to")); err != nil {
			refused++
		} else {
			kept++
		}
		for x := range e.Doc.Level().Entities() {
			if m, _ := e.Doc.Level().World(x.ID); !(apart(m, was[x.ID]) <= 1e-5) { // a shear too small to see may pass
				t.Fatalf("%d moved", x.ID)
			}
		}
	})
	if refused == 0 || kept == 0 {
		t.Errorf("%d refused, %d kept", refused, kept)
	}
}

// The mirror image is that of every point, and mirroring twice gives what was.
func TestMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := tree(t, true)
		was := worlds(l)
		e := quiet(l)
		axis := rapid.IntRange(0, 2).Draw(t, "axis")
		at := rapid.SampledFrom([]float64{0, 0, 7}).Draw(t, "plane")
		chosen := ids(t, l)
		mirror := func() {
			if err := do(t, e, "object.mirror ids=%s axis=%s at=%g,%g,%g", chosen, axisNames[axis], at, at, at); err != nil {
				t.Fatal(err)
			}
		}
		mirror()
		m := affine{m: mgl64.Ident3()}
		m.m[4*axis], m.t[axis] = -1, 2*at
		call, _ := Parse("select " + chosen)
		c, _ := e.Registry.Lookup("select")
		args, err := c.Bind(e, call)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range Roots(l, args.IDs("ids")) {
			now, _ := e.Doc.Level().World(id)
			a := affine{was[id].Mat3(), was[id].Col(3).Vec3()}
			want := m.mul(a)
			if d := apart(now, matrix(want)); !(d <= 1e-9) {
				t.Fatalf("%d stands\n%v and not\n%v", id, now, matrix(want))
			}
			if !(now.Det()*was[id].Det() < 0) {
				t.Fatalf("%d is not turned inside out", id)
			}
		}
		mirror()
		same(t, "mirroring twice", e.Doc.Level(), was)
		if at != 0 {
			return
		}
		for x := range e.Doc.Level().Entities() {
			before, _ := l.Entity(x.ID)
			if x.Parent == 0 && (x.Scale != before.Scale || x.Rotation != before.Rotation || x.Translation != before.Translation) {
				t.Fatalf("mirroring twice gives\n%+v of\n%+v", *x, *before)
			}
		}
	})
}

func matrix(a affine) mgl64.Mat4 {
	m := a.m.Mat4()
	m.SetCol(3, a.t.Vec4(1))
	return m
}

// Moving, turning and scaling change world matrices as they say, also below parents.
func TestRelativeTransforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := tree(t, true)
		was := worlds(l)
		id := document.ID(rapid.IntRange(1, l.Len()).Draw(t, "id"))
		number := rapid.Float64Range(-2, 2)
		by := mgl64.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}
		about := mgl64.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z")}
		turn := mgl64.QuatRotate(number.Draw(t, "angle"), about.Add(mgl64.Vec3{0, 0.001, 0}).Normalize())
		ident := mgl64.Ident3()
		shift := func(v mgl64.Vec3) affine { return affine{ident, v} }
		a := affine{was[id].Mat3(), was[id].Col(3).Vec3()}
		for what, test := range map[string]struct {
			got  []document.Entity
			want affine
		}{
			"move":   {Moved(l, []document.ID{id}, by), shift(by).mul(a)},
			"rotate": {Rotated(l, []document.ID{id}, turn, about), shift(about).mul(affine{m: turn.Mat4().Mat3()}).mul(shift(about.Mul(-1))).mul(a)},
			"scale":  {Scaled(l, []document.ID{id}, mgl64.Vec3{2, 2, 2}, about), shift(about).mul(affine{m: ident.Mul(2)}).mul(shift(about.Mul(-1))).mul(a)},
		} {
			e := quiet(l)
			if err := e.replace("Change", "by", []document.ID{id}, test.got); err != nil {
				t.Fatal(err)
			}
			if now, _ := e.Doc.Level().World(id); !(apart(now, matrix(test.want)) <= 1e-9) {
				t.Fatalf("%s gives\n%v and not\n%v", what, now, matrix(test.want))
			}
		}
	})
}

func TestAnglesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quarter := rapid.SampledFrom([]float64{-math.Pi / 2, 0, math.Pi / 2})
		angle := rapid.OneOf(rapid.Float64Range(-4, 4), quarter)
		a := Angles{angle.Draw(t, "yaw"), angle.Draw(t, "pitch"), angle.Draw(t, "roll")}
		q := a.Quat()
		b := AnglesOf(q)
		if d := math.Abs(q.Dot(b.Quat())); !(d >= 1-1e-12) {
			t.Fatalf("%v becomes %v, %g apart", a, b, d)
		}
		if !(math.Abs(b.Pitch) <= math.Pi/2) {
			t.Fatalf("a pitch of %g", b.Pitch)
		}
	})
}

// What is chosen together with what it stands below is moved once.
func TestRootsMoveOnce(t *testing.T) {
	e := env(t, nil)
	must(t, e, "object.move ids=2,4,5 by=1,2,3")
	l := e.Doc.Level()
	for id, want := range map[document.ID]mgl64.Vec3{2: {1, 2, 3}, 4: {5, 2, 20}} {
		if x, _ := l.Entity(id); x.Translation != want {
			t.Errorf("%d stands at %v, expected %v", id, x.Translation, want)
		}
	}
	if got, want := Pivot(l, []document.ID{2, 3, 4}), (mgl64.Vec3{0.5, 1, 1.5}); got != want {
		t.Errorf("the pivot is %v, expected %v", got, want)
	}
}
