package command

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

func names(l *document.Level) string {
	var out []string
	for _, a := range l.Assets {
		out = append(out, a.Name)
	}
	return strings.Join(out, "|")
}

func TestAssets(t *testing.T) {
	var out strings.Builder
	e := env(t, &out)
	must(t, e, "asset.import Box.glb; asset.import folder/Box.glb; asset.import folder/Box.glb; asset.import folder/Box.glb name=Copy")
	if got := names(e.Doc.Level()); got != "Box|Box 2|Box 3|Copy|Tree" {
		t.Errorf("assets %s", got)
	}
	told := "1 × 2 × 3.25 m\nnote: It has no colours.\n"
	if want := "Box 2: 12 triangles, " + told + strings.Repeat("Box 3: 12 triangles, "+told, 2) + "Copy: 12 triangles, " + told; out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
	if n := e.Doc.Position(); n != 3 {
		t.Errorf("%d steps", n)
	}

	// Objects follow a new name, and stay when their asset goes.
	must(t, e, "asset.rename name=Box to=Crate; asset.remove Crate force=yes")
	if d := data(t, e, 4); d.Asset != "Crate" {
		t.Errorf("%+v", d)
	}
	if s := get1(t, e, 8).Data.(document.Scatter); s.Assets[0] != "Tree" || s.Assets[1] != "Crate" {
		t.Errorf("%+v", s)
	}
	out.Reset()
	must(t, e, "asset.list")
	if want := "Box 2: 0 objects, asset:00000000000000000000000000000007.glb, from /Box.glb\n"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("listed\n%s", out.String())
	}
	if want := "Tree: 1 scatter (1 point), asset:00000000000000000000000000000002.glb\nCrate: 3 objects and 1 scatter (1 point), missing\nLost: 1 object, missing\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("listed\n%s", out.String())
	}
	must(t, e, "asset.relink name=Lost file=found.glb; asset.relink name=Tree file=oak.glb")
	if a, _ := e.Doc.Level().Asset("Lost"); a == nil || a.Source != "/found.glb" {
		t.Errorf("%+v", a)
	}
	if a, _ := e.Doc.Level().Asset("Tree"); a == nil || a.Source != "/oak.glb" || len(MissingAssets(e.Doc.Level())) != 1 {
		t.Errorf("%+v, missing %v", a, MissingAssets(e.Doc.Level()))
	}
	n := e.Doc.Position()
	must(t, e, "asset.reload 'Tree'")
	if e.Doc.Position() != n+1 { // the fake takes another file for another content
		t.Errorf("%d steps", e.Doc.Position()-n)
	}
	e.Files.AddAsset = nil
	call, _ := Parse("asset.import Box.glb")
	if err := e.Registry.Run(t.Context(), e, call); err == nil || err.Error() != "asset.import: not available here" {
		t.Errorf("without files: %v", err)
	}
}

// scattered gives the points of a scatter in the world.
func scattered(t *testing.T, e *Env, id document.ID) []mgl64.Vec3 {
	t.Helper()
	x := get1(t, e, id)
	var out []mgl64.Vec3
	for _, p := range sown(x.Data.(document.Scatter), frameOf(e.Doc.Level(), id)) {
		out = append(out, p.Position)
	}
	return out
}

func TestScatter(t *testing.T) {
	var out strings.Builder
	e := env(t, &out)
	must(t, e, "object.scatter assets=Box,Tree at=20,50 to='50,50' radius=10 density=.5 spacing=.8 scale=.5,2 align=1 seed=7 billboard=60 layer=woods")
	x := get1(t, e, 9)
	s := x.Data.(document.Scatter)
	area := 30*20 + math.Pi*100
	if n := float64(len(s.Points)); !(n > 0.8*area*.5 && n < 1.2*area*.5) || x.Name != "Box" || x.Layer != "woods" || s.Billboard != 60 {
		t.Fatalf("%g points on %g m² of %+v", n, area, x)
	}
	f := e.Doc.Level().Terrain
	onGround := func(id document.ID) {
		t.Helper()
		for _, p := range scattered(t, e, id) {
			if y, ok := f.Height(p[0], p[2]); !ok || !(math.Abs(p[1]-y) < 1e-9) {
				t.Fatalf("a point at %v, the ground at %g", p, y)
			}
		}
	}
	onGround(9)
	lean := 0
	picked := [2]int{}
	for _, p := range s.Points {
		if p.Up != (mgl64.Vec3{}) {
			lean++
		}
		picked[p.Asset]++
	}
	if lean < len(s.Points)/2 || min(picked[0], picked[1]) < len(s.Points)/3 {
		t.Errorf("%d of %d points lean, %v by asset", lean, len(s.Points), picked)
	}
	// The rules are kept: the same stroke adds nothing, a longer one does.
	n := len(s.Points)
	must(t, e, "object.scatter into=9 at=20,50 to='50,50' radius=10")
	if m := len(scattered(t, e, 9)); m != n {
		t.Errorf("%d points became %d", n, m)
	}
	must(t, e, "object.scatter into=9 at=20,50 to='60,50' radius=10 assets=Tree")
	if m := len(scattered(t, e, 9)); m <= n {
		t.Errorf("%d points became %d", n, m)
	}
	must(t, e, "scatter.erase id=9 at=20,50 radius=5; scatter.erase at=20,50 radius=5")
	for _, p := range scattered(t, e, 9) {
		if math.Hypot(p[0]-20, p[2]-50) < 5 {
			t.Fatalf("a point at %v is left", p)
		}
	}
	steps := e.Doc.Position()
	must(t, e, "terrain.stroke op=raise at=40,50 radius=8 strength=5; scatter.ground id=9")
	f = e.Doc.Level().Terrain
	onGround(9)
	if e.Doc.Position() != steps+2 {
		t.Errorf("%d steps", e.Doc.Position()-steps)
	}
	// A scatter that was turned, scaled and moved takes points where they should be.
	must(t, e, "object.rotate ids=9 yaw=40; object.scale ids=9 by=2; object.move ids=9 by=3,0,0; object.scatter into=9 at=0,20 radius=6; scatter.ground")
	onGround(9)
	if r := RulesOf(get1(t, e, 9).Data.(document.Scatter)); r.Density != .5 || r.Spacing != .8 || r.Seed != 7 || r.Align != 1 || *r.Scale != [2]float64{.5, 2} {
		t.Errorf("%+v", r)
	}
}

// Slope and height limits hold for every point.
func TestScatterLimits(t *testing.T) {
	e := env(t, nil)
	must(t, e, "terrain.new size=97x97; terrain.stroke op=raise at=40,40 radius=30 strength=12; object.scatter assets=Box at=40,40 radius=30 density=2 slope=0,50 height=2,9 turn=no")
	f := e.Doc.Level().Terrain
	list := scattered(t, e, 9)
	for _, p := range list {
		if a, _ := f.Slope(p[0], p[2]); !(a <= mgl64.DegToRad(50)+1e-9) || !(p[1] >= 2 && p[1] <= 9) {
			t.Fatalf("a point at %v on a slope of %g°", p, mgl64.RadToDeg(a))
		}
	}
	if len(list) < 100 {
		t.Errorf("%d points", len(list))
	}
	for _, p := range get1(t, e, 9).Data.(document.Scatter).Points {
		if p.Yaw != 0 || p.Scale != 1 || p.Up != (mgl64.Vec3{}) {
			t.Fatalf("%+v", p)
		}
	}
}
