package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ridgeline/document"
	"ridgeline/document/mesh"
	"ridgeline/document/scene"
	"ridgeline/document/store"
	"ridgeline/editor/command"
	"ridgeline/terrain/fault"
)

// contents are what stands in a level, for info and check; the keys stay as they are
// once written.
type contents struct {
	Kinds         map[string]int `json:"kinds"`  // entities of each kind
	Groups        int            `json:"groups"` // objects that only carry others
	Geometry      int            `json:"geometry"`
	Scatters      int            `json:"scatters"`
	ScatterPoints int            `json:"scatter_points"`
	Assets        []assetFacts   `json:"assets"`
	// Unknown are names that things show and that the level has no asset for.
	Unknown []useFacts `json:"unknown_assets"`
}

type assetFacts struct {
	useFacts
	File    string `json:"file"`
	Source  string `json:"source,omitempty"`
	Missing bool   `json:"missing"` // the file is not there
}

// useFacts say what shows an asset.
type useFacts struct {
	Name    string `json:"name"`
	Objects int    `json:"objects"`
	Points  int    `json:"points"` // of scatters
	uses    command.Uses
}

// contentsOf looks at a level. folder is that of its files, empty for none.
func contentsOf(l *document.Level, folder string) contents {
	c := contents{Kinds: map[string]int{}, Assets: []assetFacts{}, Unknown: []useFacts{}}
	for e := range l.Entities() {
		c.Kinds[string(e.Kind)]++
		o, ok := document.ObjectOf(e)
		if ok && o.Asset == "" {
			c.Groups++
		}
		if ok && o.Geometry {
			c.Geometry++
		}
		if s, ok := e.Data.(document.Scatter); ok {
			c.Scatters++
			c.ScatterPoints += len(s.Points)
		}
	}
	uses := command.AssetUses(l)
	use := func(name string) useFacts {
		u := uses[name]
		return useFacts{Name: name, Objects: u.Objects, Points: u.Points, uses: u}
	}
	for _, a := range l.Assets {
		info, err := os.Stat(filepath.Join(folder, "assets", strings.TrimPrefix(a.File, document.AssetPrefix)))
		missing := errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular()
		c.Assets = append(c.Assets, assetFacts{use(a.Name), a.File, a.Source, missing})
	}
	for _, name := range command.MissingAssets(l) {
		c.Unknown = append(c.Unknown, use(name))
	}
	return c
}

// write tells of what there is.
func (c *contents) write(p *printer) {
	if c.Groups > 0 || c.Geometry > 0 {
		p.line("  objects   %d of them groups, %d level geometry", c.Groups, c.Geometry)
	}
	if c.Scatters > 0 {
		p.line("  scatters  %d with %d points", c.Scatters, c.ScatterPoints)
	}
	if n := c.Kinds[string(document.KindMarker)]; n > 0 {
		p.line("  markers   %d", n)
	}
	for _, a := range c.Assets {
		missing := ""
		if a.Missing {
			missing = ", the file is missing"
		}
		p.line("  asset     %s (%s): %s%s", a.Name, a.File, a.uses, missing)
	}
	for _, u := range c.Unknown {
		p.line("  missing   %s: %s", u.Name, u.uses)
	}
}

// checkContents looks at what store.Check does not know about: whether the assets are
// meshes, and whether there is one for each name that things show.
func checkContents(ctx context.Context, path string, progress func(done float64)) (c contents, problems []store.Problem, err error) {
	level, info, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return c, nil, err
	}
	c = contentsOf(level, store.Folder(info.Saved.Path()))
	models := modelShelf{}
	for _, a := range level.Assets {
		if ctx.Err() != nil {
			return c, nil, ctx.Err()
		}
		data, err := store.ReadAsset(path, a.File)
		if err != nil {
			continue // store.Check has told
		}
		m, err := mesh.LoadBytes(ctx, data, filepath.Ext(a.File))
		if err == nil {
			models[a.File] = scene.NewModel(m)
		} else if ctx.Err() == nil {
			problems = append(problems, store.Problem{
				Severity: store.Damage, File: path, Place: fmt.Sprintf("asset %q", a.Name), Text: withoutOp(err),
			})
		}
	}
	more, err := checkVisibility(ctx, path, level, models, progress)
	if err != nil {
		return c, nil, err
	}
	problems = append(problems, more...)
	for e := range level.Entities() {
		if w, _ := level.World(e.ID); !document.InReach(w[:]...) {
			problems = append(problems, store.Problem{
				Severity: store.Note, File: path, Place: fmt.Sprintf("entity %d", e.ID),
				Text: fmt.Sprintf("What it stands below takes it beyond ±%g m, so it is not shown.", float64(document.Reach)),
			})
		}
	}
	for _, u := range c.Unknown {
		problems = append(problems, store.Problem{
			Severity: store.Note, File: path, Place: fmt.Sprintf("asset %q", u.Name),
			Text: fmt.Sprintf("The level does not have it; a placeholder stands for it in %s.", u.uses),
		})
	}
	return c, problems, nil
}

// withoutOp is the message of an error without what was being done.
func withoutOp(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		bare := *f
		bare.Op = ""
		return bare.Error()
	}
	return err.Error()
}
