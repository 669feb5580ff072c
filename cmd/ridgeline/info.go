package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// facts are what info tells; the keys stay as they are once written.
type facts struct {
	Format    string            `json:"format"`
	Version   int               `json:"version"`
	Width     int               `json:"width"`
	Height    int               `json:"height"`
	Terrain   bool              `json:"terrain"` // whether there is ground
	Spacing   float64           `json:"spacing"`
	Origin    [2]float64        `json:"origin"`
	Min       float32           `json:"min"`
	Max       float32           `json:"max"`
	Voids     int               `json:"voids"`
	Layers    []layerFacts      `json:"layers"`
	Objects   int               `json:"objects"`
	Occluders int               `json:"occluders"`
	Cells     int               `json:"cells"`
	Portals   int               `json:"portals"`
	Entities  int               `json:"entities"`
	Bookmarks []string          `json:"bookmarks"`
	Geo       map[string]string `json:"geo,omitempty"`
	Autosave  string            `json:"autosave"`
	At        *spot             `json:"at,omitempty"`
	contents
}

type layerFacts struct {
	Name    string  `json:"name"`
	Texture string  `json:"texture"`
	UV      float64 `json:"uv"`
}

// spot is the ground at a point. Height and slope are null where there is none:
// off the terrain and in holes.
type spot struct {
	X      float64  `json:"x"`
	Z      float64  `json:"z"`
	Height *float64 `json:"height"`
	Slope  *float64 `json:"slope"` // degrees
	Inside bool     `json:"inside"`
}

func infoVerb(sh *shell) *cobra.Command {
	var asJSON, recover bool
	var at pointFlag
	c := &cobra.Command{
		Use:   "info LEVEL",
		Short: "Tell facts about a level",
		Args:  words(1, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) error {
			level, info, err := sh.openLevel(c.Context(), args[0], recover)
			if err != nil {
				return err
			}
			folder := ""
			if info.Saved != nil {
				folder = store.Folder(info.Saved.Path())
			}
			f := factsOf(level)
			f.contents = contentsOf(level, folder)
			f.Autosave = info.Autosave.String()
			if at.given {
				f.At = spotOf(level.Terrain, at.Point[0], at.Point[2])
			}
			if asJSON {
				e := json.NewEncoder(sh.out)
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				return e.Encode(f)
			}
			return f.write(sh.out, args[0])
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "as JSON")
	f.Var(&at, "at", "also tell height and slope at a point")
	recoverFlag(c, &recover)
	return c
}

func factsOf(l *document.Level) facts {
	f := facts{
		Format: store.FormatName, Version: store.FormatVersion,
		Terrain: l.HasTerrain(), Spacing: l.Terrain.Spacing(), Voids: countHoles(l.Terrain), Entities: l.Len(), Geo: l.Settings.Geo,
		Layers: []layerFacts{}, Bookmarks: []string{},
	}
	f.Width, f.Height = l.Terrain.Size()
	f.Origin[0], f.Origin[1] = l.Terrain.Origin()
	f.Min, f.Max = l.Terrain.MinMax()
	for _, y := range l.Layers {
		f.Layers = append(f.Layers, layerFacts{y.Name, y.Texture, y.UVScale})
	}
	for e := range l.Entities() {
		switch e.Kind {
		case document.KindObject:
			f.Objects++
		case document.KindOccluder:
			f.Occluders++
		case document.KindCell:
			f.Cells++
		case document.KindPortal:
			f.Portals++
		}
	}
	for name := range l.Settings.Bookmarks {
		f.Bookmarks = append(f.Bookmarks, name)
	}
	slices.Sort(f.Bookmarks)
	return f
}

// countHoles counts the samples that are marked as holes.
func countHoles(f *terrain.Field) (n int) {
	w, h := f.TileGrid()
	for ty := range h {
		for tx := range w {
			t := f.Tile(tx, ty)
			if t.Blank()&terrain.PlaneFlags != 0 {
				continue
			}
			r := f.TileRect(tx, ty)
			for row := range r.Dy() {
				for _, v := range t.Flags[row*terrain.TileSize:][:r.Dx()] {
					if v&terrain.Hole != 0 {
						n++
					}
				}
			}
		}
	}
	return n
}

func spotOf(f *terrain.Field, x, z float64) *spot {
	s := &spot{X: x, Z: z}
	_, _, _, _, s.Inside = f.Cell(x, z)
	if y, ok := f.Height(x, z); ok {
		s.Height = &y
	}
	if a, ok := f.Slope(x, z); ok {
		a *= 180 / math.Pi
		s.Slope = &a
	}
	return s
}

func (f *facts) write(w io.Writer, path string) error {
	p := &printer{w: w}
	p.line("%s: level, format %d", path, f.Version)
	if f.Terrain {
		p.line("  terrain   %d×%d samples, %g m apart, %g×%g m", f.Width, f.Height, f.Spacing,
			float64(f.Width-1)*f.Spacing, float64(f.Height-1)*f.Spacing)
		if f.Origin != [2]float64{} {
			p.line("  origin    %g, %g", f.Origin[0], f.Origin[1])
		}
		p.line("  heights   %g to %g m, %d voids", f.Min, f.Max, f.Voids)
	} else {
		p.line("  terrain   none")
	}
	for i, l := range f.Layers {
		p.line("  layer %-3d %s (%s, %g m)", i, l.Name, l.Texture, l.UV)
	}
	p.line("  things    %d objects, %d occluders, %d cells, %d portals, %d in all", f.Objects, f.Occluders, f.Cells, f.Portals, f.Entities)
	f.contents.write(p)
	if f.Autosave != store.AutosaveNone.String() {
		p.line("  autosave  %s", f.Autosave)
	}
	if a := f.At; a != nil {
		switch {
		case !a.Inside:
			p.line("  at %g,%g outside the terrain", a.X, a.Z)
		case a.Height == nil || a.Slope == nil:
			p.line("  at %g,%g a hole", a.X, a.Z)
		default:
			p.line("  at %g,%g height %g m, slope %.4g°", a.X, a.Z, *a.Height, *a.Slope)
		}
	}
	return p.err
}

// printer writes lines and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, fault.Plain(fmt.Sprintf(format, args...)))
	}
}

// say writes a line.
func say(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, fault.Plain(fmt.Sprintf(format, args...)))
}
