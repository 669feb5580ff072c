package nodetree

import "math/bits"

// marks is a set of items. It has a bit for each item and, above them, a bit for each
// word of those that is not zero, so that to list and clear a set takes as long as it
// has members, and they come out in order. All are clear between queries.
type marks struct {
	words   []uint64
	summary []uint64
}

// reserve makes room for n items.
func (m *marks) reserve(n int) {
	if words := (n + 63) / 64; words > len(m.words) {
		m.words = append(m.words, make([]uint64, words-len(m.words))...)
		m.summary = append(m.summary, make([]uint64, (len(m.words)+63)/64-len(m.summary))...)
	}
}

func (m *marks) add(i int32) {
	w := uint32(i) >> 6
	m.words[w] |= 1 << (i & 63)
	m.summary[w>>6] |= 1 << (w & 63)
}

func (m *marks) has(i int32) bool { return m.words[uint32(i)>>6]>>(i&63)&1 != 0 }

// drain appends the members, ascending, and clears the set.
func (m *marks) drain(dst []int32) []int32 {
	for s, sum := range m.summary {
		if sum == 0 {
			continue
		}
		m.summary[s] = 0
		for ; sum != 0; sum &= sum - 1 {
			w := s<<6 + bits.TrailingZeros64(sum)
			word := m.words[w]
			m.words[w] = 0
			for ; word != 0; word &= word - 1 {
				dst = append(dst, int32(w<<6+bits.TrailingZeros64(word)))
			}
		}
	}
	return dst
}

// clear empties the set.
func (m *marks) clear() {
	for s, sum := range m.summary {
		for ; sum != 0; sum &= sum - 1 {
			m.words[s<<6+bits.TrailingZeros64(sum)] = 0
		}
		m.summary[s] = 0
	}
}
