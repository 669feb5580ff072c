package main

// things are the meshes that stand about, each with its foot at height 0.
func things() map[string]solid {
	t := map[string]solid{}
	make := func(name string, parts ...solid) {
		var s solid
		s.add(vec{}, parts...)
		t[name] = s
	}
	// legs are four posts under a top.
	legs := func(material string, w, d, h, thick float64) (s solid) {
		for _, x := range [...]float64{-1, 1} {
			for _, z := range [...]float64{-1, 1} {
				s.add(vec{}, post(material, x*(w/2-thick), 0, z*(d/2-thick), thick, h+0.01, thick))
			}
		}
		return s
	}
	round := func(material string, n int, rings ...[2]float64) (s solid) { // radius and height
		for i := 1; i < len(rings); i++ {
			s.add(vec{}, between(material, ring(n, rings[i-1][0], rings[i-1][1]), ring(n, rings[i][0], rings[i][1])))
		}
		return s
	}
	make("table", post("wood", 0, 0.72, 0, 1.4, 0.06, 0.8), legs("dark wood", 1.4, 0.8, 0.72, 0.08))
	make("chair", post("wood", 0, 0.42, 0, 0.42, 0.04, 0.42), legs("dark wood", 0.42, 0.42, 0.42, 0.05), post("wood", 0, 0.46, -0.19, 0.42, 0.5, 0.04))
	make("bed", post("dark wood", 0, 0, 0, 1, 0.35, 2), post("linen", 0, 0.35, 0.05, 0.94, 0.14, 1.86), post("dark wood", 0, 0.3, -0.97, 1, 0.6, 0.06), post("red", 0, 0.4, 0.4, 0.98, 0.12, 1.1))
	shelf := solid{}
	for i := range 4 {
		shelf.add(vec{}, post("wood", 0, 0.1+0.55*float64(i), 0, 1.16, 0.04, 0.36))
	}
	make("shelf", shelf, post("dark wood", -0.58, 0, 0, 0.05, 1.9, 0.4), post("dark wood", 0.58, 0, 0, 0.05, 1.9, 0.4), post("dark wood", 0, 0, -0.19, 1.2, 1.9, 0.03))
	make("jug", round("clay", 8, [2]float64{0.09, 0}, [2]float64{0.15, 0.14}, [2]float64{0.07, 0.27}, [2]float64{0.09, 0.32}))
	make("crate", post("wood", 0, 0, 0, 0.8, 0.8, 0.8), post("dark wood", 0, 0.05, 0, 0.83, 0.1, 0.83), post("dark wood", 0, 0.65, 0, 0.83, 0.1, 0.83))
	make("barrel", round("wood", 10, [2]float64{0.3, 0}, [2]float64{0.38, 0.45}, [2]float64{0.3, 0.9}), round("iron", 10, [2]float64{0.36, 0.2}, [2]float64{0.375, 0.26}), round("iron", 10, [2]float64{0.375, 0.64}, [2]float64{0.36, 0.7}))
	make("chest", post("dark wood", 0, 0, 0, 0.9, 0.4, 0.5), gable("wood", vec{-0.46, 0.4, -0.26}, vec{0.46, 0.58, 0.26}), post("iron", 0, 0.3, 0.25, 0.12, 0.14, 0.04))
	make("stove", post("dark stone", 0, 0, 0, 1.1, 1, 0.8), post("ember", 0, 0.2, 0.39, 0.4, 0.35, 0.04), post("dark stone", 0, 1, -0.2, 0.35, 1.5, 0.35))
	make("anvil", post("dark wood", 0, 0, 0, 0.5, 0.5, 0.5), post("iron", 0, 0.5, 0, 0.7, 0.25, 0.24), post("iron", 0.4, 0.58, 0, 0.3, 0.14, 0.14))
	make("hay", post("hay", 0, 0, 0, 1.2, 0.7, 0.8))
	make("stone", post("dark stone", 0, -0.2, 0, 0.7, 0.25, 0.4), post("stone", 0, 0, 0, 0.6, 0.95, 0.16), gable("stone", vec{-0.3, 0.95, -0.08}, vec{0.3, 1.1, 0.08}))
	make("cart", post("wood", 0, 0.55, 0, 1.3, 0.08, 2.4), post("wood", -0.62, 0.6, 0, 0.06, 0.5, 2.4), post("wood", 0.62, 0.6, 0, 0.06, 0.5, 2.4), post("dark wood", -0.75, 0, 0.2, 0.1, 1, 1), post("dark wood", 0.75, 0, 0.2, 0.1, 1, 1), post("dark wood", 0, 0.5, -1.9, 0.1, 0.1, 1.4))
	make("well", round("stone", 10, [2]float64{1.2, -0.5}, [2]float64{1.2, 0.8}), round("water", 10, [2]float64{0.9, 0.8}, [2]float64{0.9, 0.82}),
		post("dark wood", -1.05, 0.8, 0, 0.14, 1.6, 0.14), post("dark wood", 1.05, 0.8, 0, 0.14, 1.6, 0.14), gable("tile", vec{-1.5, 2.35, -0.9}, vec{1.5, 3.1, 0.9}))
	make("stall", post("wood", 0, 0.85, 0, 2.4, 0.08, 1.2), legs("dark wood", 2.4, 1.2, 0.85, 0.1), post("dark wood", -1.15, 0, -0.5, 0.08, 2.3, 0.08), post("dark wood", 1.15, 0, -0.5, 0.08, 2.3, 0.08),
		post("dark wood", -1.15, 0, 0.5, 0.08, 2.3, 0.08), post("dark wood", 1.15, 0, 0.5, 0.08, 2.3, 0.08), gable("red", vec{-1.4, 2.25, -0.8}, vec{1.4, 2.8, 0.8}))
	make("lamp", post("iron", 0, -0.3, 0, 0.12, 3, 0.12), post("hay", 0, 2.7, 0, 0.32, 0.4, 0.32), between("iron", ring(4, 0.3, 3.1), []vec{{0, 3.4, 0}}))
	make("bench", post("wood", 0, 0.42, 0, 1.6, 0.06, 0.4), post("dark wood", -0.6, 0, 0, 0.08, 0.43, 0.36), post("dark wood", 0.6, 0, 0, 0.08, 0.43, 0.36))
	fence := solid{}
	for i := range 4 {
		fence.add(vec{}, post("dark wood", float64(i)-1.5, -0.3, 0, 0.12, 1.5, 0.12))
	}
	make("fence", fence, post("wood", 0, 0.4, 0.05, 3, 0.14, 0.05), post("wood", 0, 0.85, 0.05, 3, 0.14, 0.05))
	// The leaf of a door, a metre wide and high: thinner than walls are.
	make("leaf", post("dark wood", 0, 0, 0, 1, 1, 0.12), post("iron", 0.3, 0.45, 0, 0.06, 0.06, 0.2))
	make("oak", round("dark wood", 6, [2]float64{0.45, -0.5}, [2]float64{0.3, 2.6}), solid{})
	oak := t["oak"]
	oak.add(vec{0, 2, 0}, blob("leaf", 9, 6, vec{2.6, 2.3, 2.6}, 0.13))
	t["oak"] = oak
	pine := round("dark wood", 6, [2]float64{0.35, -0.5}, [2]float64{0.2, 2})
	for i := range 4 {
		y := 1.4 + 1.7*float64(i)
		pine.add(vec{}, between("needle", ring(8, 2.3-0.5*float64(i), y), []vec{{0, y + 3, 0}}))
	}
	make("pine", pine)
	make("rock", blob("stone", 8, 5, vec{1.3, 0.8, 1}, 0.16))
	make("boulder", blob("dark stone", 9, 6, vec{3, 2, 2.4}, 0.14))
	return t
}
