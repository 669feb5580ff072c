package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"ridgeline/editor"
)

func editVerb(sh *shell) *cobra.Command {
	viewport := choiceFlag{"", []string{"auto", "direct", "copy"}}
	c := &cobra.Command{
		Use:   "edit [LEVEL]",
		Short: "Open the editor (this is what no verb means)",
		Long:  "Open the editor on a level, or on the sample level.",
		Args:  words(0, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) error {
			if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
				return errors.New("there is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set; " +
					"render draws to a file, run edits without a window")
			}
			o := editor.RunOptions{Viewport: viewport.value}
			if len(args) == 1 {
				if o.Village = isVillage(args[0]); !isBuiltIn(args[0]) {
					o.Path = args[0]
				}
			}
			return editor.Run(c.Context(), o)
		},
	}
	c.Flags().Var(&viewport, "viewport", "how the level reaches the window")
	return c
}
