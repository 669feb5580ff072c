package panel

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/editor/command"
	"ridgeline/occluders/geom"
	"ridgeline/widgets"
)

// common is a value that several things have, or that they differ in.
type common[T comparable] struct {
	value T
	mixed bool
	n     int // how many have one
}

func (c *common[T]) add(v T) {
	if c.n == 0 {
		c.value = v
	}
	c.mixed = c.mixed || v != c.value
	c.n++
}

// commonNumber is one whose values are the same up to rounding.
type commonNumber struct{ common[float64] }

func (c *commonNumber) add(v float64) {
	if c.n == 0 {
		c.value = v
	}
	c.mixed = c.mixed || math.Abs(v-c.value) > 1e-9*max(1, math.Abs(v))
	c.n++
}

type commonVector [3]commonNumber

func (c *commonVector) add(v [3]float64) {
	for i := range c {
		c[i].add(v[i])
	}
}

func (c *commonVector) show(to *widgets.Vector) {
	to.Show([3]float64{c[0].value, c[1].value, c[2].value}, [3]bool{c[0].mixed, c[1].mixed, c[2].mixed})
}

// picked is what is selected, and what its things have in common.
type picked struct {
	ids      []document.ID
	entities []*document.Entity
	kinds    map[document.Kind]int
	reason   string // why nothing can be changed, "" if it can
	own      bool   // unlocking the things themselves would help

	name, layer    common[string]
	parent         common[document.ID]
	hidden, locked common[bool]
	parented       bool // one of them is part of another thing

	place, turn, scale commonVector
	box                geom.Box // of all, in the world

	objects   []document.ID // with a mesh
	asset     common[string]
	geometry  common[bool]
	collision common[document.Collision]
	radius    commonNumber
	ball      commonNumber // radius of the sphere in the world

	billboards []document.ID // what has a billboard: objects and scatters
	billboard  commonNumber

	markers []document.ID
	shape   common[document.MarkerShape]
	color   common[mgl64.Vec3]

	scatters []document.ID

	visible visible

	properties []widgets.Property
}

// pickedOf is what the inspector shows; it is made anew when the level, the
// selection or the models change.
type pickedOf struct {
	level    *document.Level
	library  int
	readOnly bool
	ids      []document.ID
}

// pick finds out what is selected.
func (ip *inspector) pick() *picked {
	s := ip.sh.s
	now := pickedOf{s.Level(), s.LibraryCount(), s.ReadOnly(), s.Selection()}
	if ip.of.level == now.level && ip.of.library == now.library && ip.of.readOnly == now.readOnly && slices.Equal(ip.of.ids, now.ids) {
		return &ip.picked
	}
	if !slices.Equal(ip.of.ids, now.ids) {
		ip.angles = nil
	}
	now.ids = slices.Clone(now.ids)
	ip.of, ip.picked = now, picked{ids: now.ids, entities: s.Entities(), kinds: map[document.Kind]int{}, box: s.Scene().BoundsOf(now.ids...)}
	p := &ip.picked
	if why, own := s.Fixed(p.ids); why != nil {
		p.reason, p.own = capital(sentence(why)), own
	}
	properties := map[string]*common[string]{}
	for _, e := range p.entities {
		p.kinds[kindOf(e)]++
		p.name.add(e.Name)
		p.layer.add(e.Layer)
		p.parent.add(e.Parent)
		p.parented = p.parented || e.Parent != 0
		p.hidden.add(e.Hidden)
		p.locked.add(e.Locked)
		world, _ := now.level.World(e.ID)
		p.place.add(world.Col(3).Vec3())
		p.turn.add(ip.anglesOf(e))
		p.scale.add(e.Scale)
		for k, v := range e.Properties {
			if properties[k] == nil {
				properties[k] = new(common[string])
			}
			properties[k].add(v)
		}
		p.addData(ip, e)
	}
	for _, k := range slices.Sorted(maps.Keys(properties)) {
		c := properties[k]
		p.properties = append(p.properties, widgets.Property{Key: k, Value: c.value, Mixed: c.mixed || c.n < len(p.entities)})
	}
	return p
}

// addData takes in what only some kinds have.
func (p *picked) addData(ip *inspector, e *document.Entity) {
	switch d := e.Data.(type) {
	case document.Object:
		if d.Asset == "" {
			return
		}
		p.objects = append(p.objects, e.ID)
		p.billboards = append(p.billboards, e.ID)
		p.asset.add(d.Asset)
		p.geometry.add(d.Geometry)
		if d.Collision == "" {
			d.Collision = document.CollideMesh
		}
		p.collision.add(d.Collision)
		p.radius.add(d.CollisionRadius)
		p.billboard.add(d.Billboard)
		for _, slot := range ip.sh.s.Scene().Of(e.ID) {
			p.ball.add(ip.sh.s.Scene().Items()[slot].Radius)
		}
	case document.Scatter:
		p.scatters = append(p.scatters, e.ID)
		p.billboards = append(p.billboards, e.ID)
		p.billboard.add(d.Billboard)
	case document.Occluder, document.Cell, document.Portal:
		p.visible.add(ip.sh.s, e)
	case document.Marker:
		p.markers = append(p.markers, e.ID)
		p.shape.add(d.Shape)
		p.color.add(d.Color)
	}
}

// anglesOf are the angles of a thing in degrees about X, Y and Z. Those that were set
// here are told as they were set: there are several for each rotation.
func (ip *inspector) anglesOf(e *document.Entity) [3]float64 {
	if set, ok := ip.angles[e.ID]; ok && set.of == e.Rotation {
		return set.degrees
	}
	a := command.AnglesOf(e.Rotation)
	return [3]float64{degrees(a.Pitch), degrees(a.Yaw), degrees(a.Roll)}
}

// setAngles are angles that were set, and the rotation that they made.
type setAngles struct {
	of      mgl64.Quat
	degrees [3]float64
}

// title tells what is selected in a word or two.
func (p *picked) title() string {
	if len(p.entities) == 1 {
		return kindTitle(kindOf(p.entities[0]))
	}
	if len(p.kinds) == 1 {
		for k := range p.kinds {
			return countText(len(p.entities)) + " " + kindPlural(k)
		}
	}
	var parts []string
	for _, k := range slices.SortedFunc(maps.Keys(p.kinds), func(a, b document.Kind) int {
		if d := p.kinds[b] - p.kinds[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	}) {
		name := kindPlural(k)
		if p.kinds[k] == 1 {
			name = strings.ToLower(kindTitle(k))
		}
		parts = append(parts, countText(p.kinds[k])+" "+name)
	}
	return strings.Join(parts, ", ")
}
