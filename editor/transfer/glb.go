package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/store"
	"ridgeline/document/texture"
	"ridgeline/export/glb"
	"ridgeline/terrain/fault"
)

func (e Export) glb(ctx context.Context, w io.Writer, progress func(float64)) (Written, error) {
	return e.gltf(ctx, false, func(s glb.Scene) (glb.Stats, error) { return glb.Write(ctx, w, s, progress) })
}

// apart writes a .gltf with the files beside it.
func (e Export) apart(ctx context.Context, path string, progress func(float64)) (done Written, err error) {
	real, err := target(opExport, path)
	if err != nil {
		return done, err
	}
	files := newBeside(real)
	defer files.cleanup()
	err = Replace(opExport, path, func(w io.Writer) error {
		done, err = e.gltf(ctx, false, func(s glb.Scene) (glb.Stats, error) { return glb.WriteApart(ctx, w, files, s, progress) })
		if err != nil {
			return err
		}
		return files.place()
	})
	if err != nil {
		files.withdraw()
		return Written{}, err
	}
	files.forget()
	return done, nil
}

// gltf prepares the scene and tells what was written. files is whether the files of
// textures are needed as they are.
func (e Export) gltf(ctx context.Context, files bool, write func(glb.Scene) (glb.Stats, error)) (Written, error) {
	s := glb.Scene{Level: e.Level, Models: e.models(ctx), Options: e.GLTF}
	if e.Level.HasTerrain() && s.Options.Only == nil {
		assets := ""
		if e.Path != "" {
			assets = filepath.Join(store.Folder(e.Path), "assets")
		}
		var errs []error
		if s.Textures, errs = texture.LoadAll(e.Level.Layers, assets); len(errs) > 0 {
			return Written{}, errors.Join(errs...)
		}
		if files {
			for _, l := range e.Level.Layers {
				data, err := texture.Bytes(l, assets)
				if err != nil {
					return Written{}, err
				}
				s.TextureFiles = append(s.TextureFiles, data)
			}
		}
	}
	stats, err := write(s)
	if err != nil {
		return Written{}, err
	}
	return Written{What: written(&stats), Notes: notesOf(&stats)}, nil
}

// models reads the files of the level's assets.
func (e Export) models(ctx context.Context) glb.Library {
	return func(a *document.Asset) (*mesh.Model, error) {
		if e.Path == "" {
			return nil, &fault.Error{Found: "a level without files", Want: "one that was saved"}
		}
		data, err := store.ReadAsset(e.Path, a.File)
		if err != nil {
			return nil, err
		}
		return mesh.LoadBytes(ctx, data, path.Ext(a.File))
	}
}

// written tells what is in the file.
func written(s *glb.Stats) string {
	var parts []string
	if s.Chunks > 0 {
		parts = append(parts, counted(s.Chunks, "chunk"))
	}
	if s.Entities > 0 {
		parts = append(parts, counted(s.Entities, "thing"))
	}
	if s.Points > 0 {
		parts = append(parts, counted(s.Points, "scattered mesh"))
	}
	if s.Meshes > 0 {
		parts = append(parts, counted(s.Meshes, "mesh"))
	}
	return strings.Join(append(parts, counted(s.Tris, "triangle"), size(s.Bytes)), ", ")
}

// counted writes a number and what it counts.
func counted(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "sh"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// notesOf tells which meshes the file lacks, and which have not all levels of detail.
func notesOf(stats *glb.Stats) []string {
	var out []string
	for _, m := range stats.Missing {
		why := "The level has no asset %q"
		if m.Err != nil {
			why = "The asset %q cannot be read"
		}
		var by []string
		if m.Objects > 0 {
			by = append(by, counted(m.Objects, "object"))
		}
		if m.Points > 0 {
			by = append(by, counted(m.Points, "scatter point"))
		}
		stand := "stand"
		if m.Objects+m.Points == 1 {
			stand = "stands"
		}
		text := fmt.Sprintf(why+"; %s %s in the file as a box", m.Asset, strings.Join(by, " and "), stand)
		if m.Err != nil {
			text += ": " + strings.TrimSuffix(reason(m.Err), ".")
		}
		out = append(out, text+".")
	}
	if n := len(stats.Stiff); n > 0 {
		names := stats.Stiff[:min(n, 3)]
		text := fmt.Sprintf("%q", names[0])
		for _, name := range names[1:] {
			text += fmt.Sprintf(", %q", name)
		}
		if n > len(names) {
			text += fmt.Sprintf(" and %d more", n-len(names))
		}
		out = append(out, fmt.Sprintf("Of %s there are fewer levels of detail than asked for, as these would hardly be simpler: %s.", counted(n, "mesh"), text))
	}
	return out
}

// reason is the message of an error without what was being done.
func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		bare := *f
		bare.Op = ""
		return bare.Error()
	}
	return err.Error()
}

// size is a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}
