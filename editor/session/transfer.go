package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ridgeline/editor/transfer"
	"ridgeline/export/glb"
	"ridgeline/terrain"
	"ridgeline/terrain/heightmap"
)

// Importer is the import dialog: a heightmap that was looked at and what is to be
// made of it. Change the fields, then call Session.Inspect where the comment says
// so.
type Importer struct {
	Path string
	// How the file is read; look again after a change.
	Read heightmap.Options

	Busy bool           // being looked at
	Info heightmap.Info // what was found, if Err is nil
	Err  error          // why the file cannot be read so

	// What its samples become.
	Spacing  float64 // metres
	Min, Max float64 // heights of the lowest and highest sample value
	Void     heightmap.VoidPolicy
}

// Importer is the import dialog, or nil.
func (s *Session) Importer() *Importer { return s.importer }

// heightmapExtensions are the files that the import dialog lists.
var heightmapExtensions = []string{".png", ".raw", ".r8", ".r16", ".r32", ".hgt", ".asc"}

func (s *Session) askImport() {
	s.askPath(PathPrompt{
		Title: "Import a heightmap", Text: s.startFolder(), kind: "Heightmaps", extensions: heightmapExtensions,
		then: s.BeginImport,
	})
}

// BeginImport opens the import dialog on a file.
func (s *Session) BeginImport(path string) {
	s.importer = &Importer{Path: path}
	s.Inspect()
}

// Inspect looks at the import dialog's file again.
func (s *Session) Inspect() {
	im := s.importer
	if im == nil {
		return
	}
	im.Busy = true
	read := im.Read
	s.Start("Looking at "+filepath.Base(im.Path), func(ctx context.Context, _ func(float64)) (func() error, error) {
		info, err := heightmap.Inspect(ctx, im.Path, read)
		return func() error {
			if s.importer != im || im.Read != read {
				return nil // closed, or asked otherwise meanwhile
			}
			im.Busy, im.Err = false, err
			if err == nil {
				im.found(info)
			}
			return nil
		}, nil
	}, nil)
}

// found takes what was found as the starting point of the dialog's fields. What was
// entered in them before stays.
func (im *Importer) found(info heightmap.Info) {
	first := im.Info.Cols == 0
	was, wasSpacing := im.Info.DefaultMapping(), spacingOf(&im.Info)
	im.Info = info
	if m := info.DefaultMapping(); first || (heightmap.Mapping{Min: im.Min, Max: im.Max}) == was {
		im.Min, im.Max = m.Min, m.Max
	}
	if first || im.Spacing == wasSpacing {
		im.Spacing = spacingOf(&info)
	}
}

// spacingOf is the spacing that a file asks for, else a metre.
func spacingOf(info *heightmap.Info) float64 {
	return cmp.Or(info.Spacing(), 1)
}

// Ready tells why the import cannot begin; nil when it can.
func (im *Importer) Ready() error {
	switch {
	case im.Busy:
		return fmt.Errorf("the file is being looked at")
	case im.Err != nil:
		return im.Err
	case im.Min > im.Max:
		return fmt.Errorf("the lowest height, %g m, is above the highest, %g m", im.Min, im.Max)
	}
	return terrain.CheckSpacing(im.Spacing)
}

// CancelImport closes the import dialog.
func (s *Session) CancelImport() {
	s.importer = nil
	s.invalidate()
}

// Import makes a level as the import dialog says and closes it.
func (s *Session) Import() {
	im := s.importer
	if im == nil || im.Ready() != nil {
		return
	}
	s.importer = nil
	s.unlessDirty(func() { s.load(im) })
}

// load makes a level as an import dialog said, without asking about the present
// one.
func (s *Session) load(im *Importer) {
	o := transfer.Import{Spacing: im.Spacing, Void: im.Void}
	if m := (heightmap.Mapping{Min: im.Min, Max: im.Max}); m != im.Info.DefaultMapping() {
		o.Mapping = &m
	}
	since := s.moment()
	s.Start("Importing "+filepath.Base(im.Path), func(ctx context.Context, progress func(float64)) (func() error, error) {
		level, err := o.Open(ctx, im.Path, im.Read, progress)
		return func() error {
			if s.editedSince(since) {
				s.askEdited(func() { s.load(im) })
				return nil
			}
			s.NewLevel(level, strings.TrimSuffix(filepath.Base(im.Path), filepath.Ext(im.Path)))
			s.Env.Doc.MarkSaved(0) // an import that was never saved is work to lose
			s.file.update(level, s.View.left())
			cols, rows := level.Terrain.Size()
			lo, hi := level.Terrain.MinMax()
			s.Say(fmt.Sprintf("Imported %s: %d×%d samples, heights %s to %s m.", filepath.Base(im.Path), cols, rows, height(lo), height(hi)))
			return nil
		}, err
	}, nil)
}

// height writes a height to the centimetre.
func height(v float32) string {
	return strconv.FormatFloat(math.Round(float64(v)*100)/100, 'f', -1, 64)
}

func (s *Session) askExport() {
	var extensions []string
	for _, f := range transfer.Formats() {
		extensions = append(extensions, f.Extension)
	}
	s.askPath(PathPrompt{
		Title: "Export the level", Does: "Export", Text: s.startFolder() + s.Title() + extensions[0], Save: true,
		kind: "glTF, packs and heightmaps", extensions: extensions,
		folder: transfer.CheckFolder, then: s.BeginExport,
	})
}

// Exporter is the export dialog: a file and how a level is written to it. Change the
// fields, then call Session.Export.
type Exporter struct {
	Path    string
	Options glb.Options // Only is not looked at
	Chosen  bool        // only what is selected
	Things  int         // how many are selected
}

// Exporter is the export dialog, or nil.
func (s *Session) Exporter() *Exporter { return s.exporter }

// BeginExport asks how a level is written to a file where there is a choice, and
// otherwise writes it.
func (s *Session) BeginExport(path string) {
	format, err := transfer.FormatOf(path)
	if err != nil {
		s.Fail(err)
		return
	}
	if !format.Things {
		s.Fail(s.export(path, glb.Options{}))
		return
	}
	s.exporter = &Exporter{Path: path, Options: s.exportOptions(), Things: len(s.Selection())}
	s.invalidate()
}

// exportOptions are those of the last export. What another version remembered that this
// one does not take is forgotten.
func (s *Session) exportOptions() glb.Options {
	var o glb.Options
	if s.Memory.Export == nil || json.Unmarshal(s.Memory.Export, &o) != nil || o.Validate() != nil {
		return glb.Options{}
	}
	o.Only = nil
	return o
}

// CancelExport closes the export dialog.
func (s *Session) CancelExport() {
	s.exporter = nil
	s.invalidate()
}

// Export writes the level as the export dialog says, remembers how, and closes it.
func (s *Session) Export() {
	e := s.exporter
	if e == nil {
		return
	}
	o := e.Options
	o.Only = nil
	if err := o.Validate(); err != nil {
		s.Fail(err)
		return
	}
	if data, err := json.Marshal(o); err == nil {
		s.Memory.Export = data
	}
	if e.Chosen {
		o.Only = slices.Clone(s.Selection())
	}
	s.exporter = nil
	s.Fail(s.export(e.Path, o))
	s.invalidate()
}

// export writes the level as it is now, in the background.
func (s *Session) export(path string, options glb.Options) error {
	if _, err := transfer.FormatOf(path); err != nil {
		return err
	}
	e := transfer.Export{Level: s.Level(), Path: s.assetHome(), GLTF: options}
	s.Start("Exporting "+filepath.Base(path), func(ctx context.Context, progress func(float64)) (func() error, error) {
		done, err := e.File(ctx, path, progress)
		return func() error {
			text := fmt.Sprintf("Exported %s: %s.", filepath.Base(path), strings.TrimSuffix(done.What, "."))
			if len(done.Notes) > 0 {
				s.Warn(text + " " + strings.Join(done.Notes, " "))
			} else {
				s.Say(text)
			}
			return nil
		}, err
	}, nil)
	return nil
}
