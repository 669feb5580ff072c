package panel

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ridgeline/widgets/gallery"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// shoot compares the window's picture with the golden one.
func (r *rig) shoot(name string) {
	r.T.Helper()
	cam, err := gallery.NewCamera(r.Size.X, r.Size.Y)
	if err != nil {
		r.T.Fatal(err)
	}
	defer cam.Release()
	r.Golden(cam, name, *update)
}

// work makes a few steps of history, some of them undone.
func (r *rig) work() {
	for _, line := range []string{
		"terrain.stroke op=raise at=20,20 to=60,60 radius=10 strength=1",
		"terrain.stroke op=smooth at=30,30 radius=20 strength=0.5",
		`paint.stroke layer=Rock at=64,64 radius=20 strength=1`,
		"sun.set azimuth=200 elevation=35",
		`layer.add name="Gravel on the riverside, coarse and wet" texture=gravel uv=3`,
		"terrain.stroke op=flatten at=80,80 radius=12 strength=0.5",
	} {
		r.s.Run(line)
		r.now = r.now.Add(7 * time.Minute)
	}
	r.s.Run("undo; undo")
	r.s.Run("redo")
	r.noErrors()
}

func TestGolden(t *testing.T) {
	r := openRig(t, 1280, 720, 1)
	r.work()
	r.s.LoadTextures()
	r.s.Run("mode name=sculpt")
	r.Frame()
	r.Click(sLayers)
	r.MoveTo(600, 400)
	r.shoot("sculpt-1280")

	r.open(1920, 1080, 1)
	r.s.Run("brush.layer layer=1; view.overlay name=wire; view.panel name=console")
	r.Frame()
	r.s.RunConsole("sun.set elevation=95")
	r.Frame()
	r.Click(sWorld)
	r.MoveTo(900, 500)
	r.shoot("paint-1920")

	r.s.Run("mode name=select; view.panel name=console; view.overlay name=wire; view.from name=top")
	r.open(1280, 720, 2)
	r.Click(sHistory)
	r.shoot("select-2x")

	r.s.Run("mode name=sculpt; view.from name=perspective")
	r.open(960, 600, 1)
	r.s.Warn("This level is open elsewhere, so it is read-only here.")
	r.Click(sView)
	r.shoot("narrow-960")
}

func TestGoldenDialogs(t *testing.T) {
	for _, c := range []struct {
		name string
		open func(r *rig)
	}{
		{"new", func(r *rig) { r.s.Run("app.new") }},
		{"new-meshes", func(r *rig) {
			r.s.Run("app.new")
			r.Frame()
			r.Click(sWithGround)
			r.MoveTo(20, 300)
		}},
		{"import", func(r *rig) {
			r.s.BeginImport("../../terrain/heightmap/testdata/n42e001_257_16bit.png")
			r.settle()
		}},
		{"import-raw", func(r *rig) {
			r.s.BeginImport(rawFile(r.T))
			r.settle()
		}},
		{"export", func(r *rig) { r.s.BeginExport("/somewhere/valley.glb") }},
		{"question", func(r *rig) {
			r.s.Run("terrain.stroke op=raise at=20,20 radius=10 strength=1")
			r.s.Run("app.new")
			r.Frame()
			r.Click(sMake)
		}},
		{"palette", func(r *rig) {
			r.s.Run("view.palette")
			r.Frame()
			r.Type("se")
		}},
		{"form", func(r *rig) {
			r.s.Run("view.palette")
			r.Frame()
			r.Type("sculpt along")
			r.Key("⏎", 0)
			r.Type("20,20")
		}},
		{"keys", func(r *rig) { r.menu(sHelp, sKeyList) }},
		{"welcome-first", func(r *rig) { r.shell.Welcome() }},
		{"welcome", func(r *rig) {
			r.s.Memory.Recent = []string{"/levels/north/valley.ridge", "/levels/yard.ridge", "/levels/a level with a name that is long.ridge"}
			r.menu(sHelp, sStart)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, 720, 540, 1)
			c.open(r)
			r.Frame()
			r.shoot("dialog-" + c.name)
		})
	}
}

// rawFile is a raw heightmap that is not square, so that its size must be asked for.
func rawFile(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "valley.raw")
	if err := os.WriteFile(name, make([]byte, 2*64*48), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
