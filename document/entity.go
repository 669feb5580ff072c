package document

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"unicode/utf8"

	"github.com/go-gl/mathgl/mgl64"
)

// ID names an entity of a level for good: ids are not used again. 0 is no entity.
type ID uint64

// MaxID is the highest id, the largest integer that every JSON reader keeps.
const MaxID ID = 1<<53 - 1

// Kind says what an entity is.
type Kind string

// The kinds.
const (
	KindObject   Kind = "object"
	KindOccluder Kind = "occluder"
	KindCell     Kind = "cell"
	KindPortal   Kind = "portal"
	KindMarker   Kind = "marker"
	KindScatter  Kind = "scatter"
	KindWater    Kind = "water"
	KindSky      Kind = "sky"
	KindLight    Kind = "light"
	KindCamera   Kind = "camera"
)

// Kinds lists all kinds in the order in which the editor shows them.
var Kinds = []Kind{
	KindObject, KindOccluder, KindCell, KindPortal, KindMarker,
	KindScatter, KindWater, KindSky, KindLight, KindCamera,
}

// The bounds of where things stand. No level needs more, and within them all that is
// reckoned from one place or factor stays a number.
const (
	MaxPlace = 1e10 // metres from the origin, or from the parent
	MinScale = 1e-9
	MaxScale = 1e9
	MaxDepth = 256 // things that one may stand below
)

// Reach bounds what is shown and walked on, in metres of the world: what the places
// and factors of many things one below the other make may be anything.
const Reach = 10 * MaxPlace

// InReach reports whether a place or the numbers of a matrix are within ±Reach.
func InReach(vs ...float64) bool { return within(Reach, vs...) }

// within reports whether all numbers are within ±limit.
func within(limit float64, vs ...float64) bool {
	for _, v := range vs {
		if !(math.Abs(v) <= limit) {
			return false
		}
	}
	return true
}

// isScale reports whether all numbers are factors, or the negatives of factors.
func isScale(vs ...float64) bool {
	for _, v := range vs {
		if a := math.Abs(v); !(a >= MinScale && a <= MaxScale) {
			return false
		}
	}
	return true
}

// Known reports whether k is one of Kinds.
func (k Kind) Known() bool {
	for _, o := range Kinds {
		if k == o {
			return true
		}
	}
	return false
}

// Extra holds the keys of a JSON object that this version does not know; they are
// written back as they were read. It must not be changed.
type Extra map[string]json.RawMessage

// Entity is one thing in a level besides the ground. An Entity that a level holds
// must not be changed: copy it, change the copy, and Put that.
type Entity struct {
	ID     ID
	Kind   Kind
	Name   string
	Parent ID // 0: none

	Translation mgl64.Vec3 // metres, relative to the parent; each within ±MaxPlace
	Rotation    mgl64.Quat // unit; the zero value stands for no rotation
	Scale       mgl64.Vec3 // MinScale to MaxScale; negative ones mirror; the zero value stands for 1, 1, 1

	Layer      string // the Outliner's layer that it lies on, "" for none
	Hidden     bool
	Locked     bool
	Properties map[string]string
	Data       Data // what only this kind has; nil for none
	Extra      Extra
}

// Data is what entities of one kind have and others don't. Values are immutable.
type Data interface {
	// Kind is the kind of entity that the data belongs to.
	Kind() Kind
	// Validate tells what is wrong with the data.
	Validate() error
	// json.Marshaler writes it; unknown keys that were read are included.
	json.Marshaler
}

// RawData is the data of a kind that this version has no type for, kept as read.
type RawData struct {
	Of   Kind
	JSON json.RawMessage // compact
}

// Kind implements Data.
func (d RawData) Kind() Kind { return d.Of }

// Validate implements Data: any JSON value is accepted.
func (d RawData) Validate() error {
	if !json.Valid(d.JSON) {
		return fmt.Errorf("the data is not JSON")
	}
	return nil
}

// MarshalJSON implements Data.
func (d RawData) MarshalJSON() ([]byte, error) { return d.JSON, nil }

// Local is the matrix from the entity's own space to its parent's.
func (e *Entity) Local() mgl64.Mat4 {
	e = e.normal()
	m := e.Rotation.Mat4()
	for i, s := range e.Scale {
		for r := range 3 {
			m[4*i+r] *= s
		}
		m[12+i] = e.Translation[i]
	}
	return m
}

// normal gives e in the one form that a level holds: zero rotation and scale
// replaced by what they stand for, empty maps by nil.
func (e *Entity) normal() *Entity {
	c := *e
	if c.Rotation == (mgl64.Quat{}) {
		c.Rotation = mgl64.QuatIdent()
	}
	if c.Scale == (mgl64.Vec3{}) {
		c.Scale = mgl64.Vec3{1, 1, 1}
	}
	if len(c.Properties) == 0 {
		c.Properties = nil
	}
	if o, ok := c.Data.(Object); ok && o.Collision == CollideMesh {
		o.Collision = ""
		c.Data = o
	}
	if p, ok := c.Data.(Portal); ok && p.State == PortalOpen {
		p.State = ""
		c.Data = p
	}
	if len(c.Extra) == 0 {
		c.Extra = nil
	}
	return &c
}

// Validate tells what is wrong with the entity by itself. Whether its parent
// exists is for the level to say.
func (e *Entity) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("entity %d: %s", e.ID, fmt.Sprintf(format, args...))
	}
	switch n := e.normal(); {
	case e.ID == 0 || e.ID > MaxID:
		return fail("the id is out of range, expected 1 to %d", MaxID)
	case e.Kind == "":
		return fail("it has no kind")
	case e.Parent == e.ID:
		return fail("it is its own parent")
	case !within(MaxPlace, n.Translation[:]...):
		return fail("the translation %v is out of range, expected coordinates within ±%g m", n.Translation, float64(MaxPlace))
	case !isScale(n.Scale[:]...):
		return fail("the scale %v is out of range, expected factors from %g to %g, or their negatives", n.Scale, MinScale, MaxScale)
	case !(math.Abs(n.Rotation.Len()-1) <= 1e-3):
		return fail("the rotation has length %g, expected 1", n.Rotation.Len())
	case !e.isText():
		return fail("a name or property is not valid UTF-8")
	case e.Data != nil && e.Data.Kind() != e.Kind:
		return fail("it is of kind %q but its data of kind %q", e.Kind, e.Data.Kind())
	case e.Data != nil && e.Data.Validate() != nil:
		return fail("%s", e.Data.Validate())
	}
	return nil
}

// isText reports whether all strings can be written as JSON without loss.
func (e *Entity) isText() bool {
	for k, v := range e.Properties {
		if !utf8.ValidString(k) || !utf8.ValidString(v) {
			return false
		}
	}
	return utf8.ValidString(string(e.Kind)) && utf8.ValidString(e.Name) && utf8.ValidString(e.Layer)
}

func finite(vs ...float64) bool {
	for _, v := range vs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Clone copies e with maps of its own.
func (e *Entity) Clone() Entity {
	c := *e
	c.Properties = maps.Clone(e.Properties)
	return c
}

// MarkerShape says how the points of a marker are read.
type MarkerShape string

// The shapes of markers.
const (
	MarkerPoint MarkerShape = "point" // each by itself
	MarkerLine  MarkerShape = "line"  // joined in order
	MarkerArea  MarkerShape = "area"  // the corners of a closed outline
)

// Marker is the data of a marker: points in the entity's own space, in metres.
type Marker struct {
	Shape  MarkerShape
	Points []mgl64.Vec3
	// Color is what it is drawn in, linear, each 0–1. The zero value stands for the
	// editor's own colour of markers.
	Color mgl64.Vec3
	Extra Extra
}

// Kind implements Data.
func (Marker) Kind() Kind { return KindMarker }

// Validate implements Data.
func (m Marker) Validate() error {
	least, ok := map[MarkerShape]int{MarkerPoint: 1, MarkerLine: 2, MarkerArea: 3}[m.Shape]
	if !ok {
		return fmt.Errorf("the marker's shape is %q, expected point, line or area", string(m.Shape))
	}
	if len(m.Points) < least {
		return fmt.Errorf("the marker has %d points, expected at least %d for its shape %s", len(m.Points), least, m.Shape)
	}
	for i, p := range m.Points {
		if !within(MaxPlace, p[:]...) {
			return fmt.Errorf("point %d of the marker, %v, is out of range, expected coordinates within ±%g m", i, p, float64(MaxPlace))
		}
	}
	if !(min(m.Color[0], m.Color[1], m.Color[2]) >= 0 && max(m.Color[0], m.Color[1], m.Color[2]) <= 1) {
		return fmt.Errorf("the marker's colour %v is out of range, expected 0 to 1", m.Color)
	}
	return nil
}
