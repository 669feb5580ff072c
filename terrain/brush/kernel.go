package brush

import "ridgeline/terrain"

// The kernels in plain Go. They are what the vector twins are tested against.
// u0 is the distance of the tile's first column from the dab's centre.

func raiseScalar(h *terrain.Heights, runs []run, sh *shape, u0, strength float32) {
	for k := range runs {
		n := &runs[k]
		row := (*[side]float32)(h[n.row*side:])
		for i := n.from; i < n.to; i++ {
			row[i] = clampHeight(row[i] + float32(strength*sh.at(u0, i, n.v2)))
		}
	}
}

func flattenScalar(h *terrain.Heights, runs []run, sh *shape, u0, strength, level float32) {
	for k := range runs {
		n := &runs[k]
		row := (*[side]float32)(h[n.row*side:])
		for i := n.from; i < n.to; i++ {
			w := float32(strength * sh.at(u0, i, n.v2))
			row[i] += float32(float32(level-row[i]) * w)
		}
	}
}

// falloffScalar writes the falloff of a run's columns.
func falloffScalar(dst *[side]float32, n run, sh *shape, u0 float32) {
	for i := n.from; i < n.to; i++ {
		dst[i] = sh.at(u0, i, n.v2)
	}
}

// smoothScalar smooths a run of a tile's row. a, b and c are the rows above, at
// and below from before the dab; column i of the tile is their element i+1.
func smoothScalar(row *[side]float32, n run, a, b, c *[side + 2]float32, sh *shape, u0, strength float32) {
	for i := n.from; i < n.to; i++ {
		h := b[i+1]
		d := float32(float32(a[i]-h)+float32(a[i+2]-h)) + float32(float32(c[i]-h)+float32(c[i+2]-h))
		d += float32(float32(b[i]-h)+float32(b[i+2]-h)) + float32(float32(a[i+1]-h)+float32(c[i+1]-h))
		w := float32(strength * sh.at(u0, i, n.v2))
		row[i] = h + float32(float32(d*(1.0/9))*w)
	}
}

func clampHeight(h float32) float32 {
	if h < -terrain.MaxHeight {
		h = -terrain.MaxHeight
	}
	if h > terrain.MaxHeight {
		h = terrain.MaxHeight
	}
	return h
}
