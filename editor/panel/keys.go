package panel

import (
	"unicode"
	"unicode/utf8"

	"gioui.org/io/event"
	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/editor/keymap"
	"ridgeline/editor/session"
)

// keyboard turns Gio's keys into chords. It is the only place that does.
type keyboard struct{ sh *Shell }

const allModifiers = key.ModCtrl | key.ModShift | key.ModAlt | key.ModSuper | key.ModCommand

// update hands the keys that no widget wanted to the session. While text is typed
// or a menu or dialog is up, only releases count.
func (k *keyboard) update(gtx layout.Context) {
	s := k.sh.s
	elsewhere := k.elsewhere(gtx)
	filters := []event.Filter{key.Filter{Optional: allModifiers}}
	if s.Doing() != session.Idle {
		// Only who names Tab gets it before it moves the focus; a drag goes to the next axis.
		filters = append(filters, key.Filter{Name: key.NameTab, Optional: key.ModShift})
	}
	for {
		ev, ok := gtx.Event(filters...)
		if !ok {
			break
		}
		if e, ok := ev.(key.Event); ok {
			k.event(gtx, e, elsewhere)
		}
	}
	if elsewhere {
		s.ReleaseHeld()
	}
}

// elsewhere reports whether text is typed or something is up that keys are meant
// for. What the theme tells of typing is of the frame before, when the level may not
// have had the keyboard yet.
func (k *keyboard) elsewhere(gtx layout.Context) bool {
	return k.sh.th.Modal() || k.sh.th.Typing() && !gtx.Focused(&k.sh.mouse)
}

// event handles one key. elsewhere says that text is typed or something is up
// that keys are meant for.
func (k *keyboard) event(gtx layout.Context, e key.Event, elsewhere bool) {
	switch c, ok := chord(e); {
	case !ok:
	case e.State == key.Release:
		k.sh.s.Hold(c.Key, false) // the key alone: modifiers may have been let go before
	case !elsewhere:
		k.press(gtx, c)
	}
}

func (k *keyboard) press(gtx layout.Context, c keymap.Chord) {
	if k.sh.s.Key(c) {
		k.sh.again = true
		return
	}
	if !c.Ctrl && k.sh.s.Hold(c.Key, true) {
		// The loss of the focus is told to whoever has it, so the level must have it
		// as long as a key is held.
		k.sh.unfocus(gtx)
	}
}

// chord gives the chord of a key event; ok is false for keys that keymaps cannot
// name. Letters come in upper case. A sign is named as it is printed, so the Shift
// that it took is not part of the chord.
func chord(e key.Event) (c keymap.Chord, ok bool) {
	c = keymap.Chord{
		Ctrl:  e.Modifiers.Contain(key.ModCtrl) || e.Modifiers.Contain(key.ModCommand),
		Shift: e.Modifiers.Contain(key.ModShift),
		Alt:   e.Modifiers.Contain(key.ModAlt),
	}
	if name, known := keyNames[e.Name]; known {
		c.Key = name
		return c, true
	}
	r, n := utf8.DecodeRuneInString(string(e.Name))
	if n != len(e.Name) || !unicode.IsPrint(r) {
		return c, false
	}
	c.Key = string(unicode.ToUpper(r))
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		c.Shift = false
	}
	return c, true
}

// keyNames are the keys that Gio names otherwise than keymaps do.
var keyNames = map[key.Name]string{
	key.NameEscape: "Esc", key.NameReturn: "Enter", key.NameEnter: "Enter", key.NameTab: "Tab",
	key.NameSpace: "Space", key.NameDeleteBackward: "Backspace", key.NameDeleteForward: "Delete",
	key.NameHome: "Home", key.NameEnd: "End", key.NamePageUp: "PageUp", key.NamePageDown: "PageDown",
	key.NameLeftArrow: "Left", key.NameRightArrow: "Right", key.NameUpArrow: "Up", key.NameDownArrow: "Down",
	key.NameF1: "F1", key.NameF2: "F2", key.NameF3: "F3", key.NameF4: "F4", key.NameF5: "F5", key.NameF6: "F6",
	key.NameF7: "F7", key.NameF8: "F8", key.NameF9: "F9", key.NameF10: "F10", key.NameF11: "F11", key.NameF12: "F12",
}
