package widgets

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestFuzzyOrder(t *testing.T) {
	// Each query must rank the first text above all that follow.
	for query, texts := range map[string][]string{
		"sa":     {"Save", "Set sun angle", "Erase all"},
		"save":   {"Save", "Save as…", "Set animation velocity"},
		"ih":     {"Import heightmap", "Lighting", "Smooth height"},
		"smooth": {"Smooth terrain", "Set mode: other"},
		"t.s":    {"terrain.stroke", "select all tests", "text.as"},
		"as sav": {"Save as…", "Save"},
		"LOD":    {"LOD scheme", "Load"},
	} {
		best, ok := FuzzyScore(query, texts[0])
		if !ok {
			t.Errorf("%q doesn't match %q", query, texts[0])
		}
		for _, o := range texts[1:] {
			if s, ok := FuzzyScore(query, o); ok && s >= best {
				t.Errorf("%q: %q has %d, %q has %d", query, o, s, texts[0], best)
			}
		}
	}
	for query, text := range map[string]string{"xyz": "Save", "ss": "Save", "evas": "Save", "save z": "Save"} {
		if _, ok := FuzzyScore(query, text); ok {
			t.Errorf("%q matches %q", query, text)
		}
	}
	if s, ok := FuzzyScore("  ", "anything"); !ok || s != 0 {
		t.Error("an empty query must match")
	}
}

// subsequence is the oracle for whether a token matches at all.
func subsequence(token, text string) bool {
	rest := []rune(strings.ToLower(text))
	for _, q := range token {
		i := 0
		for i < len(rest) && rest[i] != unicode.ToLower(q) {
			i++
		}
		if i == len(rest) {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}

func TestFuzzyMatchesSubsequences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.StringOfN(rapid.RuneFrom([]rune("abcAB.")), 1, 5, -1).Draw(t, "query")
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abcdAB. ")), 0, 12, -1).Draw(t, "text")
		if _, ok := FuzzyScore(query, text); ok != subsequence(query, text) {
			t.Fatalf("%q in %q: %v", query, text, ok)
		}
	})
}

// fuzzyBrute is the score of a token by trying every alignment.
func fuzzyBrute(token, text string) (int, bool) {
	rs, qs := []rune(text), []rune(token)
	best := none
	var try func(q, from, score int)
	try = func(q, from, score int) {
		if q == len(qs) {
			best = max(best, score)
			return
		}
		for j := from; j < len(rs); j++ {
			if unicode.ToLower(rs[j]) != unicode.ToLower(qs[q]) {
				continue
			}
			s := fuzzyHit
			if rs[j] == qs[q] {
				s += fuzzyExact
			}
			before := ' '
			if j > 0 {
				before = rs[j-1]
			}
			if isWordStart(before, rs[j]) {
				s += fuzzyWord
			}
			switch {
			case q == 0 && j == 0:
				s += fuzzyFirst
			case q == 0:
				s += fuzzyGap * min(j, fuzzyMaxGap)
			case j == from:
				s += fuzzyRun
			default:
				s += fuzzyGap * (j - from)
			}
			try(q+1, j+1, score+s)
		}
	}
	try(0, 0, 0)
	return best, best > none
}

func TestFuzzyFindsTheBestAlignment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.StringOfN(rapid.RuneFrom([]rune("abA")), 1, 4, -1).Draw(t, "query")
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abAB. ")), 0, 10, -1).Draw(t, "text")
		got, ok := fuzzyToken(query, text)
		want, wantOK := fuzzyBrute(query, text)
		if ok != wantOK || ok && got != want {
			t.Fatalf("%q in %q: %d %v, want %d %v", query, text, got, ok, want, wantOK)
		}
	})
}

func BenchmarkFuzzyScore(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		FuzzyScore("terstr", "terrain.stroke Raise, lower or smooth the terrain")
	}
}
