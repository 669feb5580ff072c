package glb

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/qmuntal/gltf"

	"ridgeline/document"
	"ridgeline/export/visibility"
)

// plan is the result of the first pass: all of the file but the binary part.
type plan struct {
	doc   gltf.Document // without nodes
	nodes nodeList
	size  int64 // of the binary part
	// apart is whether pictures and the binary part are files of their own, the latter
	// in pieces of at most pieceLimit bytes or one view.
	apart      bool
	pieceLimit int64
	pieces     []int64 // where they begin
	// named is whether pieces and pictures have names of their own, see WriteParts.
	named      bool
	pieceNames []string
	nextPiece  string // the name of the piece that begins with the next view
	groundNode int    // none without ground
	apartBytes int64  // of pictures
	stats      Stats

	pictures       pictures
	samplers       map[samplerKey]int
	textures       map[textureKey]int
	groundPictures []pictureOf // written before the chunks
	baked          map[int]int // images written with chunks, by chunk
	models         []modelPlan // written after them
	options        Options
	tail           [][]byte // written after the models
	places         map[document.ID]place
	points         map[document.ID][]place // of scatters
	shapes         shapes
	payloads       []visibility.Payload // written last
}

func newPlan(o Options, keep keep) *plan {
	return &plan{
		options: o,
		apart:   keep.apart, pieceLimit: keep.pieceLimit,
		named: keep.named, groundNode: none, nodes: nodeList{keep: keep.named},
		places: map[document.ID]place{},
		points: map[document.ID][]place{},
		doc: gltf.Document{
			Asset:  gltf.Asset{Version: "2.0", Generator: "Ridgeline"},
			Scene:  gltf.Index(0),
			Scenes: []*gltf.Scene{{}},
		},
		pictures: pictures{byHash: map[[sha256.Size]byte]int{}, kept: map[int][]byte{}, limit: keep.pictures},
		samplers: map[samplerKey]int{},
		textures: map[textureKey]int{},
		shapes:   shapes{},
	}
}

// measure goes through all of the scene once.
func measure(ctx context.Context, s *Scene, shelf *shelf, keep keep, progress *meter) (*plan, ground, error) {
	var g ground
	chosen, err := choose(s.Level, s.Options.Only)
	if err != nil {
		return nil, g, err
	}
	list := order(s.Level, &chosen)
	if !chosen.all && len(list) == 0 {
		return nil, g, fmt.Errorf("nothing is chosen, so there is nothing to export")
	}
	uses := usesOf(list)
	p := newPlan(s.Options, keep)
	if chosen.all && s.Level.HasTerrain() {
		if g, err = s.ground(); err != nil {
			return nil, g, err
		}
	}
	progress.steps = 2 * (g.chunks() + modelSteps*len(uses.names))
	if g.field != nil {
		if g.bake > 0 {
			p.baked = map[int]int{}
			g.repaint = func(chunk int) bool {
				image, ok := p.baked[chunk]
				_, kept := p.pictures.kept[image]
				return ok && !kept && !p.named // those are written before
			}
		}
		if err := p.measureGround(ctx, g, progress); err != nil {
			return nil, g, err
		}
		if p.stats.Chunks == 0 && !p.named {
			// Textures that nothing shows would be left over.
			p, g = newPlan(s.Options, keep), ground{}
		}
	}
	meshes, err := p.measureModels(ctx, s.Level, uses, shelf, progress)
	if err != nil {
		return nil, g, err
	}
	if err := p.addEntities(ctx, list, meshes); err != nil {
		return nil, g, err
	}
	if s.Options.Sun {
		p.addSun(&s.Level.Settings.Sun)
	}
	if s.Options.Cameras {
		p.addCameraNodes(&s.Level.Settings)
	}
	p.addCameras(s.Level)
	if chosen.all && !s.Options.NoVisibility {
		if err := p.addVisibility(ctx, s.Level, &s.Options, g.rounding()); err != nil {
			return nil, g, err
		}
	}
	p.addRoot()
	for i, from := range p.pieces {
		end := p.size
		if i+1 < len(p.pieces) {
			end = p.pieces[i+1]
		}
		p.doc.Buffers = append(p.doc.Buffers, &gltf.Buffer{ByteLength: int(end - from)})
	}
	return p, g, nil
}

// meter tells how far the export is: steps are counted over both passes.
type meter struct {
	tell        func(float64)
	done, steps int
}

func (m *meter) add(n int) {
	m.done += n
	if m.tell != nil {
		m.tell(min(1, float64(m.done)/float64(max(m.steps, 1))))
	}
}

// begin lets the next view begin a piece of a name, where pieces have names.
func (p *plan) begin(name string) {
	if p.named {
		p.nextPiece = name
	}
}

func (p *plan) addView(size, stride int, target gltf.Target) int {
	from := int64(0)
	if n := len(p.pieces); n > 0 {
		from = p.pieces[n-1]
	}
	if len(p.pieces) == 0 || p.nextPiece != "" || p.apart && p.size > from && p.size+padded(size)-from > p.pieceLimit {
		from = p.size
		p.pieces = append(p.pieces, from)
		p.pieceNames = append(p.pieceNames, p.nextPiece)
		p.nextPiece = ""
	}
	p.doc.BufferViews = append(p.doc.BufferViews, &gltf.BufferView{
		Buffer: len(p.pieces) - 1, ByteOffset: int(p.size - from), ByteLength: size, ByteStride: stride, Target: target,
	})
	p.size += padded(size)
	return len(p.doc.BufferViews) - 1
}

// interleaved adds the accessors of one view of vertices.
type interleaved struct {
	p                   *plan
	view, count, offset int
}

func (p *plan) attributes(size, count, stride int) *interleaved {
	return &interleaved{p: p, view: p.addView(size, stride, gltf.TargetArrayBuffer), count: count}
}

// add gives the accessor of the next attribute. Integers are normalized.
func (a *interleaved) add(c gltf.ComponentType, t gltf.AccessorType) int {
	a.p.doc.Accessors = append(a.p.doc.Accessors, &gltf.Accessor{
		BufferView: gltf.Index(a.view), ByteOffset: a.offset, Count: a.count,
		ComponentType: c, Type: t, Normalized: c != gltf.ComponentFloat,
	})
	a.offset += gltf.SizeOfElement(c, t) // up to a multiple of four bytes
	return len(a.p.doc.Accessors) - 1
}

// primitive adds the indices of a primitive, so many bytes of them.
func (p *plan) primitive(attributes gltf.PrimitiveAttributes, indices int, c gltf.ComponentType, vertices, material int) *gltf.Primitive {
	count := indices / c.ByteSize()
	p.doc.Accessors = append(p.doc.Accessors, &gltf.Accessor{
		BufferView:    gltf.Index(p.addView(indices, 0, gltf.TargetElementArrayBuffer)),
		ComponentType: c, Type: gltf.AccessorScalar, Count: count,
	})
	p.stats.Primitives++
	p.stats.Vertices += vertices
	p.stats.Tris += count / 3
	return &gltf.Primitive{
		Attributes: attributes,
		Indices:    gltf.Index(len(p.doc.Accessors) - 1),
		Material:   gltf.Index(material),
	}
}

func doubles(v [3]float32) []float64 {
	return []float64{float64(v[0]), float64(v[1]), float64(v[2])}
}
