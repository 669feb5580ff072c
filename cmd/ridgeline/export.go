package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ridgeline/editor/transfer"
	"ridgeline/terrain/fault"
)

func exportVerb(sh *shell) *cobra.Command {
	var out string
	var lo, hi numberFlag
	var recover, folder bool
	var gltf gltfFlags
	c := &cobra.Command{
		Use:   "export LEVEL -o FILE",
		Short: "Write a level for another program",
		Long: "Write a level for another program, in the format that the extension names: .glb, or .gltf with files\n" +
			"beside it, which hold the whole level, for game engines; .pack, the same as plain files in one or, with\n" +
			"--folder or a name that ends in a slash, in a folder; heights as .r16, .r32, 16-bit .png or .asc. 16 bits need a range\n" +
			"of heights: that of --min and --max, else that of the heightmap the level was imported from, else\n" +
			"from the lowest to the highest height.",
		Args: words(1, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			if out == "" {
				return misuse("export: expected -o FILE")
			}
			if out, err = folderName(out, folder); err != nil {
				return err
			}
			format, err := transfer.FormatOf(out)
			if err != nil {
				return err
			}
			if (lo.value != nil || hi.value != nil) && !format.Heights16 {
				return &fault.Error{Op: "export the level", File: out, Place: "--min --max", Found: "a range of heights",
					Want: "none, as only formats of 16 bits have one"}
			}
			if name := gltf.given(c); name != "" && !format.Things {
				return &fault.Error{Op: "export the level", File: out, Place: name, Found: "an option of glTF and packs", Want: "none, as this format has only heights"}
			}
			path := args[0]
			if err := spare("export the level", path, out); err != nil {
				return err
			}
			level, info, err := sh.openLevel(c.Context(), path, recover)
			if err != nil {
				return err
			}
			options, err := gltf.of(c, level)
			if err != nil {
				return err
			}
			p := sh.progress()
			defer p.done()
			e := transfer.Export{Level: level, Min: lo.value, Max: hi.value, GLTF: options}
			if info.Saved != nil {
				e.Path = info.Saved.Path()
			}
			done, err := e.File(c.Context(), out, p.part("writing "+filepath.Base(out)))
			p.done()
			if err != nil {
				return err
			}
			w := &printer{w: sh.out}
			w.line("%s: %s", out, done.What)
			for _, n := range done.Notes {
				say(sh.err, "warning: %s", n)
			}
			return w.err
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "output", "o", "", "the file to write")
	f.Var(&lo, "min", "height in metres of sample 0 in 16 bits")
	f.Var(&hi, "max", "height in metres of sample 65535 in 16 bits")
	f.BoolVar(&folder, "folder", false, "write a .pack as a folder")
	gltf.add(c)
	recoverFlag(c, &recover)
	return c
}

// folderName is the name of what is written, with a slash at its end if it is a folder.
func folderName(out string, folder bool) (string, error) {
	if !folder || os.IsPathSeparator(out[len(out)-1]) {
		return out, nil
	}
	if ext := strings.ToLower(filepath.Ext(out)); ext != ".pack" && ext != "" {
		return "", &fault.Error{Op: "export the level", File: out, Place: "--folder", Found: "the extension " + strconv.Quote(ext), Want: ".pack or none, as only packs are folders"}
	}
	return out + "/", nil
}
