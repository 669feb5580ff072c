//go:build !(goexperiment.simd && amd64)

package terrain

// wide is what holds the rays of a pack together: nothing, without vectors.
type wide struct{}

// join reports whether the live rays can go together.
func (p *pack) join(*Field) bool { return false }

// node is never reached, as rays do not join.
func (p *pack) node(*node, int, int, int) {}
