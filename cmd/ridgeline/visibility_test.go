package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What is wrong with cells and portals is as bad for check as for the window: what hides
// things that can be seen fails, what has more drawn does not.
func TestCheckVisibility(t *testing.T) {
	inDir(t)
	lost := `portal.add points="14,1,40;16,1,40;16,3,40;14,3,40" name=Lost`
	for name, c := range map[string]struct {
		script string
		code   int
		errs   string
		list   []finding // as they begin
	}{
		"warnings": {lost, exitDone, "", []finding{{"warning", "a.ridge", "entity 1", "Portal “Lost” joins nothing"}}},
		"an error": {`cell.box min=10,1,10 max=20,4,20 name=Hall; ` + lost, exitFailed, "ridgeline: a.ridge has an error: a.ridge: entity 1: Cell “Hall” leaks at ", []finding{
			{"error", "a.ridge", "entity 1", "Cell “Hall” leaks at"}, {"warning", "a.ridge", "entity 2", "Portal “Lost” joins nothing"}}},
		"an occluder that hides what can be seen": {`occluder.box min=10,1,10 max=20,4,20 name=Wall; occluder.box min=30,1,10 max=40,4,20 name=Off; occluder.set id=Off off=yes`, exitFailed,
			"ridgeline: a.ridge has an error: a.ridge: entity 1: Occluder “Wall” hides what can be seen", []finding{
				{"error", "a.ridge", "entity 1", "Occluder “Wall” hides what can be seen"}, {"note", "a.ridge", "entity 1", "Occluder “Wall” never removes anything"}}},
		"two errors": {`cell.box min=10,1,10 max=20,4,20 name=Hall; cell.box min=30,1,10 max=40,4,20 name=Barn`, exitFailed, "ridgeline: a.ridge has 2 errors, the first: a.ridge: entity 1: Cell “Hall” leaks at ", []finding{
			{"error", "a.ridge", "entity 1", "Cell “Hall” leaks at"}, {"error", "a.ridge", "entity 2", "Cell “Barn” leaks at"}}},
	} {
		t.Run(name, func(t *testing.T) {
			ok(t, "new", "a.ridge", "--size", "65x65", "--force")
			ok(t, "run", "a.ridge", "-e", c.script)
			r := cli(t, "", "check", "a.ridge")
			if r.code != c.code || !strings.HasPrefix(r.errs, c.errs) || c.errs == "" && r.errs != "" {
				t.Errorf("exit code %d, %q, expected %d, %q", r.code, r.errs, c.code, c.errs)
			}
			lines := strings.Split(r.out, "\n")
			var j struct {
				OK       bool
				Problems []finding
			}
			if err := json.Unmarshal([]byte(cli(t, "", "check", "a.ridge", "--json").out), &j); err != nil || j.OK != (c.code == exitDone) || len(j.Problems) != len(c.list) {
				t.Fatalf("as JSON: %+v, %v", j, err)
			}
			// The window's list says the same.
			window := strings.Split(ok(t, "run", "a.ridge", "-e", "problem.list"), "\n")
			for i, want := range c.list {
				got := j.Problems[i]
				if got.Severity != want.Severity || got.File != want.File || got.Place != want.Place || !strings.HasPrefix(got.Text, want.Text) {
					t.Errorf("as JSON: %+v, expected %+v", got, want)
				}
				if line := fmt.Sprintf("%s: %s: %s: %s", got.Severity, got.File, got.Place, got.Text); lines[i] != line {
					t.Errorf("%q, expected %q", lines[i], line)
				}
				if line := fmt.Sprintf("%d %s: %s", i+1, got.Severity, got.Text); window[i] != line {
					t.Errorf("problem.list says %q, expected %q", window[i], line)
				}
			}
		})
	}
}
