package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/cull"
	"ridgeline/terrain/fault"
)

// Env is what commands act on. It belongs to the goroutine that owns the
// document.
type Env struct {
	Registry *Registry // what help lists
	Doc      *document.Document
	View     *ViewState
	Files    Files
	Find     Finder
	Away     Away              // where long work is done; nil: at once
	Warn     func(text string) // shows the user a sentence; nil: printed as any result
	Out      io.Writer         // where commands print; nil discards
	named    *nameIndex        // in Doc, once they were asked for
}

// ViewState is what the view commands change: how the level is looked at, which is
// not part of its history.
type ViewState struct {
	Camera    document.Camera
	Selection []document.ID // ascending, without repeats
	Off       cull.Tests    // tests of visibility that are switched off
	Changed   func()        // called after a command changed something; may be nil
}

// Files are the file operations of the host. One that is nil is not available
// there.
type Files struct {
	// Open puts another level in place of the document's.
	Open func(ctx context.Context, path string) error
	// Save writes a level that the document had.
	Save func(context.Context, SaveRequest) error
	// AddTexture takes a picture file into the level's files and gives the texture
	// name of layers that show it.
	AddTexture func(file string) (texture string, err error)
	// AddAsset takes a mesh file, and what it refers to, into the level's files. The
	// asset is called after the file; whether the level has one of that name already
	// is not looked at.
	AddAsset func(ctx context.Context, file string) (Imported, error)
	// Model gives the mesh of an asset of the level. The error says why there is none.
	Model Models
}

// Imported is a mesh file that has become a file of the level.
type Imported struct {
	Asset     document.Asset
	Triangles int
	Size      mgl64.Vec3 // of its bounds, metres
	Notes     []string   // what is not supported or was mended, a sentence each
}

// SaveRequest says what to save and where.
type SaveRequest struct {
	Level *document.Level
	State document.State // of the document when it had the level
	Path  string         // empty: the level's own file
}

// errNotHere is why a file command is not enabled.
var errNotHere = errors.New("not available here")

// NewEnv is an environment for a document, seen from the level's own camera,
// without file operations.
func NewEnv(r *Registry, doc *document.Document, out io.Writer) *Env {
	return &Env{Registry: r, Doc: doc, Out: out, View: &ViewState{Camera: doc.Level().Settings.Camera}}
}

// Printf prints a line of result, one line whatever the names in it are.
func (e *Env) Printf(format string, args ...any) {
	if e.Out != nil {
		fmt.Fprintln(e.Out, fault.Plain(fmt.Sprintf(format, args...)))
	}
}

// save asks the host to save the level as it is now.
func (e *Env) save(ctx context.Context, path string) error {
	return e.Files.Save(ctx, SaveRequest{Level: e.Doc.Level(), State: e.Doc.State(), Path: path})
}

// Warnf tells what the user should know of what was done nevertheless.
func (e *Env) Warnf(format string, args ...any) {
	if e.Warn == nil {
		e.Printf(format, args...)
		return
	}
	e.Warn(fault.Plain(fmt.Sprintf(format, args...)))
}

func (v *ViewState) changed() {
	if v.Changed != nil {
		v.Changed()
	}
}

// ground gives a point its height: its own, or that of the level's surface. A
// point off the terrain stands at height 0.
func (e *Env) ground(p Point) mgl64.Vec3 {
	if !p.OnGround() {
		return mgl64.Vec3(p)
	}
	y, _ := e.Doc.Level().Terrain.Height(p[0], p[2])
	return mgl64.Vec3{p[0], y, p[2]}
}

// resolve looks a layer, ids or assets up in the level.
func (p *Param) resolve(env *Env, value string) (any, error) {
	level := env.Doc.Level()
	switch p.Kind {
	case Layer:
		return p.layer(level.Layers, value)
	case Entity:
		if word := strings.TrimSpace(value); word != "0" {
			return p.id(level, word)
		}
		return document.ID(0), nil
	case Asset:
		return p.asset(level, value)
	case Assets:
		return p.assets(level, value)
	}
	return p.ids(level, value)
}

// asset finds an asset by its name: as it is written, or else whatever its case.
func (p *Param) asset(level *document.Level, name string) (string, error) {
	if _, ok := level.Asset(name); ok {
		return name, nil
	}
	found := ""
	names := make([]string, len(level.Assets))
	for i := range level.Assets {
		names[i] = level.Assets[i].Name
		if strings.EqualFold(names[i], name) {
			if found != "" {
				return "", p.fail(name, "one of "+quoteWord(found)+" and "+quoteWord(names[i])+", as it is written")
			}
			found = names[i]
		}
	}
	switch {
	case found != "":
		return found, nil
	case len(names) == 0:
		return "", p.fail(name, "the name of an asset; the level has none, asset.import adds them")
	}
	return "", p.fail(name, "one of the assets "+list(names))
}

func (p *Param) assets(level *document.Level, value string) ([]string, error) {
	if _, ok := level.Asset(value); ok {
		return []string{value}, nil // its name may have commas
	}
	var names []string
	for word := range strings.SplitSeq(value, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		name, err := p.asset(level, word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, p.fail(value, "names of assets joined by ,")
	}
	return names, nil
}

func (p *Param) layer(layers []document.Layer, value string) (int, error) {
	if i, err := strconv.Atoi(value); err == nil {
		if i >= 0 && i < len(layers) {
			return i, nil
		}
		return 0, p.fail(value, fmt.Sprintf("a layer from 0 to %d", len(layers)-1))
	}
	// As it is written, or else whatever its case.
	found := -1
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i := range layers {
			if !same(layers[i].Name, value) {
				continue
			}
			if found >= 0 {
				return 0, p.fail(value, fmt.Sprintf("an index, as layers %d and %d have this name", found, i))
			}
			found = i
		}
		if found >= 0 {
			break
		}
	}
	if found < 0 {
		names := make([]string, len(layers))
		for i := range layers {
			names[i] = layers[i].Name
		}
		return 0, p.fail(value, "one of the layers "+list(names))
	}
	return found, nil
}

func (p *Param) ids(level *document.Level, value string) ([]document.ID, error) {
	var ids []document.ID
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		id, err := p.id(level, word)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// id finds an entity by its id or by a name that no other has.
func (p *Param) id(level *document.Level, word string) (document.ID, error) {
	if n, err := strconv.ParseUint(word, 10, 64); err == nil {
		if _, ok := level.Entity(document.ID(n)); !ok {
			return 0, p.fail(word, "the id of something in the level")
		}
		return document.ID(n), nil
	}
	var found document.ID
	for e := range level.Entities() {
		if e.Name != word {
			continue
		}
		if found != 0 {
			return 0, p.fail(word, fmt.Sprintf("an id, as %d and %d have this name", found, e.ID))
		}
		found = e.ID
	}
	if found == 0 {
		return 0, p.fail(word, "an id or a name in the level")
	}
	return found, nil
}

// list joins names for a message, the first few of many.
func list(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// bad is the error for an argument that is wrong together with others.
func bad(arg, found, want string) error {
	return &fault.Error{Place: arg, Found: found, Want: want}
}
