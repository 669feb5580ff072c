package render

import (
	"image/color"
	"os"
	"testing"
	"time"

	"encoding/binary"
	"fmt"
	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl64"
	"ridgeline/terrain"
)

func TestFirst(t *testing.T) {
	withGL(t, func(r *Renderer) {
		f := hills(t, 513, 513, 1, 60, 0.45, 7)
		w := World{Field: f, Layers: []LayerTexture{{plain(color.NRGBA{90, 110, 60, 255}), 4}, {plain(color.NRGBA{130, 110, 90, 255}), 4}}, Sun: afternoon}
		if err := r.Update(w); err != nil {
			t.Fatal(err)
		}
		v := look(mgl64.Vec3{256, 90, -20}, mgl64.Vec3{256, 10, 200}, 960, 540, 1, 2000)
		v.Rings = []Ring{{X: 230, Z: 120, Radius: 40, Inner: 20, Colour: color.NRGBA{255, 220, 80, 255}}}
		m, s := shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, ""), s)
		v.Overlays = Wire | Bounds
		m, s = shoot(t, r, 960, 540, &v)
		t.Log(save(t, m, "-wire"), s)
	})
}

func peerField(t testing.TB, n int) *terrain.Field {
	b, err := os.ReadFile(fmt.Sprintf("%s/h%d.r16", os.Getenv("PEERS"), n))
	if err != nil {
		t.Skip(err)
	}
	h := make([]float32, n*n)
	for i := range h {
		h[i] = float32(binary.LittleEndian.Uint16(b[2*i:])) / 65535 * 0.25 * float32(n-1)
	}
	f, err := terrain.FromHeights(n, n, 1, h)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPeers(t *testing.T) {
	withGL(t, func(r *Renderer) {
		for _, n := range []int{513, 1025} {
			f := peerField(t, n)
			w := World{Field: f, Layers: []LayerTexture{{plain(color.NRGBA{90, 110, 60, 255}), 4}}, Sun: afternoon}
			t0 := time.Now()
			if err := r.Update(w); err != nil {
				t.Fatal(err)
			}
			t.Log("upload", time.Since(t0))
			S := float64(n - 1)
			eye := mgl64.Vec3{S / 2, S / 4, -S / 20}
			v := look(eye, eye.Add(mgl64.Vec3{0, -.35, 1}), 1280, 720, S/500, 3*S)
			for _, e := range []float64{0, 3, 8} {
				v.MaxError = e
				m, s := shoot(t, r, 1280, 720, &v)
				t.Log(save(t, m, fmt.Sprint(n, "-", e)), s)
				c := newCanvas(t, 1280, 720)
				best := time.Hour
				for range 12 {
					t0 := time.Now()
					r.Draw(c.Target, &v)
					gl.Finish()
					best = min(best, time.Since(t0))
				}
				t.Log(n, e, best, s.Triangles)
			}
		}
	})
}
