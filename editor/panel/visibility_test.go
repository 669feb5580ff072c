package panel

import (
	"testing"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/widgets/gallery"
)

// house is a level with rooms, doors and walls.
var house = []string{
	`object.place asset=House at=40,40 name="Town hall"`,                                                                                      // 1
	`occluder.box min=38.2,0.2,38.2 max=41.8,1.8,41.8 name="North wall" object=1`,                                                             // 2
	`occluder.plane points="50,0,50; 54,0,50; 54,3,50; 50,3,50" hole="51,1,50; 52,1,50; 52,2,50" name="Fence"`,                                // 3
	`cell.box min=60,0,60 max=66,3,66 name=Kitchen; cell.add points="66,0,60; 66,0,63; 69,0,60; 69,0,63; 66,3,60; 66,3,63; 69,3,60; 69,3,63"`, // 4
	`cell.box min=60,0,66.2 max=66,3,72 name=Hall`,                                                                                            // 5
	`portal.add points="62,0,66; 63,0,66; 63,2,66; 62,2,66" name=Door state=oneway`,                                                           // 6
	`portal.add points="20,0,20; 21,0,20; 21,2,20; 20,2,20" name=Stray`,                                                                       // 7
	`occluder.box min=61,0,64 max=64,3,67 name="Closet"`,                                                                                      // 8: the door goes through it
	`select.none`,
}

func TestGoldenVisibility(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines string
	}{
		{"occluder", "select ids=2"}, {"polygon", "select ids=3"}, {"crossed", "select ids=8"}, {"occluders", "select ids=1,2,8"},
		{"cell", "select ids=4"}, {"portal", "select ids=6"}, {"stray", "select ids=7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := thingsRig(t, 288, 900, 1, house...)
			r.s.Run(c.lines)
			r.Frame()
			r.settle()
			cam, err := gallery.NewCamera(r.Size.X, r.Size.Y)
			if err != nil {
				t.Fatal(err)
			}
			defer cam.Release()
			r.Golden(cam, "visible-"+c.name, *update)
		})
	}
}

// The modes' options, in a whole window.
func TestGoldenDrafting(t *testing.T) {
	for _, c := range []struct{ name, lines string }{
		{"occluders", "occluder.draw name=polygon"},
		{"cells", "cell.draw name=box"},
		{"portals", "portal.draw name=box; draft.set state=closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, 1280, 760, 1)
			r.s.Run(c.lines)
			r.settle()
			r.shoot("draft-" + c.name)
		})
	}
}

// occluderOf is the data of an occluder.
func (r *rig) occluderOf(id document.ID) document.Occluder {
	r.T.Helper()
	o, ok := r.entity(id).Data.(document.Occluder)
	if !ok {
		r.T.Fatalf("%d is no occluder", id)
	}
	return o
}

func TestInspectorOfOccluders(t *testing.T) {
	r := tall(t, house...)
	r.s.Run("select ids=2")
	r.Frame()
	r.Click(sHidesNothing)
	if !r.occluderOf(2).Off {
		t.Error("it is not switched off")
	}
	r.Click(sHidesNothing)
	r.Click(sDetach)
	if r.entity(2).Parent != 0 {
		t.Error("it is still part of the object")
	}
	r.s.Run("select ids=1,2")
	r.Frame()
	r.Click(sAttach)
	if r.entity(2).Parent != 1 {
		t.Error("it is not part of the object")
	}
	before := r.s.Scene().BoundsOf(2).Size()
	r.s.Run("select ids=2")
	r.Frame()
	r.Click(sShrink)
	if after := r.s.Scene().BoundsOf(2).Size(); !near(after[0], before[0]-0.2) {
		t.Errorf("its size went from %v to %v", before, after)
	}
	n := r.s.Level().Len()
	r.Click(sCut + " X")
	if r.s.Level().Len() != n+1 {
		t.Error("it is not cut in two")
	}
	r.s.Run("occluder.set id=2 object=0; select ids=2,8")
	r.Frame()
	r.Click(sMerge)
	if r.s.Level().Len() != n {
		t.Error("they are not merged")
	}
	r.noErrors()
}

func TestInspectorOfPortals(t *testing.T) {
	r := tall(t, house...)
	r.s.Run("select ids=6")
	r.Frame()
	portal := func() document.Portal { return r.entity(6).Data.(document.Portal) }
	front, _ := r.s.PortalFacts(6)
	r.Click(sStateClosed)
	if portal().State != document.PortalClosed {
		t.Errorf("the state is %q", portal().State)
	}
	r.Click(sFlip)
	if back, _ := r.s.PortalFacts(6); back.Front != front.Back || back.Back != front.Front || !back.Joins {
		t.Errorf("it was %+v and became %+v", front, back)
	}
	r.enter(sReach, "2")
	if portal().Reach != 2 {
		t.Errorf("its reach is %g", portal().Reach)
	}
	r.s.Run("select ids=4")
	r.Frame()
	r.Click(sSelectPortals)
	if s := r.s.Selection(); len(s) != 1 || s[0] != 6 {
		t.Errorf("%v are selected", s)
	}
	r.noErrors()
}

func TestDraftingOptions(t *testing.T) {
	r := newRig(t, 1280, 900, 1)
	r.s.Run("mode name=portal")
	r.Frame()
	r.Click(sPortals)
	if d := r.s.Draft(); d.Options.What != document.KindPortal {
		t.Errorf("it draws %s", d.Options.What)
	}
	r.pickFrom(sPortalState, sStateOneWay)
	if s := r.s.Rooms.State; s != document.PortalOneWay {
		t.Errorf("new portals are %s", s)
	}
	r.s.Run("mode name=occluder")
	r.Frame()
	r.Click(sFormFlat)
	if r.s.Draft().Solid() || r.s.Mode != session.ModeOccluder {
		t.Error("flat occluders are solid")
	}
	r.Click(sDraftAttach)
	if !r.s.Occluding.Attach {
		t.Error("they are not attached")
	}
	r.noErrors()
}
