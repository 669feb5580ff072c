package session

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/editor/command"
	"ridgeline/editor/keymap"
	"ridgeline/editor/settings"
	"ridgeline/editor/tool"
	"ridgeline/occluders/hull"
	"ridgeline/terrain/brush"
	"ridgeline/viewport/overlay"
)

// Options say what a session lives in.
type Options struct {
	Dirs settings.Dirs
	// Post has a function called on the session's goroutine; any goroutine may
	// call it. nil is for who draws pictures: nothing runs in the background then,
	// and what tasks have to finish waits for the next Tick.
	Post func(func())
	// Invalidate asks for a frame; any goroutine may call it. May be nil.
	Invalidate func()
	// Now is the clock of messages and history; nil is the real one.
	Now func() time.Time
	// Dialog is the program that shows file dialogs; empty, or one that fails,
	// makes the session ask by itself.
	Dialog string
	// Quit closes the window, when nothing speaks against it. May be nil.
	Quit func()
	// Temporary has nothing read from or written to Dirs and no autosave made: for
	// pictures and tests.
	Temporary bool
	// Path is the file that a temporary session pretends the level is from.
	Path string
	// Name is what a level without a file is called; empty is Untitled.
	Name string
}

// Session is the running editor. Make it with New.
type Session struct {
	Env      *command.Env
	Keys     *keymap.Map
	Settings settings.Settings
	Memory   settings.Memory

	Sculpt tool.Sculpt
	Paint  tool.Paint
	Brush  tool.Brush
	Mode   Mode

	View        View
	Nodes       Nodes
	Culling     Culling
	Problems    Problems
	Suggestions Suggestions
	Simpler     Simpler

	Picking  tool.Select
	Place    tool.Place
	Strew    tool.Strew
	Marking  tool.Marking
	Snapping tool.Snapping
	Measure  tool.Measure
	// Occluding and Rooms are how occluders, and how cells and portals, are drawn.
	Occluding, Rooms tool.Drafting
	// Strewing says that the mode object scatters instead of placing one by one.
	Strewing bool

	placing    tool.Placing
	scattering tool.Scatter
	marker     tool.Marker
	occluder   tool.Draft
	room       tool.Draft // draws cells and portals

	options Options
	ctx     context.Context
	stop    context.CancelFunc

	file      file
	unwatch   func()
	revision  int // grows when another document takes the place of the last
	opened    bool
	tasks     []*Task
	late      *late // nil where there is a loop to post to
	notices   []Notice
	failed    map[string]bool // commands of which an error was told
	lines     []Line
	linesSeen int
	ran       []string // the last lines run, for crash files
	known     map[string]knownLine

	watch         watch
	scene         *scene.Scene
	library       library
	outlined      map[document.ID]Highlight // of outlinedLevel; nil: to be found anew
	outlinedLevel *document.Level
	hovered       document.ID // what a click would select
	seen          []int32
	fetched       fetched
	waiting       []waiting
	sources       atomic.Pointer[sources] // that assets came from, for the watch
	stamps        atomic.Pointer[map[string]sourceStamp]
	sourcesSeen   map[string]sourceStamp
	companions    companions
	watching      atomic.Bool // what the watch saw has not been taken up yet
	marksSeen     []*scene.Mark
	edges         []hull.Edge
	labelled      overlay.Shapes
	labels        []Label

	textures     textures
	drag         tool.Drag
	dropping     dropping
	question     *Question
	prompt       *PathPrompt
	promptFolder string // where the last file that was asked for lies
	importer     *Importer
	exporter     *Exporter
	maker        *Maker
	shown        map[string]bool // panels and overlays of the window, by name
	front        string          // the tab that was brought to the front
	closing      bool
	givenUp      document.State // the state of the level that the user closes without saving
}

// New makes a session on a level that has no file yet. Problems with the user's
// settings are told as messages; the defaults serve.
func New(l *document.Level, o Options) *Session {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Invalidate == nil {
		o.Invalidate = func() {}
	}
	s := &Session{options: o, Brush: tool.DefaultBrush(), shown: map[string]bool{}, failed: map[string]bool{}, Mode: ModeSelect}
	if o.Post == nil {
		s.late = new(late)
		s.options.Post = s.late.add
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.Sculpt = tool.Sculpt{Op: brush.Raise, Brush: &s.Brush}
	s.Paint = tool.Paint{Brush: &s.Brush}
	s.library.s, s.Nodes.s, s.Nodes.Deepest, s.Culling.s, s.Problems.s, s.Suggestions.s, s.Simpler.s = s, s, -1, s, s, s, s
	s.Place, s.Marking, s.Snapping = tool.DefaultPlace(), tool.DefaultMarking(), tool.DefaultSnapping()
	s.Strew = tool.DefaultStrew()
	s.placing = tool.Placing{Options: &s.Place, Snapping: &s.Snapping}
	s.scattering = tool.Scatter{Options: &s.Strew, Brush: &s.Brush}
	s.marker.Options = &s.Marking
	s.Occluding, s.Rooms = tool.DefaultOccluding(), tool.DefaultRooms()
	s.occluder = tool.Draft{Name: string(ModeOccluder), Options: &s.Occluding, Snapping: &s.Snapping, Handles: &s.Picking.Handles}
	s.room = tool.Draft{Name: string(ModePortal), Options: &s.Rooms, Snapping: &s.Snapping, Handles: &s.Picking.Handles}
	s.Picking.Handles.Snapping = &s.Snapping
	s.scene = scene.New(&s.library)
	s.shown["overlay markers"] = true

	var err error
	s.Settings, s.Keys = settings.Default(), new(keymap.Map)
	if o.Temporary {
		s.Keys, err = keymap.Load("")
		s.Fail(err)
	} else {
		s.Settings, err = settings.Load(o.Dirs.SettingsFile())
		s.Fail(err)
		s.Keys, err = keymap.Load(o.Dirs.KeysFile())
		s.Fail(err)
		s.Memory, err = settings.LoadMemory(o.Dirs)
		s.Fail(err)
	}

	registry := command.Standard()
	if err := registry.Add(slices.Concat(windowCommands(s), thingCommands(s), optionCommands(s), cullingCommands(s), draftCommands(s), problemCommands(s), suggestCommands(s), simplerCommands(s))...); err != nil {
		panic(err) // the table contradicts itself
	}
	s.Env = &command.Env{Registry: registry, Out: console{s}, View: &command.ViewState{}}
	s.Env.Files = command.Files{Open: s.openFile, Save: s.saveFile, AddTexture: s.addTexture, AddAsset: s.addAsset, Model: s.readMesh}
	s.Env.Warn = s.Warn
	s.Env.Find = command.Finder{
		Found: s.Problems.take,
		Suggest: func(_ context.Context, count int) error {
			s.Suggestions.Start(count)
			s.catchUp() // without a loop it is through
			return nil
		},
	}
	if o.Post != nil {
		s.Env.Away = s.away
	}
	s.Picking.Handles.Env = s.Env
	s.checkKeys()
	s.View.init(s)
	s.watchSources()
	s.replace(l, file{path: o.Path, name: o.Name})
	return s
}

func (s *Session) now() time.Time         { return s.options.Now() }
func (s *Session) post(fn func())         { s.options.Post(fn) }
func (s *Session) invalidate()            { s.options.Invalidate() }
func (s *Session) Level() *document.Level { return s.Env.Doc.Level() }

// Document is the open document. It is another one after opening a level.
func (s *Session) Document() *document.Document { return s.Env.Doc }

// Revision grows whenever another document takes the place of the last, so that
// views know that a level is not an edit of the one before.
func (s *Session) Revision() int { return s.revision }

// replace makes l the level of a new document that lives in f.
func (s *Session) replace(l *document.Level, f file) {
	s.CancelDrag()
	s.CancelDropAsset()
	if s.unwatch != nil {
		s.unwatch()
	}
	if s.Env.Doc != nil {
		if err := s.Env.Doc.Close(); err != nil {
			s.Fail(err)
		}
		s.file.leave(s)
	}
	history := document.Options{
		HistoryBytes: int64(s.Settings.History.Megabytes) << 20,
		SpillBytes:   int64(s.Settings.History.DiskMB) << 20,
		Now:          s.options.Now,
		Report:       s.Fail,
	}
	if !s.options.Temporary {
		history.SpillDir = s.options.Dirs.HistorySpill()
	}
	s.Env.Doc = document.New(l, history)
	s.revision++
	s.Env.View.Selection = nil
	s.file, s.opened = f, f.path != ""
	s.file.enter(s)
	s.unwatch = s.Env.Doc.Subscribe(s.changed)
	s.outlined, s.hovered = nil, 0
	s.library.reset(l)
	s.Suggestions = Suggestions{s: s}
	s.Simpler = Simpler{s: s}
	s.scene.Update(l, nil)
	s.watch.replaced(l)
	s.Culling.reset()
	s.sourcesSeen = nil
	s.stamps.Store(nil)
	s.noteSources(l)
	s.compareSources()
	s.Paint.Layer = 0
	s.Place.Asset, s.Strew.Assets, s.Strew.Into = "", nil, 0
	s.abandon()
	s.occluder.Unchoose()
	s.room.Unchoose()
	s.Measure.On = false
	s.fitBrush(l)
	s.View.reset(l)
	s.invalidate()
}

// changed follows the document.
func (s *Session) changed(l *document.Level, c document.Change) {
	s.scene.Update(l, &c)
	s.watch.changed(l, &c)
	if len(c.Entities) > 0 {
		s.outlined = nil
	}
	if c.Assets {
		s.noteSources(l)
		s.library.assetsChanged(l)
	}
	if s.Paint.Layer >= len(l.Layers) {
		s.Paint.Layer = len(l.Layers) - 1
	}
	if c.Committed {
		s.file.update(l, s.View.left())
	}
	s.View.underKnown = false
	s.invalidate()
}

// errReadOnly is why nothing can be edited.
var errReadOnly = errors.New("this level is open elsewhere, so it is read-only here; save it under another name to work on a copy")

// Why tells why a line cannot run now; nil when it can. Buttons and menus show the
// reason. They ask in every frame, so what a line names is looked up only once.
func (s *Session) Why(line string) error {
	k, ok := s.known[line]
	if !ok {
		call, err := command.Parse(line)
		if err == nil {
			k.command, err = s.Env.Registry.Find(call.ID)
		}
		k.err = err
		if s.known == nil || len(s.known) >= maxKnown {
			s.known = map[string]knownLine{}
		}
		s.known[line] = k
	}
	switch {
	case k.err != nil:
		return k.err
	case k.command.Class == command.Edit && s.file.readOnly:
		return errReadOnly
	}
	return k.command.Why(s.Env)
}

// knownLine is the command that a line names, or why it names none.
type knownLine struct {
	command *command.Command
	err     error
}

// maxKnown bounds the lines that are remembered; the window asks about fewer.
const maxKnown = 1000

// Run runs the commands of a line, as buttons, menus and keys do. What fails is
// told; what is printed goes to the console.
func (s *Session) Run(line string) { s.Fail(s.run(line)) }

// Execute is Run for who wants to know what fails.
func (s *Session) Execute(line string) error { return s.run(line) }

// RunConsole runs a line that the user typed into the console, which shows it and
// what fails.
func (s *Session) RunConsole(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	s.addLine(Line{Input: true, Text: line, Time: s.now()})
	if err := s.run(line); err != nil {
		s.Print(Error, err.Error())
	}
}

func (s *Session) run(line string) error {
	calls, err := command.ParseLine(line)
	if err != nil {
		return err
	}
	for _, call := range calls {
		if _, err := s.Env.Registry.Check(call); err != nil {
			return err
		}
	}
	if len(calls) > 1 {
		defer s.inOrder()()
	}
	for _, call := range calls {
		if s.makeWay(call.ID) {
			continue
		}
		if err := s.Why(call.ID); err != nil {
			return notNow{err}
		}
		s.remember(call.String())
		s.again(call.ID)
		_, err := s.guard(call.ID, func() (func() error, error) {
			return nil, s.Env.Registry.Run(s.ctx, s.Env, call)
		})
		if err != nil {
			return err
		}
	}
	s.invalidate()
	return nil
}

// maxRan is how many lines a crash file lists.
const maxRan = 50

func (s *Session) remember(line string) {
	s.ran = append(s.ran, line)
	if len(s.ran) > 2*maxRan {
		s.ran = append(s.ran[:0:0], s.ran[maxRan:]...)
	}
}

// console is where commands print.
type console struct{ s *Session }

func (c console) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		c.s.Print(Info, strings.TrimRight(line, "\n"))
	}
	return len(p), nil
}

var _ io.Writer = console{}

// Shown reports whether an optional part of the window is shown.
func (s *Session) Shown(name string) bool { return s.shown[name] }

// Show shows or hides an optional part of the window.
func (s *Session) Show(name string, on bool) {
	s.shown[name] = on
	s.invalidate()
}

// TakeFront is the tab that was brought to the front since it was asked last, or empty.
func (s *Session) TakeFront() string {
	name := s.front
	s.front = ""
	return name
}

// Close ends the session: drags are cancelled, tasks told to stop, the autosave
// finished and the lock given back. A dirty level keeps its autosave, so that it
// can be recovered.
func (s *Session) Close() error {
	s.CancelDrag()
	s.stop()
	err := s.file.close(s)
	return errors.Join(err, s.Env.Doc.Close(), s.saveMemory())
}

func (s *Session) saveMemory() error {
	if s.options.Temporary {
		return nil
	}
	return s.Memory.Save(s.options.Dirs)
}
