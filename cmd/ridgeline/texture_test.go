package main

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A picture file becomes a texture of the level and travels with it; a script that
// fails leaves no file behind.
func TestTextureFiles(t *testing.T) {
	inDir(t)
	f, err := os.Create("moss.png")
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, image.NewNRGBA(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	f.Close()
	ok(t, "new", "a.ridge", "--size", "65x65")
	assets := func(level string) int {
		list, _ := filepath.Glob(filepath.Join(level+".d", "assets", "*.png"))
		return len(list)
	}
	if r := cli(t, "", "run", "a.ridge", "-e", "layer.add name=Moss texture=moss.png; nonsense"); r.code != exitFailed || assets("a.ridge") != 0 {
		t.Errorf("%+v, %d assets", r, assets("a.ridge"))
	}
	if r := cli(t, "", "run", "a.ridge", "-e", "layer.add name=Moss texture=moss.png; undo; undo"); r.code != exitFailed || assets("a.ridge") != 0 {
		t.Errorf("%+v, %d assets", r, assets("a.ridge"))
	}
	ok(t, "run", "a.ridge", "-e", "layer.add name=Moss texture=moss.png uv=3")
	if out := ok(t, "info", "a.ridge", "--json"); !strings.Contains(out, "asset:") || assets("a.ridge") != 1 {
		t.Errorf("%s, %d assets", out, assets("a.ridge"))
	}
	ok(t, "run", "a.ridge", "-o", "b.ridge", "-e", "terrain.stroke op=raise at=30,30 radius=9 strength=2")
	if assets("b.ridge") != 1 {
		t.Error("the copy has lost its texture")
	}
	ok(t, "check", "b.ridge")
	ok(t, "export", "b.ridge", "-o", "b.glb")
	write(t, "text.png", "no picture")
	for file, want := range map[string]string{"text.png": "no PNG or JPEG picture", "none.png": "no such file", "mos": "expected a PNG or JPEG file"} {
		if r := cli(t, "", "run", "a.ridge", "-e", "layer.set layer=Moss texture="+file); r.code != exitFailed || !strings.Contains(r.errs, want) {
			t.Errorf("%s: %+v, expected %q", file, r, want)
		}
	}
}
