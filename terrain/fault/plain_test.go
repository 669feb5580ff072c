package fault

import "testing"

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Grün 木": "Grün 木", "a\nb": `a\nb`, "\x1b[31m": `\x1b[31m`, "a\xffb": `a\xffb`, "\u202e": `\u202e`, "\u2028": `\u2028`, "\u0085": `\u0085`, "�": "�", `it's "x"`: `it's "x"`,
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q: %s, expected %s", text, got, want)
		}
	}
}
