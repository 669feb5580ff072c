package runtime

import "math"

// Flight is the camera at a part, 0 to 1, of a flight past some of the level's Cameras, by
// name, and back to the first. It is still at each of them, and between them height metres
// above the ground or higher; the stops themselves are where they are, in cellars too. It is
// the zero Camera where there are no stops.
func (l *Level) Flight(stops []string, part, height float64) Camera {
	if len(stops) == 0 {
		return Camera{}
	}
	k, u := math.Modf(part * float64(len(stops)))
	a, b := l.Cameras[stops[int(k)%len(stops)]], l.Cameras[stops[(int(k)+1)%len(stops)]]
	ease := u * u * (3 - 2*u)
	c := Camera{Eye: a.Eye.Add(b.Eye.Sub(a.Eye).Mul(ease)), Look: a.Look.Add(b.Look.Sub(a.Look).Mul(ease))}
	if l.Ground != nil {
		if y, ok := l.Ground.Height(c.Eye[0], c.Eye[2]); ok {
			up := max(0, y+height-c.Eye[1]) * min(1, 16*u*(1-u))
			c.Eye[1], c.Look[1] = c.Eye[1]+up, c.Look[1]+up
		}
	}
	return c
}
