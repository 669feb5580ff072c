package glb

import (
	"math/bits"

	"ridgeline/terrain"
)

// layerSet is a set of layer indices, one bit each.
type layerSet [4]uint64

func (s *layerSet) add(layer uint8) { s[layer/64] |= 1 << (layer % 64) }

func (s layerSet) union(o layerSet) layerSet {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

// before orders sets so that primitives always come in the same sequence.
func (s layerSet) before(o layerSet) int {
	for i := range s {
		if s[i] != o[i] {
			// The set with the smaller lowest differing layer goes first.
			if low := (s[i] ^ o[i]) & -(s[i] ^ o[i]); s[i]&low != 0 {
				return -1
			}
			return 1
		}
	}
	return 0
}

// appendLayers appends the layers of s in ascending order.
func (s layerSet) appendLayers(dst []uint8) []uint8 {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, uint8(i*64+bits.TrailingZeros64(w)))
		}
	}
	return dst
}

// shown is the set of layers that weigh more than nothing in a splat.
func shown(s terrain.Splat) layerSet {
	var set layerSet
	if s.Alpha2 < 255 {
		if s.Alpha < 255 {
			set.add(s.Base)
		}
		if s.Alpha > 0 {
			set.add(s.Over)
		}
	}
	if s.Alpha2 > 0 {
		set.add(s.Third)
	}
	return set
}
