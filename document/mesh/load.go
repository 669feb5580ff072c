package mesh

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ridgeline/terrain/fault"
)

// op is what all errors of this package say was being done.
const op = "import model"

// formats is the Want of errors about the kind of file.
const formats = "a .glb, .gltf, .obj or a .zip made from one"

// Load reads a model from a file of fsys, a slash-separated path as package fs
// defines it. Files that it refers to are looked for in its folder and below, never
// elsewhere. A model without triangles is one with a note. Errors are *fault.Error,
// or that of ctx.
func Load(ctx context.Context, fsys fs.FS, name string) (*Model, error) {
	m, _, err := load(ctx, fsys, name)
	return m, err
}

// LoadBytes reads a model from the content of one file. ext tells which kind: ".glb",
// ".gltf", ".obj" or ".zip". There is no folder for it to refer to; Bundle makes
// files that need none.
func LoadBytes(ctx context.Context, data []byte, ext string) (*Model, error) {
	m, _, err := loadBytes(ctx, data, ext)
	return m, err
}

// loaded is what a model was read from.
type loaded struct {
	main  []byte // the file itself
	ext   string // of it, in lower case
	files *files // what it refers to
}

func load(ctx context.Context, fsys fs.FS, name string) (*Model, *loaded, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, nil, &fault.Error{Op: op, File: name, Found: "no path within a folder", Want: "a name such as models/Box.glb"}
	}
	ext := strings.ToLower(path.Ext(name))
	if !slices.Contains([]string{".glb", ".gltf", ".obj", ".zip"}, ext) {
		return nil, nil, &fault.Error{Op: op, File: name, Found: fmt.Sprintf("the extension %q", clip(ext)), Want: formats}
	}
	f := &files{fsys: fsys, dir: path.Dir(name)}
	data, err := f.read(ctx, path.Base(name))
	if err != nil {
		return nil, nil, located(err, name)
	}
	f.used = nil
	m, l, err := decode(ctx, data, ext, f)
	if err != nil {
		return nil, nil, located(err, name)
	}
	m.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	return m, l, nil
}

func loadBytes(ctx context.Context, data []byte, ext string) (*Model, *loaded, error) {
	if len(data) > MaxFile {
		return nil, nil, located(tooLarge(int64(len(data))), "")
	}
	m, l, err := decode(ctx, data, strings.ToLower(ext), &files{fsys: noFiles{}, dir: "."})
	if err != nil {
		return nil, nil, located(err, "")
	}
	return m, l, nil
}

// decode reads a model of one of the formats.
func decode(ctx context.Context, data []byte, ext string, f *files) (*Model, *loaded, error) {
	var m *Model
	var err error
	switch ext {
	case ".glb":
		m, err = readGLB(ctx, data, f)
	case ".gltf":
		m, err = readGLTF(ctx, data, nil, f)
	case ".obj":
		m, err = readOBJ(ctx, data, f)
	case ".zip":
		return readZip(ctx, data)
	default:
		err = &fault.Error{Found: fmt.Sprintf("the extension %q", clip(ext)), Want: formats}
	}
	if err != nil {
		return nil, nil, err
	}
	return m, &loaded{main: data, ext: ext, files: f}, nil
}

// located fills in operation and file. What stopped the work from outside, such as
// the end of ctx, stays what it is.
func located(err error, name string) error {
	if ctxErr := contextError(err); ctxErr != nil {
		return ctxErr
	}
	return fault.Wrap(op, name, err)
}

// clip shortens text of a file for a message.
func clip(s string) string {
	const limit = 80
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
