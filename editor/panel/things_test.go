package panel

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"gioui.org/layout"
	"gioui.org/op"

	"ridgeline/document"
	"ridgeline/editor/session"
	"ridgeline/widgets"
	"ridgeline/widgets/gallery"
	"ridgeline/widgets/widgettest"
)

// cube is a mesh of a cube of two metres.
const cube = `o cube
v -1 0 -1
v 1 0 -1
v 1 2 -1
v -1 2 -1
v -1 0 1
v 1 0 1
v 1 2 1
v -1 2 1
f 1 4 3 2
f 5 6 7 8
f 1 5 8 4
f 2 3 7 6
f 4 8 7 3
f 1 2 6 5
`

// thingsRig opens a level with things in it, saved in a folder of its own, and
// shows its right column alone, w × h dp.
func thingsRig(t testing.TB, w, h int, scale float32, lines ...string) *rig {
	t.Helper()
	r := newThings(t, lines...)
	r.column(w, h, scale)
	return r
}

// newThings is a session on a level with meshes.
func newThings(t testing.TB, lines ...string) *rig {
	t.Helper()
	dir := t.TempDir()
	r := &rig{T: t, now: widgettest.Start, posts: make(chan func(), 64)}
	r.s = session.New(testLevel(t), session.Options{
		Temporary: true,
		Now:       func() time.Time { return r.now },
		Post:      func(fn func()) { r.posts <- fn },
	})
	t.Cleanup(func() {
		if err := r.s.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, name := range []string{"House", "Barrel", "Pine"} {
		file := filepath.Join(dir, name+".obj")
		if err := os.WriteFile(file, []byte(cube), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r.s.Run(callLine("file.saveas", "file", filepath.Join(dir, "level.ridge")))
	r.wait()
	for _, name := range []string{"House", "Barrel", "Pine"} {
		r.s.Run(callLine("asset.import", "file", filepath.Join(dir, name+".obj"), "name", name))
	}
	for _, l := range lines {
		r.s.Run(l)
	}
	r.wait()
	r.noErrors()
	return r
}

// wait is settle without a window.
func (r *rig) wait() {
	r.T.Helper()
	for r.s.Busy() {
		select {
		case fn := <-r.posts:
			fn()
		case <-time.After(30 * time.Second):
			r.T.Fatal("a task does not end")
		}
	}
}

// column shows the right column alone.
func (r *rig) column(w, h int, scale float32) {
	th := widgets.NewTheme()
	r.shell = New(r.s, th)
	r.Harness = widgettest.New(r.T, int(float32(w)*scale), int(float32(h)*scale), scale, func(gtx layout.Context) layout.Dimensions {
		sh := r.shell
		sh.again = false
		d := th.Window(gtx, sh.column)
		if sh.again {
			gtx.Execute(op.InvalidateCmd{})
		}
		return d
	})
}

// village is a level with one of everything that the outliner tells apart.
var village = []string{
	`outline.layer name=Props; outline.layer name=Hidden hidden=yes; outline.layer name=Walls locked=yes`,
	`object.place asset=House at=40,40 yaw=30 name="Town hall"`, // 1
	`object.place asset=House at=50,40 yaw=75 name=Bakery`,      // 2
	`object.place asset=Barrel at=42,44 scale=0.5 name=Barrel layer=Props`,
	`object.place asset=Barrel at=43,44 scale=0.5 name="Barrel 2" layer=Props`,
	`object.place asset=Pine at=60,60 name="Old pine"`,                               // 5
	`object.group ids=1,2 name=Village`,                                              // 6
	`object.place asset=House at=20,20 name="Cellar walls" geometry=yes layer=Walls`, // 7
	`marker.add kind=point points=64,64 name=Spawn color=#7ccb8a`,                    // 8
	`marker.add kind=line points="10,10;30,12;50,20;70,24" name=Road`,                // 9
	`marker.add kind=area points="80,80;100,80;100,100;80,100" name="Safe zone" layer=Hidden`,
	`object.scatter assets=Pine,Barrel at=90,40 radius=20 density=0.05 spacing=1 slope=0,35 scale=0.8,1.2 seed=7 name="Pine wood"`, // 11
	`property.set ids=8 key=team value=red; property.set ids=8 key=delay value=2.5`,
	`property.set ids=1 key=floors value=2; property.set ids=2 key=floors value=1`,
	`asset.remove name=Pine force=yes`,
	`select.none`,
}

func TestGoldenThings(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		scale float32
		lines string
		drive func(r *rig)
	}{
		{name: "one", w: 288, h: 1060, lines: `select ids=1`},
		{name: "several", w: 288, h: 806, lines: `select ids=1,2,3`},
		{name: "marker", w: 288, h: 1060, lines: `select ids=9`},
		{name: "spawn", w: 288, h: 626, lines: `select ids=8`},
		{name: "scatter", w: 288, h: 1060, lines: `select ids=11`},
		{name: "nothing", w: 288, h: 626},
		{name: "missing", w: 288, h: 806, lines: `select ids=5`},
		{name: "locked", w: 288, h: 626, lines: `select ids=7`},
		{name: "group", w: 288, h: 626, lines: `select ids=6`},
		{name: "layers", w: 288, h: 626, drive: func(r *rig) { r.Click(sByLayer) }},
		{name: "one-2x", w: 288, h: 626, scale: 2, lines: `select ids=3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := thingsRig(t, c.w, c.h, max(1, c.scale), village...)
			r.s.Run(c.lines)
			r.Frame()
			if c.drive != nil {
				c.drive(r)
			}
			r.settle()
			cam, err := gallery.NewCamera(r.Size.X, r.Size.Y)
			if err != nil {
				t.Fatal(err)
			}
			defer cam.Release()
			r.Golden(cam, "things-"+c.name, *update)
		})
	}
}

// names are the names of the entities below another, in order.
func (r *rig) names(parent document.ID) (out []string) {
	for e := range r.s.Level().Children(parent) {
		out = append(out, e.Name)
	}
	return out
}
