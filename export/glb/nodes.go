package glb

import (
	"encoding/json"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
)

// node is a node of the file.
type node struct {
	name        string
	mesh        int // none for none
	children    []int
	translation mgl64.Vec3
	rotation    mgl64.Quat
	scale       mgl64.Vec3
	camera      int    // none for none
	extensions  []byte // a JSON object, or empty
	extras      []byte // a JSON object, or empty
}

// none stands for no mesh, camera or instance.
const none = -1

func newNode(name string) node {
	return node{name: name, mesh: none, camera: none, rotation: mgl64.QuatIdent(), scale: mgl64.Vec3{1, 1, 1}}
}

// nodeList is the nodes as they stand in the file, written as they come: there may be
// a million.
type nodeList struct {
	json []byte // elements of an array
	n    int
	keep bool // they are kept as they are instead
	kept []node
}

// add appends a node. What has its default is left out.
func (l *nodeList) add(n *node) {
	if l.keep {
		l.n++
		l.kept = append(l.kept, *n)
		return
	}
	if l.n > 0 {
		l.json = append(l.json, ',')
	}
	l.n++
	o := beginObject(l.json)
	if n.name != "" {
		o.text("name", n.name)
	}
	if n.mesh != none {
		o.number("mesh", float64(n.mesh))
	}
	if n.camera != none {
		o.number("camera", float64(n.camera))
	}
	if len(n.children) > 0 {
		o.integers("children", n.children)
	}
	if n.translation != (mgl64.Vec3{}) {
		o.numbers("translation", n.translation[:]...)
	}
	if n.rotation != mgl64.QuatIdent() {
		o.numbers("rotation", n.rotation.V[0], n.rotation.V[1], n.rotation.V[2], n.rotation.W)
	}
	if n.scale != (mgl64.Vec3{1, 1, 1}) {
		o.numbers("scale", n.scale[:]...)
	}
	if len(n.extensions) > 0 {
		o.raw("extensions", n.extensions)
	}
	if len(n.extras) > 0 {
		o.raw("extras", n.extras)
	}
	l.json = o.end()
}

// append appends the nodes of another list, which is empty then.
func (l *nodeList) append(o *nodeList) {
	if len(l.json) > 0 && len(o.json) > 0 {
		l.json = append(l.json, ',')
	}
	l.json = append(l.json, o.json...)
	l.kept = append(l.kept, o.kept...)
	l.n += o.n
	*o = nodeList{keep: o.keep}
}

// object writes a JSON object, its keys in the order in which they are given.
type object struct {
	out   []byte
	first int // length after the brace
}

func beginObject(dst []byte) *object {
	dst = append(dst, '{')
	return &object{dst, len(dst)}
}

func (o *object) end() []byte { return append(o.out, '}') }

func (o *object) key(k string) {
	if len(o.out) > o.first {
		o.out = append(o.out, ',')
	}
	o.out = append(appendText(o.out, k), ':')
}

func (o *object) text(k, v string) {
	o.key(k)
	o.out = appendText(o.out, v)
}

func (o *object) number(k string, v float64) {
	o.key(k)
	o.out = strconv.AppendFloat(o.out, v, 'g', -1, 64)
}

func (o *object) numbers(k string, vs ...float64) {
	o.key(k)
	o.out = appendNumbers(o.out, vs)
}

func (o *object) integers(k string, vs []int) {
	o.key(k)
	o.out = append(o.out, '[')
	for i, v := range vs {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.out = strconv.AppendInt(o.out, int64(v), 10)
	}
	o.out = append(o.out, ']')
}

func (o *object) texts(k string, vs []string) {
	o.key(k)
	o.out = append(o.out, '[')
	for i, v := range vs {
		if i > 0 {
			o.out = append(o.out, ',')
		}
		o.out = appendText(o.out, v)
	}
	o.out = append(o.out, ']')
}

func (o *object) yes(k string) { o.raw(k, []byte("true")) }

func (o *object) raw(k string, v []byte) {
	o.key(k)
	o.out = append(o.out, v...)
}

func appendNumbers(dst []byte, vs []float64) []byte {
	dst = append(dst, '[')
	for i, v := range vs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, v, 'g', -1, 64)
	}
	return append(dst, ']')
}

// appendText appends a string as JSON.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			data, err := json.Marshal(s)
			if err != nil {
				return append(dst, `""`...) // strings have no errors
			}
			return append(dst, data...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}
