package main

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/transfer"
	"ridgeline/terrain"
)

// exported is a hill with a bookmark, exported.
func exported(t *testing.T) string {
	t.Helper()
	heights := make([]float32, 129*129)
	for i := range heights {
		x, z := float32(i%129-64), float32(i/129-64)
		heights[i] = 30 - (x*x+z*z)/200
	}
	f, err := terrain.FromHeights(129, 129, 1, heights)
	if err != nil {
		t.Fatal(err)
	}
	l := document.NewLevel(f)
	l.Settings.Bookmarks = map[string]document.Camera{"hill": {Eye: mgl64.Vec3{0, 40, 0}, Look: mgl64.Vec3{64, 25, 64}}}
	path := filepath.Join(t.TempDir(), "hill.glb")
	if _, err := (&transfer.Export{Level: l}).File(context.Background(), path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// It draws pictures in which there are ground and sky, and says what was culled.
func TestOffscreen(t *testing.T) {
	level := exported(t)
	dir := t.TempDir()
	var out bytes.Buffer
	err := run(context.Background(), []string{level, "--frames", "2", "-o", filepath.Join(dir, "a_%03d.png"), "--camera", "hill", "--size", "320x200"}, &out)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "4 drawn, 0 culled: frustum 0") {
		t.Errorf("%s", out.String())
	}
	for _, name := range []string{"a_000.png", "a_001.png"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(f)
		f.Close()
		if err != nil || m.Bounds().Dx() != 320 {
			t.Fatal(err)
		}
		colour := func(x, y int) [3]uint32 { r, g, b, _ := m.At(x, y).RGBA(); return [3]uint32{r >> 8, g >> 8, b >> 8} }
		sky, ground := colour(160, 5), colour(160, 150)
		if sky[2] < sky[0]+30 || ground[2] > ground[1] {
			t.Errorf("%s: the sky is %v and the ground %v", name, sky, ground)
		}
	}
}

// Without a name it writes no pictures, and says what was culled all the same.
func TestFramesAlone(t *testing.T) {
	level := exported(t)
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	if err := run(context.Background(), []string{level, "--frames", "3", "--size", "64x48"}, &out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), " drawn, "); n != 3 {
		t.Errorf("%d lines: %s", n, out.String())
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestBadRequests(t *testing.T) {
	level := exported(t)
	for _, c := range []struct{ args, want string }{
		{"", "an exported level"}, {"none.glb", "no such file"}, {level + " --camera sea", "one of hill"},
		{level + " --size 3x3 --frames 1 -o x.png", "--size"}, {level + " -o x.png", "--frames"}, {level + " --frames 1 b.glb", "one level"}, {level + " --nothing", "not defined"},
		{level + " --frames 1 -o /nowhere/x.png --size 32x32", "/nowhere/x.png"},
	} {
		var out bytes.Buffer
		if err := run(context.Background(), strings.Fields(c.args), &out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.args, err)
		}
	}
}
