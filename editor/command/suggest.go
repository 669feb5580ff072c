package command

import "strings"

// nearest gives the candidate that a misspelt word most likely meant; ok is false
// when none is near enough to be worth saying. A word that is part of a candidate
// ("stroke", "bookmark") counts as near.
func nearest(word string, candidates []string) (best string, ok bool) {
	word = strings.ToLower(word)
	if word == "" {
		return "", false
	}
	limit := max(1, len([]rune(word))/3)
	score := limit + 1
	for _, c := range candidates {
		d := editDistance(word, strings.ToLower(c))
		if d > limit && len(word) >= 3 && strings.Contains(strings.ToLower(c), word) {
			d = limit
		}
		if d < score {
			best, score = c, d
		}
	}
	return best, score <= limit
}

// editDistance is the least number of letters to insert, delete, replace or swap
// with their neighbour to turn a into b (the restricted form of F. J. Damerau, "A
// technique for computer detection and correction of spelling errors", 1964).
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 64 || len(y) > 64 {
		return max(len(x), len(y))
	}
	before, row, next := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		next[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(y)]
}

func didYouMean(word string, candidates []string) string {
	if c, ok := nearest(word, candidates); ok {
		return "; did you mean " + c + "?"
	}
	return ""
}
