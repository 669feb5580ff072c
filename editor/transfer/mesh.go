package transfer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/terrain/fault"
)

const (
	opMesh = "import the mesh"
	aMesh  = "a .glb, .gltf or .obj file"
)

// Keep stores a file with a level and gives the name by which the level refers to
// it, as store.AddAsset does. ext has no dot.
type Keep func(data []byte, ext string) (ref string, err error)

// AddAsset is ImportAsset that stores the file with the level at path, which need
// not have been saved.
func AddAsset(ctx context.Context, path, file string) (command.Imported, error) {
	return ImportAsset(ctx, file, func(data []byte, ext string) (string, error) { return store.AddAsset(path, data, ext) })
}

// ImportAsset reads a mesh file and what it refers to in its folder, never
// elsewhere, makes sure that it is a mesh, and gives it to keep as one file. It does
// what command.Files.AddAsset promises.
func ImportAsset(ctx context.Context, file string, keep Keep) (command.Imported, error) {
	none := command.Imported{}
	if !utf8.ValidString(file) {
		return none, &fault.Error{Op: opMesh, File: file, Found: "a name that is not UTF-8", Want: aMesh}
	}
	info, err := os.Stat(file)
	if err != nil {
		return none, fault.Wrap(opMesh, file, err)
	}
	if err := fault.Regular(opMesh, file, aMesh, info); err != nil {
		return none, err
	}
	// A link may lead anywhere; what the file itself refers to may not.
	real, err := filepath.EvalSymlinks(file)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	source, absErr := filepath.Abs(file)
	if err = errors.Join(err, absErr); err != nil {
		return none, fault.Wrap(opMesh, file, err)
	}
	root, err := os.OpenRoot(filepath.Dir(real))
	if err != nil {
		return none, fault.Wrap(opMesh, file, err)
	}
	defer root.Close()
	data, ext, err := mesh.Bundle(ctx, root.FS(), filepath.Base(real))
	if err != nil {
		return none, ofFile(file, filepath.Base(real), err)
	}
	// What the level has is what counts, so this is what is looked at.
	model, err := mesh.LoadBytes(ctx, data, ext)
	if err != nil {
		return none, ofFile(file, "", err)
	}
	ref, err := keep(data, strings.TrimPrefix(ext, "."))
	if err != nil {
		return none, err
	}
	in := command.Imported{
		Asset:     document.Asset{Name: assetName(file), File: ref, Source: source},
		Triangles: model.Triangles(), Notes: model.Notes,
	}
	if !model.Bounds.IsEmpty() {
		in.Size = model.Bounds.Size()
	}
	return in, nil
}

// ofFile names the file in an error as the user did.
func ofFile(file, base string, err error) error {
	var e *fault.Error
	if !errors.As(err, &e) || e.File != base {
		return fault.Wrap(opMesh, file, err)
	}
	c := *e
	c.File, c.Op = file, opMesh
	return &c
}

// assetName is the name of a file without its folder and extension.
func assetName(file string) string {
	base := filepath.Base(file)
	name := strings.TrimSpace(strings.TrimSuffix(base, filepath.Ext(base)))
	if name == "" {
		return "Mesh"
	}
	return name
}
