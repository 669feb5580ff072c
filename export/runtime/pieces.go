package runtime

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/export/visibility"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/occluders/nodetree"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// piece is something that is drawn at once: a node's mesh, or one of its instances.
type piece struct {
	node, instance int32 // instance is −1 where the node has none
	box            geom.Box
	stretch        float64 // by how much its matrix lengthens things at most
}

// world is the piece's matrix to the level's frame.
func (l *Level) world(p *piece) mgl64.Mat4 {
	n := &l.Nodes[p.node]
	if p.instance < 0 {
		return n.World
	}
	return n.World.Mul4(n.Instances[p.instance])
}

// prepare lists what is drawn and which entry shows it, and makes the scene that is
// culled.
func (l *Level) prepare() error {
	first := make([]int32, len(l.Nodes)+1) // of a node's pieces
	visible := shown(l.file.doc)
	for i := range l.Nodes {
		first[i] = int32(len(l.pieces))
		n := &l.Nodes[i]
		if !visible[i] || n.Mesh < 0 {
			continue
		}
		for k := range max(1, len(n.Instances)) {
			p := piece{node: int32(i), instance: int32(k)}
			if n.Instances == nil {
				p.instance = -1
			}
			w := l.world(&p)
			p.box = l.Meshes[n.Mesh].Bounds.Transform(w)
			p.stretch = max(w.Col(0).Vec3().Len(), w.Col(1).Vec3().Len(), w.Col(2).Vec3().Len())
			l.pieces = append(l.pieces, p)
		}
	}
	first[len(l.Nodes)] = int32(len(l.pieces))
	if l.Visibility == nil {
		boxes := make([]geom.Box, len(l.pieces))
		l.shows = make([][]int32, len(l.pieces))
		for i := range boxes {
			boxes[i], l.shows[i] = l.pieces[i].box, []int32{int32(i)}
		}
		l.scene.Store(&cull.Scene{Tree: nodetree.Build(boxes, nodetree.Options{})})
		return nil
	}
	s, err := l.Visibility.Scene()
	if err != nil {
		return placed(visibility.Extension, err)
	}
	l.scene.Store(s)
	l.shows = make([][]int32, s.Tree.Len())
	taken := make([]bool, len(l.pieces))
	show := func(entry int, piece int32) {
		l.shows[entry] = append(l.shows[entry], piece)
		taken[piece] = true
	}
	if err := l.showGround(first, show); err != nil {
		return err
	}
	chunks := l.Visibility.Chunks()
	whole := make([]bool, len(l.Nodes)) // nodes that a thing has for itself
	for i, t := range l.Visibility.Things {
		if t.Node < 0 {
			continue
		}
		if t.Instance < 0 {
			// Else every thing could show every mesh.
			if whole[t.Node] {
				return &fault.Error{Place: fmt.Sprintf("%s.entries.things[%d]", visibility.Extension, i), Found: fmt.Sprintf("node %d, which another thing has", t.Node), Want: "a node for each thing, or an instance of one"}
			}
			whole[t.Node] = true
		}
		if n := int32(len(l.Nodes[t.Node].Instances)); t.Instance >= n {
			return &fault.Error{Place: fmt.Sprintf("%s.entries.things[%d]", visibility.Extension, i), Found: fmt.Sprintf("instance %d of node %d", t.Instance, t.Node), Want: fmt.Sprintf("one of %d", n)}
		}
		if at := first[t.Node] + t.Instance; t.Instance >= 0 && at < first[t.Node+1] && taken[at] {
			return &fault.Error{Place: fmt.Sprintf("%s.entries.things[%d]", visibility.Extension, i), Found: fmt.Sprintf("instance %d of node %d, which another thing has", t.Instance, t.Node), Want: "an instance for each thing"}
		}
		l.showThing(chunks+i, int(t.Node), t.Instance, first, show)
	}
	for i, t := range taken {
		if !t {
			l.loose = append(l.loose, int32(i))
		}
	}
	return nil
}

// showThing lists what is drawn of a thing: the mesh of its node, or one of its
// instances; else those of the nodes right below that have no name, which stand for the
// node's own mesh.
func (l *Level) showThing(entry, node int, instance int32, first []int32, show func(int, int32)) {
	n, end := first[node], first[node+1]
	switch {
	case instance >= 0:
		if n+instance < end {
			show(entry, n+instance)
		}
		return
	case n < end:
		for ; n < end; n++ {
			show(entry, n)
		}
		return
	}
	for _, c := range l.file.doc.Nodes[node].Children {
		if l.Nodes[c].Name == "" {
			for p := first[c]; p < first[c+1]; p++ {
				show(entry, p)
			}
		}
	}
}

// mostChunks is how many chunks of the visibility a mesh of the ground may be long and
// wide; those that are written have two at most.
const mostChunks = 4

// showGround lists the meshes of the ground with every chunk that they have a part of.
func (l *Level) showGround(first []int32, show func(int, int32)) error {
	g := l.Visibility.Ground
	if g == nil || g.Node < 0 {
		return nil
	}
	cols, rows := l.Visibility.ChunkGrid()
	size := terrain.TileSize * g.Spacing
	span := func(lo, hi, origin float64, n int) (from, to int) { // a chunk that is only touched does not count
		const touch = 1.0 / 256
		from = int(math.Floor((lo-origin)/size + touch))
		to = int(math.Ceil((hi-origin)/size - touch))
		return min(max(from, 0), n), min(max(to, from+1), n)
	}
	stack := []int{g.Node}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], l.file.doc.Nodes[i].Children...)
		for p := first[i]; p < first[i+1]; p++ {
			b := l.pieces[p].box
			x0, x1 := span(b.Min[0], b.Max[0], g.Origin[0], cols)
			z0, z1 := span(b.Min[2], b.Max[2], g.Origin[1], rows)
			if x1-x0 > mostChunks || z1-z0 > mostChunks {
				return &fault.Error{Place: fmt.Sprintf("nodes[%d]", i), Found: fmt.Sprintf("a mesh of the ground over %d×%d chunks", x1-x0, z1-z0), Want: fmt.Sprintf("at most %d×%d", mostChunks, mostChunks)}
			}
			for z := z0; z < z1; z++ {
				for x := x0; x < x1; x++ {
					show(z*cols+x, p)
				}
			}
		}
	}
	return nil
}
