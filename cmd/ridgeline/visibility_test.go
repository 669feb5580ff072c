package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is wrong with cells and portals are warnings, which are no failure.
func TestCheckVisibility(t *testing.T) {
	inDir(t)
	ok(t, "new", "a.ridge", "--size", "65x65")
	ok(t, "run", "a.ridge", "-e", `cell.box min=10,1,10 max=20,4,20 name=Hall; portal.add points="14,1,40;16,1,40;16,3,40;14,3,40" name=Lost`)
	out := ok(t, "check", "a.ridge")
	for _, want := range []string{"warning: a.ridge: entity 1: Cell “Hall” leaks at", "warning: a.ridge: entity 2: Portal “Lost” joins nothing"} {
		if !strings.Contains(out, want) {
			t.Errorf("check says %q, expected %q", out, want)
		}
	}
	var j struct {
		OK       bool
		Problems []finding
	}
	if err := json.Unmarshal([]byte(ok(t, "check", "a.ridge", "--json")), &j); err != nil || !j.OK || len(j.Problems) != 2 || j.Problems[0].Severity != warning {
		t.Errorf("as JSON: %+v, %v", j, err)
	}
}
