package lod

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"ridgeline/terrain"
)

// Vertex gives the sample at which vertex (i, j) of the patch's grid stands, in
// the field's columns and rows. It is what the vertex shader does.
func (p *Patch) Vertex(i, j int) image.Point {
	nx, nz := p.Quads()
	level := int(p.Level)
	w, h := p.Cells.Dx(), p.Cells.Dy()
	x, z := min(i<<level, w), min(j<<level, h)
	switch j {
	case 0:
		x = Snap(i, level, int(p.Edges[Top]), w)
	case nz:
		x = Snap(i, level, int(p.Edges[Bottom]), w)
	}
	switch i {
	case 0:
		z = Snap(j, level, int(p.Edges[Left]), h)
	case nx:
		z = Snap(j, level, int(p.Edges[Right]), h)
	}
	return p.Cells.Min.Add(image.Pt(x, z))
}

// AppendSamples appends the samples of the patch's (nx+1)×(nz+1) vertices, row by
// row.
func (p *Patch) AppendSamples(dst []image.Point) []image.Point {
	nx, nz := p.Quads()
	for j := range nz + 1 {
		for i := range nx + 1 {
			dst = append(dst, p.Vertex(i, j))
		}
	}
	return dst
}

// AppendMesh appends what the GPU draws of a patch: the vertices of its grid, row
// by row, in local metres (world minus the field's origin), and its triangles,
// counter-clockwise from above. Triangles that snapping left without area are
// omitted. Holes are not cut out.
func AppendMesh(vertices []mgl32.Vec3, indices []uint32, f *terrain.Field, p Patch) ([]mgl32.Vec3, []uint32) {
	nx, nz := p.Quads()
	first := uint32(len(vertices))
	s := f.Spacing()
	for j := range nz + 1 {
		for i := range nx + 1 {
			at := p.Vertex(i, j)
			vertices = append(vertices, mgl32.Vec3{
				float32(float64(at.X) * s), f.Sample(at.X, at.Y), float32(float64(at.Y) * s),
			})
		}
	}
	at := func(k uint32) mgl32.Vec3 { return vertices[k] }
	triangle := func(a, b, c uint32) {
		if at(a) != at(b) && at(b) != at(c) && at(c) != at(a) {
			indices = append(indices, a, b, c)
		}
	}
	stride := uint32(nx + 1)
	for j := range uint32(nz) {
		for i := range uint32(nx) {
			a := first + j*stride + i
			b, c, d := a+1, a+stride, a+stride+1
			triangle(a, c, b)
			triangle(b, c, d)
		}
	}
	return vertices, indices
}
