package glb

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/url"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/export/visibility"
)

// Parts takes the files of a level that is written in parts. One is closed before the
// next begins.
type Parts interface {
	Create(name string) (io.WriteCloser, error)
}

// Contents is what a level is made of, where its parts are written: for what writes
// levels in another form.
type Contents struct {
	// Doc has meshes, materials, pictures and cameras. The URIs of buffers and images are
	// the names of files. It has no nodes and no visibility.
	Doc        *gltf.Document
	Nodes      []Node
	Root       int             // the node that turns or scales the level; visibility.None for none
	Ground     int             // the node of the ground; visibility.None for none
	Visibility json.RawMessage // without heights and holes; nil for none
	Stats      Stats
}

// Node is a node of the level.
type Node struct {
	Name        string
	Parent      int // visibility.None at the top
	Mesh        int // index of Doc.Meshes; visibility.None for none
	Camera      int // index of Doc.Cameras; visibility.None for none
	Translation mgl64.Vec3
	Rotation    mgl64.Quat
	Scale       mgl64.Vec3
	Instances   map[string]int  // accessors of EXT_mesh_gpu_instancing; nil for none
	Light       bool            // it has the sun
	Extras      json.RawMessage // nil for none
}

// WriteParts writes the parts of a scene and tells what they are: vertices and indices of
// the ground in meshes/ground.bin, those of a model in meshes/NNNN.bin, pictures in
// textures/NNNN.png or .jpg, the places of instances in instances.bin and what Visibility
// refers to in visibility.bin, as far as there are any. Heights and holes are left to the
// caller. A level without anything is no error. Otherwise it is as Write.
func WriteParts(ctx context.Context, parts Parts, s Scene, progress func(done float64)) (*Contents, error) {
	return writeParts(ctx, parts, s, progress, usual)
}

func writeParts(ctx context.Context, parts Parts, s Scene, progress func(done float64), keep keep) (*Contents, error) {
	keep.apart, keep.named, keep.pieceLimit = true, true, math.MaxInt64
	f, err := begin(ctx, &s, progress, keep)
	if err != nil {
		return nil, err
	}
	p := f.plan
	files := namedFiles{parts}
	pieces := &pieceWriter{plan: p, files: files}
	out := &sink{w: bufio.NewWriterSize(pieces, 1<<20)}
	if err := p.writeBinary(ctx, out, files, &f); err != nil {
		return nil, err
	}
	if err := out.w.Flush(); err != nil {
		return nil, err
	}
	if out.n != p.size {
		return nil, errChanged
	}
	p.stats.Bytes = p.size + p.apartBytes
	return p.contents()
}

// contents takes what the plan has apart.
func (p *plan) contents() (c *Contents, err error) {
	c = &Contents{Doc: &p.doc, Root: visibility.None, Ground: p.groundNode, Stats: p.stats}
	if value, ok := p.doc.Extensions[visibility.Extension]; ok {
		c.Visibility = value.(json.RawMessage)
		delete(p.doc.Extensions, visibility.Extension)
	}
	if p.turned() {
		c.Root = p.nodes.n - 1
	}
	c.Nodes = make([]Node, len(p.nodes.kept))
	for i := range c.Nodes {
		c.Nodes[i].Parent = visibility.None
	}
	for i := range p.nodes.kept {
		n, to := &p.nodes.kept[i], &c.Nodes[i]
		to.Name, to.Mesh, to.Camera, to.Extras = n.name, n.mesh, n.camera, n.extras
		to.Translation, to.Rotation, to.Scale = n.translation, n.rotation, n.scale
		for _, k := range n.children {
			c.Nodes[k].Parent = i
		}
		if len(n.extensions) == 0 {
			continue
		}
		var value struct {
			Instancing struct {
				Attributes map[string]int `json:"attributes"`
			} `json:"EXT_mesh_gpu_instancing"`
			Lights *struct{} `json:"KHR_lights_punctual"`
		}
		if err := json.Unmarshal(n.extensions, &value); err != nil {
			return nil, err
		}
		to.Instances, to.Light = value.Instancing.Attributes, value.Lights != nil
	}
	for _, b := range p.doc.Buffers {
		if b.URI, err = url.PathUnescape(b.URI); err != nil {
			return nil, err
		}
	}
	for _, i := range p.doc.Images {
		if i.URI, err = url.PathUnescape(i.URI); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// writeBaked writes the baked textures of chunks that are not written with them.
func (p *plan) writeBaked(ctx context.Context, out *sink, files Files, g *ground) error {
	for _, chunk := range slices.Sorted(maps.Keys(p.baked)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		of := pictureOf{image: p.baked[chunk]}
		if _, kept := p.pictures.kept[of.image]; !kept {
			cols, _ := g.grid()
			of.pixels = g.baker.paint(chunk%cols, chunk/cols)
		}
		if err := p.writePicture(out, files, of); err != nil {
			return err
		}
	}
	return nil
}

// pictureFile is the name of a picture's file, or the extension of one that gets its name
// later.
func (p *plan) pictureFile(image int) string {
	if !p.named {
		return ".png"
	}
	extension := ".png"
	if p.doc.Images[image].MimeType == "image/jpeg" {
		extension = ".jpg"
	}
	return fmt.Sprintf("textures/%04d%s", image, extension)
}

// namedFiles are files that know their names.
type namedFiles struct{ parts Parts }

// Create implements Files.
func (n namedFiles) Create(name string) (File, error) {
	w, err := n.parts.Create(name)
	return namedFile{w, name}, err
}

type namedFile struct {
	io.WriteCloser
	name string
}

// Finish implements File.
func (f namedFile) Finish() (string, error) { return f.name, f.Close() }
