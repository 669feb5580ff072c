package command

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// idsParam is the argument that says which entities a command is for.
func idsParam(name string) Param {
	return Param{Name: name, Help: "ids or names, joined by commas; without it what is selected", Kind: IDs}
}

// sorted gives ids ascending and each once.
func sorted(ids []document.ID) []document.ID {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// chosen gives the entities of an argument, ascending, or else those selected.
func (e *Env) chosen(a Args, name string) ([]document.ID, error) {
	if a.Given(name) {
		if ids := sorted(a.IDs(name)); len(ids) > 0 {
			return ids, nil
		}
		return nil, bad(name, "no id", "ids or names, joined by commas")
	}
	ids := slices.DeleteFunc(sorted(e.View.Selection), func(id document.ID) bool {
		_, ok := e.Doc.Level().Entity(id)
		return !ok
	})
	if len(ids) == 0 {
		return nil, bad(name, "nothing selected", "ids, or something selected")
	}
	return ids, nil
}

// editable is chosen for an edit that nothing locked may be part of.
func (e *Env) editable(a Args, name string) ([]document.ID, error) {
	ids, err := e.chosen(a, name)
	if err != nil {
		return nil, err
	}
	return ids, unlocked(e.Doc.Level(), name, ids)
}

// unlocked refuses entities that are locked, be it by what they stand in.
func unlocked(l *document.Level, arg string, ids []document.ID) error {
	for _, id := range ids {
		e, ok := l.Entity(id)
		if !ok {
			continue
		}
		if _, locked := l.Effective(e); locked {
			return bad(arg, label(e)+", which is locked"+lockedBy(l, e), "things that are not locked")
		}
	}
	return nil
}

// lockedBy says what locks an entity when it is not the entity itself.
func lockedBy(l *document.Level, e *document.Entity) string {
	for at, ok := e, true; ok; at, ok = l.Entity(at.Parent) {
		i := slices.IndexFunc(l.Settings.EntityLayers, func(g document.EntityLayer) bool { return g.Name == at.Layer })
		switch {
		case at.Locked && at == e:
			return ""
		case at.Locked:
			return " by " + label(at)
		case i >= 0 && at.Layer != "" && l.Settings.EntityLayers[i].Locked:
			return " by the layer " + quoteWord(at.Layer)
		}
	}
	return ""
}

// label names an entity in a message.
func label(e *document.Entity) string {
	id := strconv.FormatUint(uint64(e.ID), 10)
	if e.Name == "" {
		return kindWord(e) + " " + id
	}
	return quoteWord(e.Name) + " (" + id + ")"
}

// kindWord is the kind of an entity as it is called.
func kindWord(e *document.Entity) string {
	if document.IsGroup(e) {
		return "group"
	}
	return string(e.Kind)
}

// stepName is what history calls an edit of some entities.
func stepName(verb string, l *document.Level, ids []document.ID) string {
	if len(ids) != 1 {
		return fmt.Sprintf("%s %d things", verb, len(ids))
	}
	e, _ := l.Entity(ids[0])
	if e.Name == "" {
		return verb + " " + kindWord(e)
	}
	return verb + " " + e.Name
}

// put replaces entities, unless one of them would be out of reach. arg is the
// argument that brought it there.
func put(tx *document.Tx, arg string, list []document.Entity) error {
	for i := range list {
		for _, v := range list[i].Translation {
			if !(math.Abs(v) <= MaxNumber) {
				return bad(arg, label(&list[i])+" at "+ftoa(v)+" m", "coordinates within ±"+ftoa(MaxNumber)+" m")
			}
		}
		if err := tx.Put(list[i]); err != nil {
			return err
		}
	}
	return nil
}

// replace makes an edit that is only the replacement of entities.
func (e *Env) replace(verb, arg string, ids []document.ID, list []document.Entity) error {
	return e.Doc.Do(stepName(verb, e.Doc.Level(), ids), func(tx *document.Tx) error { return put(tx, arg, list) })
}

// made prints what a command made, an id a line, and selects it.
func (e *Env) made(ids []document.ID) {
	for _, id := range ids {
		e.Printf("%d", id)
	}
	e.selectOnly(ids)
}

func (e *Env) selectOnly(ids []document.ID) {
	e.View.Selection = sorted(ids)
	e.View.changed()
}

// onlyOf refuses entities that are not of a kind.
func onlyOf(l *document.Level, arg string, kind document.Kind, ids []document.ID) error {
	for _, id := range ids {
		if e, _ := l.Entity(id); e.Kind != kind {
			return bad(arg, "the "+kindWord(e)+" "+label(e), string(kind)+"s")
		}
	}
	return nil
}

// givenAny reports whether any of some arguments was written.
func (a Args) givenAny(names ...string) bool {
	return slices.ContainsFunc(names, a.Given)
}

// The factors that something may be scaled by; negative ones mirror.
const (
	minScale = 1e-6
	maxScale = 1e6
)

// scale gives a scale, whose factors are not too near 0.
func (a Args) scale(name string) (mgl64.Vec3, error) {
	s := a.vector(name)
	for _, v := range s {
		if math.Abs(v) < minScale {
			return s, bad(name, ftoa(v), "factors from "+ftoa(minScale)+" to "+ftoa(maxScale)+", or their negatives")
		}
	}
	return s, nil
}

func scaleParam(name, help string) Param {
	return Param{Name: name, Help: help, Kind: Numbers, Counts: []int{1, 3}, Min: -maxScale, Max: maxScale}
}
