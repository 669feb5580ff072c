package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/spf13/cobra"

	"ridgeline/editor"
	"ridgeline/editor/command"
	"ridgeline/editor/session"
	"ridgeline/editor/transfer"
	"ridgeline/terrain/fault"
)

const opRender = "draw the level"

// The styles.
const (
	styleLit    = "lit"
	styleThings = "things"
)

// The styles that later versions will know.
var laterStyles = []string{"unlit", "weights", "ids", "slope", "contours", "lod", "sketch"}

// The bounds of a picture. OpenGL draws no larger ones here.
const (
	minPicture = 16
	maxPicture = 8192
)

// renderFlags are the flags of render.
type renderFlags struct {
	out       string
	size      sizeFlag
	scale     float64
	eye, look placeFlag
	overlays  []string
	style     string
	ui        bool
	mode      string
	do        string
	recover   bool
}

func renderVerb(sh *shell) *cobra.Command {
	o := renderFlags{size: sizeFlag{w: 1280, h: 720}, scale: 1, style: styleLit}
	c := &cobra.Command{
		Use:   "render LEVEL -o OUT.png",
		Short: "Draw a picture of a level, without a display",
		Long:  "Draw a picture of a level, or with --ui of the whole editor on it, without a display.",
		Args:  words(1, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) error {
			if o.out == "" {
				return misuse("render: expected -o OUT.png")
			}
			return sh.render(c.Context(), args[0], &o)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.out, "output", "o", "", "the PNG to write")
	f.Var(&o.size, "size", "size of the picture in pixels")
	f.Var((*floatFlag)(&o.scale), "scale", "pixels per dp: size of the interface and of lines, 0.5 to 4")
	f.Var(&o.eye, "eye", "where the camera stands")
	f.Var(&o.look, "look", "what it looks at")
	f.StringSliceVar(&o.overlays, "overlay", nil, "what is drawn over the level: "+strings.Join(session.Overlays, ", "))
	f.StringVar(&o.style, "style", o.style, "how surfaces look: lit; or things, which tells what stands at each pixel: black nothing, white\nthe ground, else a thing's number as red·65536 + green·256 + blue")
	f.BoolVar(&o.ui, "ui", false, "draw the whole editor")
	f.StringVar(&o.mode, "mode", string(session.ModeSculpt), "with --ui, the editor's mode: select, sculpt, paint, object, occluder, portal, marker, measure or walk")
	f.StringVar(&o.do, "do", "", "commands to run before, joined by ;, such as \"select ids=1; gizmo rotate\"; the level's file stays as it is")
	recoverFlag(c, &o.recover)
	return c
}

// check names the first flag that asks for what cannot be drawn.
func (o *renderFlags) check(path string) error {
	bad := func(flag, found, want string) error {
		return &fault.Error{Op: opRender, File: path, Place: flag, Found: found, Want: want}
	}
	for _, v := range o.overlays {
		if !slices.Contains(session.Overlays, v) {
			return bad("--overlay", fmt.Sprintf("%q", v), strings.Join(session.Overlays, " or "))
		}
	}
	if slices.Contains(laterStyles, o.style) {
		return bad("--style", "the style "+o.style+", which comes with a later version", "lit or things")
	}
	if o.style != styleLit && o.style != styleThings {
		return bad("--style", fmt.Sprintf("%q", o.style), "lit or things")
	}
	if o.style == styleThings && (o.ui || len(o.overlays) > 0) {
		return bad("--style", "things together with --ui or --overlay", "things alone, as each colour has a meaning")
	}
	if min(o.size.w, o.size.h) < minPicture || max(o.size.w, o.size.h) > maxPicture {
		return bad("--size", fmt.Sprintf("%d×%d", o.size.w, o.size.h), fmt.Sprintf("%d×%d to %d×%d", minPicture, minPicture, maxPicture, maxPicture))
	}
	if !(o.scale >= 0.5 && o.scale <= 4) {
		return bad("--scale", fmt.Sprint(o.scale), "0.5 to 4")
	}
	if ext := filepath.Ext(o.out); !strings.EqualFold(ext, ".png") {
		return &fault.Error{Op: opRender, File: o.out, Found: "the extension " + strconv.Quote(ext), Want: ".png"}
	}
	if err := spare(opRender, path, o.out); err != nil {
		return err
	}
	if o.eye.at != nil && o.look.at != nil && *o.eye.at == *o.look.at {
		return bad("--look", "the place of the eye itself", "another place")
	}
	return nil
}

func (sh *shell) render(ctx context.Context, path string, o *renderFlags) error {
	if err := o.check(path); err != nil {
		return err
	}
	level, info, err := sh.openLevel(ctx, path, o.recover)
	if err != nil {
		return err
	}
	p := editor.Picture{
		Level: level, Path: homeOf(path, info), Size: image.Pt(o.size.w, o.size.h), Scale: float32(o.scale),
		Eye: o.eye.at, Look: o.look.at, Overlays: o.overlays, UI: o.ui, Do: o.do, Out: sh.out,
		Things: o.style == styleThings,
	}
	if isSample(path) {
		p.Name = session.SampleName
	}
	if o.ui {
		p.Mode = session.Mode(o.mode)
	}
	m, err := p.Draw(ctx)
	if err != nil {
		return fault.Wrap(opRender, path, err)
	}
	err = transfer.Replace(opRender, o.out, func(w io.Writer) error { return png.Encode(w, m) })
	if err != nil {
		return err
	}
	say(sh.out, "%s: %d×%d pixels", o.out, o.size.w, o.size.h)
	return nil
}

// placeFlag is a place in the world, written x,y,z.
type placeFlag struct{ at *mgl64.Vec3 }

func (p *placeFlag) String() string { return "" }

func (p *placeFlag) Set(text string) error {
	pt, ok := command.ParsePoint(text)
	const form = "x,y,z in metres, such as 0,100,50"
	switch {
	case !ok:
		return fmt.Errorf("expected %s", command.PointWanted(text, form))
	case pt.OnGround():
		return fmt.Errorf("expected %s", form)
	}
	v := mgl64.Vec3(pt)
	p.at = &v
	return nil
}

func (p *placeFlag) Type() string { return "x,y,z" }
