package main

import (
	"context"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/export/pack"
	"ridgeline/export/runtime"
)

// The Village as a pack, be it a file or a folder, is the level that it is as a .glb:
// meshes, heights and the verdicts of many cameras.
func TestVillageAsPack(t *testing.T) {
	inDir(t)
	newVillage(t, "v.ridge")
	list, names := cameras(sceneOf(t, "v.ridge"), 24)
	ok(t, "export", "v.ridge", "-o", "v.glb")
	ok(t, "export", "v.ridge", "-o", "v.pack")
	ok(t, "export", "v.ridge", "-o", "v", "--folder")
	open := func(path string) *runtime.Level {
		l, err := runtime.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	want := open("v.glb")
	theirs := want.Culler()
	for _, path := range []string{"v.pack", "v"} {
		p, err := pack.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Verify(t.Context()); err != nil {
			t.Error(err)
		}
		p.Close()
		got := open(path)
		if got.Entries() != want.Entries() || len(got.Nodes) != len(want.Nodes) || len(got.Meshes) != len(want.Meshes) {
			t.Fatalf("%s: %d entries, %d nodes, %d meshes", path, got.Entries(), len(got.Nodes), len(got.Meshes))
		}
		for i, m := range want.Meshes {
			for k := range m.Primitives {
				a, errA := got.Geometry(i, k)
				b, errB := want.Geometry(i, k)
				if errA != nil || errB != nil || !reflect.DeepEqual(a, b) {
					t.Fatalf("%s: primitive %d of %s differs, %v, %v", path, k, m.Name, errA, errB)
				}
			}
		}
		a, b := got.Ground.Field(), want.Ground.Field()
		cols, rows := b.Size()
		for r := range rows {
			for c := range cols {
				if a.Sample(c, r) != b.Sample(c, r) || r < rows-1 && c < cols-1 && a.IsHole(c, r) != b.IsHole(c, r) {
					t.Fatalf("%s: sample %d, %d differs", path, c, r)
				}
			}
		}
		mine := got.Culler()
		size := image.Pt(1280, 720)
		for i, cam := range list {
			v := runtime.View{Eye: cam.Eye, ViewProj: cam.ViewProj(mgl64.Vec2{float64(size.X), float64(size.Y)}), Size: size}
			a, b := mine.Run(v), theirs.Run(v)
			if !reflect.DeepEqual(a.Verdicts, b.Verdicts) || !reflect.DeepEqual(a.Draws, b.Draws) {
				t.Errorf("%s, %s: the verdicts differ", path, names[i])
			}
		}
	}
}

// What is no name of a pack is told, and a folder with other files is not replaced.
func TestPackNames(t *testing.T) {
	inDataDir(t)
	ok(t, "new", "a.ridge", "--size", "9x9")
	if err := os.Mkdir("mine", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("mine", "note"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"x.glb --folder":   `x.glb: --folder: found the extension ".glb", expected .pack or none`,
		"mine/":            "mine/: found a folder with other files, expected a new folder, an empty one, or one with nothing but a pack",
		"mine --folder":    "mine/: found a folder with other files",
		"mine/note/":       "mine/note/: found a file, expected the name of a folder",
		"a.ridge.d/":       "the folder of the level's own files",
		"none/x/":          "none/x/: no such file or folder",
		"x.pack --min 3":   "x.pack: --min --max: found a range of heights, expected none",
		"mine --bake 64":   "mine: found no extension",
		"mine/note/a.pack": "mine/note/a.pack: ",
	} {
		r := cli(t, "", append([]string{"export", "a.ridge", "-o"}, strings.Fields(args)...)...)
		if r.code != exitFailed || !strings.Contains(r.errs, want) {
			t.Errorf("%s: %+v, expected %q", args, r, want)
		}
	}
	ok(t, "export", "a.ridge", "-o", "x/")
	ok(t, "export", "a.ridge", "-o", "x", "--folder", "--heights", "16")
	if _, err := os.Stat("x/heights.r16"); err != nil {
		t.Error(err)
	}
	if list, _ := filepath.Glob(".x*"); len(list) != 0 {
		t.Errorf("left over: %v", list)
	}
}
