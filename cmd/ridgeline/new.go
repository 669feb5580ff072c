package main

import (
	"github.com/spf13/cobra"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

func newVerb(sh *shell) *cobra.Command {
	size := sizeFlag{w: 513, h: 513}
	spacing := 1.0
	var force, noTerrain bool
	c := &cobra.Command{
		Use:   "new LEVEL",
		Short: "Make a flat level, or one without ground",
		Args:  words(1, 1, "the file to make, such as hills.ridge"),
		RunE: func(c *cobra.Command, args []string) error {
			path := args[0]
			if noTerrain && (c.Flags().Changed("size") || c.Flags().Changed("spacing")) {
				return misuse("new: --no-terrain goes without --size and --spacing")
			}
			field, err := terrain.Flat(size.w, size.h, spacing)
			if noTerrain {
				field, err = document.NoTerrain()
			}
			if err != nil {
				return &fault.Error{Op: "make a level", File: path, Err: err}
			}
			t, err := newTarget("make a level", path, force)
			if err != nil {
				return err
			}
			defer t.release()
			if err := t.saveNew(c.Context(), sh, document.NewLevel(field)); err != nil {
				return err
			}
			if noTerrain {
				say(sh.out, "%s: no terrain", path)
				return nil
			}
			say(sh.out, "%s: %d×%d samples, %g m apart, flat", path, size.w, size.h, spacing)
			return nil
		},
	}
	f := c.Flags()
	f.Var(&size, "size", "samples along x and z")
	f.Var((*floatFlag)(&spacing), "spacing", "distance between samples in metres")
	f.BoolVar(&noTerrain, "no-terrain", false, "no ground, for a level that is made of meshes alone")
	f.BoolVar(&force, "force", false, "replace a level that exists")
	return c
}
