package pack

import (
	"fmt"
	"math"
	"strings"

	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// Bounds of numbers in an index.
const (
	maxStride = 252
)

// The sizes of records of RIDGELINE_visibility, in bytes.
const (
	boxSize   = 48
	thingSize = 20
	rangeSize = 8
)

// typeSizes are those of a component, in bytes.
var typeSizes = map[string]int{"float32": 4, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "uint32": 4}

// check holds the index against what is there, and everything that refers to something
// against that.
func (p *Pack) check() error {
	x := &p.Index
	if x.Format != Format {
		return bad("format", fmt.Sprintf("%q", clip(x.Format)), fmt.Sprintf("%q", Format))
	}
	if x.Version < 1 || x.Version > Version {
		return bad("version", fmt.Sprint(x.Version), fmt.Sprintf("1 to %d", Version))
	}
	c := &checker{p: p, x: x}
	for _, step := range []func() error{
		c.files, c.frame, c.pictures, c.materials, c.formats, c.meshes, c.nodes, c.views, c.ground, c.visibility,
		func() error { return CheckBookmarks("bookmarks", x.Bookmarks) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func bad(place, found, want string) error {
	return &fault.Error{Place: place, Found: found, Want: want}
}

type checker struct {
	p *Pack
	x *Index
}

func (c *checker) files() error {
	c.p.sizes = make(map[string]int64, len(c.x.Files)+1)
	for i, f := range c.x.Files {
		place := fmt.Sprintf("files[%d]", i)
		if f.Name == IndexFile || c.p.sizes[f.Name] != 0 {
			return bad(place, fmt.Sprintf("%q", clip(f.Name)), "each file once, and not the index")
		}
		size, err := c.p.size(f.Name)
		if err != nil {
			return placed(place, err)
		}
		if f.Size < 1 || size != f.Size {
			return bad(place, fmt.Sprintf("%d bytes for %s", f.Size, clip(f.Name)), fmt.Sprintf("1 or more, and the %d that it has", size))
		}
		c.p.sizes[f.Name] = size
	}
	size, err := c.p.size(IndexFile)
	c.p.sizes[IndexFile] = size
	return err
}

// file checks that the pack has a file of some size; less than 0 is any.
func (c *checker) file(place, name string, size int64) error {
	found, ok := c.p.sizes[name]
	if !ok || name == IndexFile {
		return bad(place, fmt.Sprintf("%q", clip(name)), "one of files")
	}
	if size >= 0 && found != size {
		return bad(place, fmt.Sprintf("%s of %d bytes", clip(name), found), fmt.Sprint(size))
	}
	return nil
}

// within checks that count elements of stride bytes, the last one of size, lie in a file.
func (c *checker) within(place, name string, offset int64, count, stride, size int) error {
	if err := c.file(place, name, -1); err != nil {
		return err
	}
	has := c.p.sizes[name]
	if offset < 0 || offset%4 != 0 || count < 1 || offset > has || int64(size) > has-offset || int64(count-1) > (has-offset-int64(size))/int64(stride) {
		return bad(place, fmt.Sprintf("%d elements of %d bytes at %d", count, stride, offset), fmt.Sprintf("one or more at a multiple of 4, within the %d bytes of %s", has, clip(name)))
	}
	return nil
}

// records checks a range that has to have so many bytes.
func (c *checker) records(place string, r *Range, size int64) error {
	if r == nil {
		return bad(place, "nothing", fmt.Sprintf("%d bytes of a file", size))
	}
	if r.Size != size {
		return bad(place, fmt.Sprintf("%d bytes", r.Size), fmt.Sprint(size))
	}
	if err := c.file(place, r.File, -1); err != nil {
		return err
	}
	if has := c.p.sizes[r.File]; r.Offset < 0 || r.Offset%4 != 0 || r.Offset > has || size > has-r.Offset {
		return bad(place, fmt.Sprintf("%d bytes at %d", size, r.Offset), fmt.Sprintf("a multiple of 4, within the %d bytes of %s", has, clip(r.File)))
	}
	return nil
}

// of checks an index that may be left out.
func of(place string, index *int, n int) error {
	if index == nil {
		return nil
	}
	return one(place, *index, n)
}

func one(place string, index, n int) error {
	if index < 0 || index >= n {
		return bad(place, fmt.Sprint(index), fmt.Sprintf("one of %d", n))
	}
	return nil
}

func among(place, found string, words ...string) error {
	for _, w := range words {
		if found == w {
			return nil
		}
	}
	return bad(place, fmt.Sprintf("%q", clip(found)), fmt.Sprintf("one of %q", words))
}

func (c *checker) pictures() error {
	for i, p := range c.x.Pictures {
		if err := c.file(fmt.Sprintf("pictures[%d].file", i), p.File, -1); err != nil {
			return err
		}
	}
	for i, t := range c.x.Textures {
		place := fmt.Sprintf("textures[%d]", i)
		if err := one(place+".picture", t.Picture, len(c.x.Pictures)); err != nil {
			return err
		}
		for _, w := range t.Wrap {
			if err := among(place+".wrap", w, "repeat", "clamp", "mirror"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) formats() error {
	for i, f := range c.x.Formats {
		place := fmt.Sprintf("formats[%d]", i)
		if f.Stride < 4 || f.Stride > maxStride || f.Stride%4 != 0 {
			return bad(place+".stride", fmt.Sprint(f.Stride), fmt.Sprintf("a multiple of 4 up to %d", maxStride))
		}
		names := map[string]bool{}
		for k, a := range f.Attributes {
			place := fmt.Sprintf("%s.attributes[%d]", place, k)
			size := typeSizes[a.Type]
			switch {
			case size == 0 || a.Type == "uint32":
				return bad(place+".type", fmt.Sprintf("%q", clip(a.Type)), "float32, int8, uint8, int16 or uint16")
			case a.Components < 1 || a.Components > 4:
				return bad(place+".components", fmt.Sprint(a.Components), "1 to 4")
			case a.Offset < 0 || a.Offset%size != 0 || a.Offset > f.Stride-size*a.Components:
				return bad(place+".offset", fmt.Sprint(a.Offset), fmt.Sprintf("a multiple of %d, with %d bytes before %d", size, size*a.Components, f.Stride))
			case names[a.Name] || a.Name == "":
				return bad(place+".name", fmt.Sprintf("%q", clip(a.Name)), "each name once")
			case a.Normalized && a.Type == "float32":
				return bad(place+".normalized", "true", "false for float32")
			case !known(&a):
				return bad(place, fmt.Sprintf("%s of %d %s", clip(a.Name), a.Components, kindOf(&a)), "what export/FORMAT.md has for it")
			}
			names[a.Name] = true
		}
		if !names["POSITION"] {
			return bad(place, "no POSITION", "one")
		}
	}
	return nil
}

// known tells whether an attribute has the components of its name, and a type that stands
// for what it is. Names that this package does not know may have any.
func known(a *Attribute) bool {
	real, signed := a.Type == "float32", a.Type[0] == 'i'
	switch name, _, _ := strings.Cut(a.Name, "_"); name {
	case "POSITION":
		return a.Components == 3
	case "NORMAL":
		return a.Components == 3 && (real || signed && a.Normalized)
	case "TEXCOORD":
		return a.Components == 2
	case "COLOR":
		return a.Components >= 3 && (real || !signed && a.Normalized)
	}
	return true
}

func kindOf(a *Attribute) string {
	if a.Normalized {
		return "normalized " + a.Type
	}
	return a.Type
}

func (c *checker) meshes() error {
	x := c.x
	for i := range x.Meshes {
		m, place := &x.Meshes[i], fmt.Sprintf("meshes[%d]", i)
		if len(m.Primitives) == 0 {
			return bad(place+".primitives", "none", "one or more")
		}
		if !(m.Error >= 0) {
			return bad(place+".error", fmt.Sprint(m.Error), "0 or more")
		}
		for k := range m.Primitives {
			p, place := &m.Primitives[k], fmt.Sprintf("%s.primitives[%d]", place, k)
			if err := of(place+".material", p.Material, len(x.Materials)); err != nil {
				return err
			}
			v := &p.Vertices
			if err := one(place+".vertices.format", v.Format, len(x.Formats)); err != nil {
				return err
			}
			stride := x.Formats[v.Format].Stride
			if err := c.within(place+".vertices", v.File, v.Offset, v.Count, stride, stride); err != nil {
				return err
			}
			if err := among(place+".indices.type", p.Indices.Type, "uint16", "uint32"); err != nil {
				return err
			}
			size := typeSizes[p.Indices.Type]
			if err := c.within(place+".indices", p.Indices.File, p.Indices.Offset, p.Indices.Count, size, size); err != nil {
				return err
			}
			if p.Indices.Count%3 != 0 {
				return bad(place+".indices.count", fmt.Sprint(p.Indices.Count), "three a triangle")
			}
			for a := range p.Min {
				if !(p.Min[a] <= p.Max[a]) {
					return bad(place, fmt.Sprintf("min %v and max %v", p.Min, p.Max), "no minimum above its maximum")
				}
			}
		}
		for _, l := range m.LODs {
			if err := one(place+".lods", l.Mesh, len(x.Meshes)); err != nil {
				return err
			}
			if l.Mesh == i {
				return bad(place+".lods", "the mesh itself", "another mesh")
			}
			if !(l.Error >= 0) {
				return bad(place+".lods", fmt.Sprintf("the error %g", l.Error), "0 or more")
			}
		}
	}
	return nil
}

func (c *checker) nodes() error {
	x := c.x
	for i := range x.Nodes {
		n, place := &x.Nodes[i], fmt.Sprintf("nodes[%d]", i)
		if err := of(place+".parent", n.Parent, len(x.Nodes)); err != nil {
			return err
		}
		if err := of(place+".mesh", n.Mesh, len(x.Meshes)); err != nil {
			return err
		}
		if q := n.Rotation; q != nil {
			if l := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]); !(math.Abs(l-1) <= 1e-3) {
				return bad(place+".rotation", fmt.Sprintf("%v of the length %g", *q, l), "a quaternion of the length 1")
			}
		}
		if s := n.Instances; s != nil {
			if n.Mesh == nil {
				return bad(place+".instances", "instances of no mesh", "a mesh")
			}
			if s.Count < 1 || s.Count > math.MaxInt32 || s.Translation == nil && s.Rotation == nil && s.Scale == nil {
				return bad(place+".instances", fmt.Sprintf("%d places", s.Count), "one or more, and where they are")
			}
			for k, r := range [3]*Range{s.Translation, s.Rotation, s.Scale} {
				if r == nil {
					continue
				}
				size := [3]int64{12, 16, 12}[k]
				if err := c.records(place+".instances."+[3]string{"translation", "rotation", "scale"}[k], r, size*int64(s.Count)); err != nil {
					return err
				}
			}
		}
	}
	if i := circle(x.Nodes); i >= 0 {
		return bad(fmt.Sprintf("nodes[%d].parent", i), "a node below itself", "trees")
	}
	return nil
}

// circle gives a node that stands below itself; −1 if none does.
func circle(nodes []Node) int {
	const unseen, above, done = 0, 1, 2
	state := make([]uint8, len(nodes))
	for i := range nodes {
		var path []int
		at := i
		for state[at] == unseen {
			state[at] = above
			path = append(path, at)
			if nodes[at].Parent == nil {
				break
			}
			if at = *nodes[at].Parent; state[at] == above {
				return at
			}
		}
		for _, k := range path {
			state[k] = done
		}
	}
	return -1
}

func (c *checker) ground() error {
	g := c.x.Ground
	if g == nil {
		return nil
	}
	if err := terrain.CheckSize(g.Columns, g.Rows); err != nil {
		return placed("ground", err)
	}
	if err := terrain.CheckSpacing(g.Spacing); err != nil {
		return placed("ground.spacing", err)
	}
	if err := terrain.CheckOrigin(g.Origin[0], g.Origin[1]); err != nil {
		return placed("ground.origin", err)
	}
	if err := of("ground.node", g.Node, len(c.x.Nodes)); err != nil {
		return err
	}
	samples := int64(g.Columns) * int64(g.Rows)
	if h := g.Heights; h != nil {
		size := int64(typeSizes[h.Type])
		if err := among("ground.heights.type", h.Type, "float32", "uint16"); err != nil {
			return err
		}
		if err := c.file("ground.heights.file", h.File, size*samples); err != nil {
			return err
		}
		if h.Type == "uint16" && !scaled(h.Scale, h.Offset, math.MaxUint16) {
			return bad("ground.heights", fmt.Sprintf("the scale %g and the offset %g", h.Scale, h.Offset), fmt.Sprintf("a scale over 0 and heights within ±%g", float64(terrain.MaxHeight)))
		}
	}
	if err := c.file("ground.points.file", g.Points.File, PointSize*samples); err != nil {
		return err
	}
	if !scaled(g.Points.Scale, g.Points.Offset, math.MaxUint8) {
		return bad("ground.points", fmt.Sprintf("the scale %g and the offset %g", g.Points.Scale, g.Points.Offset), fmt.Sprintf("a scale over 0 and heights within ±%g", float64(terrain.MaxHeight)))
	}
	if g.Holes != "" {
		if err := c.file("ground.holes", g.Holes, -1); err != nil {
			return err
		}
	}
	if err := heightRange(g); err != nil {
		return err
	}
	return c.groundLayers(g.Layers)
}

// scaled tells whether integers up to most stand for heights. The highest may be rounded
// up by less than a step.
func scaled(scale, offset float64, most float64) bool {
	return scale > 0 && offset >= -terrain.MaxHeight && offset+(most-1)*scale <= terrain.MaxHeight
}

func (c *checker) visibility() error {
	v := c.x.Visibility
	if v == nil {
		return nil
	}
	chunks := 0
	if g := c.x.Ground; g != nil {
		n := func(samples int) int { return (samples - 2 + terrain.TileSize) / terrain.TileSize }
		cols, rows := n(g.Columns), n(g.Rows)
		chunks = cols * rows
		ranges := cols * rows
		for cols > 1 || rows > 1 {
			cols, rows = (cols+1)/2, (rows+1)/2
			ranges += cols * rows
		}
		if v.Pyramid != nil {
			if err := c.records("visibility.pyramid", v.Pyramid, int64(ranges)*rangeSize); err != nil {
				return err
			}
		}
	} else if v.Pyramid != nil {
		return bad("visibility.pyramid", "ranges of heights", "none without ground")
	} else if v.Off != 0 {
		return bad("visibility.off", fmt.Sprint(v.Off), "none without ground")
	}
	if !(v.Off >= 0 && v.Off <= terrain.MaxHeight) {
		return bad("visibility.off", fmt.Sprint(v.Off), "a distance in metres")
	}
	if v.Entries.Count < chunks || v.Entries.Count > math.MaxInt32 {
		return bad("visibility.entries.count", fmt.Sprint(v.Entries.Count), fmt.Sprintf("%d, one a chunk, or more", chunks))
	}
	if v.Entries.Count > 0 {
		if err := c.records("visibility.entries.boxes", v.Entries.Boxes, int64(v.Entries.Count)*boxSize); err != nil {
			return err
		}
	}
	if things := v.Entries.Count - chunks; things > 0 {
		if err := c.records("visibility.entries.things", v.Entries.Things, int64(things)*thingSize); err != nil {
			return err
		}
	}
	if err := c.file("visibility.occluders", v.Occluders, -1); err != nil {
		return err
	}
	return c.file("visibility.portals", v.Portals, -1)
}
