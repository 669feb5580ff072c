package editor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ridgeline/editor/internal/xtest"
	"ridgeline/editor/settings"
)

// The tests in this package's window_ files run the real program on an X server of
// their own, with xdotool for the user's hands. What should be seen is drawn by the
// same program without a display: see twin.

// patience is how long a test waits for what must come. It only costs time where
// something is broken.
const patience = 60 * time.Second

// dieWithUs ends servers and editors with the test program, however that ends.
var dieWithUs = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}

// built is the program, made once for all tests.
var built struct {
	sync.Once
	dir, path string
	err       error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// ridgeline is the program under test. Nothing lies beside it, so that it finds no
// helper for file dialogs.
func ridgeline(t *testing.T) string {
	t.Helper()
	needsDesk(t)
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "ridgeline-window-test-"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "ridgeline")
		if built.err = os.Mkdir(filepath.Join(built.dir, "levels"), 0o755); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-ldflags", "-X gioui.org/app.ID=ridgeline", "-o", built.path, "ridgeline/cmd/ridgeline")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// cli runs a verb that needs no window, and gives what it prints.
func cli(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(ridgeline(t), args...)
	cmd.Stderr = new(bytes.Buffer)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ridgeline %v: %v: %s%s", args, err, out, cmd.Stderr)
	}
	return out
}

// sampleSpacing is that of newLevel, in metres, about what the heightmap was made
// with.
const sampleSpacing = 90

// newLevel makes a level of a piece of the Pyrenees, 257×257 samples, in a folder of
// its own.
func newLevel(t *testing.T) string {
	t.Helper()
	const name = "pyrenees.ridge"
	program := ridgeline(t)
	imported.Do(func() {
		cli(t, "import", heightmap(t), "-o", filepath.Join(filepath.Dir(program), "levels", name),
			"--spacing", strconv.Itoa(sampleSpacing), "--min", "837", "--max", "3100")
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(filepath.Dir(program), "levels"))); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

var imported sync.Once

func heightmap(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../testdata/n42e001_257_16bit.png")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// heightAt asks the program for the height at a point, of the level as it is saved,
// or with the flag --recover as it is autosaved.
func heightAt(t *testing.T, level string, x, z float64, flags ...string) float64 {
	t.Helper()
	var facts struct {
		At struct{ Height *float64 }
	}
	out := cli(t, append([]string{"info", level, "--json", "--at", fmt.Sprintf("%v,%v", x, z)}, flags...)...)
	if err := json.Unmarshal(out, &facts); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if facts.At.Height == nil {
		t.Fatalf("no height at %v, %v", x, z)
	}
	return *facts.At.Height
}

// desk is a screen with somebody who works at it.
type desk struct {
	t    *testing.T
	name string // of the display
	x    *xtest.Display
	env  []string
	home string
}

// screenSize holds the largest window of the tests.
var screenSize = image.Pt(1640, 1040)

// needsDesk skips a test where there can be no desk.
func needsDesk(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("the program is not run in short tests")
	}
	for _, tool := range [...]string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
}

// newDesk starts an X server.
func newDesk(t *testing.T) *desk {
	t.Helper()
	needsDesk(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", screenSize.X, screenSize.Y), "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} // so that it takes its lock file away
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
	})
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb did not start: ", err)
	}
	d := &desk{t: t, name: ":" + strings.TrimSpace(line)}
	if d.x, err = xtest.Open(d.name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.x.Close)
	home := t.TempDir()
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); {
		case name == "DISPLAY", name == "WAYLAND_DISPLAY", name == "HOME", name == "PATH", strings.HasPrefix(name, "XDG_"):
		default:
			d.env = append(d.env, v)
		}
	}
	d.env = append(d.env, "DISPLAY="+d.name, "HOME="+home, "PATH="+home, "LIBGL_ALWAYS_SOFTWARE=1", "XDG_RUNTIME_DIR="+home,
		"XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	d.home = home
	d.remember(settings.Memory{NoWelcome: true})
	return d
}

// remember is what editors on the desk remember of earlier runs, beside the window's size.
func (d *desk) remember(m settings.Memory) {
	d.t.Helper()
	m.Window = [2]int{windowSize.X, windowSize.Y}
	if err := m.Save(settings.Dirs{State: filepath.Join(d.home, "state", "ridgeline")}); err != nil {
		d.t.Fatal(err)
	}
}

// do has xdotool do something.
func (d *desk) do(args ...any) {
	d.t.Helper()
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = fmt.Sprint(a)
	}
	cmd := exec.Command("xdotool", words...)
	cmd.Env = d.env
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("xdotool %v: %v: %s", words, err, out)
	}
}

// running is an editor on a desk.
type running struct {
	*desk
	cmd    *exec.Cmd
	window xtest.Window
	said   bytes.Buffer  // on standard error and output, to be read when it has ended
	ended  chan struct{} // closed when it has
	err    error         // how it ended
}

// open starts the editor and waits until it has come up. Its window then has the
// keyboard.
func (d *desk) open(args ...string) *running { return d.openAs(ridgeline(d.t), args...) }

func (d *desk) openAs(program string, args ...string) *running {
	d.t.Helper()
	e := &running{desk: d, cmd: exec.Command(program, args...), ended: make(chan struct{})}
	e.cmd.Env, e.cmd.SysProcAttr = d.env, dieWithUs
	e.cmd.Stdout, e.cmd.Stderr = &e.said, &e.said
	if err := e.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() {
		e.err = e.cmd.Wait()
		close(e.ended)
	}()
	d.t.Cleanup(func() {
		e.kill()
		if e.said.Len() > 0 {
			d.t.Errorf("the editor said: %s", &e.said)
		}
	})
	e.eventually("the editor shows no window", func() (err error) {
		if e.window, err = d.x.Find("ridgeline"); err == nil && e.window == 0 {
			err = errors.New("there is none")
		}
		return err
	})
	if err := d.x.Watch(e.window); err != nil {
		d.t.Fatal(err)
	}
	if err := d.x.Focus(e.window); err != nil {
		d.t.Fatal(err)
	}
	e.rest()
	return e
}

// eventually tries until f agrees.
func (e *running) eventually(what string, f func() error) {
	e.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := f()
		if err == nil {
			return
		}
		select {
		case <-e.ended:
			e.t.Fatalf("%s: the editor has ended: %v: %s", what, e.err, &e.said)
		default:
		}
		if time.Now().After(deadline) {
			e.t.Fatalf("%s: %v%s", what, err, e.evidence("late.png"))
		}
	}
}

// kill ends the editor at once, as a crash of the system does.
func (e *running) kill() {
	e.cmd.Process.Kill()
	<-e.ended
}

// exit waits until the editor has ended and gives its exit code.
func (e *running) exit() int {
	e.t.Helper()
	select {
	case <-e.ended:
	case <-time.After(patience):
		e.t.Fatal("the editor does not end" + e.evidence("alive.png"))
	}
	return e.cmd.ProcessState.ExitCode()
}

// alive reports whether the editor still runs.
func (e *running) alive() bool {
	select {
	case <-e.ended:
		return false
	default:
		return true
	}
}

// titled waits until the window has a title.
func (e *running) titled(want string) {
	e.t.Helper()
	e.eventually("the window's title", func() error {
		if got, err := e.x.Title(e.window); err != nil || got != want {
			return fmt.Errorf("%q, expected %q (%v)", got, want, err)
		}
		return nil
	})
}

// work is what an editor has done so far, by the clock of its processor time and
// by what it has drawn, and whether it is at work now.
type work struct {
	ticks, drawn int
	busy         bool
}

func (e *running) work() (w work) {
	e.t.Helper()
	var err error
	if w.drawn, err = e.x.Drawn(); err != nil {
		e.t.Fatal(err)
	}
	fields := func(file string) []string {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil // a thread that has just ended
		}
		return strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	}
	proc := fmt.Sprintf("/proc/%d/", e.cmd.Process.Pid)
	f := fields(proc + "stat")
	if f == nil || f[0] == "Z" {
		<-e.ended
		e.t.Fatalf("the editor has ended: %v: %s", e.err, &e.said)
	}
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	threads, err3 := filepath.Glob(proc + "task/*/stat")
	if err := errors.Join(err1, err2, err3); err != nil {
		e.t.Fatal(err)
	}
	w.ticks = user + system
	for _, file := range threads {
		if f := fields(file); f != nil && f[0] != "S" {
			w.busy = true
		}
	}
	return w
}

// rest waits until the editor has nothing more to do: for a while all of its
// threads sleep and nothing is drawn. A machine that is busy with other things does
// not matter, as a thread that waits for its turn does not sleep.
func (e *running) rest() {
	e.t.Helper()
	const quiet, pause = 8, 15 * time.Millisecond
	last, same := e.work(), 0
	for deadline := time.Now().Add(patience); same < quiet; time.Sleep(pause) {
		if time.Now().After(deadline) {
			e.t.Fatal("the editor does not come to rest" + e.evidence("restless.png"))
		}
		now := e.work()
		if now == last && !now.busy {
			same++
		} else {
			last, same = now, 0
		}
	}
}

// shot photographs the window once it has come to rest.
func (e *running) shot() *image.NRGBA {
	e.t.Helper()
	e.rest()
	m, err := e.x.Capture(e.window)
	if err != nil {
		e.t.Fatal(err)
	}
	return m
}

// shows waits until the window looks like a picture in some part of it, but for the
// places of but.
func (e *running) shows(want *image.NRGBA, part image.Rectangle, but ...image.Rectangle) {
	e.t.Helper()
	done := false
	defer func() {
		if !done {
			e.t.Log("it should look like ", writePicture(e.t, want, "expected.png"))
		}
	}()
	e.eventually("the window looks otherwise", func() error {
		e.rest()
		got, err := e.x.Capture(e.window)
		if err != nil {
			return err
		}
		if got.Rect != want.Rect {
			return fmt.Errorf("its size is %v, expected %v", got.Rect.Size(), want.Rect.Size())
		}
		if d := differing(got, want, part, tolerance, but...); d.n > 0 {
			return d
		}
		return nil
	})
	done = true
}

// saveLevel presses the keys and waits until the file has changed.
func (e *running) saveLevel(path string) {
	e.t.Helper()
	before := read(e.t, path)
	e.do("key", "ctrl+s")
	e.eventually("the level is not saved", func() error {
		if bytes.Equal(read(e.t, path), before) {
			return errors.New("the file is as before")
		}
		return nil
	})
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func readPicture(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, out.Rect.Min, draw.Src)
	return out
}

// keep writes what the screen shows to a file, to be looked at, in the folder that
// the environment names, if it does.
func (e *running) keep(name string) {
	e.t.Helper()
	if m, err := e.x.Capture(e.window); err == nil {
		keepPicture(e.t, m, name)
	}
}

// shotsVariable names the folder where tests leave pictures of what they see.
const shotsVariable = "RIDGELINE_TEST_SHOTS"

func keepPicture(t *testing.T, m image.Image, name string) {
	t.Helper()
	if os.Getenv(shotsVariable) != "" {
		writePicture(t, m, name)
	}
}

// evidence keeps what the screen shows at a failure, and says for its message where
// to look.
func (e *running) evidence(name string) string {
	e.t.Helper()
	m, err := e.x.Capture(e.window)
	if err != nil {
		return fmt.Sprintf(" (no picture of the window: %v)", err)
	}
	return "; see " + writePicture(e.t, m, name)
}

// wrong fails the test with a picture of the window to look at. The test goes on.
func (e *running) wrong(format string, args ...any) {
	e.t.Helper()
	wrongs++
	e.t.Errorf(format+"%s", append(args, e.evidence(fmt.Sprintf("wrong-%d.png", wrongs)))...)
}

var wrongs int // so far, which numbers the pictures

// writePicture writes a picture to the folder that the environment names, or else to
// one for temporary files, and gives its path.
func writePicture(t *testing.T, m image.Image, name string) string {
	t.Helper()
	dir := os.Getenv(shotsVariable)
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "ridgeline-window-tests")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err.Error()
		}
	}
	path := filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "-")+"-"+name)
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(png.Encode(f, m), f.Close())
	}
	if err != nil {
		return err.Error()
	}
	return path
}
