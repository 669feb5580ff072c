package heightmap

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// realFile is what other programs say about a file.
type realFile struct {
	file       string
	opts       Options
	format     Format
	cols, rows int
	bits       int
	lo, hi     float64
	within     float64 // of lo and hi, where the index rounds them
	voids      int
	spacing    float64 // metres, to a tenth; 0: none
	units      Units
	notes      int
}

var realFiles = []realFile{
	{file: "asc/4_x_3_no_nodata_value.asc", format: ASC, cols: 3, rows: 4, bits: 32, hi: 11, spacing: 10, units: Metres},
	{file: "asc/A_PlanarSlope.asc", format: ASC, cols: 17, rows: 50, bits: 32, hi: 200.19, within: 0.005, spacing: 10, units: Metres},
	{file: "asc/DEM-kootenai_37x50_1x1.asc", format: ASC, cols: 50, rows: 37, bits: 32, lo: 537.36, hi: 543.81, within: 0.005, spacing: 1, units: Metres},
	{file: "asc/derived_jacksboro.asc", format: ASC, cols: 403, rows: 344, bits: 32, lo: 236, hi: 1076, spacing: 92.5, units: Degrees, notes: 2},
	{file: "asc/derived_west_bijou_gully_xllcenter.asc", format: ASC, cols: 43, rows: 89, bits: 32, lo: 1680.78, hi: 1725.43, within: 0.005, voids: 2739, spacing: 3, units: Metres},
	{file: "asc/hugo_site.asc", format: ASC, cols: 76, rows: 55, bits: 32, lo: 1660, hi: 1711, voids: 2028, spacing: 10, units: Metres},
	{file: "asc/pre_runout_DEM.asc", format: ASC, cols: 80, rows: 122, bits: 32, lo: 189.028, hi: 582.385, within: 0.0005, voids: 122, spacing: 10, units: Metres},
	{file: "asc/rainfall.asc", format: ASC, cols: 76, rows: 55, bits: 32, hi: 0.14443, within: 0.000005, spacing: 10, units: Metres, notes: 1},
	{file: "asc/west_bijou_escarpment_snippet.asc", format: ASC, cols: 129, rows: 67, bits: 32, lo: 1690, hi: 1807, spacing: 30.8, units: Degrees, notes: 2},
	{file: "asc/west_bijou_gully.asc", format: ASC, cols: 43, rows: 89, bits: 32, lo: 1680.78, hi: 1725.43, within: 0.005, voids: 2739, spacing: 3, units: Metres},
	{file: "srtm/N42E001.hgt", format: HGT, cols: 1201, rows: 1201, bits: 16, lo: 349, hi: 3100, voids: 7652, spacing: 92.6, units: Degrees, notes: 1},
	{file: "srtm/N55W003.hgt", format: HGT, cols: 1201, rows: 1201, bits: 16, lo: -22, hi: 816, spacing: 92.8, units: Degrees, notes: 1},
	{file: "heightmap/bevy_terrain_height_16bit.png", format: PNG, cols: 1024, rows: 1024, bits: 16, hi: 65535},
	{file: "heightmap/gz_grayscale_16bit.png", format: PNG, cols: 4, rows: 4, bits: 16, lo: 24779, hi: 55521},
	{file: "heightmap/gz_heightmap_bowl_129.png", format: PNG, cols: 129, rows: 129, bits: 8, hi: 254, notes: 2},
	{file: "heightmap/nehe_lesson34_Terrain.raw", format: R8, cols: 1024, rows: 1024, bits: 8, lo: 55, hi: 221, notes: 3},
	{file: "heightmap/derived/n42e001_257.r32", format: R32, cols: 257, rows: 257, bits: 32, lo: 837, hi: 3100, notes: 1},
	{file: "heightmap/derived/n42e001_257_16bit.png", format: PNG, cols: 257, rows: 257, bits: 16, hi: 65535},
	{file: "heightmap/derived/n42e001_257_16bit_adam7.png", format: PNG, cols: 257, rows: 257, bits: 16, hi: 65535},
	{file: "heightmap/derived/n42e001_257_le.r16", format: R16, cols: 257, rows: 257, bits: 16, hi: 65535, notes: 1},
	{file: "heightmap/derived/n42e001_257_le.r16", opts: Options{Endian: BigEndian}, format: R16, cols: 257, rows: 257, bits: 16, hi: 65535, notes: 1},
}

// sharedData finds the folder of large test data beside this checkout.
func sharedData() (dir string, ok bool) {
	dir, err := os.Getwd()
	for err == nil {
		d := filepath.Join(dir, "shared", "data")
		if _, err := os.Stat(filepath.Join(d, "INDEX.md")); err == nil {
			return d, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return "", false
}

// realPath gives a file from testdata, or else from the shared folder.
func realPath(t testing.TB, file string) string {
	t.Helper()
	local := filepath.Join("testdata", filepath.Base(file))
	if _, err := os.Stat(local); err == nil {
		return local
	}
	d, ok := sharedData()
	if !ok {
		t.Skipf("%s is not in testdata, and there is no shared/data/INDEX.md in a folder above", file)
	}
	return filepath.Join(d, filepath.FromSlash(file))
}

func TestRealFiles(t *testing.T) {
	ctx := context.Background()
	for _, want := range realFiles {
		t.Run(want.file, func(t *testing.T) {
			path := realPath(t, want.file)
			r, err := Read(ctx, path, want.opts, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Format != want.format || r.Cols != want.cols || r.Rows != want.rows || r.Bits != want.bits {
				t.Errorf("got %s %d×%d of %d bits", r.Format, r.Cols, r.Rows, r.Bits)
			}
			if !(math.Abs(r.SampleMin-want.lo) <= want.within && math.Abs(r.SampleMax-want.hi) <= want.within) {
				t.Errorf("range %v to %v, want %v to %v", r.SampleMin, r.SampleMax, want.lo, want.hi)
			}
			if r.Voids != want.voids || r.voids.Count() != want.voids {
				t.Errorf("%d voids, %d in the mask, want %d", r.Voids, r.voids.Count(), want.voids)
			}
			if !(math.Abs(r.Spacing()-want.spacing) <= 0.05) {
				t.Errorf("spacing %v, want %v", r.Spacing(), want.spacing)
			}
			if (r.Geo != nil) != (want.units != UnitsAuto) || r.Geo != nil && r.Geo.Units != want.units {
				t.Errorf("georeference %+v, want units %v", r.Geo, want.units)
			}
			if len(r.Notes) != want.notes {
				t.Errorf("notes %q, want %d", r.Notes, want.notes)
			}
			info, err := Inspect(ctx, path, want.opts)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(info, r.Info) {
				t.Errorf("Inspect says %+v,\nRead says %+v", info, r.Info)
			}
			heights, holes, err := r.Heights(ctx, nil, Hole, nil)
			if err != nil {
				t.Fatal(err)
			}
			if holes.Count() != want.voids {
				t.Errorf("%d holes", holes.Count())
			}
			for i, h := range heights {
				if !(float64(h) >= r.SampleMin && float64(h) <= r.SampleMax) {
					t.Fatalf("height %v at %d lies outside %v to %v", h, i, r.SampleMin, r.SampleMax)
				}
			}
		})
	}
}

func mustRead(t testing.TB, file string, o Options) *Raster {
	t.Helper()
	r, err := Read(context.Background(), realPath(t, file), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTwins reads files that hold the same ground in different clothes.
func TestTwins(t *testing.T) {
	t.Run("interlaced", func(t *testing.T) {
		a := mustRead(t, "heightmap/derived/n42e001_257_16bit.png", Options{})
		b := mustRead(t, "heightmap/derived/n42e001_257_16bit_adam7.png", Options{})
		if !reflect.DeepEqual(a.ints, b.ints) {
			t.Error("the samples differ")
		}
	})
	t.Run("raw", func(t *testing.T) {
		a := mustRead(t, "heightmap/derived/n42e001_257_16bit.png", Options{})
		b := mustRead(t, "heightmap/derived/n42e001_257_le.r16", Options{})
		if !reflect.DeepEqual(a.ints, b.ints) {
			t.Error("the samples differ")
		}
	})
	t.Run("corner and center", func(t *testing.T) {
		a := mustRead(t, "asc/west_bijou_gully.asc", Options{})
		b := mustRead(t, "asc/derived_west_bijou_gully_xllcenter.asc", Options{})
		if !b.Geo.Center || a.Geo.Center {
			t.Errorf("registration: %+v, %+v", a.Geo, b.Geo)
		}
		b.Geo.Center = false
		if *a.Geo != *b.Geo {
			t.Errorf("places differ: %+v, %+v", *a.Geo, *b.Geo)
		}
		if !reflect.DeepEqual(a.floats, b.floats) || !reflect.DeepEqual(a.voids, b.voids) {
			t.Error("the samples differ")
		}
	})
	t.Run("metres", func(t *testing.T) {
		ctx := context.Background()
		a, _, err := mustRead(t, "heightmap/derived/n42e001_257_16bit.png", Options{}).Heights(ctx, &Mapping{837, 3100}, Fill, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := mustRead(t, "heightmap/derived/n42e001_257.r32", Options{}).Heights(ctx, nil, Fill, nil)
		if err != nil {
			t.Fatal(err)
		}
		tile := mustRead(t, "srtm/N42E001.hgt", Options{})
		step := float64(3100-837) / 65535
		for i := range a {
			if !(math.Abs(float64(a[i]-b[i])) <= step/2+1e-4) {
				t.Fatalf("sample %d: %v in 16 bits, %v in floats", i, a[i], b[i])
			}
			// The floats are metres of the tile; its voids became its lowest.
			col, row := 300+i%257, 300+i/257
			if h := tile.Sample(col, row); !tile.Void(col, row) && h != float64(b[i]) {
				t.Fatalf("sample %d: %v in the tile, %v in floats", i, h, b[i])
			}
		}
	})
}
