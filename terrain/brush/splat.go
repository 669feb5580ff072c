package brush

import "ridgeline/terrain"

// startAt is the share of the old splat at which the painted layer gains its
// first step: 1/510 painted, less the rounding of a dab with just that strength.
const startAt = 1 - 0.9999/510

// endAt is a share of the old splat too small for any weight to be left. To go on
// multiplying it would end in denormal numbers, which are slow.
const endAt = 1.0 / 1024

// mix gives keep (0–1) of a splat and for the rest layer, rounded so that no other
// layer gains and, from 1/510 on, at least one loses a step; below that, the splat
// itself.
func mix(s terrain.Splat, layer uint8, keep float32) terrain.Splat {
	if keep > startAt {
		return s
	}
	if s.Alpha2 == 0 {
		// Most ground shows one or two layers, and stays so.
		a := int(s.Alpha)
		if s.Over == s.Base {
			a = 0
		}
		switch {
		case s.Base == layer:
			if a = lessen(a, keep); a == 0 {
				return terrain.Splat{Base: layer, Over: layer, Third: layer}
			}
			return terrain.Splat{Base: layer, Over: s.Over, Third: layer, Alpha: uint8(a)}
		case s.Over == layer || a == 0:
			b := lessen(255-a, keep)
			if b == 0 {
				return terrain.Splat{Base: layer, Over: layer, Third: layer}
			}
			return terrain.Splat{Base: s.Base, Over: layer, Third: s.Base, Alpha: uint8(255 - b)}
		}
	}
	merge(&s)
	switch layer {
	case s.Base:
		// Over and third give way.
		a, t := giveWay(int(s.Alpha), int(s.Alpha2), keep)
		s.Alpha, s.Alpha2 = uint8(a), uint8(t)
	case s.Over:
		b, t := giveWay(255-int(s.Alpha), int(s.Alpha2), keep)
		s.Alpha, s.Alpha2 = uint8(255-b), uint8(t)
	case s.Third:
		raiseThird(&s, keep)
	default:
		switch makeRoom(&s) {
		case placeBase:
			s.Base = layer
			a, t := giveWay(int(s.Alpha), int(s.Alpha2), keep)
			s.Alpha, s.Alpha2 = uint8(a), uint8(t)
		case placeOver:
			s.Over = layer
			b, t := giveWay(255-int(s.Alpha), int(s.Alpha2), keep)
			s.Alpha, s.Alpha2 = uint8(255-b), uint8(t)
		default:
			s.Third = layer
			raiseThird(&s, keep)
		}
	}
	tidy(&s)
	return s
}

// weights gives the weights of a splat's three places, in 1/65025; they add up to
// 65025.
func weights(s terrain.Splat) (base, over, third int) {
	a, t := int(s.Alpha), int(s.Alpha2)
	return (255 - a) * (255 - t), a * (255 - t), 255 * t
}

// The places of a splat.
const (
	placeBase = iota
	placeOver
	placeThird
)

// lessen gives keep of n/255 in whole steps, one less than n at least.
func lessen(n int, keep float32) int {
	return min(int(float32(n)*keep+0.5), max(n-1, 0))
}

// raiseThird makes everything but the third layer keep its share.
func raiseThird(s *terrain.Splat, keep float32) {
	s.Alpha2 = uint8(255 - lessen(255-int(s.Alpha2), keep))
}

// giveWay lowers the two weights that are not painted: pair/255 of what the third
// layer leaves, and third/255. Each rounds once; the pair's part is capped so that
// it does not gain when the third layer shrinks by more than its share; the larger
// of the two loses a step at least.
func giveWay(pair, third int, keep float32) (int, int) {
	if third == 0 {
		return lessen(pair, keep), 0
	}
	room := pair * (255 - third)
	stepThird := 255*third >= room
	t := int(float32(third)*keep + 0.5)
	if stepThird {
		t = min(t, third-1)
	}
	left := 255 - t
	if left == 0 {
		return pair, t // the pair has no room, whatever its ratio
	}
	p := min(int(float32(room)*keep/float32(left)+0.5), room/left)
	if !stepThird {
		p = min(p, pair-1)
	}
	return p, t
}

// merge puts the weights of equal ids together, in the first of their places.
func merge(s *terrain.Splat) {
	_, over, third := weights(*s)
	if s.Third == s.Base && s.Alpha2 != 0 {
		s.Alpha, s.Alpha2 = uint8((over+127)/255), 0
	} else if s.Third == s.Over && s.Alpha2 != 0 {
		s.Alpha, s.Alpha2 = uint8((over+third+127)/255), 0
	}
	if s.Over == s.Base {
		s.Alpha = 0
	}
}

// makeRoom frees the place of the weakest layer, dividing its weight between the
// other two in their proportion.
func makeRoom(s *terrain.Splat) int {
	base, over, third := weights(*s)
	switch {
	case over <= third && over <= base:
		s.Alpha, s.Alpha2 = 0, share255(third, base)
		return placeOver
	case third <= base:
		s.Alpha2 = 0
		return placeThird
	default:
		s.Alpha, s.Alpha2 = 255, share255(third, over)
		return placeBase
	}
}

// share255 is the share of a in a+b in 1/255; of two that are not 0, neither gets
// nothing.
func share255(a, b int) uint8 {
	if a == 0 {
		return 0
	}
	n := (510*a + a + b) / (2 * (a + b))
	if b > 0 {
		n = min(max(n, 1), 254)
	}
	return uint8(n)
}

// tidy lets places without weight repeat the base id.
func tidy(s *terrain.Splat) {
	switch {
	case s.Alpha2 == 255:
		s.Base = s.Third
		s.Alpha, s.Alpha2 = 0, 0
	case s.Alpha2 == 0 && s.Alpha == 255:
		s.Base, s.Alpha = s.Over, 0
	}
	if s.Alpha == 0 {
		s.Over = s.Base
	}
	if s.Alpha2 == 0 {
		s.Third = s.Base
	}
}
