package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"ridgeline/terrain"
)

// shapes are heights that exports have been known to spoil.
var shapes = map[string]func(c, r int) float32{
	"flat":       func(c, r int) float32 { return 0 },
	"plateau":    func(c, r int) float32 { return 123.456 },
	"hills":      func(c, r int) float32 { return float32(800*math.Sin(float64(c)/9) + 200*math.Cos(float64(r)/5)) },
	"trench":     func(c, r int) float32 { return -400.25 - float32(c*r)/7 },
	"fractional": func(c, r int) float32 { return 0.001 * float32(c) / 3 },
	"step":       func(c, r int) float32 { return float32(c/20) * 65535 },
}

const cols, rowCount = 97, 41

// shaped makes a level of these heights through a raw file.
func shaped(t *testing.T, at func(c, r int) float32) {
	t.Helper()
	var v []float32
	for r := range rowCount {
		for c := range cols {
			v = append(v, at(c, r))
		}
	}
	write(t, "in.r32", floats(v...))
	ok(t, "import", "in.r32", "--size", fmt.Sprintf("%dx%d", cols, rowCount), "-o", "a.ridge", "--spacing", "2.5", "--force")
}

func compare(t *testing.T, a, b *terrain.Field, tolerance float64) {
	t.Helper()
	if w, h := b.Size(); w != cols || h != rowCount {
		t.Fatalf("%d×%d samples", w, h)
	}
	for r := range rowCount {
		for c := range cols {
			if d := math.Abs(float64(a.Sample(c, r)) - float64(b.Sample(c, r))); !(d <= tolerance) {
				t.Fatalf("column %d, row %d: %g became %g, allowed is %g", c, r, a.Sample(c, r), b.Sample(c, r), tolerance)
			}
		}
	}
}

func TestHeightmapsRoundTrip(t *testing.T) {
	for name, at := range shapes {
		t.Run(name, func(t *testing.T) {
			inDir(t)
			shaped(t, at)
			a := read(t, "a.ridge").Terrain
			lo, hi := a.MinMax()
			step := float64(hi-lo) / math.MaxUint16
			size := fmt.Sprintf("%dx%d", cols, rowCount)

			ok(t, "export", "a.ridge", "-o", "out.r32")
			in, _ := os.ReadFile("in.r32")
			if out, _ := os.ReadFile("out.r32"); string(in) != string(out) {
				t.Error(".r32 is not the same bit for bit")
			}
			ok(t, "export", "a.ridge", "-o", "out.asc")
			ok(t, "import", "out.asc", "-o", "asc.ridge")
			asc := read(t, "asc.ridge").Terrain
			compare(t, a, asc, 0)
			if asc.Spacing() != 2.5 {
				t.Errorf("spacing %g in .asc", asc.Spacing())
			}
			for _, f := range []string{"r16", "png"} {
				out := ok(t, "export", "a.ridge", "-o", "out."+f)
				// The range that the export tells is the one that import wants.
				_, told, _ := strings.Cut(out, " for ")
				var from, to string
				if n, _ := fmt.Sscanf(told, "%s to %s m", &from, &to); n != 2 {
					t.Fatalf("no range in %q", out)
				}
				ok(t, "import", "out."+f, "-o", f+".ridge", "--min", from, "--max", to, "--size", size)
				l := read(t, f+".ridge")
				// Half a step, and the rounding of a float32.
				compare(t, a, l.Terrain, step/2*1.001+1e-6*math.Max(math.Abs(float64(lo)), math.Abs(float64(hi))))
				// And the level remembers it: another export is the same file.
				ok(t, "export", f+".ridge", "-o", "again."+f)
				one, _ := os.ReadFile("out." + f)
				if two, _ := os.ReadFile("again." + f); string(one) != string(two) {
					t.Errorf("a second export of .%s differs", f)
				}
			}
		})
	}
}

// 16 bits stay 16 bits: without a range, a sample is a metre, and comes back as it
// went in.
func TestSixteenBitsStay(t *testing.T) {
	inDir(t)
	write(t, "in.png", grey16(t, cols, rowCount))
	out := ok(t, "import", "in.png", "-o", "a.ridge")
	for _, want := range []string{"97×41 samples of 16 bits", "values    0 to 65527", "0 voids"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing from %s", want, out)
		}
	}
	f := read(t, "a.ridge").Terrain
	for i := range cols * rowCount {
		if want := float32(uint16(i * 37)); f.Sample(i%cols, i/cols) != want {
			t.Fatalf("sample %d is %g, want %g", i, f.Sample(i%cols, i/cols), want)
		}
	}
	ok(t, "export", "a.ridge", "-o", "out.png")
	ok(t, "import", "out.png", "-o", "b.ridge")
	compare(t, f, read(t, "b.ridge").Terrain, 0)

	// A stroke that leaves the range is not cut off silently.
	ok(t, "run", "a.ridge", "-e", "terrain.stroke op=raise at=5,5 radius=3 strength=90000")
	r := cli(t, "", "export", "a.ridge", "-o", "out.png")
	if r.code != exitFailed || !strings.Contains(r.errs, "out.png: ") || strings.Count(r.errs, "\n") != 1 {
		t.Errorf("%+v", r)
	}
	ok(t, "export", "a.ridge", "-o", "out.png", "--max", "160000")
}

func TestVoids(t *testing.T) {
	inDir(t)
	write(t, "in.asc", strings.Replace(asc, "5", "-9999", 1))
	ok(t, "import", "in.asc", "-o", "fill.ridge")
	ok(t, "import", "in.asc", "-o", "hole.ridge", "--void", "hole")
	for path, want := range map[string]string{"fill.ridge": `"voids": 0`, "hole.ridge": `"voids": 2`} {
		if out := ok(t, "info", path, "--json"); !strings.Contains(out, want) {
			t.Errorf("%s: no %s in %s", path, want, out)
		}
	}
	before := len(snapshot(t, "."))
	if out := ok(t, "import", "in.asc", "--info"); !strings.Contains(out, "1 voids") || !strings.Contains(out, "spacing   10 m") {
		t.Errorf("info: %s", out)
	}
	if n := len(snapshot(t, ".")); n != before {
		t.Error("--info wrote something")
	}
	ok(t, "import", "in.asc", "-o", "other.ridge", "--nodata", "3")
	if f := read(t, "other.ridge").Terrain; f.Sample(1, 1) != -9999 {
		t.Errorf("--nodata 3 left %g in place of -9999", f.Sample(1, 1))
	}
}

// A georeference goes through a level and comes out again.
func TestGeoreference(t *testing.T) {
	inDir(t)
	write(t, "in.asc", strings.NewReplacer("xllcorner 0", "xllcenter 500000", "yllcorner 0", "yllcenter 4649000").Replace(asc))
	ok(t, "import", "in.asc", "-o", "a.ridge")
	if x, z := read(t, "a.ridge").Terrain.Origin(); x != 0 || z != 0 {
		t.Errorf("the origin is %g, %g", x, z)
	}
	ok(t, "export", "a.ridge", "-o", "out.asc")
	text, _ := os.ReadFile("out.asc")
	for _, want := range []string{"xllcorner 499995", "yllcorner 4648995", "cellsize 10"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	ok(t, "import", "out.asc", "-o", "b.ridge")
	if a, b := read(t, "a.ridge").Settings.Geo, read(t, "b.ridge").Settings.Geo; a["x"] != b["x"] || a["y"] != b["y"] || a["x"] == "" {
		t.Errorf("%v became %v", a, b)
	}
}

func TestExportGLB(t *testing.T) {
	inDir(t)
	shaped(t, shapes["hills"])
	if out := ok(t, "export", "a.ridge", "-o", "a.glb"); !strings.HasPrefix(out, "a.glb: 2 chunks, 7680 triangles, ") {
		t.Error(out)
	}
	data, _ := os.ReadFile("a.glb")
	if !strings.HasPrefix(string(data), "glTF") || !strings.Contains(string(data), `"COLOR_0"`) {
		t.Error("no .glb was written")
	}
}
