package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
)

// A handle that is held still, or anything else that waits for the pointer, asks for no
// frames; a brush that is held works on and does.
func TestWhatIsHeldStillDrawsNothing(t *testing.T) {
	r := stocked(t)
	r.Run("object.place asset=Box at=64,64")
	r.Tick(time.Second)
	cx, cy := r.pixel(mgl64.Vec3{64, 0, 64})
	found := false
	for dx := -150.0; dx <= 150 && !found; dx += 10 {
		for dy := -150.0; dy <= 150 && !found; dy += 10 {
			r.Pointer(Pointer{Kind: PointerMove, X: cx + dx, Y: cy + dy, Time: time.Second})
			if p, _ := r.Ring(); p.Handle == 0 {
				continue
			}
			found = true
			was := r.Level()
			r.Pointer(Pointer{Kind: PointerPress, X: cx + dx, Y: cy + dy, Button: Left, Time: time.Second})
			r.Pointer(Pointer{Kind: PointerMove, X: cx + dx + 60, Y: cy + dy + 30, Time: 2 * time.Second})
			if r.Tick(2*time.Second) || r.Tick(3*time.Second) {
				t.Error("a handle that is held still draws without pause")
			}
			if r.Level() == was {
				t.Error("the handle moved nothing")
			}
			r.Pointer(Pointer{Kind: PointerRelease, X: cx + dx + 60, Y: cy + dy + 30, Button: Left, Time: 4 * time.Second})
		}
	}
	if !found {
		t.Fatal("no handles")
	}

	if err := r.SetMode(ModeSculpt); err != nil {
		t.Fatal(err)
	}
	r.Pointer(Pointer{Kind: PointerPress, X: 300, Y: 400, Button: Left, Time: 5 * time.Second})
	if !r.Tick(5 * time.Second) {
		t.Error("a brush that is held still stops")
	}
	before := r.Level()
	if !r.Tick(6*time.Second) || r.Level() == before {
		t.Error("a brush that is held still does nothing")
	}
	r.Pointer(Pointer{Kind: PointerRelease, X: 300, Y: 400, Button: Left, Time: 7 * time.Second})
	if r.Tick(7 * time.Second) {
		t.Error("nothing is held, and frames go on")
	}
	r.quiet()
}

// What is placed beside the ground says so, whether clicked, dropped or scripted.
func TestPlacingBesideTheGround(t *testing.T) {
	r := stocked(t)
	if err := r.SetMode(ModeObject); err != nil {
		t.Fatal(err)
	}
	r.Place.Asset = "Box"
	r.Run("camera.set eye=200,40,120 look=200,0,64")
	x, y := r.pixel(mgl64.Vec3{200, 0, 64})
	told := func(what string, want int, do func()) {
		t.Helper()
		r.TakeNotices()
		_, before := r.Lines()
		n := r.Level().Len()
		do()
		if r.Level().Len() != n+1 {
			t.Errorf("%s: %d things placed", what, r.Level().Len()-n)
		}
		lines, now := r.Lines()
		got := 0
		for _, l := range lines[len(lines)-(now-before):] {
			if strings.Contains(l.Text, "There is no ground") {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: told %d times, expected %d: %v", what, got, want, lines)
		}
	}
	click := func() {
		r.Pointer(Pointer{Kind: PointerPress, X: x, Y: y, Button: Left, Time: time.Second})
		r.Pointer(Pointer{Kind: PointerRelease, X: x, Y: y, Button: Left, Time: time.Second})
	}
	told("a click", 1, click)
	told("a click on what was placed", 0, func() { y -= 2; click(); y += 2 })
	told("a drop", 1, func() { r.DropAsset("Box", x+100, y) })
	told("a line", 1, func() { r.Run("object.place asset=Box at=200,10") })
	told("a line with a height", 0, func() { r.Run("object.place asset=Box at=200,3,10") })
	told("a line over ground", 0, func() { r.Run("object.place asset=Box at=20,10") })
	told("a marker", 1, func() { r.Run("marker.add kind=line points='200,10;20,10;300,10' name=path") })
	r.Run("level.noterrain")
	r.idle()
	told("a level without ground", 0, func() { x += 200; click() })
	r.quiet()
}

// A prompt for a path begins beside the level, or else where the last one ended.
func TestPromptsBeginWhereFilesAre(t *testing.T) {
	level, meshes := t.TempDir(), t.TempDir()
	file := filepath.Join(meshes, "a.glb")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	r := start(t, t.TempDir())
	begins := func(what, want string) {
		t.Helper()
		r.Run("app.open")
		p := r.Prompt()
		if p == nil || filepath.Clean(p.Text) != filepath.Clean(want) || !strings.HasSuffix(p.Text, string(filepath.Separator)) {
			t.Errorf("%s: the prompt is %+v, expected %s", what, p, want)
		}
		r.CancelPrompt()
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	begins("at first", here)
	r.askAssets()
	if err := r.AnswerPrompt(file); err != nil {
		t.Fatal(err)
	}
	r.idle()
	begins("after a mesh", meshes)
	r.Run("file.saveas " + filepath.Join(level, "a.ridge"))
	r.idle()
	begins("with a level", level)
	r.Session.NewLevel(flat(t), "")
	begins("with a new level", meshes)
	if err := os.RemoveAll(meshes); err != nil {
		t.Fatal(err)
	}
	begins("when that is gone", level)
}
