package main

// shell makes the outer walls, the floor and the roof of a house w along x and d along
// z outside, with a room h high; the openings are those of its south, north, west and
// east walls.
func shell(b *building, w, d, h float64, wallOf, roofOf string, south, north, west, east []opening) {
	const t = 0.3
	const lo = -0.7
	b.walls = append(b.walls,
		wall{true, d/2 - t/2, -w / 2, w / 2, t, lo, h + 0.03, wallOf, south}, wall{true, -d/2 + t/2, -w / 2, w / 2, t, lo, h + 0.03, wallOf, north},
		wall{false, -w/2 + t/2, -d/2 + 0.1, d/2 - 0.1, t, lo, h + 0.03, wallOf, west}, wall{false, w/2 - t/2, -d/2 + 0.1, d/2 - 0.1, t, lo, h + 0.03, wallOf, east})
	b.extra.add(vec{}, box("dark wood", vec{-w/2 - 0.3, h, -d/2 - 0.3}, vec{w/2 + 0.3, h + 0.25, d/2 + 0.3}))
	rise := d * 0.38
	roof := [2]vec{{-w/2 - 0.5, h + 0.2, -d/2 - 0.5}, {w/2 + 0.5, h + 0.2 + rise, d/2 + 0.5}}
	b.extra.add(vec{}, gable(roofOf, roof[0], roof[1]))
	// What hides is a little smaller.
	l, u := roof[0].Add(vec{0.05, 0.05, 0.3}), roof[1].Sub(vec{0.05, 0.15, 0.3})
	b.solids = append(b.solids, []vec{l, {l[0], l[1], u[2]}, {u[0], l[1], l[2]}, {u[0], l[1], u[2]}, {l[0], u[1], 0}, {u[0], u[1], 0}})
	c := corners(vec{-w/2 - 0.25, h + 0.03, -d/2 - 0.25}, vec{w/2 + 0.25, h + 0.22, d/2 + 0.25})
	b.solids = append(b.solids, c[:])
}

// floor is a floor of boards on stone.
func floor(w, d float64) solid {
	return append(box("stone", vec{-w/2 + 0.05, -0.7, -d/2 + 0.05}, vec{w/2 - 0.05, -0.05, d/2 - 0.05}), box("floor", vec{-w/2 + 0.1, -0.06, -d/2 + 0.1}, vec{w/2 - 0.1, 0, d/2 - 0.1})...)
}

func boxOf(x0, x1, y0, y1, z0, z1 float64) [2]vec { return [2]vec{{x0, y0, z0}, {x1, y1, z1}} }

// bakery has three rooms; the largest goes around the smallest.
func bakery(at vec, turn float64) *building {
	b := &building{name: "Bakery", asset: "bakery", at: at, yaw: turn, idle: []int{16}}
	shell(b, 11, 8, 2.8, "plaster", "tile",
		[]opening{{name: "Bakery door", from: -2.6, to: -1.6, lo: 0, hi: 2.1}, {name: "Bakery window", from: -0.6, to: 0.6, lo: 0.9, hi: 2.1}, {name: "Kitchen window", from: 2.6, to: 3.8, lo: 0.9, hi: 2.1}},
		[]opening{{name: "Back door", from: 2.5, to: 3.4, lo: 0, hi: 2.1, state: "closed"}},
		[]opening{{name: "West window", from: 0.8, to: 2.2, lo: 0.9, hi: 2.1}},
		[]opening{{name: "Shuttered window", from: -1, to: 0.4, lo: 0.9, hi: 2.1, state: "closed"}})
	b.extra.add(vec{}, floor(11, 8))
	b.walls = append(b.walls,
		wall{false, 1.2, -3.8, 3.8, 0.2, -0.03, 2.83, "plaster", []opening{{name: "Oven door", from: 0.6, to: 1.6, lo: 0, hi: 2.1}}},
		wall{true, -1.2, -5.4, -2.8, 0.2, -0.03, 2.83, "plaster", nil},
		wall{false, -2.9, -3.8, -1.15, 0.2, -0.03, 2.83, "plaster", []opening{{name: "Pantry door", from: -2.9, to: -2.1, lo: 0, hi: 2.1, state: "closed"}}})
	b.rooms = []room{
		{"Shop", [][2]vec{boxOf(-5.2, 1.1, 0, 2.8, -1.1, 3.7), boxOf(-2.8, 1.1, 0, 2.8, -3.7, 3.7)}},
		{"Bakehouse", [][2]vec{boxOf(1.3, 5.2, 0, 2.8, -3.7, 3.7)}},
		{"Pantry", [][2]vec{boxOf(-5.2, -3, 0, 2.8, -3.7, -1.3)}},
	}
	return b
}

// inn has a hall, two rooms and a cellar.
func inn(at vec, turn float64) *building {
	b := &building{name: "Inn", asset: "inn", at: at, yaw: turn, idle: []int{4, 6}}
	shell(b, 13, 9, 3, "ochre", "slate",
		[]opening{{name: "Hall window", from: -5.4, to: -4.2, lo: 0.9, hi: 2.2}, {name: "Inn door", from: -3, to: -1.8, lo: 0, hi: 2.2}, {name: "Bay window", from: -0.6, to: 0.8, lo: 0.9, hi: 2.2}, {name: "Guest window", from: 3.2, to: 4.6, lo: 0.9, hi: 2.2}},
		nil,
		[]opening{{name: "Side window", from: -1, to: 1, lo: 0.9, hi: 2.2}},
		[]opening{{name: "Mirror window", from: -2.8, to: -1.6, lo: 0.9, hi: 2.2, state: "oneway"}})
	// The mirror is glass of which only the outside is there.
	b.extra = append(b.extra, face{[]vec{{6.4, 0.85, -1.55}, {6.4, 0.85, -2.85}, {6.4, 2.25, -2.85}, {6.4, 2.25, -1.55}}, "glass"})
	b.walls = append(b.walls,
		wall{false, 1.8, -4.3, 4.3, 0.2, -0.03, 3.03, "ochre", []opening{{name: "Scullery door", from: -2.6, to: -1.7, lo: 0, hi: 2.1}, {name: "Guest door", from: 1.5, to: 2.4, lo: 0, hi: 2.1, state: "closed"}}},
		wall{true, 0, 1.75, 6.4, 0.2, -0.03, 3.03, "ochre", nil})
	// The floor around the way down.
	lo, hi := vec{-4, -0.4, -2}, vec{-1.6, 0, -0.8}
	const lap = 0.03
	b.extra.add(vec{},
		box("floor", vec{-6.4, lo[1], -4.4}, vec{lo[0], 0, 4.4}), box("floor", vec{hi[0], lo[1], -4.4}, vec{6.4, 0, 4.4}),
		box("floor", vec{lo[0] - lap, lo[1], -4.4}, vec{hi[0] + lap, 0, lo[2]}), box("floor", vec{lo[0] - lap, lo[1], hi[2]}, vec{hi[0] + lap, 0, 4.4}))
	b.hatches = []hatch{{"Cellar stairs", vec{lo[0] - 0.01, -0.2, lo[2] - 0.01}, vec{hi[0] + 0.01, -0.2, hi[2] + 0.01}, ""}}
	const deep = -3.4
	b.walls = append(b.walls,
		wall{true, -4.05, -6.3, 0.4, 0.3, deep - 0.3, -0.37, "dark stone", nil}, wall{true, 2.15, -6.3, 0.4, 0.3, deep - 0.3, -0.37, "dark stone", nil},
		wall{false, -6.15, -4, 2.1, 0.3, deep - 0.3, -0.37, "dark stone", nil}, wall{false, 0.15, -4, 2.1, 0.3, deep - 0.3, -0.37, "dark stone", nil})
	b.extra.add(vec{}, box("dark stone", vec{-6.3, deep - 0.3, -4.2}, vec{0.3, deep, 2.3}))
	for i := range 11 {
		x := hi[0] - 0.2*float64(i)
		b.extra.add(vec{}, box("stone", vec{x - 0.2, deep - 0.01, lo[2] + 0.05}, vec{x, -0.28 * float64(i+1), hi[2] - 0.05}))
	}
	b.rooms = []room{
		{"Hall", [][2]vec{boxOf(-6.2, 1.7, 0, 3, -4.2, 4.2)}}, {"Scullery", [][2]vec{boxOf(1.9, 6.2, 0, 3, -4.2, -0.1)}},
		{"Guest room", [][2]vec{boxOf(1.9, 6.2, 0, 3, 0.1, 4.2)}}, {"Cellar", [][2]vec{boxOf(-6, 0, deep, -0.4, -3.9, 2)}},
	}
	return b
}

// smithy is a single room.
func smithy(at vec, turn float64) *building {
	b := &building{name: "Smithy", asset: "smithy", at: at, yaw: turn, idle: []int{5}}
	shell(b, 9, 7, 3, "rose", "slate",
		[]opening{{name: "Smithy gate", from: -1.2, to: 1.2, lo: 0, hi: 2.4}}, nil,
		[]opening{{name: "Smithy window", from: -0.8, to: 0.8, lo: 0.9, hi: 2.1}}, []opening{{name: "Smithy shutter", from: -0.6, to: 0.6, lo: 0.9, hi: 2.1, state: "closed"}})
	b.extra.add(vec{}, floor(9, 7))
	b.rooms = []room{{"Forge", [][2]vec{boxOf(-4.2, 4.2, 0, 3, -3.2, 3.2)}}}
	return b
}

// barn is large, and shut but for a vent.
func barn(at vec, turn float64) *building {
	b := &building{name: "Barn", asset: "barn", at: at, yaw: turn, idle: []int{2, 3}}
	shell(b, 16, 10, 4.5, "wood", "tile",
		[]opening{{name: "Barn gate", from: -2, to: 2, lo: 0, hi: 3.6, state: "closed"}}, nil,
		[]opening{{name: "Barn vent", from: -0.4, to: 0.4, lo: 3.2, hi: 3.8}}, nil)
	b.extra.add(vec{}, floor(16, 10))
	b.rooms = []room{{"Barn floor", [][2]vec{boxOf(-7.7, 7.7, 0, 4.5, -4.7, 4.7)}}}
	return b
}

// cave is a passage into a hill: rock around a room, and a front with the mouth. Its
// mouth is at x = 0 and looks along +x.
func cave(at vec, turn float64) *building {
	b := &building{name: "Cave", asset: "cave", at: at, yaw: turn}
	const w, h, long = 2.0, 3.0, 15.0 // half the width
	b.walls = []wall{
		{true, -w - 1.5, -long - 1, 0.02, 3, -1.5, h + 0.8, "dark stone", nil}, {true, w + 1.5, -long - 1, 0.02, 3, -1.5, h + 0.8, "dark stone", nil},
		{false, -long - 0.5, -w - 0.1, w + 0.1, 1, -1, h + 0.1, "dark stone", nil},
		{false, 0.5, -5.5, 5.5, 1, -2, 4.4, "stone", []opening{{name: "Cave mouth", from: -1.6, to: 1.6, lo: 0, hi: 2.6}}},
	}
	b.extra.add(vec{}, box("dark stone", vec{-long - 1, h, -w - 0.1}, vec{0.02, h + 0.8, w + 0.1}), box("dark stone", vec{-long - 1, -1, -w - 0.1}, vec{0.02, 0, w + 0.1}), box("stone", vec{0.9, -1.5, -5}, vec{4, 0, 5}))
	b.rooms = []room{{"Cave hall", [][2]vec{boxOf(-long, 0, 0, h, -w, w), boxOf(-0.1, 0.5, 0, 2.6, -1.6, 1.6)}}} // and half the way through its front
	return b
}

// tower is solid. Its roof stands against the sky, and hides nothing.
func tower(at vec, turn float64) *building {
	b := &building{name: "Tower", asset: "tower", at: at, yaw: turn}
	b.extra.add(vec{}, between("stone", ring(8, 3.2, -1), ring(8, 3, 16)), between("dark stone", ring(8, 3.3, 15.5), ring(8, 3.3, 16.1)), between("slate", ring(8, 3.5, 16), []vec{{0, 24, 0}}))
	b.solids = append(b.solids, append(ring(8, 3.1, -0.9), ring(8, 2.95, 15.95)...))
	return b
}

// rampart is a piece of the wall around the churchyard; with a gate, it hides as a
// sheet that has a hole.
func rampart(name string, at vec, turn, long float64, gate bool) *building {
	b := &building{name: name, asset: "wall", at: at, yaw: turn}
	w := wall{true, 0, -long / 2, long / 2, 0.6, -1.2, 3.2, "stone", nil}
	if gate {
		b.asset = "gate"
		w.openings = []opening{{from: -1.5, to: 1.5, lo: 0, hi: 2.5, state: "none"}}
		b.extra.add(vec{}, box("tile", vec{-2.2, 3.1, -0.5}, vec{2.2, 3.4, 0.5}))
	} else {
		b.extra.add(vec{}, box("tile", vec{-long / 2, 3.1, -0.45}, vec{long / 2, 3.35, 0.45}))
	}
	b.walls = []wall{w}
	return b
}
