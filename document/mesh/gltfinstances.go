package mesh

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// instancing is what EXT_mesh_gpu_instancing says of a node: how many times it shows its
// mesh, and the accessors that tell where, −1 for what is left out.
type instancing struct {
	count     int
	accessors [len(placing)]int
}

// placing are the attributes that place an instance, with the types that the extension
// allows: all that is not among them, such as _ID, is of programs.
var placing = [...]struct {
	name       string
	components gltf.AccessorType
	integers   bool // signed, normalized ones may stand for it
	want       string
}{
	{"TRANSLATION", gltf.AccessorVec3, false, "VEC3 of floats"},
	{"ROTATION", gltf.AccessorVec4, true, "VEC4 of floats or normalized signed integers"},
	{"SCALE", gltf.AccessorVec3, false, "VEC3 of floats"},
}

// checkInstances checks the instances of nodes: their accessors are there, of the right
// types and of equal counts, and have data, so that there are no more of them than the
// file can pay for.
func (d *document) checkInstances() error {
	total := 0
	for i, n := range d.Nodes {
		var value struct{ Attributes map[string]*int }
		place := fmt.Sprintf("nodes[%d].extensions.%s", i, extInstancing)
		switch ok, err := extension(n.Extensions, extInstancing, &value); {
		case err != nil:
			return bad(place, "a value of another form", `{"attributes": {"TRANSLATION": accessor, …}}`)
		case !ok:
			continue
		case len(value.Attributes) == 0:
			return bad(place+".attributes", "nothing", "TRANSLATION, ROTATION or SCALE")
		}
		of, err := d.instancing(place+".attributes", value.Attributes)
		if err != nil {
			return err
		}
		if total += of.count; total > MaxInstances {
			return bad(place, fmt.Sprintf("more than %d instances, those of all nodes counted", MaxInstances), "at most %d", MaxInstances)
		}
		if d.instances == nil {
			d.instances = map[int]*instancing{}
		}
		d.instances[i] = of
	}
	return nil
}

// instancing checks the attributes of one node.
func (d *document) instancing(place string, attributes map[string]*int) (*instancing, error) {
	of := &instancing{}
	first := ""
	for _, name := range sortedKeys(attributes) {
		place := place + "." + clip(name)
		if err := needed(place, attributes[name], len(d.Accessors), "accessor"); err != nil {
			return nil, err
		}
		a := d.Accessors[*attributes[name]]
		switch {
		case a.Count < 1:
			return nil, bad(place, "no instances", "at least one")
		case a.BufferView == nil:
			return nil, bad(place, "an accessor without data of its own", "one with a buffer view")
		case first == "":
			of.count, first = a.Count, name
		case a.Count != of.count:
			return nil, bad(place, fmt.Sprintf("%d elements", a.Count), "%d, as many as %s has", of.count, clip(first))
		}
	}
	for k, p := range placing {
		of.accessors[k] = -1
		index, ok := attributes[p.name]
		if !ok {
			continue
		}
		of.accessors[k] = *index
		a := d.Accessors[*index]
		integers := p.integers && a.Normalized && (a.ComponentType == gltf.ComponentByte || a.ComponentType == gltf.ComponentShort)
		if a.Type != p.components || a.ComponentType != gltf.ComponentFloat && !integers {
			return nil, bad(place+"."+p.name, d.reader(a, nil).describe(), "%s", p.want)
		}
	}
	return of, nil
}

// instances reads where a node shows its mesh.
type instances struct {
	count int
	at    [len(placing)]*accessor // nil for what is left out
	place string                  // of the attributes
	odd   bool                    // a rotation was no unit quaternion, which was mended
}

// instancesOf opens the instances of a node; nil without. open opens an accessor.
func (d *document) instancesOf(node int, open func(index int) (*accessor, error)) (*instances, error) {
	of := d.instances[node]
	if of == nil {
		return nil, nil
	}
	s := &instances{count: of.count, place: fmt.Sprintf("nodes[%d].extensions.%s.attributes", node, extInstancing)}
	for k, index := range of.accessors {
		if index < 0 {
			continue
		}
		var err error
		if s.at[k], err = open(index); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// local is the matrix of instance i relative to the node.
func (s *instances) local(i int) (mgl64.Mat4, error) {
	v := [len(placing)][4]float32{{}, {0, 0, 0, 1}, {1, 1, 1}}
	for k, a := range s.at {
		if a == nil {
			continue
		}
		v[k] = a.vector(i)
		for _, x := range v[k] {
			if !isFinite(x) {
				return mgl64.Mat4{}, s.bad(k, i, v[k], "finite numbers")
			}
		}
	}
	t, r, f := v[0], v[1], v[2]
	q := mgl64.Quat{W: float64(r[3]), V: mgl64.Vec3{float64(r[0]), float64(r[1]), float64(r[2])}}
	l, slack := q.Len(), 1e-3
	if a := s.at[1]; a != nil && a.kind != gltf.ComponentFloat {
		slack = 0.02 // a step of a byte
	}
	if !(l > 1e-9 && l < 1e9) {
		return mgl64.Mat4{}, s.bad(1, i, r, "a quaternion of the length 1")
	}
	s.odd = s.odd || math.Abs(l-1) > slack
	return compose(mgl64.Vec3{float64(t[0]), float64(t[1]), float64(t[2])}, q.Scale(1/l), mgl64.Vec3{float64(f[0]), float64(f[1]), float64(f[2])}), nil
}

func (s *instances) bad(k, i int, v [4]float32, want string) error {
	return bad(s.place+"."+placing[k].name, fmt.Sprintf("%v for instance %d", v[:s.at[k].components], i), "%s", want)
}

// compose is the matrix T · R · S.
func compose(t mgl64.Vec3, r mgl64.Quat, s mgl64.Vec3) mgl64.Mat4 {
	m := r.Mat4()
	for a := range 3 {
		for k := range 3 {
			m[4*a+k] *= s[a]
		}
	}
	m[12], m[13], m[14] = t[0], t[1], t[2]
	return m
}

// instanceNames are what an exported level calls the instances of a node, in the node's
// extras; nil where these say something else.
func instanceNames(extras any, count int) []string {
	top, _ := extras.(map[string]any)
	list, _ := top["instances"].([]any)
	if len(list) != count {
		return nil
	}
	names := make([]string, count)
	for i, e := range list {
		one, _ := e.(map[string]any)
		name, ok := one["name"].(string)
		if !ok {
			return nil
		}
		names[i] = name
	}
	return names
}
