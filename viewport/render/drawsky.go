package render

import (
	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// drawSky fills what the ground left free.
func (r *Renderer) drawSky(v *View) {
	gl.Enable(gl.DEPTH_TEST)
	gl.DepthFunc(gl.LEQUAL)
	gl.DepthMask(false)
	gl.Disable(gl.STENCIL_TEST)
	gl.Disable(gl.BLEND)
	gl.Disable(gl.CULL_FACE)
	gl.PolygonMode(gl.FRONT_AND_BACK, gl.FILL)
	gl.BindVertexArray(r.lineVAO) // the vertex number is all that is used
	s := &r.programs.sky
	gl.UseProgram(s.name)
	inverse := v.ViewProj.Inv()
	// Differences of near and far points, so that parallel views have a direction.
	at := func(x, y float64) mgl64.Vec3 {
		near := mgl64.TransformCoordinate(mgl64.Vec3{x, y, -1}, inverse)
		far := mgl64.TransformCoordinate(mgl64.Vec3{x, y, 0}, inverse)
		return far.Sub(near)
	}
	corner := at(-1, -1)
	set3(s.corner, narrow(corner))
	set3(s.across, narrow(at(1, -1).Sub(corner)))
	set3(s.up, narrow(at(-1, 1).Sub(corner)))
	set3(s.zenith, rgb(v.Sky.Zenith))
	set3(s.horiz, rgb(v.Sky.Horizon))
	set3(s.below, rgb(v.Sky.Below))
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
	r.stats.Draws++
}

func set3(at int32, v mgl32.Vec3) { gl.Uniform3f(at, v[0], v[1], v[2]) }

func narrow(v mgl64.Vec3) mgl32.Vec3 {
	return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])}
}
