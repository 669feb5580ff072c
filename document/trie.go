package document

import (
	"iter"
	"math/bits"
)

const (
	trieBits = 5
	trieMask = 1<<trieBits - 1
)

// trie is a persistent map from ID to V. Its zero value is empty. A copy is a
// snapshot: set and without give a new map that shares all but the path to the
// entry with the old one.
type trie[V any] struct {
	root  *trieNode[V]
	shift uint // of the root's digit: the root spans ids below 1 << (shift+trieBits)
	n     int
}

// trieNode has, for each set bit of its bitmap in order, a kid or, at shift 0, a
// value.
type trieNode[V any] struct {
	bitmap uint32
	kids   []*trieNode[V]
	values []V
}

func (t trie[V]) len() int { return t.n }

func (t trie[V]) spans(id ID) bool { return uint64(id)>>t.shift>>trieBits == 0 }

func (t trie[V]) get(id ID) (v V, ok bool) {
	if t.root == nil || !t.spans(id) {
		return v, false
	}
	n := t.root
	for shift := t.shift; ; shift -= trieBits {
		bit := uint32(1) << (uint64(id) >> shift & trieMask)
		if n.bitmap&bit == 0 {
			return v, false
		}
		i := bits.OnesCount32(n.bitmap & (bit - 1))
		if shift == 0 {
			return n.values[i], true
		}
		n = n.kids[i]
	}
}

func (t trie[V]) set(id ID, v V) trie[V] {
	if t.root == nil {
		t.root = &trieNode[V]{}
		for !t.spans(id) {
			t.shift += trieBits
		}
	}
	for !t.spans(id) {
		t.root = &trieNode[V]{bitmap: 1, kids: []*trieNode[V]{t.root}}
		t.shift += trieBits
	}
	root, added := t.root.set(t.shift, id, v)
	t.root = root
	if added {
		t.n++
	}
	return t
}

func (n *trieNode[V]) set(shift uint, id ID, v V) (_ *trieNode[V], added bool) {
	bit := uint32(1) << (uint64(id) >> shift & trieMask)
	i := bits.OnesCount32(n.bitmap & (bit - 1))
	has := n.bitmap&bit != 0
	c := &trieNode[V]{bitmap: n.bitmap | bit}
	if shift == 0 {
		c.values = spliced(n.values, i, has, v)
		return c, !has
	}
	kid := &trieNode[V]{}
	if has {
		kid = n.kids[i]
	}
	kid, added = kid.set(shift-trieBits, id, v)
	c.kids = spliced(n.kids, i, has, kid)
	return c, added
}

// spliced copies s with v in place i, replacing what is there or put before it.
func spliced[E any](s []E, i int, replace bool, v E) []E {
	rest := i
	if replace {
		rest++
	}
	out := make([]E, 0, i+1+len(s)-rest)
	out = append(out, s[:i]...)
	out = append(out, v)
	return append(out, s[rest:]...)
}

func (t trie[V]) without(id ID) trie[V] {
	if _, ok := t.get(id); !ok {
		return t
	}
	t.root = t.root.without(t.shift, id)
	t.n--
	if t.root == nil {
		t.shift = 0
	}
	return t
}

// without gives the node less an entry that it has, nil when none is left.
func (n *trieNode[V]) without(shift uint, id ID) *trieNode[V] {
	bit := uint32(1) << (uint64(id) >> shift & trieMask)
	i := bits.OnesCount32(n.bitmap & (bit - 1))
	if shift > 0 {
		if kid := n.kids[i].without(shift-trieBits, id); kid != nil {
			return &trieNode[V]{bitmap: n.bitmap, kids: spliced(n.kids, i, true, kid)}
		}
	}
	c := &trieNode[V]{bitmap: n.bitmap &^ bit}
	if c.bitmap == 0 {
		return nil
	}
	if shift == 0 {
		c.values = append(append(make([]V, 0, len(n.values)-1), n.values[:i]...), n.values[i+1:]...)
	} else {
		c.kids = append(append(make([]*trieNode[V], 0, len(n.kids)-1), n.kids[:i]...), n.kids[i+1:]...)
	}
	return c
}

// all walks the entries in ascending order of id.
func (t trie[V]) all() iter.Seq2[ID, V] {
	return func(yield func(ID, V) bool) {
		if t.root != nil {
			t.root.walk(t.shift, 0, yield)
		}
	}
}

func (n *trieNode[V]) walk(shift uint, prefix ID, yield func(ID, V) bool) bool {
	i := 0
	for b := n.bitmap; b != 0; b &= b - 1 {
		id := prefix | ID(bits.TrailingZeros32(b))<<shift
		if shift == 0 {
			if !yield(id, n.values[i]) {
				return false
			}
		} else if !n.kids[i].walk(shift-trieBits, id, yield) {
			return false
		}
		i++
	}
	return true
}
