package widgets

import (
	"image"
	"image/color"

	"gioui.org/io/key"
	"gioui.org/layout"

	"ridgeline/icons"
)

// MaxTreeToggles is the most columns of toggles of a tree.
const MaxTreeToggles = 4

// ToggleState is what a toggle of a row shows.
type ToggleState uint8

const (
	// ToggleAbsent: the row has no such toggle.
	ToggleAbsent ToggleState = iota
	// ToggleOff is the state at rest.
	ToggleOff
	// ToggleOn stands out.
	ToggleOn
	// ToggleInherited is off itself and on through a parent.
	ToggleInherited
)

// TreeToggle is a column of toggles at the right end of the rows.
type TreeToggle struct {
	// Title is what a press does while the toggle is off, TitleOn while it is on:
	// "Hide" and "Show". The row's label is put behind it.
	Title, TitleOn string
	Off, On        icons.Name
	// Quiet draws the icon of a toggle that is off only under the pointer.
	Quiet bool
}

// TreeRow is one row of a tree as it is shown.
type TreeRow struct {
	// ID tells rows apart when others come and go above them. Without IDs the
	// keyboard stays at the same place in the list.
	ID    uint64
	Depth int
	// Expandable rows have an arrow.
	Expandable, Expanded bool
	Icon                 icons.Name
	IconColor            color.NRGBA // zero for the theme's
	Label                string
	Name                 string // what renaming begins with, when it isn't the label
	Detail               string // at the right end, dim
	Badge                icons.Name
	BadgeTip             string // what the badge warns of
	Dim                  bool
	Selected             bool
	Fixed                bool // cannot be renamed or dragged
	Toggles              [MaxTreeToggles]ToggleState
}

// TreeEventKind says what happened in a tree.
type TreeEventKind uint8

const (
	// TreeSelect: Mode tells what becomes of the selection, with Row, which is -1
	// beside all rows, or with the rows from First to Last.
	TreeSelect TreeEventKind = iota
	// TreeActivate: double click or Enter.
	TreeActivate
	// TreeExpand: the row is to be opened or closed, as Open tells; with All,
	// everything below it, too.
	TreeExpand
	// TreeRename: Text is the row's new name, which may be the old one.
	TreeRename
	// TreeToggled: the toggles of Rows in Column are to be set to On. Row is the
	// first that was pressed.
	TreeToggled
	// TreeDrop: what is selected is dropped at Row, as Where tells. Row is -1 in
	// empty space.
	TreeDrop
	// TreeContext: right click at Pos on Row, which is -1 beside all rows. A row
	// that wasn't selected has been by an event before. A ContextArea around the
	// tree opens the menu.
	TreeContext
)

// DropWhere tells on which side of a row something is dropped.
type DropWhere uint8

const (
	// DropInto makes it a child of the row.
	DropInto DropWhere = iota
	// DropBefore and DropAfter make it a neighbour of the row.
	DropBefore
	DropAfter
	// DropEmpty is in empty space: at the top level.
	DropEmpty
)

// TreeEvent is one thing that happened in a tree. Rows are those of the last
// Layout; IDs hold even when they have changed since.
type TreeEvent struct {
	Kind        TreeEventKind
	Row         int
	ID          uint64
	Mode        SelectMode
	First, Last int
	Open, All   bool
	Text        string
	Column      int
	On          bool
	Rows        []int
	IDs         []uint64 // of Rows
	Where       DropWhere
	Pos         image.Point // in the frame of the tree
}

// Tree is the state of a tree that is shown as rows of one height, of which only
// those in view are laid out: any number will do.
//
// A press on a toggle and dragging on sets all toggles that are passed; the event
// comes when the button is let go, and Esc gives up. Rows that are dragged show
// where they would go; at the upper and lower edge the tree scrolls, and a closed
// row under the pointer opens after a moment.
type Tree struct {
	scroller
	sense
	pending []TreeEvent
	show    bool

	cur, anchor mark // rows that the keyboard and a range start from

	renaming bool
	rename   mark
	name     Field

	grip
	sweep treeSweep
	drag  treeDrag

	tip     tipState
	tipPart treeHit

	// Noted by Layout.
	n      int
	row    func(int) TreeRow
	spec   TreeStyle
	rowH   int
	indent int
	arrow  int // width of an arrow
	column int // … of a toggle
	width  int // of the rows
	laid   bool
}

// treePart is a part of a row.
type treePart uint8

const (
	partNone treePart = iota
	partRow
	partArrow
	partToggle
	partBadge
)

// treeHit is a place in the tree.
type treeHit struct {
	part   treePart
	row    int
	column int
}

// Current is the row that the keyboard is on.
func (t *Tree) Current() int { return t.cur.at }

// SetCurrent puts the keyboard on a row, from which ranges begin, too.
func (t *Tree) SetCurrent(row int) {
	t.cur.put(row, t.id)
	t.anchor = t.cur
}

// ScrollTo puts the keyboard on a row and brings it into view at the next Layout.
func (t *Tree) ScrollTo(row int) {
	t.cur.at = row
	t.show, t.laid = true, false // its ID is not known before
}

// Rename starts editing the name of a row in place.
func (t *Tree) Rename(row int) {
	if t.row == nil || row < 0 || row >= t.n {
		return
	}
	r := t.row(row)
	t.renaming = true
	t.rename.put(row, t.id)
	t.name.SetText(firstOf(r.Name, r.Label))
	t.name.SelectAll()
	t.SetCurrent(row)
	t.show = true
}

// Renaming returns the row whose name is being edited.
func (t *Tree) Renaming() (row int, ok bool) { return t.rename.at, t.renaming }

// Dragging reports whether rows are being dragged.
func (t *Tree) Dragging() bool { return t.drag.on }

// id is the ID of a row, 0 when there is none.
func (t *Tree) id(row int) uint64 {
	if t.row == nil || row < 0 || row >= t.n {
		return 0
	}
	return t.row(row).ID
}

// settle takes in the rows of a frame.
func (t *Tree) settle(n int, row func(int) TreeRow) {
	t.n, t.row = n, row
	if !t.laid {
		t.laid = true
		t.SetCurrent(max(0, min(t.cur.at, n-1)))
	}
	if !t.cur.follow(n, t.id) {
		t.cur.put(t.cur.at, t.id)
	}
	if !t.anchor.follow(n, t.id) {
		t.anchor = t.cur
	}
	if t.renaming && !t.rename.follow(n, t.id) {
		t.renaming = false
	}
	if (t.down || t.drag.on) && !t.pressed.follow(n, t.id) {
		t.letGo()
	}
}

// Update returns the next event.
func (t *Tree) Update(gtx layout.Context) (TreeEvent, bool) {
	if t.row != nil {
		t.events(gtx)
	}
	if len(t.pending) == 0 {
		return TreeEvent{}, false
	}
	e := t.pending[0]
	t.pending = t.pending[:copy(t.pending, t.pending[1:])]
	return e, true
}

func (t *Tree) emit(e TreeEvent) {
	e.ID = t.id(e.Row)
	t.pending = append(t.pending, e)
}

// selectRow reports a row as selected.
func (t *Tree) selectRow(row int, mode SelectMode) {
	switch mode {
	case SelectRange, SelectMore:
		t.cur.put(row, t.id)
		t.emit(TreeEvent{Kind: TreeSelect, Row: row, Mode: mode, First: min(t.anchor.at, row), Last: max(t.anchor.at, row)})
	default:
		t.SetCurrent(row)
		t.emit(TreeEvent{Kind: TreeSelect, Row: row, Mode: mode, First: row, Last: row})
	}
}

// parent is the row that a row is a child of.
func (t *Tree) parent(row int) (int, bool) {
	depth := t.row(row).Depth
	for i := row - 1; i >= 0; i-- {
		if t.row(i).Depth < depth {
			return i, true
		}
	}
	return 0, false
}

func (t *Tree) key(gtx layout.Context, e key.Event) {
	if e.Name == key.NameEscape {
		t.letGo()
		return
	}
	if t.n == 0 {
		return
	}
	page := max(1, t.view/max(1, t.rowH)-1)
	row := t.cur.at
	r := t.row(row)
	switch e.Name {
	case key.NameUpArrow:
		row--
	case key.NameDownArrow:
		row++
	case key.NamePageUp:
		row -= page
	case key.NamePageDown:
		row += page
	case key.NameHome:
		row = 0
	case key.NameEnd:
		row = t.n - 1
	case key.NameLeftArrow:
		up, ok := t.parent(row)
		switch {
		case r.Expandable && r.Expanded:
			t.emit(TreeEvent{Kind: TreeExpand, Row: row, All: e.Modifiers.Contain(key.ModShift)})
			return
		case !ok:
			return
		}
		row = up
	case key.NameRightArrow:
		switch {
		case r.Expandable && !r.Expanded:
			t.emit(TreeEvent{Kind: TreeExpand, Row: row, Open: true, All: e.Modifiers.Contain(key.ModShift)})
			return
		case row+1 >= t.n || t.row(row+1).Depth <= r.Depth:
			return
		}
		row++
	case key.NameReturn, key.NameEnter:
		t.emit(TreeEvent{Kind: TreeActivate, Row: row})
		return
	case key.NameF2:
		if t.spec.Renames && !r.Fixed {
			t.Rename(row)
		}
		return
	}
	row = max(0, min(row, t.n-1))
	if row == t.cur.at {
		return
	}
	mode := SelectOnly
	if e.Modifiers.Contain(key.ModShift) && e.Name != key.NameLeftArrow && e.Name != key.NameRightArrow {
		mode = SelectRange
	}
	t.show = true
	t.selectRow(row, mode)
}

// renameEvents follows the field in which a name is edited.
func (t *Tree) renameEvents(gtx layout.Context) {
	for t.renaming {
		ev, ok := t.name.Update(gtx)
		if !ok {
			return
		}
		switch ev.Kind {
		case FieldSubmitted, FieldBlurred:
			t.renaming = false
			t.emit(TreeEvent{Kind: TreeRename, Row: t.rename.at, Text: ev.Text})
		case FieldCancelled:
			t.renaming = false
		}
		if !t.renaming && ev.Kind != FieldBlurred {
			gtx.Execute(key.FocusCmd{Tag: t})
		}
	}
}
