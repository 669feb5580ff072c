package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sqweek/dialog"
)

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name      string
		args      string
		path      string
		err       error
		code      int
		out, errs string
	}{
		{"chosen", "-open", "/a b/c.ridge", nil, chosen, "/a b/c.ridge\n", ""},
		{"cancelled", "-save", "", dialog.ErrCancelled, cancelled, "", ""},
		{"failed", "-dir", "", errors.New("no display"), failed, "", "ridgeline-dialog: no display\n"},
		{"no mode", "", "", nil, failed, "", "ridgeline-dialog: expected one of -open, -save and -dir, and no other words\n"},
		{"two modes", "-open -save", "", nil, failed, "", "ridgeline-dialog: expected one of -open, -save and -dir, and no other words\n"},
		{"unknown flag", "-color", "", nil, failed, "", "ridgeline-dialog: flag provided but not defined: -color\n"},
		{"bad filter", "-open -filter ridge", "", nil, failed, "", "ridgeline-dialog: invalid value \"ridge\" for flag -filter: expected \"Name|ext,ext\"\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, errs strings.Builder
			code := run(strings.Fields(test.args), &out, &errs, func(request) (string, error) { return test.path, test.err })
			if code != test.code || out.String() != test.out || errs.String() != test.errs {
				t.Errorf("code %d, out %q, errors %q", code, out.String(), errs.String())
			}
		})
	}
}

func TestParse(t *testing.T) {
	got, err := parse([]string{"-save", "-title", "Save level as", "-filter", "Levels|ridge", "-filter", "Heights|.png, r16", "-start", "/x/y.ridge"})
	if err != nil {
		t.Fatal(err)
	}
	want := request{save: true, title: "Save level as", start: "/x/y.ridge", filters: []dialog.FileFilter{
		{Desc: "Levels", Extensions: []string{"ridge"}}, {Desc: "Heights", Extensions: []string{"png", "r16"}},
	}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(request{})); d != "" {
		t.Error(d)
	}
}
