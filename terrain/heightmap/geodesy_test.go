package heightmap

import (
	"math"
	"os"
	"strings"
	"testing"
)

// The expected lengths are those of NIMA TR8350.2 and of the usual tables.
func TestMeridian(t *testing.T) {
	for _, k := range []struct{ a, b, want float64 }{
		{0, 90, 10001965.729}, // the quarter meridian
		{-90, 90, 20003931.459},
		{0, 1, 110574.389},
		{45, 46, 111141.549},
		{89, 90, 111693.865},
	} {
		if got := meridianArc(k.a, k.b); !(math.Abs(got-k.want) < 0.01) {
			t.Errorf("from %v to %v: %.3f m, want %.3f", k.a, k.b, got, k.want)
		}
	}
	for _, k := range []struct{ lat, want float64 }{{0, 111319.491}, {30, 96486.280}, {60, 55800.0}} {
		if got := parallelDegree(k.lat); !(math.Abs(got-k.want) < 1) {
			t.Errorf("a degree of longitude at %v is %.3f m, want %.3f", k.lat, got, k.want)
		}
	}
}

func TestTileCorner(t *testing.T) {
	for _, k := range []struct {
		name     string
		lat, lon float64
		ok       bool
	}{
		{"N42E001.hgt", 42, 1, true},
		{"dir/s33w071.SRTMGL1.hgt", -33, -71, true},
		{"N00W180.hgt", 0, -180, true},
		{"N91E001.hgt", 0, 0, false},
		{"N42X001.hgt", 0, 0, false},
		{"N4xE001.hgt", 0, 0, false},
		{"tile.hgt", 0, 0, false},
	} {
		lat, lon, ok := tileCorner(k.name)
		if ok != k.ok || ok && (lat != k.lat || lon != k.lon) {
			t.Errorf("%s: %v, %v, %v", k.name, lat, lon, ok)
		}
	}
}

// TestUnits: what a grid's cell size counts is a guess with rules.
func TestUnits(t *testing.T) {
	grid := func(x, y, cell string) []byte {
		return []byte("ncols 2\nnrows 2\nxllcorner " + x + "\nyllcorner " + y + "\ncellsize " + cell + "\n1 2 3 4\n")
	}
	for _, k := range []struct {
		x, y, cell string
		asked      Units
		want       Units
	}{
		{"-104.34", "39.5", "0.000277", UnitsAuto, Degrees},
		{"-104.34", "39.5", "0.000277", Metres, Metres},
		{"0", "0", "0.05", UnitsAuto, Metres},
		{"-0.025", "-0.025", "0.05", UnitsAuto, Metres},
		{"5", "5", "0.05", UnitsAuto, Degrees},
		{"5", "5", "0.5", UnitsAuto, Metres},
		{"5", "5", "0.5", Degrees, Degrees},
		{"559705", "4380220", "0.05", UnitsAuto, Metres},
		{"5", "89.99", "0.05", UnitsAuto, Metres},
	} {
		r, err := decodeBytes("a.asc", grid(k.x, k.y, k.cell), Options{Units: k.asked})
		if err != nil {
			t.Fatal(err)
		}
		if r.Geo.Units != k.want {
			t.Errorf("corner %s, %s and cell %s, asked %v: taken for %v", k.x, k.y, k.cell, k.asked, r.Geo.Units)
		}
	}
}

func TestNotSquareIsTold(t *testing.T) {
	r := mustRead(t, "asc/west_bijou_escarpment_snippet.asc", Options{})
	if got := r.Notes[1]; !strings.Contains(got, "23.89 m west to east by 30.84 m north to south") {
		t.Errorf("note %q", got)
	}
	const dxdy = "dx 5\ndy 4\nncols 2\nnrows 2\nyllcenter 7\nxllcorner 10\n1 2\n3 4"
	r, err := decodeBytes("a.asc", []byte(dxdy), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.SpacingX != 5 || r.SpacingZ != 4 || r.Geo.X != 12.5 || r.Geo.Y != 7 || len(r.Notes) != 1 {
		t.Errorf("%+v, %+v", r.Info, *r.Geo)
	}
}

// TestSpellings: the same grid in every permitted clothing.
func TestSpellings(t *testing.T) {
	want := []float32{1, 2.5, -3, 4e2, 5, 6}
	for _, text := range []string{
		"NCOLS 3 NROWS 2 XLLCORNER 10 YLLCORNER 20 CELLSIZE 3 NODATA_VALUE -1\n1 2.5 -3\n400 5 6\n",
		"\xef\xbb\xbfnrows\t2\r\nncols\t3\r\ncellsize\t3.\r\nxllcenter 11.5\r\nYLLcenter 21.5\r\n\r\n1\t2.5\r\n-3\r\n4E2 5\r\n\r\n6",
		"yllcorner 20\rxllcorner 1e1\rncols 3\rnrows 2\rcellsize 3\r 1 2.5 -3.0 4.0e+2 5. 006",
	} {
		r, err := decodeBytes("a.txt", []byte(text), Options{})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		for i, v := range want {
			if r.floats[i] != v {
				t.Errorf("%q: sample %d is %v", text, i, r.floats[i])
			}
		}
		if r.Geo.X != 11.5 || r.Geo.Y != 21.5 || r.Spacing() != 3 {
			t.Errorf("%q: %+v", text, *r.Geo)
		}
	}
}

func TestNodata(t *testing.T) {
	head := "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
	for _, k := range []struct {
		text  string
		o     Options
		voids int
		notes int
	}{
		{"-9999 1 2 3", Options{}, 1, 1},
		{"0 1 2 3", Options{}, 0, 0},
		{"NODATA_value nan\nnan 1 2 NaN", Options{}, 2, 0},
		{"NODATA_value -1.7976931348623157e+308\n-1.7976931348623157e+308 1 2 3", Options{}, 1, 0},
		{"NODATA_value -3.4028234663852886e+38\n-3.4028235e+38 1 2 3", Options{}, 1, 0},
		{"NODATA_value 0\n0 1 2 -3", Options{}, 1, 1},
		{"NODATA_value 0\n0 1 2 -3", Options{Nodata: ptr(-9999)}, 0, 0},
		{"NODATA_value -9999\n0.1 1 2 -3", Options{Nodata: ptr(0.1)}, 1, 1},
		{"7 7 7 7", Options{Nodata: ptr(7)}, 4, 1},
	} {
		r, err := decodeBytes("a.asc", []byte(head+k.text), k.o)
		if err != nil {
			t.Errorf("%q: %v", k.text, err)
			continue
		}
		if r.Voids != k.voids || len(r.Notes) != k.notes {
			t.Errorf("%q: %d voids, notes %q", k.text, r.Voids, r.Notes)
		}
	}
}

// TestSwapIsTold: a file read in the wrong byte order says so.
func TestSwapIsTold(t *testing.T) {
	data, err := os.ReadFile(realPath(t, "heightmap/derived/n42e001_257_le.r16"))
	if err != nil {
		t.Fatal(err)
	}
	told := func(data []byte) bool {
		r, err := decodeBytes("a.r16", data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(strings.Join(r.Notes, "\n"), "byte order")
	}
	if told(data) {
		t.Error("the right order was doubted")
	}
	for i := 0; i < len(data); i += 2 {
		data[i], data[i+1] = data[i+1], data[i]
	}
	if !told(data) {
		t.Error("the wrong order was not doubted")
	}
}
