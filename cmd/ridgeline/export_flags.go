package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/export/glb"
	"ridgeline/terrain/fault"
)

// gltfFlags are the options of .glb and .gltf.
type gltfFlags struct {
	options glb.Options
	heights choiceFlag
	only    string
	names   []string // of the flags, in their order
}

// optionFlag is a number that an option of an export checks.
type optionFlag struct {
	set   func(o *glb.Options, v float64)
	whole bool
	to    *glb.Options
	text  string
}

func (f *optionFlag) String() string { return f.text }

func (f *optionFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	// Zero stands for the default within the program, but is no value that can be asked
	// for.
	if err != nil || v == 0 || math.IsNaN(v) || f.whole && v != math.Trunc(v) {
		v = -1
	}
	var o glb.Options
	f.set(&o, min(max(v, -1e9), 1e9))
	if err := o.Validate(); err != nil {
		_, want, _ := strings.Cut(err.Error(), "expected ")
		return errors.New("expected " + want)
	}
	f.set(f.to, v)
	f.text = text
	return nil
}

func (f *optionFlag) Type() string { return "number" }

// listFlag is a list of numbers that an option of an export checks.
type listFlag struct {
	of    func(o *glb.Options) *[]float64
	to    *glb.Options
	kind  string
	error string // what is said of a wrong one
}

func (f *listFlag) String() string { return "" }

func (f *listFlag) Set(text string) error {
	var o glb.Options
	list := f.of(&o)
	for _, word := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			v = -1
		}
		*list = append(*list, v)
	}
	if o.Validate() != nil {
		return errors.New(f.error)
	}
	*f.of(f.to) = *list
	return nil
}

func (f *listFlag) Type() string { return f.kind }

// add adds the flags to a command.
func (g *gltfFlags) add(c *cobra.Command) {
	o, f := &g.options, c.Flags()
	g.heights = choiceFlag{value: "float", choices: []string{"float", "16", "none"}}
	number := func(name, help string, whole bool, set func(o *glb.Options, v float64)) {
		f.Var(&optionFlag{set: set, whole: whole, to: o}, name, help)
		g.names = append(g.names, name)
	}
	yes := func(to *bool, name, help string) {
		f.BoolVar(to, name, false, help)
		g.names = append(g.names, name)
	}
	number("chunk", "cells along an edge of a ground chunk: 32, 64 or 128 (default 64)", true, func(o *glb.Options, v float64) { o.Chunk = int(v) })
	number("lods", fmt.Sprintf("levels of detail of the ground, 1 to %d (default 4)", glb.MaxLODs), true, func(o *glb.Options, v float64) { o.LODs = int(v) })
	yes(&o.Unlit, "unlit", "let engines not light the ground: for baked light")
	number("bake", fmt.Sprintf("pixels along an edge of one baked texture a ground chunk, a power of two, %d to %d", glb.MinBake, glb.MaxBake), true,
		func(o *glb.Options, v float64) { o.Bake = int(v) })
	f.Var(&g.heights, "heights", "heights beside the ground's meshes: float, 16 (bits) or none")
	f.Var(&listFlag{func(o *glb.Options) *[]float64 { return &o.MeshLODs }, o, "parts", "expected falling numbers between 0 and 1, such as 0.5,0.25,0.1"},
		"mesh-lods", "parts of the triangles that further levels of detail of meshes keep, such as 0.5,0.25,0.1")
	f.Var(&listFlag{func(o *glb.Options) *[]float64 { return &o.MeshErrors }, o, "metres", "expected rising numbers of metres over 0, such as 0.02,0.1"},
		"mesh-errors", "metres by which further levels of detail of meshes may be off, such as 0.02,0.1, instead of --mesh-lods")
	g.names = append(g.names, "heights", "mesh-lods", "mesh-errors")
	yes(&o.Quantize, "quantize", "write vertices in fewer bits (KHR_mesh_quantization)")
	yes(&o.Instancing, "instancing", "write things that share a mesh as instances (EXT_mesh_gpu_instancing)")
	yes(&o.ZUp, "z-up", "turn the level so that Z is up")
	number("scale", fmt.Sprintf("units of the file a metre, %g to %g (default 1)", glb.MinScale, glb.MaxScale), false, func(o *glb.Options, v float64) { o.Scale = v })
	f.StringVar(&g.only, "only", "", "ids or names of things, joined by commas: write only these and what is below them, without ground")
	g.names = append(g.names, "only")
	yes(&o.Sun, "sun", "add the sun as a light (KHR_lights_punctual)")
	yes(&o.Cameras, "cameras", "add the level's view and its bookmarks as cameras")
	yes(&o.NoVisibility, "no-visibility", "leave out what hides what (RIDGELINE_visibility)")
	yes(&o.Strict, "strict", "fail when an asset is missing, instead of showing a box for it")
}

// given names the first flag that was given; "" for none.
func (g *gltfFlags) given(c *cobra.Command) string {
	for _, name := range g.names {
		if c.Flags().Changed(name) {
			return "--" + name
		}
	}
	return ""
}

// of gives the options for a level.
func (g *gltfFlags) of(c *cobra.Command, l *document.Level) (glb.Options, error) {
	o := g.options
	if len(o.MeshLODs) > 0 && len(o.MeshErrors) > 0 {
		return o, &fault.Error{Op: "export the level", Place: "--mesh-errors", Found: "--mesh-lods too", Want: "one of the two"}
	}
	o.Heights = map[string]glb.Heights{"float": glb.HeightsFloat, "16": glb.Heights16, "none": glb.HeightsNone}[g.heights.value]
	if !c.Flags().Changed("only") {
		return o, nil
	}
	for _, word := range strings.Split(g.only, ",") {
		id, err := thingOf(l, strings.TrimSpace(word))
		if err != nil {
			return o, err
		}
		o.Only = append(o.Only, id)
	}
	return o, nil
}

// thingOf finds a thing by its id or a name that no other has.
func thingOf(l *document.Level, word string) (document.ID, error) {
	bad := func(found, want string) error {
		return &fault.Error{Op: "export the level", Place: "--only", Found: found, Want: want}
	}
	if word == "" {
		return 0, bad("no thing", "ids or names of things, joined by commas")
	}
	if n, err := strconv.ParseUint(word, 10, 64); err == nil {
		if _, ok := l.Entity(document.ID(n)); ok {
			return document.ID(n), nil
		}
	}
	var found []document.ID
	for e := range l.Entities() {
		if e.Name == word {
			found = append(found, e.ID)
		}
	}
	switch len(found) {
	case 0:
		return 0, bad(strconv.Quote(word), "the id or name of a thing of the level")
	case 1:
		return found[0], nil
	}
	return 0, bad(fmt.Sprintf("%q, the name of %d things", word, len(found)), fmt.Sprintf("an id, such as %d", found[0]))
}
