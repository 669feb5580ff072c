package document

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/terrain"
)

// Level is everything that is edited and saved. It never changes once another can
// see it; a changed level is a new one that shares what is the same. Build one with
// NewLevel or WithEntities, change it through a Document.
type Level struct {
	Terrain  *terrain.Field
	Layers   []Layer // what the splats of the terrain index, at most MaxLayers
	Assets   []Asset // what objects show, ascending by name
	Settings Settings
	NextID   ID // above every id that the level ever used

	Extra        Extra // unknown keys of the whole
	TerrainExtra Extra // unknown keys of the terrain

	entities trie[*Entity]
	children trie[trie[struct{}]]
}

// MaxLayers is the number of layers that a splat can tell apart.
const MaxLayers = 256

// Layer is a ground texture.
type Layer struct {
	Name    string
	Texture string  // "builtin:grass", or "asset:<hash>.<ext>" for a file of the level
	UVScale float64 // metres that one repeat of the texture covers, above 0
	// Tint is multiplied with the texture, linear, each 0–1. The zero value stands
	// for white.
	Tint  mgl64.Vec3
	Extra Extra
}

// Builtins are the textures that come with the editor, without their prefix.
var Builtins = []string{"grass", "dirt", "sand", "rock", "gravel", "snow", "forest", "mud"}

// The prefixes of Layer.Texture.
const (
	BuiltinPrefix = "builtin:"
	AssetPrefix   = "asset:"
)

// Validate tells what is wrong with the layer.
func (l *Layer) Validate() error {
	rest, builtin := strings.CutPrefix(l.Texture, BuiltinPrefix)
	asset, isAsset := strings.CutPrefix(l.Texture, AssetPrefix)
	t := l.tint()
	switch {
	case l.Name == "":
		return fmt.Errorf("a layer has no name")
	case !utf8.ValidString(l.Name) || !utf8.ValidString(l.Texture):
		return fmt.Errorf("layer %q: the name or texture is not valid UTF-8", l.Name)
	case builtin && rest == "", isAsset && asset == "", !builtin && !isAsset:
		return fmt.Errorf("layer %q: the texture is %q, expected %sNAME or %sFILE", l.Name, l.Texture, BuiltinPrefix, AssetPrefix)
	case !(l.UVScale > 0) || !finite(l.UVScale):
		return fmt.Errorf("layer %q: one repeat of the texture covers %g m, expected more than 0", l.Name, l.UVScale)
	case !(min(t[0], t[1], t[2]) >= 0 && max(t[0], t[1], t[2]) <= 1):
		return fmt.Errorf("layer %q: the tint %v is out of range, expected 0 to 1", l.Name, l.Tint)
	}
	return nil
}

// white is the tint of a layer that has none.
var white = mgl64.Vec3{1, 1, 1}

func (l *Layer) tint() mgl64.Vec3 {
	if l.Tint == (mgl64.Vec3{}) {
		return white
	}
	return l.Tint
}

// normal gives the layer in the one form that a level holds.
func (l Layer) normal() Layer {
	l.Tint = l.tint()
	if len(l.Extra) == 0 {
		l.Extra = nil
	}
	return l
}

// DefaultLayers is what a new level starts with.
func DefaultLayers() []Layer {
	return []Layer{
		{Name: "Grass", Texture: "builtin:grass", UVScale: 4, Tint: white},
		{Name: "Rock", Texture: "builtin:rock", UVScale: 8, Tint: white},
		{Name: "Dirt", Texture: "builtin:dirt", UVScale: 4, Tint: white},
		{Name: "Snow", Texture: "builtin:snow", UVScale: 6, Tint: white},
	}
}

// NewLevel is a level with the given ground, the default layers, a default sun,
// a camera that sees the whole, and nothing else. Where samples are more than a
// metre apart, textures are as much larger: such ground is seen from farther away.
func NewLevel(f *terrain.Field) *Level {
	layers := DefaultLayers()
	for i := range layers {
		layers[i].UVScale *= max(1, f.Spacing())
	}
	return &Level{
		Terrain:  f,
		Layers:   layers,
		Settings: Settings{Sun: DefaultSun(), Camera: overview(f)},
		NextID:   1,
	}
}

// overview looks at the middle of the field from the south, half as high as the
// field is wide.
func overview(f *terrain.Field) Camera {
	ox, oz := f.Origin()
	w, d := f.Extent()
	lo, hi := f.MinMax()
	middle := mgl64.Vec3{ox + w/2, float64(lo+hi) / 2, oz + d/2}
	size := max(w, d)
	return Camera{Eye: middle.Add(mgl64.Vec3{0, size/2 + float64(hi-lo)/2, size * 0.9}), Look: middle}
}

// Entity finds an entity.
func (l *Level) Entity(id ID) (*Entity, bool) { return l.entities.get(id) }

// Len is the number of entities.
func (l *Level) Len() int { return l.entities.len() }

// Entities walks all entities in ascending order of id.
func (l *Level) Entities() iter.Seq[*Entity] {
	return func(yield func(*Entity) bool) {
		for _, e := range l.entities.all() {
			if !yield(e) {
				return
			}
		}
	}
}

// Children walks the entities whose parent is id, in ascending order of id.
func (l *Level) Children(id ID) iter.Seq[*Entity] {
	return func(yield func(*Entity) bool) {
		set, _ := l.children.get(id)
		for c := range set.all() {
			if e, ok := l.entities.get(c); ok && !yield(e) {
				return
			}
		}
	}
}

// World is the matrix from the entity's own space to the world.
func (l *Level) World(id ID) (m mgl64.Mat4, ok bool) {
	e, ok := l.entities.get(id)
	if !ok {
		return mgl64.Ident4(), false
	}
	m = e.Local()
	for e.Parent != 0 {
		if e, ok = l.entities.get(e.Parent); !ok {
			break
		}
		m = e.Local().Mul4(m)
	}
	return m, true
}

// put adds or replaces an entity in a level that nobody else sees yet.
func (l *Level) put(e *Entity) {
	if old, ok := l.entities.get(e.ID); ok {
		if old.Parent != e.Parent {
			l.orphan(old)
			l.adopt(e)
		}
	} else {
		l.adopt(e)
	}
	l.entities = l.entities.set(e.ID, e)
	l.NextID = max(l.NextID, e.ID+1)
}

// drop removes an entity from a level that nobody else sees yet.
func (l *Level) drop(id ID) {
	if e, ok := l.entities.get(id); ok {
		l.orphan(e)
		l.entities = l.entities.without(id)
	}
}

func (l *Level) adopt(e *Entity) {
	if e.Parent != 0 {
		set, _ := l.children.get(e.Parent)
		l.children = l.children.set(e.Parent, set.set(e.ID, struct{}{}))
	}
}

func (l *Level) orphan(e *Entity) {
	if e.Parent == 0 {
		return
	}
	set, _ := l.children.get(e.Parent)
	if set = set.without(e.ID); set.len() == 0 {
		l.children = l.children.without(e.Parent)
	} else {
		l.children = l.children.set(e.Parent, set)
	}
}

// WithEntities gives a level that has these entities instead of its own. The
// first that is invalid, or whose id repeats, is an error.
func (l *Level) WithEntities(list []Entity) (*Level, error) {
	c := *l
	c.entities, c.children = trie[*Entity]{}, trie[trie[struct{}]]{}
	for i := range list {
		e := &list[i]
		if err := e.Validate(); err != nil {
			return nil, err
		}
		if _, ok := c.entities.get(e.ID); ok {
			return nil, fmt.Errorf("entity %d: the id repeats", e.ID)
		}
		c.put(e.normal())
	}
	if err := c.checkParents(); err != nil {
		return nil, err
	}
	return &c, nil
}

// checkParents is checkParent for all entities, walking each edge once.
func (l *Level) checkParents() error {
	const onPath = -1
	depth := make(map[ID]int) // of entities that have a parent
	var path []ID
	for e := range l.Entities() {
		path = path[:0]
		at := e
		for at.Parent != 0 && depth[at.ID] == 0 {
			depth[at.ID] = onPath
			path = append(path, at.ID)
			p, ok := l.entities.get(at.Parent)
			if !ok {
				return fmt.Errorf("entity %d: its parent %d does not exist", at.ID, at.Parent)
			}
			at = p
		}
		d := depth[at.ID]
		if d == onPath {
			return fmt.Errorf("entity %d: it is its own ancestor", at.ID)
		}
		for _, id := range slices.Backward(path) {
			d++
			if d > MaxDepth {
				return tooDeep(id)
			}
			depth[id] = d
		}
	}
	return nil
}

func tooDeep(id ID) error {
	return fmt.Errorf("entity %d: it stands below more than %d others", id, MaxDepth)
}

// checkParent tells whether e's parent is missing or e its own ancestor, and gives
// the number of those that e stands below.
func (l *Level) checkParent(e *Entity) (depth int, err error) {
	for at := e; at.Parent != 0; depth++ {
		p, ok := l.entities.get(at.Parent)
		if !ok {
			return 0, fmt.Errorf("entity %d: its parent %d does not exist", at.ID, at.Parent)
		}
		if p.ID == e.ID || depth > l.entities.len() {
			return 0, fmt.Errorf("entity %d: it is its own ancestor", e.ID)
		}
		at = p
	}
	if depth > MaxDepth {
		return 0, tooDeep(e.ID)
	}
	return depth, nil
}

// checkDepth tells whether anything below e, which stands below depth others, stands
// too deep.
func (l *Level) checkDepth(e *Entity, depth int) error {
	type entry struct {
		id    ID
		depth int
	}
	todo := []entry{{e.ID, depth}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at.depth > MaxDepth {
			return tooDeep(at.id)
		}
		set, _ := l.children.get(at.id)
		for c := range set.all() {
			todo = append(todo, entry{c, at.depth + 1})
		}
	}
	return nil
}

// Validate tells what is wrong with the level. It reads every sample that is not
// untouched ground.
func (l *Level) Validate() error {
	if l.Terrain == nil {
		return fmt.Errorf("the level has no terrain")
	}
	if err := terrain.CheckOrigin(l.Terrain.Origin()); err != nil {
		return err
	}
	if err := checkLayers(l.Layers); err != nil {
		return err
	}
	if err := checkAssets(l.Assets); err != nil {
		return err
	}
	if err := l.Settings.Validate(); err != nil {
		return err
	}
	for e := range l.Entities() {
		if err := e.Validate(); err != nil {
			return err
		}
		if e.ID >= l.NextID {
			return fmt.Errorf("the next id is %d, expected one above %d", l.NextID, e.ID)
		}
	}
	if err := l.checkParents(); err != nil {
		return err
	}
	w, h := l.Terrain.TileGrid()
	for y := range h {
		for x := range w {
			if err := checkTile(l.Terrain, x, y, terrain.AllPlanes&^l.Terrain.Tile(x, y).Blank(), len(l.Layers)); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkLayers(layers []Layer) error {
	if len(layers) == 0 || len(layers) > MaxLayers {
		return fmt.Errorf("the level has %d layers, expected 1 to %d", len(layers), MaxLayers)
	}
	for i := range layers {
		if err := layers[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}

// checkTile tells whether a tile has a height that is no number or too large, or
// a splat that names a layer that does not exist.
func checkTile(f *terrain.Field, tx, ty int, planes terrain.Planes, layers int) error {
	t, r := f.Tile(tx, ty), f.TileRect(tx, ty)
	if planes&terrain.PlaneHeights != 0 {
		for row := range r.Dy() {
			for col, v := range t.Heights[row*terrain.TileSize:][:r.Dx()] {
				if !(v >= -terrain.MaxHeight && v <= terrain.MaxHeight) {
					return fmt.Errorf("the height at column %d, row %d is %g, expected a number between %g and %g",
						r.Min.X+col, r.Min.Y+row, v, -terrain.MaxHeight, terrain.MaxHeight)
				}
			}
		}
	}
	if planes&terrain.PlaneSplats != 0 {
		for row := range r.Dy() {
			for col, s := range t.Splats[row*terrain.TileSize:][:r.Dx()] {
				if n := int(max(s.Base, s.Over, s.Third)); n >= layers {
					return fmt.Errorf("the splat at column %d, row %d names layer %d, expected 0 to %d",
						r.Min.X+col, r.Min.Y+row, n, layers-1)
				}
			}
		}
	}
	return nil
}

// normalLayers copies layers into the form that a level holds.
func normalLayers(layers []Layer) []Layer {
	out := slices.Clone(layers)
	for i := range out {
		out[i] = out[i].normal()
	}
	return out
}
