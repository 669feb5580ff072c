package ground

import "math"

func drawGrass(c *canvas) {
	soil, moss := hex(0x2c2a17), hex(0x35401c)
	c.paint(func(u, v float32) (rgb, float32) {
		f := c.seed.fractal(u, v, 8, 5, 0.6)
		return soil.mix(moss, step(-0.3, 0.4, f)), 0.004 * f
	})
	r := random{n: c.seed + 1}
	tint := c.seed + 2
	roots := [3]rgb{hex(0x3a4c1e), hex(0x435824), hex(0x4c5e28)}
	tips := [4]rgb{hex(0x789a45), hex(0x8aa650), hex(0x6c8e3e), hex(0xa0aa5e)}
	dry := hex(0xa39a5c)
	const layers = 4
	for layer := range layers {
		lift := float32(layer) / (layers - 1)
		for range 2600 {
			u, v := r.next(), r.next()
			root, tip := roots[int(r.next()*3)%3], tips[int(r.next()*4)%4]
			warm := tint.fractal(u, v, 5, 2, 0.5)
			tip = tip.mix(tips[3], clamp(0.35*warm, 0, 0.4)).scale(0.62 + 0.38*lift + r.between(-0.08, 0.08))
			if r.next() < 0.035 {
				tip = tip.mix(dry, 0.75)
			}
			// Blades lean the same way in tufts.
			lean := float32(math.Pi) * 2 * (0.9*tint.gradient(u+0.37, v+0.11, 6) + r.between(-0.32, 0.32))
			c.blade(blade{
				u: u, v: v, angle: lean,
				length: r.between(0.035, 0.085), width: r.between(0.0055, 0.0095),
				bend: r.between(-0.014, 0.014),
				root: root.scale(0.7 + 0.3*lift), tip: tip,
				low: 0.01 * lift, high: 0.012 + 0.018*lift,
			})
		}
	}
	c.cavity(0.012, 26)
	c.light(0.9, 0.3)
	c.even(0.9)
}

func drawDirt(c *canvas) {
	dark, mid, pale := hex(0x4a3726), hex(0x6b5138), hex(0x8a6e50)
	c.paint(func(u, v float32) (rgb, float32) {
		clods := c.seed.fractal(u, v, 7, 6, 0.62)
		crumb := (c.seed + 1).worley(u+0.01*clods, v, 46, 0.95)
		fine := (c.seed + 2).worley(u, v+0.01*clods, 110, 1)
		lump := 1 - crumb.first*1.1
		h := 0.022*clods + 0.006*lump*unit(crumb.id*2654435761) + 0.0022*(1-fine.first)
		t := 0.5 + 0.4*clods + 0.3*(unit(fine.id*2654435761)-0.5)
		col := dark.mix(mid, step(0, 0.55, t)).mix(pale, 0.7*step(0.55, 1.1, t))
		return col, h
	})
	r := random{n: c.seed + 3}
	stones := [3]rgb{hex(0x8b7b66), hex(0x75685a), hex(0x94836b)}
	for i := range 330 {
		size := r.between(0.003, 0.007)
		if i%14 == 0 {
			size = r.between(0.008, 0.014)
		}
		c.pebble(pebble{r.next(), r.next(), size, r.between(0.6, 1), r.between(0, 3), stones[i%3].scale(r.between(0.75, 1.05)), size * 0.5})
	}
	for range 120 { // bits of straw and root
		straw := hex(0x9a8258).scale(r.between(0.6, 1))
		c.blade(blade{u: r.next(), v: r.next(), angle: r.between(0, 6.3), length: r.between(0.015, 0.045),
			width: r.between(0.002, 0.0035), bend: r.between(-0.01, 0.01), root: straw.scale(0.8), tip: straw, low: 0.02, high: 0.02})
	}
	c.cavity(0.02, 18)
	c.light(1.1, 0.5)
	c.even(0.95)
}

func drawSand(c *canvas) {
	dark, pale := hex(0xb59a6c), hex(0xd6bd8e)
	const ripples = 18
	c.paint(func(u, v float32) (rgb, float32) {
		warp := c.seed.fractal(u, v, 3, 3, 0.5)
		// Ripples are steep on their lee side and fork where the warp is strong.
		phase := float64(ripples*v+2*u) + float64(1.15*warp) + 0.35*float64((c.seed+1).gradient(u, v, 9))
		p := float32(phase - math.Floor(phase))
		wave := step(0, 0.62, p) * (1 - step(0.58, 1, p))
		strength := 0.6 + 0.4*(c.seed+2).fractal(u, v, 4, 2, 0.5)
		grain := (c.seed+3).gradient(u, v, 170)*0.5 + unit((c.seed+4).hash(int32(u*4096), int32(v*4096))) - 0.5
		h := 0.0055*wave*strength + 0.003*(c.seed+5).fractal(u, v, 12, 4, 0.6) + 0.0006*grain
		t := 0.45 + 0.28*wave*strength + 0.16*grain + 0.12*(c.seed+6).fractal(u, v, 10, 3, 0.6)
		return dark.mix(pale, clamp(t, 0, 1)), h
	})
	r := random{n: c.seed + 7}
	for range 160 { // dark grains and shell
		col := hex(0x8a7350)
		if r.next() < 0.3 {
			col = hex(0xeadfc4)
		}
		c.pebble(pebble{r.next(), r.next(), r.between(0.0012, 0.0028), r.between(0.6, 1), r.between(0, 3), col, 0.001})
	}
	c.light(1.3, 0.45)
	c.even(0.9)
}

func drawRock(c *canvas) {
	dark, mid, pale, rust := hex(0x55524d), hex(0x7b766e), hex(0x9f998d), hex(0x7d6a52)
	c.paint(func(u, v float32) (rgb, float32) {
		wu := 0.045 * (c.seed+1).fractal(u, v, 4, 4, 0.55)
		wv := 0.045 * (c.seed+2).fractal(u, v, 4, 4, 0.55)
		// Broken faces of two sizes, each tilted its own way.
		big := (c.seed + 3).worley(u+wu, v+wv, 5, 0.95)
		small := (c.seed + 4).worley(u+wu*0.6, v+wv*0.6, 14, 1)
		tilt := func(w cell, k float32) float32 {
			sin, cos := sincos(unit(w.id) * 6.2832)
			return k * (w.dx*cos + w.dy*sin)
		}
		// Cracks open here and are closed there.
		open := step(-0.25, 0.5, (c.seed+8).fractal(u, v, 5, 3, 0.6))
		crack := open * (1 - step(0, 0.012+0.03*open, big.second-big.first))
		fissure := (1 - open) * (1 - step(0, 0.06, small.second-small.first))
		grain := (c.seed + 5).fractal(u, v, 22, 5, 0.68)
		form := (c.seed + 6).fractal(u+wu, v+wv, 3, 5, 0.5)
		h := 0.05*form + tilt(big, 0.03) + tilt(small, 0.012) + 0.008*grain
		h -= 0.012*crack + 0.004*fissure
		t := 0.5 + 0.3*form + 0.28*grain + 0.15*(unit(small.id*2654435761)-0.5)
		col := dark.mix(mid, step(0.05, 0.5, t)).mix(pale, step(0.5, 1, t))
		col = col.mix(rust, 0.4*step(0.1, 0.7, (c.seed+7).fractal(u+wu, v+wv, 6, 4, 0.6)))
		return col.scale(1 - 0.3*crack - 0.1*fissure), h
	})
	c.cavity(0.02, 16)
	c.light(1.1, 0.75)
	c.even(0.9)
}

func drawGravel(c *canvas) {
	c.paint(func(u, v float32) (rgb, float32) {
		g := c.seed.fractal(u, v, 40, 3, 0.7)
		return hex(0x4a443b).scale(1 + 0.2*g), 0.002 * g
	})
	r := random{n: c.seed + 1}
	stones := [6]rgb{hex(0x8f887c), hex(0x7a746b), hex(0xa39a8b), hex(0x8a7a66), hex(0x6c6a68), hex(0x9c9488)}
	layer := func(count int, least, most float32) {
		for range count {
			size := r.between(least, most)
			c.pebble(pebble{r.next(), r.next(), size, r.between(0.6, 0.98), r.between(0, 3.15),
				stones[int(r.next()*6)%6].scale(r.between(0.8, 1.1)), size * r.between(0.5, 0.8)})
		}
	}
	layer(3800, 0.006, 0.01)
	layer(1700, 0.01, 0.017)
	layer(420, 0.017, 0.027)
	layer(900, 0.007, 0.012)
	c.cavity(0.018, 30)
	c.light(0.8, 0.5)
	c.even(0.95)
}

func drawSnow(c *canvas) {
	shade, bright := hex(0xd3deec), hex(0xf6f9fd)
	c.paint(func(u, v float32) (rgb, float32) {
		wu := 0.03 * (c.seed+1).fractal(u, v, 4, 3, 0.5)
		drift := c.seed.fractal(u+wu, v, 4, 4, 0.4)
		// Wind carves thin crests across the drifts.
		crest := (c.seed + 2).ridged(u+wu, v+wu, 5, 2, 0.4)
		grain := (c.seed + 3).fractal(u, v, 70, 3, 0.7)
		h := 0.022*drift + 0.008*crest + 0.0009*grain
		t := 0.62 + 0.2*drift + 0.15*crest + 0.12*grain
		col := shade.mix(bright, clamp(t, 0, 1))
		if s := (c.seed + 4).hash(int32(u*1024), int32(v*1024)); s < 1<<32/260 {
			col = col.mix(rgb{1, 1, 1}, 0.8)
		}
		return col, h
	})
	// Shadows in snow are blue: red is darkened most.
	before := append([]rgb(nil), c.colour...)
	c.light(1.1, 0.3)
	for i, p := range c.colour {
		lit := p[1] / max(before[i][1], 0.01)
		if lit < 1 {
			c.colour[i][0] = before[i][0] * (1 - (1-lit)*1.25)
			c.colour[i][2] = before[i][2] * (1 - (1-lit)*0.7)
		}
	}
	c.even(0.85)
}

func drawForest(c *canvas) {
	soil, humus, moss := hex(0x2b2118), hex(0x40301f), hex(0x4a5526)
	c.paint(func(u, v float32) (rgb, float32) {
		f := c.seed.fractal(u, v, 9, 6, 0.62)
		m := step(0.15, 0.6, (c.seed+1).fractal(u, v, 4, 4, 0.6))
		fuzz := (c.seed + 2).gradient(u, v, 150)
		return soil.mix(humus, step(-0.4, 0.5, f)).mix(moss.scale(0.9+0.25*fuzz), 0.75*m), 0.006*f + 0.002*m*fuzz
	})
	r := random{n: c.seed + 3}
	twig := func(count int, least, most float32) {
		for range count {
			bark := hex(0x57442f).scale(r.between(0.6, 1.15))
			c.blade(blade{u: r.next(), v: r.next(), angle: r.between(0, 6.3), length: r.between(least, most),
				width: r.between(0.003, 0.0065), bend: r.between(-0.02, 0.02), root: bark, tip: bark.scale(1.15), low: 0.02, high: 0.02})
		}
	}
	leaves := [7]rgb{hex(0x6b4a2a), hex(0x7d5a33), hex(0x5a3f26), hex(0x8a6a3c), hex(0x70432a), hex(0x94773f), hex(0x4d3a25)}
	fall := func(count int, least, most, lift float32) {
		for range count {
			l := r.between(least, most)
			col := leaves[int(r.next()*7)%7].scale(r.between(0.75, 1.05) * (0.7 + 0.3*lift))
			if r.next() < 0.05 {
				col = hex(0x5f6133).scale(0.7 + 0.3*lift)
			}
			c.leaf(leaf{r.next(), r.next(), r.between(0, 6.3), l, l * r.between(0.42, 0.62),
				r.between(0.002, 0.008), col, col.scale(1.3), 0.006 + 0.014*lift})
		}
	}
	fall(900, 0.03, 0.055, 0)
	twig(60, 0.05, 0.14)
	fall(700, 0.035, 0.06, 0.5)
	twig(40, 0.06, 0.16)
	fall(330, 0.04, 0.065, 1)
	for range 700 { // needles
		col := hex(0x6e5230).scale(r.between(0.7, 1.2))
		c.blade(blade{u: r.next(), v: r.next(), angle: r.between(0, 6.3), length: r.between(0.02, 0.04),
			width: 0.0024, bend: r.between(-0.004, 0.004), root: col, tip: col, low: 0.022, high: 0.022})
	}
	c.cavity(0.014, 30)
	c.light(0.9, 0.5)
	c.even(0.92)
}

func drawMud(c *canvas) {
	wet, mid, dryish := hex(0x443424), hex(0x5c4632), hex(0x765e46)
	c.paint(func(u, v float32) (rgb, float32) {
		wu := 0.05 * (c.seed+1).fractal(u, v, 4, 3, 0.5)
		lumps := c.seed.fractal(u+wu, v-wu, 8, 4, 0.45)
		ooze := (c.seed + 2).ridged(u+wu, v+wu, 10, 3, 0.5)
		fine := (c.seed + 3).fractal(u, v, 40, 3, 0.6)
		h := 0.014*lumps + 0.005*ooze + 0.001*fine
		// Water fills the hollows and lies level.
		level := float32(-0.004)
		pool := step(0.002, -0.002, h-level)
		h += (level - h) * pool
		t := 0.5 + 16*(h-0.002) + 0.25*fine
		col := wet.mix(mid, step(0.1, 0.6, t)).mix(dryish, step(0.6, 1.2, t))
		return col.mix(hex(0x3a3027), 0.8*pool), h
	})
	c.cavity(0.02, 20)
	c.light(1.2, 0.6)
	c.gloss(1.3, 0.28)
	c.even(0.9)
}
