package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folder is where the script expects the meshes.
const folder = "testdata/village/"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "gen: expected the folder to write to")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(to string) error {
	g, err := readGround("testdata/n42e001_257_16bit.png")
	if err != nil {
		return err
	}
	v := newVillage(g)
	v.build()
	for name, s := range v.meshes {
		if err := s.write(filepath.Join(to, name+".glb"), name); err != nil {
			return err
		}
	}
	if err := g.write(filepath.Join(to, "ground.png")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "village.txt"), []byte(v.s.text.String()), 0o644)
}

// The middle of the square.
const squareX, squareZ = 264.0, 484.0

// village is the level that is being written.
type village struct {
	s      script
	g      *ground
	high   float64 // of the square
	meshes map[string]solid
}

func newVillage(g *ground) *village {
	return &village{g: g, high: g.at(276, 480), meshes: things()}
}

// square is a point near the square: east, up and south of its middle.
func (v *village) square(east, up, south float64) vec {
	return vec{squareX + east, v.high + up, squareZ + south}
}

// onGround writes where something stands that stands on the ground.
func onGround(x, z float64) string { return num(x) + "," + num(z) }

func (v *village) build() {
	s := &v.s
	s.line(strings.TrimSpace(head))
	s.line("")
	s.line("# A level place for the village, a way through it, woods and rock around.")
	s.line("terrain.stroke op=flatten at=276,480 to=\"262,462;266,506\" radius=52 strength=1 hardness=0.8 spacing=0.1")
	s.line("paint.stroke layer=Dirt at=%s radius=15 strength=1", onGround(squareX, squareZ))
	s.line("paint.stroke layer=Dirt at=228,352 to=\"232,410;250,450;%s;250,520;220,545\" radius=3.5 strength=1", onGround(squareX, squareZ))
	s.line("paint.stroke layer=Rock at=216,330 to=\"290,320;350,335;400,330\" radius=18 strength=0.7")
	s.line("sun.set azimuth=215 elevation=38")
	s.line("")

	floorAt := 0.15
	buildings := []*building{
		bakery(v.square(-22, floorAt, -15), 0), inn(v.square(21, floorAt, -17), 0), smithy(v.square(-21, floorAt, 17), 160), barn(v.square(24, floorAt, 19), -12),
		tower(v.square(3, 0, -34), 0),
		rampart("West wall", v.square(-26, 0, -42), 0, 28, false), rampart("Church gate", v.square(0, 0, -42), 0, 24, true), rampart("East wall", v.square(26, 0, -42), 0, 28, false),
	}
	mouth := v.mouth()
	buildings = append(buildings, cave(mouth, 0))
	for _, b := range buildings {
		if _, there := v.meshes[b.asset]; !there {
			v.meshes[b.asset] = b.mesh()
		}
		v.digFor(b)
	}
	s.line("# The meshes.")
	for _, name := range slices.Sorted(maps.Keys(v.meshes)) {
		s.line("asset.import %s%s.glb", folder, name)
	}
	s.line("")
	for _, b := range buildings {
		s.line("# %s: its rooms, its doors and windows, and what of it hides things.", b.name)
		if b.asset == "gate" {
			v.gate(b)
			continue
		}
		b.script(s)
	}
	v.furnish(buildings)
	v.outdoors()
	v.cameras(mouth)
}

const head = `
# The Village: hills of the Pyrenees at a fortieth of their size, and a village in a
# valley, with houses to go into, a cellar and a cave. This file is written by
# testdata/village/gen. The ground, of which 0 is a hole, comes first:
#
#   ridgeline import testdata/village/ground.png -o village.ridge --spacing 1.5 --min 0 --max 90 --nodata 0 --void hole
#   ridgeline run village.ridge testdata/village/village.txt
`

// gate places the wall with a gate: what hides is a sheet with a hole.
func (v *village) gate(b *building) {
	w := b.walls[0]
	o := w.openings[0]
	v.s.line("object.place asset=%s name=%q at=%s geometry=yes layer=buildings", b.asset, b.name, point(b.at))
	sheet := []vec{{w.from + inside, w.lo + inside, 0}, {w.to - inside, w.lo + inside, 0}, {w.to - inside, w.hi - inside, 0}, {w.from + inside, w.hi - inside, 0}}
	hole := []vec{{o.from - inside, o.lo - inside, 0}, {o.to + inside, o.lo - inside, 0}, {o.to + inside, o.hi + inside, 0}, {o.from - inside, o.hi + inside, 0}}
	v.s.line("occluder.plane name=%q points=%s hole=%s object=%q layer=occluders", b.name+" 1", b.points(sheet), b.points(hole), b.name)
	v.s.line("")
}

// mouth is where the cave opens: on the slope west of the village.
func (v *village) mouth() vec { return vec{217, v.g.at(217, 420) + 0.1, 420} }

// digFor makes holes in the ground where a building goes below it.
func (v *village) digFor(b *building) {
	for _, h := range b.hatches {
		lo, hi := b.world(h.lo), b.world(h.hi)
		for x := 0.0; x < (cols-1)*spacing; x += spacing {
			for z := 0.0; z < (cols-1)*spacing; z += spacing {
				if x > lo[0]-spacing/2 && x < hi[0]+spacing/2 && z > lo[2]-spacing/2 && z < hi[2]+spacing/2 {
					v.g.dig(x, z)
				}
			}
		}
	}
	if b.asset != "cave" {
		return
	}
	for x := b.at[0] - 15; x < b.at[0]+1.6; x += spacing / 2 {
		for z := b.at[2] - 2.7; z < b.at[2]+2.8; z += spacing / 2 {
			if h := v.g.at(x, z) - b.at[1]; h > -1.2 && h < 3.9 {
				v.g.dig(x, z)
			}
		}
	}
}

// furnish puts things into the rooms.
func (v *village) furnish(list []*building) {
	by := map[string]*building{}
	for _, b := range list {
		by[b.name] = b
	}
	in := func(house, asset string, x, y, z, turn float64) {
		b := by[house]
		v.s.line("object.place asset=%s at=%s%s layer=furniture", asset, point(b.world(vec{x, y + 0.01, z})), yaw(b.yaw+turn))
	}
	row := func(house, asset string, n int, x, y, z, dx, dz, turn float64) {
		b := by[house]
		step := b.world(vec{dx, 0, dz}).Sub(b.at)
		in(house, asset, x, y, z, turn)
		v.s.line("object.array count=%d by=%s", n, point(step))
	}
	seat := func(house string, x, z float64) { // a table, four chairs and two jugs
		in(house, "table", x, 0, z, 0)
		for _, side := range [...]float64{-1, 1} {
			in(house, "chair", x-0.35, 0, z+side*0.62, 90-90*side+180)
			in(house, "chair", x+0.35, 0, z+side*0.62, 90-90*side+180)
			in(house, "jug", x+side*0.4, 0.78, z, 0)
		}
	}
	shelf := func(house string, x, z, turn float64) { // with jugs on its boards
		in(house, "shelf", x, 0, z, turn)
	}
	v.s.line("# In the bakery.")
	seat("Bakery", -3.6, 1.2)
	seat("Bakery", -0.9, -1.8)
	shelf("Bakery", -4.4, -0.85, 0)
	shelf("Bakery", -4.6, 3.4, 180)
	row("Bakery", "crate", 3, 0.55, 0, -3.2, -0.95, 0, 0)
	row("Bakery", "jug", 5, -4.85, 0.69, -0.85, 0.22, 0, 0)
	in("Bakery", "chest", 0.5, 0, 3.3, 180)
	in("Bakery", "stove", 4.6, 0, -1.9, -90)
	in("Bakery", "table", 2.4, 0, -1.4, 90)
	in("Bakery", "table", 4.6, 0, 2.6, 90)
	row("Bakery", "shelf", 2, 2, 0, 3.45, 1.3, 0, 180)
	row("Bakery", "barrel", 4, 1.75, 0, -3.2, 0.8, 0, 0)
	row("Bakery", "jug", 4, 2.3, 0.79, -1.8, 0, 0.26, 0)
	row("Bakery", "barrel", 2, -4.75, 0, -3.25, 0.85, 0, 0)
	row("Bakery", "crate", 2, -4.7, 0, -1.85, 0.95, 0, 0)
	row("Bakery", "crate", 2, -4.7, 0.81, -1.85, 0.95, 0, 0)
	v.s.line("# In the inn.")
	seat("Inn", -4.6, 2.6)
	seat("Inn", -0.5, 2.6)
	seat("Inn", 0.3, -0.4)
	seat("Inn", 0.3, -3)
	row("Inn", "shelf", 3, -5.5, 0, -3.9, 1.3, 0, 0)
	row("Inn", "barrel", 3, -5.75, 0, -2.6, 0, 0.85, 0)
	in("Inn", "stove", 5.6, 0, -0.8, -90)
	in("Inn", "table", 3.6, 0, -2.2, 0)
	row("Inn", "jug", 5, 3.1, 0.79, -2.2, 0.25, 0, 0)
	row("Inn", "shelf", 3, 2.7, 0, -3.9, 1.3, 0, 0)
	row("Inn", "bed", 2, 5.5, 0, 1.3, -1.3, 0, 0)
	in("Inn", "table", 3.6, 0, 3.7, 0)
	row("Inn", "chair", 2, 3.2, 0, 3.05, 0.7, 0, 0)
	in("Inn", "chest", 5.5, 0, 3.8, 180)
	row("Inn", "barrel", 5, -5.4, -3.4, 1.5, 1, 0, 0)
	row("Inn", "barrel", 5, -5.4, -3.4, 0.5, 1, 0, 0)
	row("Inn", "barrel", 5, -5.4, -2.49, 1.5, 1, 0, 0)
	row("Inn", "crate", 4, -0.6, -3.4, -3.3, 0, 1, 0)
	row("Inn", "crate", 3, -0.6, -2.59, -3.3, 0, 1, 0)
	row("Inn", "shelf", 2, -5.6, -3.4, -0.1, 0, -1.5, 90)
	v.s.line("# In the smithy, the barn and the cave.")
	in("Smithy", "anvil", 0.6, 0, -0.6, 30)
	in("Smithy", "stove", -2.4, 0, -2.7, 0)
	in("Smithy", "table", 3.6, 0, -1.4, 90)
	row("Smithy", "shelf", 3, 0.2, 0, -2.95, 1.3, 0, 0)
	row("Smithy", "barrel", 3, -3.75, 0, 2.7, 0.85, 0, 0)
	row("Smithy", "crate", 3, 3.7, 0, 2.7, 0, -0.95, 0)
	row("Smithy", "jug", 4, 3.6, 0.79, -1.8, 0, 0.26, 0)
	in("Smithy", "bed", -3.6, 0, -1.9, 0)
	for k := range 3 {
		for i := range 3 {
			row("Barn", "hay", 5, -7, 0.71*float64(k), -4.1+1*float64(i), 1.3, 0, 0)
		}
	}
	row("Barn", "crate", 6, 7.1, 0, -4, 0, 1, 0)
	row("Barn", "crate", 5, 7.1, 0.81, -4, 0, 1, 0)
	row("Barn", "barrel", 6, 5.8, 0, -4, 0, 1, 0)
	in("Barn", "cart", 2, 0, -1, 30)
	in("Barn", "cart", -5.5, 0, 2.5, 80)
	row("Cave", "crate", 6, -14, 0, -1.4, 1, 0, 0)
	row("Cave", "barrel", 8, -14.2, 0, 1.5, 0.9, 0, 0)
	row("Cave", "chest", 2, -14, 0, 0, 0, 0.8, 90)
	v.s.line("")
}

// outdoors strews what stands in the open.
func (v *village) outdoors() {
	s := &v.s
	put := func(asset string, east, south, turn float64) {
		s.line("object.place asset=%s at=%s%s layer=outdoors", asset, onGround(squareX+east, squareZ+south), yaw(turn))
	}
	row := func(asset string, n int, east, south, de, ds, turn float64) {
		put(asset, east, south, turn)
		s.line("object.array count=%d by=%s,0,%s", n, num(de), num(ds))
	}
	s.line("# On the square.")
	put("well", 0, 0, 20)
	for i := range 6 {
		a := float64(i)*60 + 20
		e, n := 9*math.Cos(a*math.Pi/180), 9*math.Sin(a*math.Pi/180)
		put("stall", e, n, 90-a)
		put("crate", e*1.22, n*1.22, a)
		put("barrel", e*1.2+0.9, n*1.2+0.6, 0)
	}
	row("lamp", 4, -30, -4, 18, 0, 0)
	row("lamp", 3, -6, -26, 0, 26, 0)
	put("cart", 9, 14, 40)
	put("cart", -8, -12, 110)
	row("bench", 3, -27, -9.5, 5, 0, 180)
	row("oak", 4, -12, 27, 8, 2, 0)
	s.line("# The churchyard, behind its wall.")
	for i := range 6 {
		row("stone", 9, -30, -46-2*float64(i), 3.2, 0, 0)
	}
	row("bench", 4, 6, -48, 6, 0, 0)
	row("stone", 8, 4, -52, 3.2, 0, 0)
	row("stone", 8, 4, -54, 3.2, 0, 0)
	s.line("# The fence, and the orchard behind the barn.")
	row("fence", 14, -20, 36, 3, 0, 0)
	row("fence", 6, 23.5, 37.5, 0, 3, 90)
	row("oak", 5, -16, 44, 8, 0, 0)
	row("oak", 5, -14, 51, 8, 0, 0)
	s.line("# Woods and rocks on the hills, most of them behind a ridge.")
	wood := func(name, assets, at, to string, radius, density float64, seed int) {
		s.line("object.scatter assets=%q at=%s to=%q radius=%s density=%s spacing=4 slope=0,48 scale=0.8,1.3 seed=%d name=%q layer=woods", assets, at, to, num(radius), num(density), seed, name)
	}
	wood("North wood", "pine,oak", "200,60", "240,40;260,90", 16, 0.02, 3)
	wood("Basin wood", "oak,pine", "232,262", "280,256;340,250", 14, 0.02, 5)
	wood("East wood", "pine", "430,470", "440,520", 20, 0.02, 7)
	wood("West wood", "pine", "172,470", "168,500", 12, 0.012, 9)
	wood("Rocks", "rock,boulder", "300,230", "420,300;400,220", 16, 0.004, 11)
	s.line("")
}

// cameras are the views that the level keeps.
func (v *village) cameras(mouth vec) {
	s := &v.s
	mark := func(name string, eye, look vec) {
		s.line("camera.bookmark name=%q eye=%s look=%s", name, point(eye), point(look))
	}
	s.line("# Views.")
	q := v.square
	mark("square", q(-3, 1.7, 15), q(0, 2, -20))
	mark("street", q(-38, 1.7, -2), q(30, 2, -2))
	mark("window", q(-22-2.2, 1.8, -15+0.9), q(-22+0.3, 1.6, -15+4.5))
	mark("cellar", q(21-0.6, -1.7, -17+1.2), q(21-4, -2, -17-1.6))
	mark("churchyard", q(-24, 1.7, -50), q(20, 1.5, -30))
	mark("cave", mouth.Add(vec{-11, 1.6, 0}), mouth.Add(vec{10, 1.2, 0}))
	hill := vec{288, v.g.at(288, 558) + 2.5, 558}
	mark("hilltop", hill, q(0, 0, 0))
	behind := vec{240, v.g.at(240, 258) + 2, 258}
	mark("behind the hill", behind, q(0, 10, 0))
	mark("aerial", q(-60, 110, 110), q(0, 0, 0))
	s.line("camera.set eye=%s look=%s", point(q(-36, 14, 30)), point(q(4, 0, -10)))
}
