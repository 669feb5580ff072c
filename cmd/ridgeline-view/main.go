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

// eyeHeight is how far above the ground the flight stays, in metres.
const eyeHeight = 1.7

// viewer is the game: a level, a camera, a culler and a renderer.
type viewer struct {
	camera, file string // of the command line
	size         image.Point
	frames       int
	stops        []string // bookmarks, the first one first

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
	f.IntVar(&v.frames, "frames", 0, "draw `N` pictures without a window, and say what was culled")
	f.StringVar(&v.file, "o", "", "`FILE` of a picture, such as out_%03d.png")
	size := f.String("size", "1280x720", "of the picture, in pixels")
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
	if v.frames < 0 || v.frames == 0 && v.file != "" || f.NArg() > 0 {
		return &fault.Error{Found: strings.Join(args[1:], " "), Want: "--frames with 1 or more, where there is -o, and one level"}
	}
	if v.level, err = runtime.Open(ctx, args[0]); err != nil {
		return err
	}
	defer v.level.Close()
	v.culler, v.draws.level, v.rig.Scene = v.level.Culler(), v.level, geom.EmptyBox()
	for e := range v.level.Entries() {
		v.rig.Scene = v.rig.Scene.Union(v.level.Box(e))
	}
	v.rig.Camera = camera.Look(v.rig.Scene.Max, v.rig.Scene.Center())
	v.stops = slices.Sorted(maps.Keys(v.level.Cameras))
	if i := slices.Index(v.stops, v.camera); i >= 0 {
		v.stops = append(v.stops[i:], v.stops[:i]...)
	} else if v.camera != "" {
		return &fault.Error{Place: "--camera", Found: v.camera, Want: "one of " + strings.Join(v.stops, ", ")}
	}
	if len(v.stops) > 0 {
		c := v.level.Cameras[v.stops[0]]
		v.rig.Camera = camera.Look(c.Eye, c.Look)
	}
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

// offscreen draws pictures on the way from the camera past all bookmarks.
func (v *viewer) offscreen(ctx context.Context) error {
	gl, err := host.NewHeadlessGL()
	if err != nil {
		return err
	}
	defer gl.Close()
	if err := gl.Do(v.draws.init); err != nil {
		return err
	}
	for i := range v.frames {
		if len(v.stops) > 0 {
			at := v.level.Flight(v.stops, float64(i)/float64(v.frames), eyeHeight)
			v.rig.Camera = camera.Look(at.Eye, at.Look)
		}
		picture, err := gl.Render(v.size, 1, v.draw)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if v.file == "" {
			continue
		}
		var data bytes.Buffer
		if err := png.Encode(&data, picture); err != nil {
			return err
		}
		name := v.file
		if strings.Contains(name, "%") {
			name = fmt.Sprintf(name, i)
		}
		if err := renameio.WriteFile(name, data.Bytes(), 0o644); err != nil {
			return fault.Wrap("write the picture", name, err)
		}
	}
	return nil
}
