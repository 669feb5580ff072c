package command

import (
	"image/color"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// Args are the arguments of a call, read and complete: those that were not given
// have their defaults, if there are any. A getter gives the zero value for an
// argument that is neither.
type Args struct {
	values map[string]any
	given  map[string]bool
}

// Has reports whether an argument has a value, given or by default.
func (a Args) Has(name string) bool { _, ok := a.values[name]; return ok }

// Given reports whether an argument was written in the call.
func (a Args) Given(name string) bool { return a.given[name] }

func get[T any](a Args, name string) T {
	v, _ := a.values[name].(T)
	return v
}

// Number gives a Number.
func (a Args) Number(name string) float64 { return get[float64](a, name) }

// Int gives an Int.
func (a Args) Int(name string) int { return get[int](a, name) }

// Bool gives a Bool.
func (a Args) Bool(name string) bool { return get[bool](a, name) }

// Text gives a Text, Choice, File or Asset.
func (a Args) Text(name string) string { return get[string](a, name) }

// Point gives a Ground.
func (a Args) Point(name string) Point { return get[Point](a, name) }

// Points gives a Points.
func (a Args) Points(name string) []Point { return get[[]Point](a, name) }

// Layer gives the index of a Layer.
func (a Args) Layer(name string) int { return get[int](a, name) }

// IDs gives an IDs.
func (a Args) IDs(name string) []document.ID { return get[[]document.ID](a, name) }

// Color gives a Color.
func (a Args) Color(name string) color.NRGBA { return get[color.NRGBA](a, name) }

// Numbers gives a Numbers.
func (a Args) Numbers(name string) []float64 { return get[[]float64](a, name) }

// Size gives a Size.
func (a Args) Size(name string) (w, h int) {
	s := get[[2]int](a, name)
	return s[0], s[1]
}

// Entity gives an Entity, 0 for none.
func (a Args) Entity(name string) document.ID { return get[document.ID](a, name) }

// Assets gives an Assets.
func (a Args) Assets(name string) []string { return get[[]string](a, name) }

// vector gives Numbers as a vector: one number stands for three.
func (a Args) vector(name string) mgl64.Vec3 {
	v := a.Numbers(name)
	switch len(v) {
	case 1:
		return mgl64.Vec3{v[0], v[0], v[0]}
	case 3:
		return mgl64.Vec3(v)
	}
	return mgl64.Vec3{}
}
