package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"image"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/export/runtime"
	"ridgeline/occluders/geom"
)

//go:embed vertex.glsl
var vertexShader string

//go:embed fragment.glsl
var fragmentShader string

// renderer draws meshes, which it loads when they are first seen.
type renderer struct {
	level    *runtime.Level
	program  uint32
	meshes   map[int][]part
	pictures map[int]uint32 // by the level's; −1 is white
}

// part is a primitive on the GPU.
type part struct {
	array    uint32
	count    int32
	material *runtime.Material
}

func (r *renderer) init() error {
	r.meshes, r.pictures, r.program = map[int][]part{}, map[int]uint32{}, gl.CreateProgram()
	for i, text := range []string{vertexShader, fragmentShader} {
		s := gl.CreateShader([]uint32{gl.VERTEX_SHADER, gl.FRAGMENT_SHADER}[i])
		code, free := gl.Strs(text + "\x00")
		gl.ShaderSource(s, 1, code, nil)
		free()
		gl.CompileShader(s)
		gl.AttachShader(r.program, s)
		gl.DeleteShader(s)
	}
	gl.LinkProgram(r.program)
	var ok int32
	if gl.GetProgramiv(r.program, gl.LINK_STATUS, &ok); ok == 0 {
		var log [4096]byte
		gl.GetProgramInfoLog(r.program, int32(len(log)), nil, &log[0])
		return fmt.Errorf("the driver refuses the shaders: %s", gl.GoStr(&log[0]))
	}
	gl.UseProgram(r.program)
	for i := range int32(runtime.MaxLayers) {
		gl.Uniform1i(r.at(fmt.Sprintf("pictures[%d]", i)), i)
	}
	r.pictures[-1] = upload(&image.NRGBA{Pix: []byte{255, 255, 255, 255}, Stride: 4, Rect: image.Rect(0, 0, 1, 1)})
	return nil
}

// release lets go of everything with the context, which is about to end or has.
func (r *renderer) release() { r.meshes, r.pictures = nil, nil }

func (r *renderer) at(uniform string) int32 {
	return gl.GetUniformLocation(r.program, gl.Str(uniform+"\x00"))
}

func (r *renderer) matrix(uniform string, m mgl64.Mat4) {
	var v mgl32.Mat4
	for i := range m {
		v[i] = float32(m[i])
	}
	gl.UniformMatrix4fv(r.at(uniform), 1, false, &v[0])
}

// frame draws what is left of a level.
func (r *renderer) frame(f *runtime.Frame, eye geom.Vec3, viewProj mgl64.Mat4) error {
	gl.ClearColor(0.35, 0.55, 0.8, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	gl.Enable(gl.DEPTH_TEST)
	gl.VertexAttrib4f(3, 1, 1, 1, 1) // where a mesh has no colours
	gl.BlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
	gl.UseProgram(r.program)
	s := cmp.Or(r.level.Sun, &runtime.Sun{Direction: geom.Vec3{0.4, 0.8, 0.45}, Light: geom.Vec3{0.8, 0.75, 0.7}, Ambient: 0.4, Baked: true})
	gl.Uniform3f(r.at("toSun"), float32(s.Direction[0]), float32(s.Direction[1]), float32(s.Direction[2]))
	gl.Uniform3f(r.at("sun"), float32(s.Light[0]), float32(s.Light[1]), float32(s.Light[2]))
	gl.Uniform1f(r.at("ambient"), float32(s.Ambient))
	gl.Uniform1i(r.at("baked"), map[bool]int32{true: 1}[s.Baked])
	var origin geom.Vec3
	if g := r.level.Ground; g != nil {
		origin[0], origin[2] = g.Field().Origin()
	}
	for _, d := range f.Draws {
		if err := r.mesh(d.Mesh); err != nil {
			return err
		}
		place := d.World.Col(3).Vec3().Sub(origin)
		d.World.SetCol(3, d.World.Col(3).Sub(eye.Vec4(0))) // float32 is for what is near the eye
		r.matrix("toWorld", d.World)
		r.matrix("toClip", viewProj.Mul4(d.World))
		gl.Uniform2f(r.at("place"), float32(place[0]), float32(place[2]))
		gl.FrontFace(map[bool]uint32{false: gl.CCW, true: gl.CW}[d.World.Mat3().Det() < 0])
		for _, p := range r.meshes[d.Mesh] {
			if err := r.part(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *renderer) part(p part) error {
	m := p.material
	pictures := []int{m.Picture}
	for i, l := range m.Layers {
		pictures = append(pictures[:i], l.Picture)
		gl.Uniform4f(r.at(fmt.Sprintf("layer[%d]", i)), float32(l.Tint[0]), float32(l.Tint[1]), float32(l.Tint[2]), float32(l.Scale))
	}
	for i, picture := range pictures {
		if _, ok := r.pictures[picture]; !ok {
			pixels, err := r.level.Decode(picture)
			if err != nil {
				return err
			}
			r.pictures[picture] = upload(pixels)
		}
		gl.ActiveTexture(gl.TEXTURE0 + uint32(i))
		gl.BindTexture(gl.TEXTURE_2D, r.pictures[picture])
	}
	flag := map[bool]int32{true: 1}
	gl.Uniform1f(r.at("cutoff"), m.Cutoff*float32(flag[m.Alpha == mesh.Mask]))
	gl.Uniform1i(r.at("layers"), int32(len(m.Layers)))
	gl.Uniform1i(r.at("unlit"), flag[m.Unlit])
	gl.Uniform4fv(r.at("base"), 1, &m.BaseColor[0])
	gl.Uniform3fv(r.at("emissive"), 1, &m.Emissive[0])
	for what, on := range map[uint32]bool{gl.CULL_FACE: !m.DoubleSided, gl.BLEND: m.Alpha == mesh.Blend} {
		if gl.Disable(what); on {
			gl.Enable(what)
		}
	}
	gl.BindVertexArray(p.array)
	gl.DrawElements(gl.TRIANGLES, p.count, gl.UNSIGNED_INT, nil)
	return nil
}

// mesh puts a mesh on the GPU, an attribute after the other. Those that
// are missing are as the context has them.
func (r *renderer) mesh(index int) error {
	if _, ok := r.meshes[index]; ok {
		return nil
	}
	for k, prim := range r.level.Meshes[index].Primitives {
		g, err := r.level.Geometry(index, k)
		if err != nil {
			return err
		}
		p := part{count: int32(len(g.Indices)), material: &runtime.Material{Picture: -1, BaseColor: mgl32.Vec4{1, 1, 1, 1}}}
		if prim.Material >= 0 {
			p.material = &r.level.Materials[prim.Material]
		}
		gl.GenVertexArrays(1, &p.array)
		gl.BindVertexArray(p.array)
		attribute(0, 3, g.Positions)
		attribute(1, 3, g.Normals)
		attribute(2, 2, g.UVs)
		for k, c := range g.Colors[:min(3, len(g.Colors))] {
			attribute(3+uint32(k), 4, c)
		}
		buffer(gl.ELEMENT_ARRAY_BUFFER, g.Indices)
		r.meshes[index] = append(r.meshes[index], p)
	}
	return nil
}

func attribute[T any](index uint32, numbers int32, values []T) {
	if len(values) > 0 {
		buffer(gl.ARRAY_BUFFER, values)
		gl.EnableVertexAttribArray(index)
		gl.VertexAttribPointerWithOffset(index, numbers, gl.FLOAT, false, 0, 0)
	}
}

func buffer[T any](target uint32, values []T) {
	var b uint32
	gl.GenBuffers(1, &b)
	gl.BindBuffer(target, b)
	gl.BufferData(target, len(values)*int(unsafe.Sizeof(values[0])), unsafe.Pointer(&values[0]), gl.STATIC_DRAW)
}

func upload(p *image.NRGBA) (t uint32) {
	gl.ActiveTexture(gl.TEXTURE0)
	gl.GenTextures(1, &t)
	gl.BindTexture(gl.TEXTURE_2D, t)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.SRGB8_ALPHA8, int32(p.Rect.Dx()), int32(p.Rect.Dy()), 0, gl.RGBA, gl.UNSIGNED_BYTE, unsafe.Pointer(&p.Pix[0]))
	gl.GenerateMipmap(gl.TEXTURE_2D)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR)
	return t
}
