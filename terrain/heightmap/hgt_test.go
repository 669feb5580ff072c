package heightmap

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestTile checks a made tile, for a checkout that has no real one beside it.
func TestTile(t *testing.T) {
	const n = 1201
	data := make([]byte, 2*n*n)
	put := func(col, row int, v int16) { binary.BigEndian.PutUint16(data[2*(row*n+col):], uint16(v)) }
	put(0, 0, -32768)
	put(7, 3, -430)
	put(1200, 1200, 8848)
	r, err := decodeBytes("dir/s46w011.HGT", data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cols != n || r.Rows != n || r.SampleMin != -430 || r.SampleMax != 8848 || r.Voids != 1 || !r.Void(0, 0) {
		t.Errorf("%+v", r.Info)
	}
	if r.Sample(7, 3) != -430 || r.Sample(1200, 1200) != 8848 {
		t.Error("samples are not where they were put")
	}
	if g := r.Geo; g.X != -11 || g.Y != -46 || g.Units != Degrees || !g.Center {
		t.Errorf("%+v", *g)
	}
	// A degree of latitude from 45 to 46 is 111141.549 m on WGS 84, south or north.
	if !(math.Abs(r.Spacing()*1200-111141.549) < 0.01) {
		t.Errorf("spacing %v", r.Spacing())
	}
	z, holes, err := r.Heights(t.Context(), nil, Hole, nil)
	if err != nil {
		t.Fatal(err)
	}
	if z[0] != 0 || z[3*n+7] != -430 || holes.Count() != 1 || !holes.At(0, 0) {
		t.Errorf("heights %v, %v, %d holes", z[0], z[3*n+7], holes.Count())
	}
	r, err = decodeBytes("somewhere.hgt", data, Options{Nodata: ptr(0)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Spacing() != 0 || len(r.Notes) != 2 || r.Voids != n*n-2 {
		t.Errorf("%+v", r.Info)
	}
}
