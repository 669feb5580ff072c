package village

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/editor/transfer"
	"ridgeline/terrain/heightmap"
	files "ridgeline/testdata/village"
)

// Name is what the level is called.
const Name = "Village"

// Level makes the Village. keep stores its meshes.
func Level(ctx context.Context, keep transfer.Keep) (*document.Level, error) {
	l, err := build(ctx, keep)
	if err != nil {
		return nil, fmt.Errorf("the Village cannot be made: %w", err)
	}
	return l, nil
}

func build(ctx context.Context, keep transfer.Keep) (l *document.Level, err error) {
	dir, err := os.MkdirTemp("", "ridgeline-village-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.CopyFS(dir, files.Files); err != nil {
		return nil, err
	}
	nothing := func(float64) {}
	in := transfer.Import{Spacing: files.Spacing, Mapping: &heightmap.Mapping{Min: files.Lowest, Max: files.Highest}, Void: heightmap.Hole}
	none := 0.0
	if l, err = in.Open(ctx, filepath.Join(dir, "ground.png"), heightmap.Options{Nodata: &none}, nothing); err != nil {
		return nil, err
	}
	script, err := fs.ReadFile(files.Files, "village.txt")
	if err != nil {
		return nil, err
	}
	doc := document.New(l, document.Options{})
	defer doc.Close()
	registry := command.Standard()
	env := command.NewEnv(registry, doc, io.Discard)
	env.Files.AddAsset = func(ctx context.Context, file string) (command.Imported, error) {
		name, ours := strings.CutPrefix(path.Clean(file), files.Folder+"/")
		if !ours {
			return command.Imported{}, fmt.Errorf("%s: %w", file, fs.ErrNotExist)
		}
		got, err := transfer.ImportAsset(ctx, filepath.Join(dir, name), keep)
		got.Asset.Source = "" // it came with the program
		return got, err
	}
	if err := registry.RunScript(ctx, env, "village.txt", bytes.NewReader(script)); err != nil {
		return nil, err
	}
	made := *doc.Level()
	made.Settings.Camera = env.View.Camera
	return &made, nil
}

// Save makes the Village and saves it as a level.
func Save(ctx context.Context, to string) error {
	l, err := Level(ctx, func(data []byte, ext string) (string, error) { return store.AddAsset(to, data, ext) })
	if err != nil {
		return err
	}
	_, _, err = store.Save(ctx, to, l, nil, nil)
	return err
}
