package command

import (
	"math"
	"strconv"
	"strings"

	"ridgeline/document"
)

// nameIndex has the names in a document, kept as it changes, so that a thousand things
// placed one by one need not look at all that there are a thousand times.
type nameIndex struct {
	doc   *document.Document
	level *document.Level // which they are of
	of    map[document.ID]string
	bases map[string]*numbers
}

// numbers are those that a name has been given: "tree", "tree 2" and "tree 3" are 1, 2
// and 3 of "tree".
type numbers struct {
	users map[int]int // how many entities have a number
	top   int         // no number is above; the greatest itself unless stale
	stale bool
}

// names gives the names in the document as it is now.
func (e *Env) names() *nameIndex {
	if e.named == nil || e.named.doc != e.Doc {
		n := &nameIndex{doc: e.Doc}
		n.doc.Subscribe(n.changed)
		e.named = n
	}
	if l := e.Doc.Level(); e.named.level != l {
		e.named.read(l)
	}
	return e.named
}

// read takes the names of a level.
func (n *nameIndex) read(l *document.Level) {
	n.level = l
	n.of = make(map[document.ID]string, l.Len())
	n.bases = make(map[string]*numbers)
	for e := range l.Entities() {
		n.put(e.ID, e.Name)
	}
}

// changed follows the document once it was read.
func (n *nameIndex) changed(l *document.Level, c document.Change) {
	if n.level == nil {
		return
	}
	n.level = l
	for _, id := range c.Entities {
		if e, ok := l.Entity(id); !ok {
			n.drop(id)
		} else if n.of[id] != e.Name {
			n.drop(id)
			n.put(id, e.Name)
		}
	}
}

func (n *nameIndex) put(id document.ID, name string) {
	if name == "" {
		return
	}
	n.of[id] = name
	base, number := numbered(name)
	b := n.bases[base]
	if b == nil {
		b = &numbers{users: make(map[int]int, 1)}
		n.bases[base] = b
	}
	b.users[number]++
	if number >= b.top {
		b.top, b.stale = number, false
	}
}

func (n *nameIndex) drop(id document.ID) {
	name, ok := n.of[id]
	if !ok {
		return
	}
	delete(n.of, id)
	base, number := numbered(name)
	b := n.bases[base]
	if b.users[number]--; b.users[number] > 0 {
		return
	}
	delete(b.users, number)
	b.stale = b.stale || number == b.top
	if len(b.users) == 0 {
		delete(n.bases, base)
	}
}

// find tells whether a name is taken, and the number above all that its base has; 0 if
// it has none.
func (n *nameIndex) find(base string, number int) (taken bool, next int) {
	b := n.bases[base]
	if b == nil {
		return false, 0
	}
	if b.stale {
		b.top, b.stale = 0, false
		for i := range b.users {
			b.top = max(b.top, i)
		}
	}
	return b.users[number] > 0, b.top + 1
}

// namer finds names that nothing in a level has: "tree", "tree 2", "tree 3".
type namer struct {
	names *nameIndex
	next  map[string]int // number of the next name, by what stands before the number
}

// namer is a namer for one edit of the document.
func (e *Env) namer() *namer { return &namer{names: e.names()} }

// fresh gives the name itself if nothing has it, or else one with a higher number
// than any that is taken.
func (n *namer) fresh(name string) string {
	if name == "" {
		return ""
	}
	base, own := numbered(name)
	next, ok := n.next[base]
	if !ok {
		var taken bool
		taken, next = n.names.find(base, own)
		if n.next == nil {
			n.next = make(map[string]int)
		}
		if !taken {
			n.next[base] = max(next, own+1)
			return name
		}
	}
	n.next[base] = next + 1
	return base + " " + itoa(next)
}

// numbered splits the number from a name that ends in one; without one it is 1.
func numbered(name string) (base string, number int) {
	i := strings.LastIndexByte(name, ' ')
	if i <= 0 {
		return name, 1
	}
	n, err := strconv.Atoi(name[i+1:])
	if err != nil || n < 2 || n >= math.MaxInt32 || itoa(n) != name[i+1:] {
		return name, 1
	}
	return name[:i], n
}
