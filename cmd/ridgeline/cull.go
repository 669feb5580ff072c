package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"ridgeline/editor"
	"ridgeline/terrain/fault"
)

const opCull = "cull the level"

// cullFlags are the flags of cull.
type cullFlags struct {
	size      sizeFlag
	eye, look placeFlag
	camera    string
	fov       float64
	do        string
	oracle    bool
	asJSON    bool
	recover   bool
}

func cullVerb(sh *shell) *cobra.Command {
	o := cullFlags{size: sizeFlag{w: 1280, h: 720}, fov: 60}
	c := &cobra.Command{
		Use:   "cull LEVEL",
		Short: "Tell what is drawn from a place, and why the rest is not",
		Long: "Tell what of a level is drawn from a place: for each thing and each tile of the ground whether a test\n" +
			"removes it, and what hides it; and for each test how many it tried and removed and how long it took.",
		Args: words(1, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) error { return sh.cull(c.Context(), args[0], &o) },
	}
	f := c.Flags()
	f.Var(&o.eye, "eye", "where the camera stands")
	f.Var(&o.look, "look", "what it looks at")
	f.StringVar(&o.camera, "camera", "", "name of a bookmark of the level to look from instead")
	f.Var((*floatFlag)(&o.fov), "fov", "field of view from the picture's bottom to its top, in degrees, 0.1 to 170")
	f.Var(&o.size, "size", "size of the picture in pixels")
	f.StringVar(&o.do, "do", "", "commands to run before, joined by ;, such as \"cull.set portal=no\"; the level's file stays as it is")
	f.BoolVar(&o.oracle, "oracle", false, "compare with a picture for which nothing is removed")
	f.BoolVar(&o.asJSON, "json", false, "as JSON")
	recoverFlag(c, &o.recover)
	return c
}

func (o *cullFlags) check(path string) error {
	bad := func(flag, found, want string) error {
		return &fault.Error{Op: opCull, File: path, Place: flag, Found: found, Want: want}
	}
	switch {
	case !(o.fov >= 0.1 && o.fov <= 170):
		return bad("--fov", fmt.Sprint(o.fov), "0.1 to 170")
	case min(o.size.w, o.size.h) < minPicture || max(o.size.w, o.size.h) > maxPicture:
		return bad("--size", fmt.Sprintf("%d×%d", o.size.w, o.size.h), fmt.Sprintf("%d×%d to %d×%d", minPicture, minPicture, maxPicture, maxPicture))
	case o.camera != "" && (o.eye.at != nil || o.look.at != nil):
		return bad("--camera", "a bookmark as well as --eye or --look", "one of them")
	case o.eye.at != nil && o.look.at != nil && *o.eye.at == *o.look.at:
		return bad("--look", "the place of the eye itself", "another place")
	}
	return nil
}

func (sh *shell) cull(ctx context.Context, path string, o *cullFlags) error {
	if err := o.check(path); err != nil {
		return err
	}
	level, info, err := sh.openLevel(ctx, path, o.recover)
	if err != nil {
		return err
	}
	q := editor.Cull{
		Level: level, Path: homeOf(path, info), Size: image.Pt(o.size.w, o.size.h), Eye: o.eye.at, Look: o.look.at,
		FovY: o.fov * math.Pi / 180, Do: o.do, Out: sh.out, Oracle: o.oracle,
	}
	if o.asJSON {
		q.Out = sh.err // the report is all that is on the standard output
	}
	if o.camera != "" {
		c, ok := level.Settings.Bookmarks[o.camera]
		if !ok {
			return &fault.Error{Op: opCull, File: path, Place: "--camera", Found: fmt.Sprintf("%q", o.camera), Want: "a bookmark of the level: " + orNone(factsOf(level).Bookmarks)}
		}
		q.Eye, q.Look = &c.Eye, &c.Look
	}
	r, err := q.Run(ctx)
	if err != nil {
		return fault.Wrap(opCull, path, err)
	}
	if o.asJSON {
		e := json.NewEncoder(sh.out)
		e.SetEscapeHTML(false)
		return e.Encode(r)
	}
	return writeCull(sh.out, r)
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "it has none"
	}
	return strings.Join(list, ", ")
}

// writeCull writes the figures of a report, and what is wrong; the verdicts are
// for programs.
func writeCull(w io.Writer, r *editor.CullReport) error {
	say(w, "%d things and tiles, %d drawn", r.Objects, r.Drawn)
	say(w, "%-10s %8s %8s %10s", "test", "tried", "removed", "µs")
	for _, t := range r.Tests {
		say(w, "%-10s %8d %8d %10.1f", t.Name, t.Tried, t.Removed, float64(t.Ns)/1e3)
	}
	if r.Efficiency == nil {
		return nil
	}
	if *r.Hidden == 0 {
		say(w, "nothing inside the view is hidden, so there is nothing to remove")
	} else {
		say(w, "%d hidden inside the view, %.0f %% of them removed", *r.Hidden, 100**r.Efficiency)
		for _, s := range r.ByItself {
			say(w, "%s by itself: %d, %.0f %%", s.Name, s.Removed, 100*s.Efficiency)
		}
	}
	for _, p := range r.PerTest {
		if p.Hidden > 0 {
			say(w, "%s removes %.0f %% of the %d that its own blockers hide", p.Name, 100*p.Efficiency, p.Hidden)
		}
	}
	n := len(r.FalseCulls)
	say(w, "%d false %s", n, map[bool]string{true: "cull", false: "culls"}[n == 1])
	for _, v := range r.FalseCulls {
		say(w, "  %s %s was removed by %s, but can be seen", v.ID, v.Name, v.Verdict)
	}
	return nil
}
