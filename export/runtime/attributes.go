package runtime

import (
	"fmt"

	"github.com/qmuntal/gltf"

	"ridgeline/terrain/fault"
)

// maxColors bounds how many sets of colours are read.
const maxColors = 8

// checkPrimitive holds what is read of a primitive to its types and counts, so that all
// that Geometry can still find wrong is in the data.
func (l *Level) checkPrimitive(p *gltf.Primitive, place string) error {
	vertices := l.file.doc.Accessors[p.Attributes[gltf.POSITION]].Count
	if vertices < 1 {
		return &fault.Error{Place: place + ".attributes.POSITION", Found: "no vertices", Want: "one or more"}
	}
	check := func(name string, fits func(*gltf.Accessor) bool, want string) (ok bool, err error) {
		index, ok := p.Attributes[name]
		if !ok {
			return false, nil
		}
		a := l.file.doc.Accessors[index]
		place := place + ".attributes." + name
		switch {
		case !fits(a):
			return true, &fault.Error{Place: place, Found: describe(a), Want: want}
		case a.Count != vertices:
			return true, &fault.Error{Place: place, Found: fmt.Sprintf("%d elements", a.Count), Want: fmt.Sprintf("%d, as many as positions", vertices)}
		}
		return true, nil
	}
	for _, of := range []struct {
		name, want string
		fits       func(*gltf.Accessor) bool
	}{
		{gltf.POSITION, "VEC3 of floats or small integers", func(a *gltf.Accessor) bool {
			return a.Type == gltf.AccessorVec3 && a.ComponentType != gltf.ComponentUint
		}},
		{gltf.NORMAL, "VEC3 of floats or normalized signed integers", func(a *gltf.Accessor) bool {
			return a.Type == gltf.AccessorVec3 && (isFloat(a) || a.Normalized && (a.ComponentType == gltf.ComponentByte || a.ComponentType == gltf.ComponentShort))
		}},
		{gltf.TEXCOORD_0, "VEC2 of floats or small integers", func(a *gltf.Accessor) bool {
			return a.Type == gltf.AccessorVec2 && a.ComponentType != gltf.ComponentUint
		}},
	} {
		if _, err := check(of.name, of.fits, of.want); err != nil {
			return err
		}
	}
	for k := range maxColors {
		ok, err := check(fmt.Sprintf("COLOR_%d", k), func(a *gltf.Accessor) bool {
			return (a.Type == gltf.AccessorVec3 || a.Type == gltf.AccessorVec4) &&
				(isFloat(a) || a.Normalized && (a.ComponentType == gltf.ComponentUbyte || a.ComponentType == gltf.ComponentUshort))
		}, "VEC3 or VEC4 of floats or normalized unsigned integers")
		if err != nil {
			return err
		}
		if !ok {
			break
		}
	}
	a := l.file.doc.Accessors[*p.Indices]
	whole := a.ComponentType == gltf.ComponentUbyte || a.ComponentType == gltf.ComponentUshort || a.ComponentType == gltf.ComponentUint
	switch place += ".indices"; {
	case a.Type != gltf.AccessorScalar || !whole || a.Normalized:
		return &fault.Error{Place: place, Found: describe(a), Want: "unsigned integers"}
	case a.Count < 3 || a.Count%3 != 0:
		return &fault.Error{Place: place, Found: fmt.Sprintf("%d elements", a.Count), Want: "three a triangle, and one triangle or more"}
	}
	return nil
}

func isFloat(a *gltf.Accessor) bool { return a.ComponentType == gltf.ComponentFloat }

// describe tells the type of an accessor for a message.
func describe(a *gltf.Accessor) string {
	s := fmt.Sprintf("%v of %v", a.Type, a.ComponentType)
	if a.Normalized {
		s += " normalized"
	}
	return s
}
