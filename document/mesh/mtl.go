package mesh

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
)

// mtl is a material of a material library.
type mtl struct {
	library  string // the file it stands in
	color    [3]float32
	alpha    float32
	dissolve bool // alpha came from d, which counts more than Tr
	emissive [3]float32
	diffuse  mtlMap
	mask     mtlMap
	others   []mtlMap // pictures that aren't shown
}

// mtlMap is a picture and its options.
type mtlMap struct {
	file          string
	offset, scale [2]float64
	clamp         bool
}

// readMTL reads a material library into materials. A material that is there already
// is replaced. Statements that can't be read are notes: a model is shown without its
// materials rather than not at all.
func readMTL(ctx context.Context, data []byte, library string, materials map[string]*mtl, notes *notes) error {
	var m *mtl
	complained := 0
	for s := newStatements(data); s.next(); {
		if s.line%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		key, rest := word(s.text)
		if string(key) == "newmtl" {
			m = &mtl{library: library, color: [3]float32{1, 1, 1}, alpha: 1}
			materials[string(bytes.TrimSpace(rest))] = m
			continue
		}
		if m == nil {
			continue
		}
		if err := m.statement(strings.ToLower(string(key)), rest); err != nil && complained < 4 {
			complained++
			notes.add("Line %d of %q was skipped: %s.", s.line, clip(library), reason(err))
		}
	}
	return nil
}

func (m *mtl) statement(key string, rest []byte) (err error) {
	var v [1]float64
	switch key {
	case "kd":
		m.color, err = mtlColor(rest, m.color)
	case "ke":
		m.emissive, err = mtlColor(rest, m.emissive)
	case "d":
		// -halo makes the edges of glass opaque; there is no such thing here.
		rest = bytes.TrimPrefix(bytes.TrimSpace(rest), []byte("-halo"))
		n, e := numbers(rest, v[:])
		if e == nil && n == 1 {
			m.alpha, m.dissolve = limit01(v[0]), true
		}
		err = e
	case "tr":
		n, e := numbers(rest, v[:])
		if e == nil && n == 1 && !m.dissolve {
			m.alpha = 1 - limit01(v[0])
		}
		err = e
	case "map_kd":
		m.diffuse = parseMap(rest)
	case "map_d", "map_opacity":
		m.mask = parseMap(rest)
	case "map_ka", "map_ks", "map_ns", "map_ke", "map_bump", "bump", "norm", "map_kn", "disp", "decal", "refl", "map_pr", "map_pm", "map_ps", "map_rma", "map_orm":
		m.others = append(m.others, parseMap(rest))
	}
	return err
}

// mtlColor reads red, green and blue; one number is all three.
func mtlColor(rest []byte, old [3]float32) ([3]float32, error) {
	w, _ := word(rest)
	if s := string(w); s == "spectral" || s == "xyz" {
		return old, bad("", fmt.Sprintf("a colour as %s", s), "red, green and blue")
	}
	var v [3]float64
	n, err := numbers(rest, v[:])
	switch {
	case err != nil:
		return old, err
	case n == 1:
		v[1], v[2] = v[0], v[0]
	case n < 3:
		return old, bad("", count(n, "number"), "red, green and blue")
	}
	return [3]float32{limit01(v[0]), limit01(v[1]), limit01(v[2])}, nil
}

// limit01 brings a number into 0 to 1; what is no number is 0.
func limit01(x float64) float32 {
	if !(x > 0) {
		return 0
	}
	return float32(min(x, 1))
}

// mapOptions has how many arguments the options of a picture may have at most.
var mapOptions = map[string]int{
	"-blendu": 1, "-blendv": 1, "-boost": 1, "-cc": 1, "-clamp": 1, "-imfchan": 1, "-texres": 1, "-bm": 1, "-type": 1,
	"-mm": 2, "-o": 3, "-s": 3, "-t": 3,
}

// parseMap reads the options and the name of a picture, which may have spaces.
func parseMap(rest []byte) mtlMap {
	m := mtlMap{scale: [2]float64{1, 1}}
	rest = bytes.TrimSpace(rest)
	for {
		key, after := word(rest)
		most, ok := mapOptions[strings.ToLower(string(key))]
		if !ok {
			m.file = string(bytes.TrimSpace(rest))
			return m
		}
		var values []float64
		first := ""
		for k := range most {
			w, next := word(after)
			if len(w) == 0 {
				break
			}
			// Of -o, -s and -t only the first number has to be there.
			v, isNumber := parseFloat(w)
			if most > 1 && k > 0 && !isNumber {
				break
			}
			if k == 0 {
				first = strings.ToLower(string(w))
			}
			values = append(values, v)
			after = next
		}
		switch strings.ToLower(string(key)) {
		case "-clamp":
			m.clamp = first == "on"
		case "-o":
			copy(m.offset[:], bounded(values))
		case "-s":
			copy(m.scale[:], bounded(values))
		}
		rest = bytes.TrimSpace(after)
	}
}

// bounded replaces numbers that no texture coordinate can be multiplied with.
func bounded(values []float64) []float64 {
	for i, v := range values {
		if !(v >= -1e6 && v <= 1e6) {
			values[i] = 0
		}
	}
	return values
}

// materialIndex gives the model's index of a material that faces name; "" is that of
// faces that name none.
func (r *objReader) materialIndex(name string) (int, error) {
	if i, ok := r.used[name]; ok {
		return i, nil
	}
	m := plainMaterial()
	m.Name = name
	m.DoubleSided = true // the format has no sides
	if def := r.materials[name]; def != nil {
		if err := r.fill(&m, def); err != nil {
			return 0, err
		}
	} else if r.colors == nil {
		m.BaseColor = undefinedColor
	}
	if r.materials[name] == nil && name != "" {
		r.notes.add("Material %q is not defined; it is shown plain.", clip(name))
	}
	i := len(r.build.m.Materials)
	r.build.m.Materials = append(r.build.m.Materials, m)
	r.used[name] = i
	return i, nil
}

// undefinedColor is that of faces without a material: a light grey that shading can be
// seen on, as in other programs. Linear.
var undefinedColor = [4]float32{0.6, 0.6, 0.6, 1}

func (r *objReader) fill(m *Material, def *mtl) error {
	m.BaseColor = [4]float32{def.color[0], def.color[1], def.color[2], def.alpha}
	m.Emissive = def.emissive
	if def.alpha < 1 {
		m.Alpha = Blend
	}
	for _, other := range def.others {
		r.notes.add("Textures other than map_Kd are not supported; they are not shown.")
		r.keep(other.file, def.library)
	}
	if def.diffuse.file != "" {
		var err error
		if m.Image, err = r.image(def.diffuse.file, def.library); err != nil {
			return err
		}
		// In the picture's coordinates v goes down, and vertices have been turned
		// over already: v' = s·v + (1 − s − o).
		s, o := def.diffuse.scale, def.diffuse.offset
		m.UV = mgl32.Mat3{float32(s[0]), 0, 0, 0, float32(s[1]), 0, float32(o[0]), float32(1 - s[1] - o[1]), 1}
		if def.diffuse.clamp {
			m.WrapS, m.WrapT = Clamp, Clamp
		}
	}
	switch {
	case def.mask.file == "":
	case def.mask.file == def.diffuse.file && m.Image >= 0:
		m.Alpha, m.Cutoff = Mask, 0.5
	default:
		r.notes.add("A mask (map_d) of its own is not supported; material %q is shown without.", clip(m.Name))
		r.keep(def.mask.file, def.library)
	}
	return nil
}

// places are the names under which a picture is looked for: beside the library,
// beside the model, and, as exporters write paths of their own machine, by its last
// name beside the model.
func places(file, library string) []string {
	list := []string{file}
	slashed := strings.ReplaceAll(library, `\`, "/")
	if dir := path.Dir(slashed); dir != "." {
		list = []string{dir + "/" + file, file}
	}
	file = strings.ReplaceAll(file, `\`, "/")
	if hasDrive(file) || strings.HasPrefix(file, "/") {
		list = append(list, path.Base(file))
	}
	return list
}

// keep remembers a picture that isn't shown.
func (r *objReader) keep(file, library string) {
	for _, name := range places(file, library) {
		r.files.keep(name, false)
	}
}

// image gives the model's index of a picture; one that can't be read is a note, and
// −1.
func (r *objReader) image(file, library string) (int, error) {
	key := path.Dir(library) + "\x00" + file
	if i, ok := r.images[key]; ok {
		return i, nil
	}
	r.images[key] = -1
	var failed error
	for k, name := range places(file, library) {
		data, err := r.files.follow(r.ctx, name, false)
		if e := contextError(err); e != nil {
			return 0, e
		}
		if err != nil {
			if failed == nil {
				failed = err
			}
			continue
		}
		pixels, err := r.pictures.decode(data)
		if err != nil {
			failed = err
			break
		}
		if k > 0 && name != file {
			r.notes.add("Picture %q was taken from the model's folder.", clip(file))
		}
		r.images[key] = len(r.build.m.Images)
		r.build.m.Images = append(r.build.m.Images, Image{Name: path.Base(name), Pixels: pixels, Opaque: opaque(pixels)})
		return r.images[key], nil
	}
	r.notes.add("Picture %s is not shown: %s.", strconv.Quote(clip(file)), reason(failed))
	return -1, nil
}
