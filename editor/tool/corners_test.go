package tool

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/hull"
	"ridgeline/viewport/overlay"
)

// bent is a bench with one selected occluder, cell or portal, and the tool for it.
func bent(t *testing.T, what document.Kind, line string) (*bench, *Draft) {
	b := newBench(t, line)
	b.env.View.Selection = []document.ID{1}
	return b, b.draft(what, FormBox)
}

func TestACornerMovesInTheScreen(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	in := b.over(64, 4, 64)
	if g, ok := d.gripUnder(b.env.Doc.Level(), in); !ok || g.kind != cornerGrip {
		t.Fatalf("under the pointer is %+v", g)
	}
	b.gesture(d, in, b.over(65, 4, 65), b.over(66, 5, 66))
	moved := mgl64.Vec3{}
	for _, p := range b.corners(1) {
		if p[0] > 64.01 {
			moved = p
		}
	}
	away := moved.Sub(mgl64.Vec3{64, 4, 64})
	if away.Len() < 1 || math.Abs(away.Dot(b.camera.Forward())) > 1e-3 {
		t.Errorf("it moved by %v, which is not along the screen", away)
	}
	if g := d.chosen; g.kind != cornerGrip || b.corners(1)[g.index] != moved {
		t.Errorf("chosen is %+v, expected the corner that moved", g)
	}
	if n := b.env.Doc.Position(); n != 2 {
		t.Errorf("history has %d steps", n)
	}
}

func TestAFaceMovesAlongItsNormal(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	d.Snapping.On = true
	b.gesture(d, b.over(62, 4, 62), b.over(62, 4.5, 62), b.over(62, 6.2, 62))
	b.bounds(1, mgl64.Vec3{60, 0, 60}, mgl64.Vec3{64, 6, 64})
	if d.chosen.kind != faceGrip {
		t.Errorf("chosen is %+v", d.chosen)
	}
}

func TestTypedNumbersMoveCorners(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	drag, err := d.Press(b.env, b.over(62, 4, 62))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range "2.5" {
		drag.(Typer).Type(r)
	}
	if err := drag.End(b.now); err != nil {
		t.Fatal(err)
	}
	b.bounds(1, mgl64.Vec3{60, 0, 60}, mgl64.Vec3{64, 6.5, 64})
}

func TestCollapsedIsPutBack(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	d.Snapping.On = true
	before := b.env.Doc.Level()
	drag := b.drag(d, b.over(62, 4, 62), b.over(62, 3, 62), b.over(62, 0, 62))
	if v := drag.(*bending).verdict; v.err == nil {
		t.Fatalf("a flat box is fine: %v", drag.(*bending).points)
	}
	var s overlay.Shapes
	drag.(Shaper).AppendShapes(&s, before, b.over(62, 0, 62))
	if s.Segments[0].Colour != faultColour {
		t.Error("it is not drawn in red")
	}
	if err := drag.End(b.now); err == nil || !strings.Contains(err.Error(), "put back") || !errors.Is(err, hull.ErrFlat) {
		t.Errorf("it ends with %v", err)
	}
	if b.env.Doc.Level() != before {
		t.Error("the level has changed")
	}
}

func TestWhatIsNotConvexIsMended(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	// Along the screen, this one goes into the box.
	in := b.over(64, 4, 60)
	drag := b.drag(d, in, b.over(63, 3.35, 60.75), b.over(62, 2.7, 61.5))
	k := drag.(*bending)
	if k.verdict.err != nil || !k.verdict.mended {
		t.Fatalf("%+v of %v", k.verdict, k.points)
	}
	if err := drag.End(b.now); err != nil {
		t.Fatal(err)
	}
	if k.Told() == "" {
		t.Error("nothing is told")
	}
	if n := len(b.corners(1)); n != 7 {
		t.Errorf("%d corners are left", n)
	}
}

func TestPortalsStayInTheirPlaneAndConvex(t *testing.T) {
	b, d := bent(t, document.KindPortal, `portal.add points="60,0,64; 62,0,64; 62,3,64; 60,3,64"`)
	b.gesture(d, b.over(62, 3, 64), b.over(62.5, 3.2, 64), b.over(63, 3.5, 64))
	b.bounds(1, mgl64.Vec3{60, 0, 64}, mgl64.Vec3{63, 3.5, 64})
	d.Unchoose()
	drag := b.drag(d, b.over(63, 3.5, 64), b.over(61, 2, 64), b.over(60.3, 0.4, 64))
	if k := drag.(*bending); !k.verdict.mended || len(k.verdict.points) != 3 {
		t.Fatalf("%+v", k.verdict)
	}
	if err := drag.End(b.now); err != nil {
		t.Fatal(err)
	}
	if p, ok := b.entity(1).Data.(document.Portal); !ok || len(p.Points) != 3 {
		t.Errorf("it is %+v", b.entity(1).Data)
	}
	v := b.scene.Visibility()
	if plane, ok := hull.PolygonPlane(v.Portals[0].Polygon); !ok || plane.N[2] < 0.99 {
		t.Errorf("its front is turned: %v", plane)
	}
}

func TestOnePieceOfACellIsBent(t *testing.T) {
	b, d := bent(t, document.KindCell, "cell.box min=60,0,60 max=64,4,64; cell.add points='64,0,60;64,0,62;68,0,60;68,0,62;64,4,60;64,4,62;68,4,60;68,4,62'")
	d.Snapping.On = true
	b.gesture(d, b.over(66, 4, 61), b.over(66, 5, 61), b.over(66, 6.1, 61))
	list := shapesOf(b.scene, 1)
	if len(list) != 2 || list[0].hull.Bounds().Max[1] != 4 || math.Abs(list[1].hull.Bounds().Max[1]-6) > 1e-3 {
		t.Errorf("the pieces are %v and %v", list[0].hull.Bounds(), list[1].hull.Bounds())
	}
}

func TestCornersAreDeleted(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.plane points='60,0,64; 64,0,64; 64,4,64; 60,4,64'")
	in := b.over(64, 4, 64)
	if err := d.DeleteCorner(b.env, in); err == nil {
		t.Error("a corner is deleted that was not chosen")
	}
	for want := 3; want >= 2; want-- {
		last := b.corners(1)[0]
		in := b.over(last[0], last[1], last[2])
		if g, ok := d.gripUnder(b.env.Doc.Level(), in); ok {
			d.chosen, d.chosenAt = g, last
		}
		if err := d.DeleteCorner(b.env, in); (err == nil) != (want == 3) {
			t.Errorf("with %d left: %v", want, err)
		}
	}
	if n := len(b.corners(1)); n != 3 {
		t.Errorf("%d corners are left", n)
	}
}

func TestALevelThatChangesEndsTheDrag(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	drag := b.drag(d, b.over(64, 4, 64), b.over(66, 4, 66))
	b.run("occluder.set id=1 off=yes")
	if err := drag.Tick(b.now); !errors.Is(err, document.ErrClosed) {
		t.Errorf("it goes on: %v", err)
	}
}

// Wherever corners are dragged, what comes of it is a valid solid or nothing.
func TestBentSolidsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string) float64 { return float64(rapid.IntRange(1, 8).Draw(t, name)) }
		h, err := hull.OfBox(geom.Box{Max: mgl64.Vec3{size("x"), size("y"), size("z")}})
		if err != nil {
			t.Fatal(err)
		}
		points := append([]mgl64.Vec3(nil), h.Vertices...)
		for range rapid.IntRange(1, 4).Draw(t, "moves") {
			i := rapid.IntRange(0, 7).Draw(t, "corner")
			if rapid.Bool().Draw(t, "onto another") {
				points[i] = points[rapid.IntRange(0, 7).Draw(t, "other")]
				continue
			}
			for k := range 3 {
				points[i][k] += float64(rapid.IntRange(-8, 8).Draw(t, "by"))
			}
		}
		v := solidOf(points)
		switch {
		case v.err != nil:
			if v.hull != nil {
				t.Fatal("there is a hull and an error")
			}
		case v.hull.Validate() != nil:
			t.Fatalf("%v make a bad hull: %v", points, v.hull.Validate())
		default:
			for _, p := range points {
				if !v.hull.Contains(p, v.hull.Tolerance()) {
					t.Fatalf("the corner %v lies outside", p)
				}
			}
			if !v.mended && len(v.points) > 8 {
				t.Fatalf("8 corners became %d", len(v.points))
			}
		}
	})
}

// A corner that is gone, or that is another after an undo, is not chosen any more: the next
// key would change one that nobody chose.
func TestWhatIsGoneIsNotChosen(t *testing.T) {
	b, d := bent(t, document.KindOccluder, "occluder.box min=60,0,60 max=64,4,64")
	level := func() *document.Level { return b.env.Doc.Level() }
	// Deep into the box: its hull has no such corner.
	b.gesture(d, b.over(60, 4, 60), b.over(60.2, 3.8, 60.2), b.over(62, 2, 62))
	if n := len(b.corners(1)); n != 7 {
		t.Fatalf("%d corners", n)
	}
	if d.Chosen() {
		t.Errorf("chosen is %+v", d.chosen)
	}
	b.env.Doc.Undo()
	// Outwards it is still the one, until that is undone.
	b.gesture(d, b.over(64, 4, 64), b.over(65, 4, 65), b.over(66, 5, 66))
	if _, _, ok := d.held(level(), b.over(66, 5, 66)); !ok {
		t.Fatal("the corner that moved is not chosen")
	}
	b.env.Doc.Undo()
	if _, _, ok := d.held(level(), b.over(66, 5, 66)); ok || d.Chosen() {
		t.Errorf("after undo %+v is chosen", d.chosen)
	}
}
