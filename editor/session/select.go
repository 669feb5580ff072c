package session

import (
	"slices"

	"ridgeline/document"
)

// Selection is what is selected and still there, ascending. It must not be
// changed.
func (s *Session) Selection() []document.ID {
	sel, l := s.Env.View.Selection, s.Level()
	if w := &s.watch; w.checked == l && len(w.selected) == len(sel) && (len(sel) == 0 || &w.selected[0] == &sel[0]) {
		return sel
	}
	if slices.ContainsFunc(sel, func(id document.ID) bool { _, ok := l.Entity(id); return !ok }) {
		s.Env.View.Selection = slices.DeleteFunc(slices.Clone(sel), func(id document.ID) bool { _, ok := l.Entity(id); return !ok })
		s.outlined = nil
	}
	s.watch.checked, s.watch.selected = l, s.Env.View.Selection
	return s.Env.View.Selection
}

// Select replaces the selection.
func (s *Session) Select(ids ...document.ID) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	s.Env.View.Selection = slices.Compact(ids)
	s.outlined = nil
	s.View.touch()
}

// Entities gives the selected entities.
func (s *Session) Entities() []*document.Entity {
	var out []*document.Entity
	for _, id := range s.Selection() {
		if e, ok := s.Level().Entity(id); ok {
			out = append(out, e)
		}
	}
	return out
}

// selectedGroups are the groups among what is selected.
func (s *Session) selectedGroups() []document.ID {
	return slices.DeleteFunc(slices.Clone(s.Selection()), func(id document.ID) bool { return !s.isGroup(id) })
}

func (s *Session) isGroup(id document.ID) bool {
	e, ok := s.Level().Entity(id)
	return ok && document.IsGroup(e)
}

// FrameSelection moves the camera so that what is selected fills the view; all of
// the level when nothing is.
func (s *Session) FrameSelection() {
	if ids := s.Selection(); len(ids) > 0 {
		if b := s.scene.BoundsOf(ids...); !b.IsEmpty() {
			s.View.frame(b)
			return
		}
	}
	s.View.frameLevel()
}
