package widgets

import (
	"unicode"
	"unicode/utf8"
)

// Scores of FuzzyScore. A match at the start of a word is worth more than one
// that merely follows on, and following on is worth more than a gap costs.
const (
	fuzzyHit    = 4
	fuzzyRun    = 15
	fuzzyWord   = 14
	fuzzyFirst  = 6
	fuzzyExact  = 3
	fuzzyGap    = -1
	fuzzyMaxGap = 10 // characters of a gap that are counted
)

// FuzzyScore tells how well text answers a query that may leave out letters:
// the letters of each word of the query must appear in text in their order,
// the words in any order. Letters at the start of words and unbroken runs
// score higher, long texts a little lower. Case is ignored, but the same case
// wins a tie. ok is false when text doesn't match. An empty query matches all
// texts with score 0.
//
// It is the best alignment, found with the dynamic programme for local
// alignment (T. F. Smith, M. S. Waterman, Identification of common molecular
// subsequences, 1981), in time proportional to both lengths.
func FuzzyScore(query, text string) (score int, ok bool) {
	start := -1
	any := false
	for i, r := range query + " " {
		switch {
		case r != ' ' && start < 0:
			start = i
		case r == ' ' && start >= 0:
			s, ok := fuzzyToken(query[start:i], text)
			if !ok {
				return 0, false
			}
			score += s
			start, any = -1, true
		}
	}
	if any {
		score -= utf8.RuneCountInString(text) / 8
	}
	return score, true
}

// none is lower than any real score.
const none = -1 << 30

func fuzzyToken(token, text string) (int, bool) {
	n := utf8.RuneCountInString(text)
	var buf [3 * 96]int
	scratch := buf[:]
	if 3*n > len(scratch) {
		scratch = make([]int, 3*n)
	}
	// prev[j]: best score with the last letter of the token so far matched at
	// text rune j; word[j]: whether a word starts there.
	prev, cur, word := scratch[:n], scratch[n:2*n], scratch[2*n:3*n]
	last := ' '
	for j, r := range []rune(text) {
		word[j] = 0
		if isWordStart(last, r) {
			word[j] = 1
		}
		last = r
	}
	first := true
	for _, q := range token {
		lq := unicode.ToLower(q)
		// open is the best score of a match before j-1, less its gap so far.
		open := none
		j := -1
		for _, r := range text {
			j++
			cur[j] = none
			if open > none {
				open += fuzzyGap
			}
			if j >= 2 && !first && prev[j-2] > none && prev[j-2]+fuzzyGap > open {
				open = prev[j-2] + fuzzyGap
			}
			if unicode.ToLower(r) != lq {
				continue
			}
			s := fuzzyHit
			if r == q {
				s += fuzzyExact
			}
			if word[j] == 1 {
				s += fuzzyWord
			}
			switch {
			case first:
				if j == 0 {
					s += fuzzyFirst
				}
				cur[j] = s + fuzzyGap*min(j, fuzzyMaxGap)
			default:
				best := none
				if j >= 1 && prev[j-1] > none {
					best = prev[j-1] + fuzzyRun
				}
				best = max(best, open)
				if best > none {
					cur[j] = best + s
				}
			}
		}
		prev, cur = cur, prev
		first = false
	}
	best := none
	for _, s := range prev {
		best = max(best, s)
	}
	return best, best > none
}

// isWordStart tells whether a word begins between two neighbours.
func isWordStart(before, r rune) bool {
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return false
	}
	if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(r) && unicode.IsLower(before) || unicode.IsDigit(r) && !unicode.IsDigit(before)
}
