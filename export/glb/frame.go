package glb

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// turned reports whether a root node turns or scales the level.
func (p *plan) turned() bool {
	return p.options.ZUp || p.options.Scale != 0 && p.options.Scale != 1
}

// addRoot puts all that is in the scene below one node, the last, where the options
// turn or scale the level.
func (p *plan) addRoot() {
	if !p.turned() {
		return
	}
	scale := p.options.Scale
	if scale == 0 {
		scale = 1
	}
	n := newNode("level")
	n.children = p.doc.Scenes[0].Nodes
	n.scale = mgl64.Vec3{scale, scale, scale}
	x := beginObject(nil)
	up := "y"
	if p.options.ZUp {
		// A quarter turn about X: Y becomes Z, and Z becomes −Y.
		n.rotation = mgl64.Quat{W: math.Sqrt2 / 2, V: mgl64.Vec3{math.Sqrt2 / 2, 0, 0}}
		up = "z"
	}
	x.text("up", up)
	x.number("units_per_metre", scale)
	n.extras = x.end()
	p.doc.Scenes[0].Nodes = []int{p.nodes.n}
	p.nodes.add(&n)
}
