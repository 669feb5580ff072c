package glb

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/occluders/geom"
)

// fit is what takes the vertices of a quantized mesh, each −1 to 1, to the model's
// metres: times half, plus middle.
type fit struct {
	middle mgl64.Vec3
	half   float64
}

// identity is the fit of a mesh whose vertices are metres.
var identity = fit{half: 1}

// fitOf takes the longest axis of the bounds to −1 to 1, and the others in proportion,
// so that normals keep their directions.
func fitOf(b geom.Box) fit {
	f := fit{middle: b.Min.Add(b.Max).Mul(0.5)}
	for a := range 3 {
		f.half = max(f.half, (b.Max[a]-b.Min[a])/2)
	}
	if f.half == 0 {
		f.half = math.Nextafter(1, 2) // a single point; not that of identity
	}
	return f
}

// short is a coordinate in normalized 16 bits.
func (f fit) short(axis int, v float32) int16 {
	return int16(math.Round(min(max((float64(v)-f.middle[axis])/f.half, -1), 1) * math.MaxInt16))
}

// apply gives the place of a mesh where that of its model is known.
func (f fit) apply(t mgl64.Vec3, q mgl64.Quat, s mgl64.Vec3) (mgl64.Vec3, mgl64.Quat, mgl64.Vec3) {
	if f == identity {
		return t, q, s
	}
	m := f.middle
	for a := range 3 {
		m[a] *= s[a]
	}
	return t.Add(q.Rotate(m)), q, s.Mul(f.half)
}

// byteNormal is a unit vector in normalized 8 bits: of the eight around it the one with
// the closest direction among those that are nearly as long as a unit vector.
func byteNormal(n mgl32.Vec3) [3]int8 {
	var at [3]float64
	for a, v := range n {
		at[a] = min(max(float64(v), -1), 1) * math.MaxInt8
	}
	var best, rounded [3]int8
	most := math.Inf(-1)
	for a := range 3 {
		rounded[a] = int8(math.Round(at[a]))
	}
	best = rounded
	for corner := range 8 {
		var c [3]int8
		var length, along float64
		for a := range 3 {
			v := math.Floor(at[a])
			if corner>>a&1 == 1 {
				v = math.Ceil(at[a])
			}
			c[a] = int8(v)
			length += v * v
			along += v * at[a]
		}
		length = math.Sqrt(length)
		if math.Abs(length/math.MaxInt8-1) > 0.005 {
			continue
		}
		if cos := along / length; cos > most {
			most, best = cos, c
		}
	}
	return best
}
