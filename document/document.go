package document

import (
	"errors"
	"slices"
	"time"
)

// Document holds the current level, what led to it and what was undone, and tells
// listeners of every change. It belongs to one goroutine.
type Document struct {
	options Options
	level   *Level
	nextID  ID // above every id given out, undone edits included

	history history
	open    *Open // the outermost open drag
	inner   *Open // the innermost: open itself or one that joined it
	tx      *Tx   // the edit whose function is running

	lastState State
	saved     State

	listeners []*listener
	notices   []notice
	notifying bool
}

// State names a level that the document has or had: two moments with the same
// state have the same level.
type State uint64

// Options of a document; the zero value is useful.
type Options struct {
	// HistoryBytes bounds the memory that history may take beside the level; 0 is
	// 1 GiB. The nearest step back and the nearest step forward stay, whatever
	// their size.
	HistoryBytes int64
	// SpillDir is the folder to which steps are written that do not fit in memory.
	// Without one they are forgotten.
	SpillDir string
	// SpillBytes bounds what lies in that folder for this document; 0 is 8 GiB.
	SpillBytes int64
	// Now gives the time that history shows; nil shows none.
	Now func() time.Time
	// Report is told when history could not be written or read back, so that some
	// of it was lost. May be nil.
	Report func(error)
}

type listener struct{ call func(*Level, Change) }

type notice struct {
	level  *Level
	change Change
}

// New is a document whose first level is l. It counts as saved.
func New(l *Level, o Options) *Document {
	if o.HistoryBytes <= 0 {
		o.HistoryBytes = 1 << 30
	}
	if o.SpillBytes <= 0 {
		o.SpillBytes = 8 << 30
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	if o.Report == nil {
		o.Report = func(error) {}
	}
	d := &Document{options: o, level: l, nextID: l.NextID, lastState: 1, saved: 1}
	d.history = history{base: 1, options: &d.options}
	return d
}

// Close ends an open drag and removes what history wrote to disk. The document
// cannot be undone afterwards.
func (d *Document) Close() error {
	d.cancelOpen()
	return d.history.close()
}

// Level is the current level.
func (d *Document) Level() *Level { return d.level }

// Do makes one edit: what fn changes becomes one step of history called name. An
// error or a panic of fn, or a level that would be invalid, is returned, and
// nothing has changed. Within another edit or an open drag it joins that one.
func (d *Document) Do(name string, fn func(*Tx) error) error {
	return d.do(name, "", time.Time{}, fn)
}

// mergeWindow is how long after an edit another may join it.
const mergeWindow = time.Second

// DoMerge is Do for repeated small gestures, such as nudges by key: when the last
// step has the same key, which is not empty, and is less than a second older than
// now, the edit joins that step.
func (d *Document) DoMerge(name, key string, now time.Time, fn func(*Tx) error) error {
	return d.do(name, key, now, fn)
}

func (d *Document) do(name, key string, now time.Time, fn func(*Tx) error) error {
	if d.tx != nil {
		return d.tx.call(fn)
	}
	if d.open != nil {
		return d.open.Step(fn)
	}
	before := d.level
	tx, err := d.run(fn)
	if err != nil {
		return err
	}
	d.record(name, key, now, before, &tx.touched)
	return nil
}

// run makes the changes of fn to the current level, unless it fails.
func (d *Document) run(fn func(*Tx) error) (*Tx, error) {
	tx := &Tx{doc: d, level: *d.level}
	d.tx = tx
	defer func() { d.tx, tx.done = nil, true }()
	if err := tx.call(fn); err != nil {
		return nil, err
	}
	if err := tx.check(d.level); err != nil {
		return nil, err
	}
	next := tx.level
	d.level = &next
	return tx, nil
}

// record makes a step of what differs between before and the current level.
func (d *Document) record(name, key string, now time.Time, before *Level, t *touched) {
	s := diff(before, d.level, t)
	if s.empty() {
		d.level = before
		return
	}
	d.lastState++
	d.history.push(step{
		name: name, mergeKey: key, mergeTime: now, time: d.options.Now(), state: d.lastState,
		swaps: s, bytes: s.bytes(d.level),
	}, d.level)
	c := s.change()
	c.Committed = true
	d.tell(c)
}

// Subscribe has call told of every change from now on, in order, on the
// document's goroutine. stop ends it.
func (d *Document) Subscribe(call func(*Level, Change)) (stop func()) {
	l := &listener{call}
	d.listeners = append(d.listeners, l)
	return func() {
		d.listeners = slices.DeleteFunc(slices.Clone(d.listeners), func(o *listener) bool { return o == l })
	}
}

// tell queues a notice and, unless a listener is being called already, delivers
// all there are: a listener that edits does not make others see changes out of
// order.
func (d *Document) tell(c Change) {
	d.notices = append(d.notices, notice{d.level, c})
	if d.notifying {
		return
	}
	d.notifying = true
	defer func() { d.notifying = false }()
	for len(d.notices) > 0 {
		n := d.notices[0]
		d.notices = d.notices[1:]
		for _, l := range d.listeners {
			l.call(n.level, n.change)
		}
	}
}

// State names the current level. During a drag it is that of the level before,
// as the drag may yet be cancelled.
func (d *Document) State() State { return d.history.state() }

// MarkSaved says that the level of the given state has safely been written. The
// caller takes the state together with the level, before it begins to write.
func (d *Document) MarkSaved(s State) { d.saved = s }

// Dirty reports whether the current level differs from the one saved last.
func (d *Document) Dirty() bool { return d.open != nil || d.State() != d.saved }

// Undo takes back the last edit and gives its name. An open drag is cancelled
// instead. ok is false when there is nothing to undo.
func (d *Document) Undo() (name string, ok bool) {
	if d.tx != nil {
		return "", false
	}
	if d.open != nil {
		name = d.open.name
		d.cancelOpen()
		return name, true
	}
	if d.history.at == 0 {
		return "", false
	}
	name = d.history.steps[d.history.at-1].name
	return name, d.moveTo(d.history.at - 1)
}

// Redo makes the edit again that was undone last and gives its name.
func (d *Document) Redo() (name string, ok bool) {
	if d.tx != nil || d.open != nil || d.history.at == len(d.history.steps) {
		return "", false
	}
	name = d.history.steps[d.history.at].name
	return name, d.moveTo(d.history.at + 1)
}

// Editing reports whether a drag is open, which an edit would join.
func (d *Document) Editing() bool { return d.open != nil }

// CanUndo reports whether Undo would do anything.
func (d *Document) CanUndo() bool { return d.tx == nil && (d.open != nil || d.history.at > 0) }

// CanRedo reports whether Redo would do anything.
func (d *Document) CanRedo() bool {
	return d.tx == nil && d.open == nil && d.history.at < len(d.history.steps)
}

// Entry is a step of history.
type Entry struct {
	Name    string
	Time    time.Time // when it was made; zero without a clock
	Bytes   int64     // memory that it takes, or took before it was written to disk
	Spilled bool      // it lies on disk
}

// History lists all steps, oldest first, those undone included.
func (d *Document) History() []Entry {
	out := make([]Entry, len(d.history.steps))
	for i, s := range d.history.steps {
		out[i] = Entry{Name: s.name, Time: s.time, Bytes: s.bytes, Spilled: s.swaps == nil}
	}
	return out
}

// HistoryBytes is the memory that history takes beside the level.
func (d *Document) HistoryBytes() int64 { return d.history.memory }

// Position is the number of steps of History that are done.
func (d *Document) Position() int { return d.history.at }

// JumpTo undoes or redoes until the first i steps of History are done. Listeners
// are told once. An open drag is cancelled. It reports whether it got there.
func (d *Document) JumpTo(i int) bool {
	if d.tx != nil || i < 0 || i > len(d.history.steps) {
		return false
	}
	d.cancelOpen()
	return d.moveTo(i)
}

func (d *Document) moveTo(i int) bool {
	before, t := d.level, &touched{}
	level, ok := d.history.moveTo(i, d.level, t)
	d.level = level
	if before != level {
		c := diff(before, level, t).change()
		c.Committed = true
		d.tell(c)
	}
	return ok
}

// Open is an edit that goes on, such as a drag: each Step shows at once, and
// Commit makes one step of history of them all.
type Open struct {
	doc     *Document
	name    string
	base    *Level
	touched touched
	outer   *Open // the drag that this one joined
	tx      *Tx   // the running edit that this one joined
	closed  bool
}

// Begin opens an edit. Within another it joins that one: its Commit leaves the
// changes to the outer edit, its Cancel takes back its own.
func (d *Document) Begin(name string) *Open {
	o := &Open{doc: d, name: name, base: d.level, outer: d.inner, tx: d.tx}
	if d.tx != nil {
		o.base, o.outer = d.tx.Level(), nil
		return o
	}
	d.inner = o
	if d.open == nil {
		d.open = o
	}
	return o
}

// busy reports whether the function of an edit is running that o is not part of,
// so that o cannot end now.
func (o *Open) busy() bool { return o.doc.tx != nil && o.tx == nil }

// end closes the edit and those that joined it.
func (o *Open) end() {
	o.closed = true
	if o.tx != nil {
		return
	}
	o.doc.inner = o.outer
	if o.outer == nil {
		o.doc.open = nil
	}
}

// over reports whether the edit, or one that it joined, has ended.
func (o *Open) over() bool {
	return o.closed || o.outer != nil && o.outer.over() || o.tx != nil && o.tx.done
}

// outermost is the edit that becomes a step of history.
func (o *Open) outermost() *Open {
	for o.outer != nil {
		o = o.outer
	}
	return o
}

// Step makes changes and shows them. When it fails, what the steps before did
// stays, and the edit stays open.
func (o *Open) Step(fn func(*Tx) error) error {
	if o.over() {
		return ErrClosed
	}
	d := o.doc
	if d.tx != nil {
		return d.tx.call(fn)
	}
	before := d.level
	tx, err := d.run(fn)
	if err != nil {
		return err
	}
	o.outermost().touched.add(&tx.touched)
	if c := diff(before, d.level, &tx.touched).change(); !c.Empty() {
		d.tell(c)
	}
	return nil
}

// Commit ends the edit and keeps what it did.
func (o *Open) Commit() error {
	switch {
	case o.over():
		return ErrClosed
	case o.busy():
		return errors.New("an edit cannot be committed while another runs")
	}
	o.end()
	d := o.doc
	if o.outer != nil || o.tx != nil {
		return nil
	}
	s := diff(o.base, d.level, &o.touched)
	if s.empty() {
		d.level = o.base
		d.tell(Change{Committed: true})
		return nil
	}
	d.lastState++
	d.history.push(step{
		name: o.name, time: d.options.Now(), state: d.lastState,
		swaps: s, bytes: s.bytes(d.level),
	}, d.level)
	d.tell(Change{Committed: true}) // the steps told the rest
	return nil
}

// Cancel ends the edit and takes back what it did. It may be called after Commit,
// without effect.
func (o *Open) Cancel() {
	if o.over() || o.busy() {
		return
	}
	o.end()
	d := o.doc
	if o.tx != nil {
		o.tx.level = *o.base
		return
	}
	before := d.level
	d.level = o.base
	c := diff(before, d.level, &o.outermost().touched).change()
	c.Committed = d.open == nil
	if c.Committed || !c.Empty() {
		d.tell(c)
	}
}

func (d *Document) cancelOpen() {
	if d.open != nil {
		d.open.Cancel()
	}
}
