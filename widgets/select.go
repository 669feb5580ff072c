package widgets

import "gioui.org/io/key"

// SelectMode tells how a click or a key changes what is selected in a widget of
// many items.
type SelectMode uint8

const (
	// SelectOnly selects the item alone; without an item, nothing.
	SelectOnly SelectMode = iota
	// SelectToggle takes the item in or out: Ctrl.
	SelectToggle
	// SelectRange selects the items of a range alone: Shift.
	SelectRange
	// SelectMore takes the items of a range in: Ctrl+Shift.
	SelectMore
)

// selectMode is what the modifiers of a click ask for.
func selectMode(m key.Modifiers) SelectMode {
	switch ctrl := m.Contain(key.ModCtrl); {
	case m.Contain(key.ModShift) && ctrl:
		return SelectMore
	case m.Contain(key.ModShift):
		return SelectRange
	case ctrl:
		return SelectToggle
	}
	return SelectOnly
}
