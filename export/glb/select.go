package glb

import (
	"fmt"
	"slices"

	"ridgeline/document"
)

// part says how much of a thing a selection takes.
type part uint8

const (
	left    part = iota // not in the file
	carried             // only its place, for what is chosen below it
	taken               // all of it
)

// selection says what of a level is written.
type selection struct {
	all   bool
	parts map[document.ID]part
}

// choose takes things by id and all that is below them; nil takes everything. What
// they stand below is carried along, so that they stand where they do in the level.
func choose(l *document.Level, only []document.ID) (selection, error) {
	if only == nil {
		return selection{all: true}, nil
	}
	s := selection{parts: make(map[document.ID]part, len(only))}
	for _, id := range only {
		e, ok := l.Entity(id)
		if !ok {
			return s, fmt.Errorf("only: the level has no thing %d", id)
		}
		s.take(l, id)
		for e.Parent != 0 {
			if s.parts[e.Parent] == left {
				s.parts[e.Parent] = carried
			}
			if e, ok = l.Entity(e.Parent); !ok {
				break
			}
		}
	}
	return s, nil
}

// take takes a thing with all below it.
func (s *selection) take(l *document.Level, id document.ID) {
	for stack := []document.ID{id}; len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.parts[id] == taken {
			continue
		}
		s.parts[id] = taken
		for c := range l.Children(id) {
			stack = append(stack, c.ID)
		}
	}
}

func (s *selection) of(id document.ID) part {
	if s.all {
		return taken
	}
	return s.parts[id]
}

// placed is an entity that is written and where it stands in the file.
type placed struct {
	*document.Entity
	hidden bool // by itself, its layer or anything above
	bare   bool // only its place is written
	leaf   bool // nothing that is written stands below it
	place
}

// place is where a thing stands in the file: a node and, where the node shows many
// things by EXT_mesh_gpu_instancing, which of them.
type place struct {
	node     int
	instance int // none where the node is the thing's own
}

// order lists all entities that are written, parents before children, siblings in
// ascending order of id.
func order(l *document.Level, chosen *selection) []placed {
	layers := map[string]bool{} // those that hide
	for _, g := range l.Settings.EntityLayers {
		if g.Hidden {
			layers[g.Name] = true
		}
	}
	list := make([]placed, 0, l.Len())
	var stack []placed
	push := func(e *document.Entity, hidden bool) bool {
		p := chosen.of(e.ID)
		if p == left {
			return false
		}
		stack = append(stack, placed{
			Entity: e, bare: p == carried, place: place{none, none},
			hidden: hidden || e.Hidden || e.Layer != "" && layers[e.Layer],
		})
		return true
	}
	for e := range l.Entities() {
		if e.Parent != 0 || !push(e, false) {
			continue
		}
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			from := len(stack)
			at.leaf = true
			for c := range l.Children(at.ID) {
				if push(c, at.hidden) {
					at.leaf = false
				}
			}
			slices.Reverse(stack[from:])
			list = append(list, at)
		}
	}
	return list
}
