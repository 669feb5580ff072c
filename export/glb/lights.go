package glb

import (
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"ridgeline/document"
)

// cameraFovY is the vertical field of view that the editor's view has by default.
const cameraFovY = math.Pi / 3

// addSun adds the level's sun as a directional light.
func (p *plan) addSun(s *document.Sun) {
	// The brightest channel is 1, as the extension has it. A white surface that faces the
	// light shows its colour: it reflects a πth of what it gets in each direction.
	color, strength := mgl64.Vec3{1, 1, 1}, 0.0
	if top := max(s.Color[0], s.Color[1], s.Color[2]); top > 0 {
		color, strength = s.Color.Mul(1/top), top*s.Intensity*math.Pi
	}
	if p.doc.Extensions == nil {
		p.doc.Extensions = gltf.Extensions{}
	}
	p.doc.Extensions[extLights] = map[string]any{"lights": []any{map[string]any{
		"name": "sun", "type": "directional", "color": color, "intensity": strength,
	}}}
	p.uses(extLights)
	n := newNode("sun")
	n.rotation = looking(s.Direction().Mul(-1))
	n.extensions = []byte(`{"` + extLights + `":{"light":0}}`)
	x := beginObject(nil)
	x.text("kind", "sun")
	x.number("ambient", s.Ambient)
	if s.Baked {
		x.yes("baked")
	}
	n.extras = x.end()
	p.addToScene(&n)
}

// addCameraNodes adds the camera with which the level opens and its bookmarks, by name.
func (p *plan) addCameraNodes(s *document.Settings) {
	add := func(name, kind string, c document.Camera) {
		p.doc.Cameras = append(p.doc.Cameras, &gltf.Camera{Name: name, Perspective: &gltf.Perspective{Yfov: cameraFovY, Znear: 0.1}})
		n := newNode(name)
		n.camera = len(p.doc.Cameras) - 1
		n.translation, n.rotation = c.Eye, looking(c.Look.Sub(c.Eye))
		x := beginObject(nil)
		x.text("kind", kind)
		n.extras = x.end()
		p.addToScene(&n)
	}
	if s.Camera.IsSet() {
		add("camera", "view", s.Camera)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Bookmarks)) {
		add(name, "bookmark", s.Bookmarks[name])
	}
}

func (p *plan) addToScene(n *node) {
	p.doc.Scenes[0].Nodes = append(p.doc.Scenes[0].Nodes, p.nodes.n)
	p.nodes.add(n)
}

// looking turns −Z, in which cameras look and light falls, to a direction, with Y as far
// up as it goes.
func looking(to mgl64.Vec3) mgl64.Quat {
	back := to.Mul(-1).Normalize()
	right := mgl64.Vec3{0, 1, 0}.Cross(back)
	if right.Len() < 1e-9 {
		right = mgl64.Vec3{1, 0, 0} // straight up or down
	}
	right = right.Normalize()
	up := back.Cross(right)
	return mgl64.Mat4ToQuat(mgl64.Mat4FromCols(right.Vec4(0), up.Vec4(0), back.Vec4(0), mgl64.Vec4{0, 0, 0, 1})).Normalize()
}
