package transfer

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/heightmap"
)

func none(float64) {}

func level(t testing.TB, cols, rows int, heights func(i int) float32) *document.Level {
	t.Helper()
	h := make([]float32, cols*rows)
	for i := range h {
		h[i] = heights(i)
	}
	f, err := terrain.FromHeights(cols, rows, 2, h)
	if err != nil {
		t.Fatal(err)
	}
	return document.NewLevel(f)
}

// A heightmap that was exported and imported again gives the same heights: bit for
// bit in 32 bits and text, within one step in 16 bits.
func TestRoundTrips(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		cols, rows := rapid.IntRange(2, 90).Draw(rt, "cols"), rapid.IntRange(2, 90).Draw(rt, "rows")
		base := rapid.Float64Range(-500, 500).Draw(rt, "base")
		size := rapid.SampledFrom([]float64{0, 0.001, 0.37, 12, 3000}).Draw(rt, "size")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		l := level(t, cols, rows, func(int) float32 { return float32(base + size*r.Float64()) })
		lo, hi := l.Terrain.MinMax()
		for _, f := range Formats() {
			if f.Things {
				continue
			}
			file := filepath.Join(dir, "h"+f.Extension)
			if _, err := (Export{Level: l}).File(context.Background(), file, none); err != nil {
				rt.Fatal(err)
			}
			in := Import{Spacing: 2}
			if f.Heights16 {
				in.Mapping = &heightmap.Mapping{Min: float64(lo), Max: float64(hi)}
			}
			var h heightmap.Options
			if f.Extension != ".png" && f.Extension != ".asc" {
				h.Cols, h.Rows = cols, rows
			}
			back, err := in.Open(context.Background(), file, h, none)
			if err != nil {
				rt.Fatalf("%s: %v", f.Extension, err)
			}
			tol := 0.0
			if f.Heights16 {
				// Half a step, and the rounding of float32 at that height.
				tol = float64(hi-lo)/65535 + 1e-6*max(math.Abs(float64(lo)), math.Abs(float64(hi)))
			}
			for y := range rows {
				for x := range cols {
					a, b := l.Terrain.Sample(x, y), back.Terrain.Sample(x, y)
					if !(math.Abs(float64(a)-float64(b)) <= tol) {
						rt.Fatalf("%s: sample (%d, %d) was %v and is %v, off by more than %v", f.Extension, x, y, a, b, tol)
					}
				}
			}
		}
	})
}

func TestKeptRangeIsInverted(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.r16")
	raw := make([]byte, 2*16*16)
	for i := range raw {
		raw[i] = byte(i * 37)
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Import{Mapping: &heightmap.Mapping{Min: -20, Max: 300}}.Open(context.Background(), file, heightmap.Options{}, none)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(dir, "b.r16")
	if _, err := (Export{Level: l}).File(context.Background(), again, none); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(again)
	if err != nil || string(got) != string(raw) {
		t.Errorf("the file is not what was imported: %v", err)
	}
}

func TestVoidsBecomeHoles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "v.asc")
	text := "ncols 4\nnrows 4\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -1\n1 1 1 1\n1 -1 1 1\n1 1 1 1\n1 1 1 1\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Import{Void: heightmap.Hole}.Open(context.Background(), file, heightmap.Options{}, none)
	if err != nil {
		t.Fatal(err)
	}
	for r := range 3 {
		for c := range 3 {
			if want := r < 2 && c < 2; l.Terrain.IsHole(c, r) != want {
				t.Errorf("cell (%d, %d) open: %v, expected %v", c, r, !want, want)
			}
		}
	}
	if l.Terrain.Spacing() != 5 {
		t.Errorf("spacing %v", l.Terrain.Spacing())
	}
	filled, err := Import{}.Open(context.Background(), file, heightmap.Options{}, none)
	if err != nil || filled.Terrain.IsHole(1, 1) || filled.Terrain.Sample(1, 1) != 1 {
		t.Errorf("filled: %v %v", filled.Terrain.Sample(1, 1), err)
	}
}

func TestReplaceKeepsTheOldFileOnErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f.bin")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err := Replace("write", file, func(w io.Writer) error { io.WriteString(w, "half"); return boom })
	if !errors.Is(err, boom) || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v", err)
	}
	if data, _ := os.ReadFile(file); string(data) != "old" {
		t.Errorf("the file holds %q", data)
	}
	if err := Replace("write", file, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if data, _ := os.ReadFile(file); string(data) != "new" || err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file holds %q with mode %v", data, info.Mode())
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left over: %v", list)
	}
	if err := Replace("write", dir, nil); err == nil || !strings.Contains(err.Error(), "a folder") {
		t.Errorf("writing over a folder: %v", err)
	}
}

func TestUnknownFormats(t *testing.T) {
	for path, want := range map[string]string{"a": "no extension", "a.obj": `".obj"`} {
		if _, err := FormatOf(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", path, err, want)
		}
	}
}

func TestCancelledExportLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	l := level(t, 400, 400, func(i int) float32 { return float32(i % 7) })
	for _, f := range Formats() {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := Export{Level: l}.File(ctx, filepath.Join(dir, "x"+f.Extension), func(float64) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f.Extension, err)
		}
		cancel()
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("left over: %v", list)
	}
}
