package document

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Collision says what of an object stops who walks.
type Collision string

// The kinds of collision.
const (
	CollideMesh   Collision = "mesh" // its triangles
	CollideSphere Collision = "sphere"
	CollideNone   Collision = "none"
)

// Collisions lists them in the order in which they are offered.
var Collisions = []Collision{CollideMesh, CollideSphere, CollideNone}

// Object is the data of a mesh that stands in the level, or of a group.
type Object struct {
	// Asset is the name of one of the level's assets. It need not exist: the object
	// shows a placeholder then. "" is a group, which only carries its children.
	Asset string
	// Geometry marks rooms and corridors: the level's own geometry, whose triangles
	// get a node tree of their own.
	Geometry  bool
	Collision Collision // "" stands for mesh
	// CollisionRadius is that of the sphere around the middle of the mesh's bounds, in
	// metres of the entity's own space; 0 stands for the radius that holds the bounds.
	CollisionRadius float64
	// Billboard is the distance from the eye, in metres, beyond which a picture of the
	// mesh stands for it; 0 is never.
	Billboard float64
	Extra     Extra
}

// Kind implements Data.
func (Object) Kind() Kind { return KindObject }

// MaxDistance bounds radii and distances of entities, in metres.
const MaxDistance = 1e9

func checkDistance(what string, v float64) error {
	if !(v >= 0 && v <= MaxDistance) {
		return fmt.Errorf("%s is %g m, expected 0 to %g", what, v, MaxDistance)
	}
	return nil
}

// Validate implements Data.
func (o Object) Validate() error {
	switch o.Collision {
	case "", CollideMesh, CollideSphere, CollideNone:
	default:
		return fmt.Errorf("the collision is %q, expected mesh, sphere or none", string(o.Collision))
	}
	if err := checkDistance("the collision radius", o.CollisionRadius); err != nil {
		return err
	}
	return checkDistance("the billboard distance", o.Billboard)
}

// MarshalJSON implements Data.
func (o Object) MarshalJSON() ([]byte, error) {
	b := NewBuilder(o.Extra)
	setText(b, "asset", o.Asset)
	if o.Geometry {
		b.Set("geometry", true)
	}
	if o.Collision != CollideMesh {
		setText(b, "collision", string(o.Collision))
	}
	setNumber(b, "collision_radius", o.CollisionRadius)
	setNumber(b, "billboard", o.Billboard)
	return b.Bytes()
}

func setText(b *Builder, key, v string) {
	if v != "" {
		b.Set(key, v)
	}
}

func setNumber(b *Builder, key string, v float64) {
	if v != 0 {
		b.Set(key, v)
	}
}

func parseObject(raw json.RawMessage, place string) (Data, error) {
	f := ParseFields(raw, place)
	var o Object
	f.Get("asset", &o.Asset)
	f.Get("geometry", &o.Geometry)
	f.Get("collision", &o.Collision)
	if o.Collision == CollideMesh {
		o.Collision = ""
	}
	f.Get("collision_radius", &o.CollisionRadius)
	f.Get("billboard", &o.Billboard)
	extra, err := f.End()
	o.Extra = extra
	return o, err
}

// ObjectOf gives the data of an object; one without data is a group.
func ObjectOf(e *Entity) (o Object, ok bool) {
	if e.Kind != KindObject {
		return Object{}, false
	}
	if e.Data == nil {
		return Object{}, true
	}
	o, ok = e.Data.(Object)
	return o, ok
}

// IsGroup reports whether an entity is an object that only carries its children.
func IsGroup(e *Entity) bool {
	o, ok := ObjectOf(e)
	return ok && o.Asset == ""
}

// Scatter is the data of many small things strewn over the ground, such as the
// trees of a wood: one entity, as nobody picks them one by one.
type Scatter struct {
	Assets []string // names of the level's assets that the points choose from
	// Billboard is the distance from the eye, in metres, beyond which pictures stand
	// for the meshes; 0 is never.
	Billboard float64
	Points    []ScatterPoint
	Rules     json.RawMessage // how the brush strews, compact; nil for none
	Extra     Extra
}

// ScatterPoint is one thing of a Scatter, in the entity's own space.
type ScatterPoint struct {
	Asset    int // index of Scatter.Assets
	Position mgl64.Vec3
	Yaw      float64    // radians about Up, counter-clockwise seen from its tip
	Scale    float64    // MinScale to MaxScale
	Up       mgl64.Vec3 // unit; the zero value stands for +Y
}

// Local is the matrix from the point's own space to its entity's: scale, then turn
// about Y, then the shortest turn of Y to Up, then translation.
func (p *ScatterPoint) Local() mgl64.Mat4 {
	q := mgl64.QuatRotate(p.Yaw, mgl64.Vec3{0, 1, 0})
	if p.Up != (mgl64.Vec3{}) && p.Up != (mgl64.Vec3{0, 1, 0}) {
		q = mgl64.QuatBetweenVectors(mgl64.Vec3{0, 1, 0}, p.Up).Mul(q)
	}
	m := q.Mat4()
	for c := range 3 {
		for r := range 3 {
			m[4*c+r] *= p.Scale
		}
		m[12+c] = p.Position[c]
	}
	return m
}

// Kind implements Data.
func (Scatter) Kind() Kind { return KindScatter }

// Validate implements Data.
func (s Scatter) Validate() error {
	if err := checkDistance("the billboard distance", s.Billboard); err != nil {
		return err
	}
	if s.Rules != nil && !json.Valid(s.Rules) {
		return fmt.Errorf("the rules of the scatter are not JSON")
	}
	for i := range s.Points {
		p := &s.Points[i]
		switch {
		case p.Asset < 0 || p.Asset >= len(s.Assets):
			if len(s.Assets) == 0 {
				return fmt.Errorf("the scatter has points and no assets")
			}
			return fmt.Errorf("point %d of the scatter has asset %d, expected 0 to %d", i, p.Asset, len(s.Assets)-1)
		case !within(MaxPlace, p.Position[:]...):
			return fmt.Errorf("point %d of the scatter, %v, is out of range, expected coordinates within ±%g m", i, p.Position, float64(MaxPlace))
		case !finite(p.Yaw):
			return fmt.Errorf("point %d of the scatter is turned by %g, expected a number", i, p.Yaw)
		case !(p.Scale > 0) || !isScale(p.Scale):
			return fmt.Errorf("point %d of the scatter has scale %g, expected %g to %g", i, p.Scale, MinScale, MaxScale)
		case p.Up != (mgl64.Vec3{}) && !(math.Abs(p.Up.Len()-1) <= 1e-3):
			return fmt.Errorf("point %d of the scatter has an up direction of length %g, expected 1", i, p.Up.Len())
		}
	}
	return nil
}

// MarshalJSON implements Data.
func (s Scatter) MarshalJSON() ([]byte, error) {
	b := NewBuilder(s.Extra)
	if len(s.Assets) > 0 {
		b.Set("assets", s.Assets)
	}
	setNumber(b, "billboard", s.Billboard)
	if s.Rules != nil {
		b.Raw("rules", s.Rules)
	}
	if len(s.Points) > 0 {
		w := entityWriter{out: make([]byte, 0, 64*len(s.Points))}
		w.out = append(w.out, '[')
		for i := range s.Points {
			p := &s.Points[i]
			if i > 0 {
				w.out = append(w.out, ',')
			}
			list := [9]float64{float64(p.Asset), p.Position[0], p.Position[1], p.Position[2], p.Yaw, p.Scale, p.Up[0], p.Up[1], p.Up[2]}
			if p.Up == (mgl64.Vec3{}) {
				w.list(list[:6])
			} else {
				w.list(list[:])
			}
		}
		w.out = append(w.out, ']')
		if w.err != nil {
			return nil, w.err
		}
		b.Raw("points", w.out)
	}
	return b.Bytes()
}

func parseScatter(raw json.RawMessage, place string) (Data, error) {
	f := ParseFields(raw, place)
	var s Scatter
	f.Get("assets", &s.Assets)
	f.Get("billboard", &s.Billboard)
	if raw, ok := f.Raw("rules"); ok {
		c, err := Compact(raw)
		f.Check(err)
		s.Rules = c
	}
	var points [][]float64
	f.Get("points", &points)
	if len(points) > 0 {
		s.Points = make([]ScatterPoint, len(points))
	}
	for i, v := range points {
		if len(v) != 6 && len(v) != 9 || v[0] != math.Trunc(v[0]) || math.Abs(v[0]) > math.MaxInt32 {
			f.Fail(fmt.Sprintf("points[%d]", i), fmt.Sprint(v), "6 or 9 numbers, the first of them whole")
			break
		}
		p := &s.Points[i]
		p.Asset, p.Position, p.Yaw, p.Scale = int(v[0]), mgl64.Vec3{v[1], v[2], v[3]}, v[4], v[5]
		if len(v) == 9 {
			p.Up = mgl64.Vec3{v[6], v[7], v[8]}
		}
	}
	extra, err := f.End()
	s.Extra = extra
	return s, err
}
