package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		line string
		want []Call
	}{
		{"", nil},
		{"   # only a comment", nil},
		{" ; ;; ", nil},
		{"undo", []Call{{ID: "undo"}}},
		{"undo # and a comment", []Call{{ID: "undo"}}},
		{"undo;redo", []Call{{ID: "undo"}, {ID: "redo"}}},
		{"help terrain.stroke", []Call{{ID: "help", Args: []Arg{{"", "terrain.stroke"}}}}},
		{"terrain.stroke op=raise at=10,10\tradius=20", []Call{{ID: "terrain.stroke", Args: []Arg{{"op", "raise"}, {"at", "10,10"}, {"radius", "20"}}}}},
		{`layer.add name="wet; # grass" uv=4;undo`, []Call{{ID: "layer.add", Args: []Arg{{"name", "wet; # grass"}, {"uv", "4"}}}, {ID: "undo"}}},
		{`a x="q\"b\\c\nd" y='raw \ "x"'`, []Call{{ID: "a", Args: []Arg{{"x", "q\"b\\c\nd"}, {"y", `raw \ "x"`}}}}},
		{"sun.set color=#ffeedd", []Call{{ID: "sun.set", Args: []Arg{{"color", "#ffeedd"}}}}},
		{"a x= y=\"\"", []Call{{ID: "a", Args: []Arg{{"x", ""}, {"y", ""}}}}},
		{"a f=a=b", []Call{{ID: "a", Args: []Arg{{"f", "a=b"}}}}},
		{`a "x=1"`, []Call{{ID: "a", Args: []Arg{{"", "x=1"}}}}},
	} {
		got, err := ParseLine(test.line)
		if err != nil {
			t.Errorf("%q: %v", test.line, err)
		} else if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%q: %s", test.line, d)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for line, want := range map[string]string{
		"op=raise":            `column 1: found "op=raise", expected a command such as terrain.stroke`,
		"a =3":                `column 3: found "=3", expected an argument as name=value`,
		"a b c*d=1":           `column 5: found "c*d=1", expected an argument as name=value`,
		`a n="open`:           `column 5: found a quote that is not closed, expected a closing "`,
		`a n=O'Brien`:         `column 6: found a quote inside a word, expected quotes around the whole value`,
		`a n="x"y`:            `column 8: found "y" after a closing quote, expected a space`,
		`ä n="\q"`:            `column 6: found a \ that escapes nothing, expected \", \\, \n, \r or \t`,
		`a n="\`:              `column 6: found a \ that escapes nothing, expected \", \\, \n, \r or \t`,
		"a x=\xff":            "cannot read a command: found bytes that are not UTF-8, expected UTF-8 text",
		`"quoted" x=1`:        `column 1: found a quote inside a word, expected quotes around the whole value`,
		"undo; x=1; unopened": `column 7: found "x=1", expected a command such as terrain.stroke`,
	} {
		got, err := ParseLine(line)
		if err == nil {
			t.Errorf("%q: parsed as %v", line, got)
		} else if err.Error() != want {
			t.Errorf("%q:\n got %s\nwant %s", line, err, want)
		}
	}
	if _, err := Parse("undo; redo"); err == nil {
		t.Error("two commands passed for one")
	}
	if _, err := Parse("# nothing"); err == nil {
		t.Error("no command passed for one")
	}
}

func TestCallStringParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[a-z][a-z0-9_.-]{0,8}`)
		want := Call{ID: key.Draw(t, "id")}
		for range rapid.IntRange(0, 4).Draw(t, "args") {
			name := ""
			if rapid.Bool().Draw(t, "named") {
				name = key.Draw(t, "name")
			}
			want.Args = append(want.Args, Arg{name, rapid.OneOf(rapid.String(), rapid.StringMatching(`[-"'#;= a\\\n\t,0-9]*`)).Draw(t, "value")})
		}
		line := want.String()
		got, err := Parse(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", line, d)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"terrain.stroke op=raise at=10,10 to=200,200 radius=20 strength=2 # ridge", `layer.add name="a b;c" ; undo`,
		`a x='\' y="\\"`, "a\u2028b=c", "#", ";", `a "x=1" '#'`, "a b=\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		calls, err := ParseLine(line)
		if err != nil {
			return
		}
		for _, c := range calls {
			back, err := Parse(c.String())
			if err != nil {
				t.Fatalf("%q gives %q, which does not parse: %v", line, c.String(), err)
			}
			if d := cmp.Diff(c, back); d != "" {
				t.Fatalf("%q gives %q: %s", line, c.String(), d)
			}
		}
	})
}
