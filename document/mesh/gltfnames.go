package mesh

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// checkNames looks at what the attributes of a primitive are called. One that is meant
// as texture coordinates or as colours but is numbered otherwise than glTF does would
// be missed in what is shown, which is an error. What is never shown, attributes of
// programs and names that glTF does not know, is left alone, the latter with a note.
func (r *gltfReader) checkNames(p *gltf.Primitive, place string) error {
	for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
		switch base, number, numbered := strings.Cut(name, "_"); {
		case base == "" && numbered: // of a program
		case name == gltf.POSITION, name == gltf.NORMAL, name == gltf.TANGENT:
		case base != "TEXCOORD" && base != "COLOR" && base != "JOINTS" && base != "WEIGHTS":
			r.notes.add("The attribute %.40q in %s is none that glTF knows; it is not shown.", name, place)
		case base != "TEXCOORD" && base != "COLOR":
		case !plainNumber(number):
			return bad(place+".attributes", fmt.Sprintf("%.40q", name), "%s_ and a number without zeros before it", base)
		}
	}
	return nil
}

// plainNumber reports whether s is a number from 0 on, as glTF writes it.
func plainNumber(s string) bool {
	n, err := strconv.ParseUint(s, 10, 31)
	return err == nil && strconv.FormatUint(n, 10) == s
}

// declaredBounds are the min and max of an accessor of positions, in the units in which
// they are read; nil if it has none.
func declaredBounds(a *gltf.Accessor) *[2]mgl32.Vec3 {
	if len(a.Min) != 3 || len(a.Max) != 3 || a.Normalized {
		return nil
	}
	var b [2]mgl32.Vec3
	for k := range 3 {
		lo, hi := a.Min[k], a.Max[k]
		if !(math.Abs(lo) <= math.MaxFloat32 && math.Abs(hi) <= math.MaxFloat32) {
			return nil
		}
		b[0][k], b[1][k] = float32(lo), float32(hi)
	}
	return &b
}

func abs32(x float32) float32 { return max(x, -x) }
