package main

import (
	"image/png"
	"os"
	"strconv"
	"testing"
)

// The picture of things names what stands at a pixel as the report of culling does:
// whatever has a pixel is drawn, and something that is hidden has none.
func TestPictureOfThings(t *testing.T) {
	inDir(t)
	ok(t, "render", "village", "-o", "t.png", "--style", "things", "--size", "320x180",
		"--eye", "261,16.931,499", "--look", "264,17.231,464")
	f, err := os.Open("t.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	pixels := map[uint32]int{}
	for y := range 180 {
		for x := range 320 {
			r, g, b, _ := m.At(x, y).RGBA()
			pixels[r>>8<<16|g>>8<<8|b>>8]++
		}
	}
	if pixels[0] < 1000 || pixels[0xffffff] < 1000 {
		t.Errorf("%d pixels of sky and %d of ground, expected more", pixels[0], pixels[0xffffff])
	}
	drawn, hidden := 0, 0
	for _, v := range cullOf(t, "village", "--camera", "square", "--size", "320x180").Verdicts {
		id, err := strconv.ParseUint(v.ID, 10, 24)
		if err != nil {
			continue // ground, or a point of a scatter
		}
		switch n := pixels[uint32(id)]; {
		case n > 0 && v.Verdict != "drawn":
			t.Errorf("%s %q has %d pixels and was removed by %s", v.ID, v.Name, n, v.Verdict)
		case n > 0:
			drawn++
		case v.Verdict != "drawn":
			hidden++
		}
	}
	if drawn < 20 || hidden < 100 {
		t.Errorf("%d things have pixels and %d are hidden, expected more", drawn, hidden)
	}
}
