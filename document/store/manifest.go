package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

const (
	// FormatName is the value of the manifest's key "format".
	FormatName = "ridgeline level"
	// FormatVersion is the newest version of the manifest that this package reads,
	// and the one that it writes.
	FormatVersion = 1
)

// manifest is what stands in a manifest, checked.
type manifest struct {
	cols, rows int
	spacing    float64
	origin     [2]float64
	blobs      map[region]string // names
	level      *document.Level   // all but the terrain
	autosave   *autosaveNote     // in an autosave only
}

// autosaveNote is what an autosave knows beside the level.
type autosaveNote struct {
	Edits int    `json:"edits"` // since the level was saved
	Of    string `json:"of"`    // hash of the manifest that the level was saved as, "" when it never was
}

// manifestHash names a manifest by its content.
func manifestHash(data []byte) string { return fmt.Sprintf("%016x", xxhash.Sum64(data)) }

// maxProblems bounds how many problems one manifest is worth listing.
const maxProblems = 100

// parseManifest reads a manifest and collects what is wrong with it. Only without
// problems is the result whole; it is nil when nothing can be made of the data.
func parseManifest(data []byte) (*manifest, []error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, []error{&fault.Error{Found: "an empty file", Want: "a level"}}
	}
	if err := foreign(data); err != nil {
		return nil, []error{err}
	}
	var problems []error
	report := func(err error) {
		if err != nil && len(problems) < maxProblems {
			problems = append(problems, err)
		}
	}
	o := document.ParseFields(data, "")
	var format string
	var version int
	o.Get("format", &format)
	if format != FormatName {
		o.Fail("format", strconv.Quote(format), strconv.Quote(FormatName))
	}
	if !o.Get("version", &version) {
		o.Fail("version", "nothing", "the version of the format")
	}
	if version > FormatVersion {
		o.Fail("version", fmt.Sprintf("format version %d, written by a newer Ridgeline", version), fmt.Sprintf("%d at most", FormatVersion))
	} else if version < 1 {
		o.Fail("version", fmt.Sprintf("format version %d", version), "1 or more")
	}
	m := &manifest{level: &document.Level{NextID: 1}}
	var auto autosaveNote
	if o.Get("autosave", &auto) {
		if auto.Edits < 0 {
			o.Fail("autosave.edits", strconv.Itoa(auto.Edits), "at least 0")
		}
		m.autosave = &auto
	}
	o.Get("next_id", &m.level.NextID)
	if id := m.level.NextID; id < 1 || id > document.MaxID+1 {
		o.Fail("next_id", strconv.FormatUint(uint64(id), 10), fmt.Sprintf("1 to %d", document.MaxID+1))
	}
	ground, ok := o.Raw("terrain")
	if !ok {
		o.Fail("terrain", "nothing", "an object")
	}
	layers, assets, entities := o.List("layers"), o.List("assets"), o.List("entities")
	settings, hasSettings := o.Raw("settings")
	extra, err := o.End()
	if err != nil {
		return nil, []error{err}
	}
	m.level.Extra = extra
	report(m.parseTerrain(ground, report))
	m.parseLayers(layers, report)
	m.parseAssets(assets, report)
	m.level.Settings = document.Settings{Sun: document.DefaultSun()}
	if hasSettings {
		s, err := document.ParseSettings(settings, "settings")
		report(err)
		m.level.Settings = s
	}
	m.parseEntities(entities, report)
	return m, problems
}

func (m *manifest) parseTerrain(raw json.RawMessage, report func(error)) error {
	o := document.ParseFields(raw, "terrain")
	for _, k := range []struct {
		key string
		to  any
	}{{"cols", &m.cols}, {"rows", &m.rows}, {"spacing", &m.spacing}} {
		if !o.Get(k.key, k.to) {
			o.Fail(k.key, "nothing", "a number")
		}
	}
	o.Vector("origin", m.origin[:])
	o.Check(terrain.CheckSize(m.cols, m.rows))
	o.Check(terrain.CheckSpacing(m.spacing))
	o.Check(terrain.CheckOrigin(m.origin[0], m.origin[1]))
	var names []string
	o.Get("blobs", &names)
	extra, err := o.End()
	if err != nil {
		return err
	}
	m.level.TerrainExtra = extra
	m.blobs = make(map[region]string, len(names))
	for i, name := range names {
		fail := func(found, want string) {
			report(&fault.Error{Place: fmt.Sprintf("terrain.blobs[%d]", i), Found: found, Want: want})
		}
		r, _, ok := parseBlobName(name)
		if !ok {
			fail(strconv.Quote(name), "the name of a blob, such as height_00_00.0123456789abcdef.zst")
			continue
		}
		if r.rect(m.cols, m.rows).Empty() {
			fail(strconv.Quote(name), fmt.Sprintf("a region of a terrain of %d×%d samples", m.cols, m.rows))
			continue
		}
		if other, ok := m.blobs[r]; ok {
			fail(strconv.Quote(name), "one blob a region, which has "+other)
			continue
		}
		m.blobs[r] = name
	}
	return nil
}

func (m *manifest) parseLayers(list []json.RawMessage, report func(error)) {
	if n := len(list); n == 0 || n > document.MaxLayers {
		report(&fault.Error{Place: "layers", Found: fmt.Sprintf("%d layers", n), Want: fmt.Sprintf("1 to %d", document.MaxLayers)})
		return
	}
	for i, raw := range list {
		l, err := document.ParseLayer(raw, fmt.Sprintf("layers[%d]", i))
		report(err)
		m.level.Layers = append(m.level.Layers, l)
	}
}

func (m *manifest) parseAssets(list []json.RawMessage, report func(error)) {
	seen := make(map[string]int, len(list))
	for i, raw := range list {
		a, err := document.ParseAsset(raw, fmt.Sprintf("assets[%d]", i))
		if err != nil {
			report(err)
			continue
		}
		if j, ok := seen[a.Name]; ok {
			report(&fault.Error{Place: fmt.Sprintf("assets[%d].name", i), Found: fmt.Sprintf("%q, which assets[%d] has", a.Name, j), Want: "a name of its own"})
			continue
		}
		seen[a.Name] = i
		m.level.Assets = append(m.level.Assets, a)
	}
	slices.SortFunc(m.level.Assets, func(a, b document.Asset) int { return strings.Compare(a.Name, b.Name) })
}

func (m *manifest) parseEntities(list []json.RawMessage, report func(error)) {
	entities := make([]document.Entity, 0, len(list))
	first := make(map[document.ID]int, len(list))
	parsed, errs := make([]document.Entity, len(list)), make([]error, len(list))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(list); i += workers {
				parsed[i], errs[i] = document.ParseEntity(list[i], fmt.Sprintf("entities[%d]", i))
			}
		})
	}
	wg.Wait()
	bad := false
	for i, e := range parsed {
		if errs[i] != nil {
			bad = true
			report(errs[i])
			continue
		}
		if j, ok := first[e.ID]; ok {
			bad = true
			report(&fault.Error{Place: fmt.Sprintf("entities[%d].id", i), Found: fmt.Sprintf("%d, which entities[%d] has", e.ID, j), Want: "an id of its own"})
			continue
		}
		first[e.ID] = i
		entities = append(entities, e)
	}
	if bad {
		return // parents may be missing only because they could not be read
	}
	next := m.level.NextID
	level, err := m.level.WithEntities(entities)
	if err != nil {
		report(&fault.Error{Place: "entities", Err: err})
		return
	}
	if level.NextID != next {
		report(&fault.Error{Place: "next_id", Found: strconv.FormatUint(uint64(next), 10), Want: fmt.Sprintf("at least %d, above all ids", level.NextID)})
		return
	}
	m.level = level
}

// names lists the blobs in order.
func (m *manifest) names() []string { return sortedNames(m.blobs) }

func sortedNames(blobs map[region]string) []string {
	out := make([]string, 0, len(blobs))
	for _, name := range blobs {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// encodeManifest writes a manifest: keys sorted, one line a layer, an entity, a
// setting and a blob, so that equal levels give equal bytes and a small change
// a small difference.
func encodeManifest(l *document.Level, blobs map[region]string, auto *autosaveNote) ([]byte, error) {
	b := document.NewBuilder(l.Extra)
	b.Set("format", FormatName)
	b.Set("version", FormatVersion)
	b.Set("next_id", l.NextID)
	if auto != nil {
		b.Set("autosave", auto)
	}
	layers := make([]json.RawMessage, len(l.Layers))
	for i := range l.Layers {
		raw, err := document.EncodeLayer(&l.Layers[i])
		if err != nil {
			return nil, err
		}
		layers[i] = raw
	}
	b.Raw("layers", array(layers, "  "))
	if len(l.Assets) > 0 {
		assets := make([]json.RawMessage, len(l.Assets))
		for i := range l.Assets {
			raw, err := document.EncodeAsset(&l.Assets[i])
			if err != nil {
				return nil, err
			}
			assets[i] = raw
		}
		b.Raw("assets", array(assets, "  "))
	}
	entities := make([]json.RawMessage, 0, l.Len())
	for e := range l.Entities() {
		raw, err := document.EncodeEntity(e)
		if err != nil {
			return nil, err
		}
		entities = append(entities, raw)
	}
	b.Raw("entities", array(entities, "  "))
	settings, err := object(document.EncodeSettings(&l.Settings), "  ")
	if err != nil {
		return nil, err
	}
	b.Raw("settings", settings)
	ground, err := encodeTerrain(l, blobs)
	if err != nil {
		return nil, err
	}
	b.Raw("terrain", ground)
	out, err := object(b, "")
	if err != nil {
		return nil, err
	}
	return append(out, '\n'), nil
}

func encodeTerrain(l *document.Level, blobs map[region]string) (json.RawMessage, error) {
	b := document.NewBuilder(l.TerrainExtra)
	cols, rows := l.Terrain.Size()
	x, z := l.Terrain.Origin()
	b.Set("cols", cols)
	b.Set("rows", rows)
	b.Set("spacing", l.Terrain.Spacing())
	b.Set("origin", []float64{x, z})
	names := sortedNames(blobs)
	quoted := make([]json.RawMessage, len(names))
	for i, n := range names {
		quoted[i] = json.RawMessage(strconv.Quote(n)) // plain ASCII
	}
	b.Raw("blobs", array(quoted, "    "))
	return object(b, "  ")
}

// array writes one line an item; indent is that of the line with the brackets.
func array(items []json.RawMessage, indent string) json.RawMessage {
	if len(items) == 0 {
		return json.RawMessage("[]")
	}
	n := 0
	for _, it := range items {
		n += len(it) + len(indent) + 4
	}
	out := append(make([]byte, 0, n+8), '[')
	for i, it := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, '\n'), indent...), "  "...)
		out = append(out, it...)
	}
	return append(append(append(out, '\n'), indent...), ']')
}

// object writes one line a key.
func object(b *document.Builder, indent string) (json.RawMessage, error) {
	if err := b.Err(); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for i, k := range b.Keys() {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := document.Compact(k)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, '\n'), indent...), "  "...)
		out = append(append(append(out, name...), ':', ' '), b.Value(k)...)
	}
	return append(append(append(out, '\n'), indent...), '}'), nil
}

// sameLevel reports whether two manifests hold the same level, notes of an
// autosave aside.
func sameLevel(a, b []byte) bool {
	strip := func(data []byte) (map[string]json.RawMessage, bool) {
		var m map[string]json.RawMessage
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, false
		}
		delete(m, "autosave")
		return m, true
	}
	ma, okA := strip(a)
	mb, okB := strip(b)
	if !okA || !okB || len(ma) != len(mb) {
		return false
	}
	for k, v := range ma {
		w, ok := mb[k]
		if !ok {
			return false
		}
		var cv, cw bytes.Buffer
		if json.Compact(&cv, v) != nil || json.Compact(&cw, w) != nil || !bytes.Equal(cv.Bytes(), cw.Bytes()) {
			return false
		}
	}
	return true
}
