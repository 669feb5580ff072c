package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"ridgeline/export/runtime"
	"ridgeline/occluders/cull"
	"ridgeline/occluders/geom"
	"ridgeline/terrain/fault"
	"ridgeline/viewport/camera"
	"ridgeline/viewport/host"
)

// viewer is the game: a level, a camera, a culler and a renderer.
type viewer struct {
	camera, file string // of the command line
	size         image.Point
	frames       int

	out    io.Writer
	level  *runtime.Level
	culler *runtime.Culler
	rig    camera.Rig
	draws  renderer
	said   string
}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "ridgeline-view: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	v := viewer{out: out}
	f := flag.NewFlagSet("ridgeline-view LEVEL.glb", flag.ContinueOnError)
	f.SetOutput(out)
	f.StringVar(&v.camera, "camera", "", "`NAME` of a bookmark of the level to begin at")
	f.IntVar(&v.frames, "frames", 0, "draw so many pictures without a window")
	f.StringVar(&v.file, "o", "", "`FILE` of a picture, such as out_%03d.png")
	size := f.String("size", "1280x720", "of the picture, in pixels")
	triangles := f.Int("triangles", 0, "draw no more triangles than these; 0 is any number")
	pixels := f.Float64("error", runtime.DefaultMaxError, "error of coarser levels of detail, in pixels")
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		f.Usage()
		return &fault.Error{Want: "an exported level first, such as village.glb"}
	}
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	if n, _ := fmt.Sscanf(*size, "%dx%d", &v.size.X, &v.size.Y); n < 2 || min(v.size.X, v.size.Y) < 16 || max(v.size.X, v.size.Y) > 8192 {
		return &fault.Error{Place: "--size", Found: *size, Want: "16x16 to 8192x8192"}
	}
	if v.frames < 0 || (v.frames > 0) != (v.file != "") || f.NArg() > 0 {
		return &fault.Error{Place: "--frames", Found: fmt.Sprint(v.frames), Want: "a number together with -o FILE, or neither"}
	}
	if v.level, err = runtime.Open(ctx, args[0]); err != nil {
		return err
	}
	defer v.level.Close()
	v.culler, v.draws.level = v.level.Culler(), v.level
	v.culler.Triangles, v.culler.MaxError = *triangles, *pixels
	v.rig.Scene = geom.EmptyBox()
	for e := range v.level.Entries() {
		v.rig.Scene = v.rig.Scene.Union(v.level.Box(e))
	}
	names := slices.Sorted(maps.Keys(v.level.Cameras))
	at := runtime.Camera{Eye: v.rig.Scene.Max, Look: v.rig.Scene.Center()}
	switch c, ok := v.level.Cameras[v.camera]; {
	case ok:
		at = c
	case v.camera != "":
		return &fault.Error{Place: "--camera", Found: v.camera, Want: "one of " + strings.Join(names, ", ")}
	case len(names) > 0:
		at = v.level.Cameras[names[0]]
	}
	v.rig.Camera = camera.Look(at.Eye, at.Look)
	if v.frames > 0 {
		return v.offscreen(ctx)
	}
	return v.window(ctx)
}

// draw culls and draws what the camera sees, and says what came of it.
func (v *viewer) draw(t host.Target) error {
	v.rig.Size = [2]float64{float64(t.Size.X), float64(t.Size.Y)}
	v.rig.FitDepth(v.rig.Scene, 0)
	viewProj := v.rig.ViewProj(v.rig.Size)
	f := v.culler.Run(runtime.View{Eye: v.rig.Eye, ViewProj: viewProj, Size: t.Size})
	say, ms := fmt.Sprintf("%d drawn, %d culled:", len(f.Drawn), f.Entries-len(f.Drawn)), 0.0
	for i, s := range f.Stats {
		say += fmt.Sprintf(" %v %d", cull.Test(i), s.Removed)
		ms += 1e3 * s.Time.Seconds()
	}
	if say != v.said || v.frames > 0 { // while nothing changes nothing is said
		fmt.Fprintf(v.out, "%s; %d triangles; %.2f ms\n", say, f.Triangles, ms)
	}
	v.said = say
	return v.draws.frame(f, v.rig.Eye, viewProj)
}

// offscreen draws pictures, turning round at the camera or, without one, on the way from
// bookmark to bookmark.
func (v *viewer) offscreen(ctx context.Context) error {
	gl, err := host.NewHeadlessGL()
	if err != nil {
		return err
	}
	defer gl.Close()
	if err := gl.Do(v.draws.init); err != nil {
		return err
	}
	names, begin := slices.Sorted(maps.Keys(v.level.Cameras)), v.rig.Yaw
	for i := range v.frames {
		if part := float64(i) / float64(v.frames); v.camera != "" || len(names) < 2 {
			v.rig.Yaw = begin + 2*math.Pi*part
		} else {
			k, u := math.Modf(part * float64(len(names)))
			a, b := v.level.Cameras[names[int(k)]], v.level.Cameras[names[(int(k)+1)%len(names)]]
			between := func(p, q geom.Vec3) geom.Vec3 { return p.Add(q.Sub(p).Mul(u * u * (3 - 2*u))) }
			v.rig.Camera = camera.Look(between(a.Eye, b.Eye), between(a.Look, b.Look))
		}
		picture, err := gl.Render(v.size, 1, v.draw)
		if err != nil || ctx.Err() != nil {
			return cmp.Or(err, ctx.Err())
		}
		name := v.file
		if strings.Contains(name, "%") {
			name = fmt.Sprintf(name, i)
		}
		var data bytes.Buffer
		if err = png.Encode(&data, picture); err == nil {
			err = renameio.WriteFile(name, data.Bytes(), 0o644)
		}
		if err != nil {
			return fault.Wrap("write the picture", name, err)
		}
	}
	return nil
}
