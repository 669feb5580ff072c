package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ridgeline/document/store"
	"ridgeline/terrain/fault"
)

// finding is a problem as check tells it in JSON.
type finding struct {
	Severity store.Severity `json:"severity"`
	File     string         `json:"file"`
	Place    string         `json:"place,omitempty"`
	Text     string         `json:"text"`
}

func checkVerb(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check LEVEL",
		Short: "Look for damage in a level",
		Long: "Read everything that belongs to a level and list what is wrong: damage, errors, warnings and notes.\n" +
			"Leftovers and an autosave are notes. An error is an occluder, a cell or a portal that hides what can\n" +
			"be seen, a warning one that has more drawn than need be. Damage and errors make the exit code 1.",
		Args: words(1, 1, "a level"),
		RunE: func(c *cobra.Command, args []string) error {
			name, path := args[0], args[0]
			if isBuiltIn(name) {
				var err error
				if path, err = sh.makeBuiltIn(c.Context(), name); err != nil {
					return err
				}
			}
			if info, err := os.Stat(path); err != nil {
				return fault.Wrap("check the level", path, err)
			} else if info.IsDir() {
				return &fault.Error{Op: "check the level", File: path, Found: "a folder", Want: "a level"}
			}
			p := sh.progress()
			defer p.done()
			problems, err := store.Check(c.Context(), path, p.steps("checking"))
			if err != nil {
				return err
			}
			// A level that cannot be opened has damage that was found.
			inside, more, err := checkContents(c.Context(), path, p.part("checking visibility"))
			p.done()
			if c.Context().Err() != nil {
				return c.Context().Err()
			}
			known := err == nil
			problems = append(problems, more...)
			slices.SortStableFunc(problems, func(a, b store.Problem) int { return rank(a.Severity) - rank(b.Severity) })
			if path != name {
				for i := range problems { // what comes with the program is called by its name
					problems[i].File = name
				}
				path = name
			}
			counts, first := map[store.Severity]int{}, map[store.Severity]string{}
			list := make([]finding, 0, len(problems))
			pass := true
			for _, q := range problems {
				if counts[q.Severity]++; counts[q.Severity] == 1 {
					said := q
					said.Severity = "" // by the message
					first[q.Severity] = strings.TrimPrefix(said.String(), ": ")
				}
				pass = pass && !fails(q.Severity)
				list = append(list, finding{q.Severity, q.File, q.Place, q.Text})
			}
			if asJSON {
				e := json.NewEncoder(sh.out)
				e.SetEscapeHTML(false)
				e.SetIndent("", "  ")
				report := struct {
					Level    string    `json:"level"`
					OK       bool      `json:"ok"`
					Problems []finding `json:"problems"`
					Contents *contents `json:"contents,omitempty"` // unless it cannot be opened
				}{Level: path, OK: pass, Problems: list}
				if known {
					report.Contents = &inside
				}
				err = e.Encode(report)
			} else {
				err = writeProblems(sh, path, problems, &inside)
			}
			if err != nil || pass {
				return err
			}
			return failure(path, counts, first)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return c
}

// failure says why a level does not pass: what is damaged or, if nothing is, what hides
// things that can be seen.
func failure(path string, counts map[store.Severity]int, first map[store.Severity]string) error {
	worst := severities[slices.IndexFunc(severities, func(s store.Severity) bool { return counts[s] > 0 })]
	n, what := counts[worst], first[worst]
	switch {
	case worst == store.Damage && n == 1:
		return fmt.Errorf("%s is damaged: %s", path, what)
	case worst == store.Damage:
		return fmt.Errorf("%s is damaged in %d places, the first: %s", path, n, what)
	case n == 1:
		return fmt.Errorf("%s has an error: %s", path, what)
	}
	return fmt.Errorf("%s has %d errors, the first: %s", path, n, what)
}

// rank orders severities, the worst first.
func rank(s store.Severity) int { return slices.Index(severities, s) }

func writeProblems(sh *shell, path string, problems []store.Problem, inside *contents) error {
	p := &printer{w: sh.out}
	for _, q := range problems {
		p.line("%s", q)
	}
	if len(problems) == 0 {
		p.line("%s: no problems", path)
	}
	inside.write(p)
	return p.err
}
