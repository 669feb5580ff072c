package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
)

// vec is v without a spare copy of the array.
func vec(v mgl64.Vec3) []float64 { return v[:] }

// ParseEntity reads an entity as AppendEntity writes it. place names it in errors.
func ParseEntity(raw json.RawMessage, place string) (Entity, error) {
	o := ParseFields(raw, place)
	e := Entity{Rotation: mgl64.QuatIdent(), Scale: mgl64.Vec3{1, 1, 1}}
	if !o.Get("id", &e.ID) {
		o.Fail("id", "nothing", "the id of the entity")
	}
	if !o.Get("kind", &e.Kind) {
		o.Fail("kind", "nothing", "the kind of the entity")
	}
	o.Get("name", &e.Name)
	o.Get("parent", &e.Parent)
	o.Vector("translation", e.Translation[:])
	var q [4]float64
	if o.Vector("rotation", q[:]) {
		e.Rotation = mgl64.Quat{W: q[3], V: mgl64.Vec3{q[0], q[1], q[2]}}
		if e.Rotation == (mgl64.Quat{}) {
			o.Fail("rotation", "four zeros", "a quaternion of length 1")
		}
	}
	if o.Vector("scale", e.Scale[:]) && e.Scale == (mgl64.Vec3{}) {
		o.Fail("scale", "three zeros", "factors other than 0")
	}
	o.Get("layer", &e.Layer)
	o.Get("hidden", &e.Hidden)
	o.Get("locked", &e.Locked)
	o.Get("properties", &e.Properties)
	if data, ok := o.Raw("data"); ok {
		d, err := parseData(e.Kind, data, o.Place("data"))
		o.Check(err)
		e.Data = d
	}
	extra, err := o.End()
	if err != nil {
		return Entity{}, err
	}
	e.Extra = extra
	if err := e.Validate(); err != nil {
		return Entity{}, Misplaced(place, err)
	}
	return *e.normal(), nil
}

// EncodeEntity writes an entity as compact JSON with sorted keys. What has its
// usual value is left out.
func EncodeEntity(e *Entity) ([]byte, error) {
	e = e.normal()
	w := entityWriter{out: append(make([]byte, 0, 256), '{'), extra: slices.Sorted(maps.Keys(e.Extra)), values: e.Extra}
	if e.Data != nil {
		raw, err := e.Data.MarshalJSON()
		if err != nil {
			return nil, err
		}
		w.key("data")
		w.out = append(w.out, raw...)
	}
	if e.Hidden {
		w.key("hidden")
		w.out = append(w.out, "true"...)
	}
	w.key("id")
	w.out = strconv.AppendUint(w.out, uint64(e.ID), 10)
	w.text("kind", string(e.Kind))
	if e.Layer != "" {
		w.text("layer", e.Layer)
	}
	if e.Locked {
		w.key("locked")
		w.out = append(w.out, "true"...)
	}
	if e.Name != "" {
		w.text("name", e.Name)
	}
	if e.Parent != 0 {
		w.key("parent")
		w.out = strconv.AppendUint(w.out, uint64(e.Parent), 10)
	}
	if len(e.Properties) > 0 {
		w.key("properties")
		w.value(e.Properties)
	}
	if q := []float64{e.Rotation.V[0], e.Rotation.V[1], e.Rotation.V[2], e.Rotation.W}; e.Rotation != mgl64.QuatIdent() || negativeZero(q) {
		w.numbers("rotation", q)
	}
	if e.Scale != (mgl64.Vec3{1, 1, 1}) {
		w.numbers("scale", e.Scale[:])
	}
	if e.Translation != (mgl64.Vec3{}) || negativeZero(e.Translation[:]) {
		w.numbers("translation", e.Translation[:])
	}
	w.flush("")
	return append(w.out, '}'), w.err
}

// entityWriter writes the keys of an entity, which come in order, and its unknown
// keys between them. Levels have many entities, so it does without a map.
type entityWriter struct {
	out    []byte
	extra  []string // unknown keys still to be written, in order
	values Extra
	err    error
}

// flush writes the unknown keys that come before key; all of them before "".
func (w *entityWriter) flush(key string) {
	for len(w.extra) > 0 && (key == "" || w.extra[0] < key) {
		k := w.extra[0]
		w.extra = w.extra[1:]
		w.comma()
		w.value(k)
		w.out = append(append(w.out, ':'), w.values[k]...)
	}
}

func (w *entityWriter) comma() {
	if len(w.out) > 1 {
		w.out = append(w.out, ',')
	}
}

// key begins a known key, which needs no escapes.
func (w *entityWriter) key(k string) {
	w.flush(k)
	if len(w.extra) > 0 && w.extra[0] == k {
		w.extra = w.extra[1:]
	}
	w.comma()
	w.out = append(append(append(w.out, '"'), k...), '"', ':')
}

func (w *entityWriter) value(v any) {
	raw, err := Compact(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.out = append(w.out, raw...)
}

func (w *entityWriter) text(key, s string) {
	w.key(key)
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			w.value(s)
			return
		}
	}
	w.out = append(append(append(w.out, '"'), s...), '"')
}

// numbers writes floats as encoding/json does.
func (w *entityWriter) numbers(key string, vs []float64) {
	w.key(key)
	w.list(vs)
}

// list writes an array of floats.
func (w *entityWriter) list(vs []float64) {
	for i, v := range vs {
		c := byte(',')
		if i == 0 {
			c = '['
		}
		w.out = append(w.out, c)
		if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
			w.value(v)
		} else {
			w.out = strconv.AppendFloat(w.out, v, 'f', -1, 64)
		}
	}
	w.out = append(w.out, ']')
}

// parseData reads the data of an entity: into the type of its kind, or as it
// stands.
func parseData(k Kind, raw json.RawMessage, place string) (Data, error) {
	switch k {
	case KindMarker:
		return parseMarker(raw, place)
	case KindObject:
		return parseObject(raw, place)
	case KindScatter:
		return parseScatter(raw, place)
	case KindOccluder:
		return parseOccluder(raw, place)
	case KindCell:
		return parseCell(raw, place)
	case KindPortal:
		return parsePortal(raw, place)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, jsonFault(place, raw, err)
	}
	return RawData{Of: k, JSON: b.Bytes()}, nil
}

func parseMarker(raw json.RawMessage, place string) (Data, error) {
	o := ParseFields(raw, place)
	var m Marker
	o.Get("shape", &m.Shape)
	m.Points = o.points("points")
	o.Vector("color", m.Color[:])
	extra, err := o.End()
	m.Extra = extra
	return m, err
}

// MarshalJSON implements Data.
func (m Marker) MarshalJSON() ([]byte, error) {
	b := NewBuilder(m.Extra)
	b.Set("shape", m.Shape)
	b.Set("points", m.Points)
	if m.Color != (mgl64.Vec3{}) {
		b.Set("color", vec(m.Color))
	}
	return b.Bytes()
}

func negativeZero(v []float64) bool {
	return slices.ContainsFunc(v, func(f float64) bool { return f == 0 && 1/f < 0 })
}

// ParseLayer reads a layer as EncodeLayer writes it.
func ParseLayer(raw json.RawMessage, place string) (Layer, error) {
	o := ParseFields(raw, place)
	l := Layer{Tint: white}
	o.Get("name", &l.Name)
	o.Get("texture", &l.Texture)
	o.Get("uv_scale", &l.UVScale)
	if o.Vector("tint", l.Tint[:]) && l.Tint == (mgl64.Vec3{}) {
		o.Fail("tint", "three zeros", "a colour other than black")
	}
	extra, err := o.End()
	if err != nil {
		return Layer{}, err
	}
	l.Extra = extra
	if err := l.Validate(); err != nil {
		return Layer{}, Misplaced(place, err)
	}
	return l, nil
}

// EncodeLayer writes a layer as compact JSON with sorted keys.
func EncodeLayer(l *Layer) ([]byte, error) {
	b := NewBuilder(l.Extra)
	b.Set("name", l.Name)
	b.Set("texture", l.Texture)
	b.Set("uv_scale", l.UVScale)
	if t := l.tint(); t != white {
		b.Set("tint", vec(t))
	}
	return b.Bytes()
}

// ParseSettings reads settings as EncodeSettings returns them.
func ParseSettings(raw json.RawMessage, place string) (Settings, error) {
	o := ParseFields(raw, place)
	s := Settings{Sun: DefaultSun()}
	if raw, ok := o.Raw("sun"); ok {
		sun, err := parseSun(raw, o.Place("sun"))
		o.Check(err)
		s.Sun = sun
	}
	if raw, ok := o.Raw("height_range"); ok {
		r := ParseFields(raw, o.Place("height_range"))
		r.Get("min", &s.HeightRange.Min)
		r.Get("max", &s.HeightRange.Max)
		r.Get("bits", &s.HeightRange.Bits)
		s.HeightRange.Set = true
		r.Check(s.HeightRange.Validate())
		_, err := r.End()
		o.Check(err)
	}
	o.Get("geo", &s.Geo)
	if raw, ok := o.Raw("camera"); ok {
		c, err := parseCamera(raw, o.Place("camera"))
		o.Check(err)
		s.Camera = c
	}
	var marks map[string]json.RawMessage
	if o.Get("bookmarks", &marks) && len(marks) > 0 {
		s.Bookmarks = make(map[string]Camera, len(marks))
		for _, name := range slices.Sorted(maps.Keys(marks)) {
			c, err := parseCamera(marks[name], o.Place("bookmarks")+"."+name)
			o.Check(err)
			s.Bookmarks[name] = c
		}
	}
	if len(s.Geo) == 0 {
		s.Geo = nil
	}
	if raw, ok := o.Raw("node_tree"); ok {
		n, err := parseNodeTree(raw, o.Place("node_tree"))
		o.Check(err)
		s.Nodes = n
	}
	for i, raw := range o.List("entity_layers") {
		l, err := parseEntityLayer(raw, fmt.Sprintf("%s[%d]", o.Place("entity_layers"), i))
		o.Check(err)
		s.EntityLayers = append(s.EntityLayers, l)
	}
	o.Check(s.Validate())
	extra, err := o.End()
	s.Extra = extra
	return s, err
}

func parseSun(raw json.RawMessage, place string) (Sun, error) {
	o := ParseFields(raw, place)
	s := DefaultSun()
	o.Get("azimuth", &s.Azimuth)
	o.Get("elevation", &s.Elevation)
	o.Vector("color", s.Color[:])
	o.Get("intensity", &s.Intensity)
	o.Get("ambient", &s.Ambient)
	o.Get("baked", &s.Baked)
	o.Check(s.Validate())
	extra, err := o.End()
	s.Extra = extra
	return s, err
}

func parseCamera(raw json.RawMessage, place string) (Camera, error) {
	o := ParseFields(raw, place)
	var c Camera
	o.Vector("eye", c.Eye[:])
	o.Vector("look", c.Look[:])
	_, err := o.End()
	return c, err
}

func encodeCamera(c Camera) map[string]any {
	return map[string]any{"eye": vec(c.Eye), "look": vec(c.Look)}
}

// EncodeSettings gives the settings as a JSON object that is still open.
func EncodeSettings(s *Settings) *Builder {
	b := NewBuilder(s.Extra)
	sun := NewBuilder(s.Sun.Extra)
	sun.Set("azimuth", s.Sun.Azimuth)
	sun.Set("elevation", s.Sun.Elevation)
	sun.Set("color", vec(s.Sun.Color))
	sun.Set("intensity", s.Sun.Intensity)
	sun.Set("ambient", s.Sun.Ambient)
	sun.Set("baked", s.Sun.Baked)
	raw, err := sun.Bytes()
	b.err = err
	b.Raw("sun", raw)
	if h := s.HeightRange; h.Set {
		b.Set("height_range", map[string]any{"min": h.Min, "max": h.Max, "bits": h.Bits})
	}
	if len(s.Geo) > 0 {
		b.Set("geo", s.Geo)
	}
	if s.Camera.IsSet() {
		b.Set("camera", encodeCamera(s.Camera))
	}
	if len(s.Bookmarks) > 0 {
		marks := make(map[string]any, len(s.Bookmarks))
		for name, c := range s.Bookmarks {
			marks[name] = encodeCamera(c)
		}
		b.Set("bookmarks", marks)
	}
	if s.Nodes != (NodeTree{}) {
		raw, err := encodeNodeTree(s.Nodes)
		if err != nil && b.err == nil {
			b.err = err
		}
		b.Raw("node_tree", raw)
	}
	if len(s.EntityLayers) > 0 {
		list := make([]json.RawMessage, len(s.EntityLayers))
		for i := range s.EntityLayers {
			raw, err := encodeEntityLayer(&s.EntityLayers[i])
			if err != nil && b.err == nil {
				b.err = err
			}
			list[i] = raw
		}
		b.Set("entity_layers", list)
	}
	return b
}
