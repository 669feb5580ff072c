package host

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ridgeline/viewport/host/internal/xshot"
)

// patience is how long a test waits for what must come. It only costs time where
// something is broken.
const patience = 20 * time.Second

// dieWithUs ends servers and windows with the test program, however that ends.
var dieWithUs = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}

// startX starts an X server of our own and connects to it.
func startX(t *testing.T) (string, *xshot.Display) {
	t.Helper()
	if _, err := exec.LookPath("Xvfb"); err != nil {
		t.Skip("Xvfb is not installed")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	cmd.SysProcAttr = dieWithUs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM) // so that it takes its lock file away
		cmd.Wait()
	})
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb did not start: ", err)
	}
	name := ":" + strings.TrimSpace(line)
	d, err := xshot.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return name, d
}

// shown is a child process with a window.
type shown struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func show(t *testing.T, mode string, env ...string) *shown {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "DISPLAY" && name != "WAYLAND_DISPLAY" && name != "XDG_RUNTIME_DIR" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(append(cmd.Env, childVariable+"="+mode, "XDG_RUNTIME_DIR="+t.TempDir()), env...)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = dieWithUs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &shown{t: t, cmd: cmd, in: in, lines: make(chan string, 100)}
	go func() {
		defer close(s.lines)
		in := bufio.NewScanner(out)
		for in.Buffer(nil, 1<<26); in.Scan(); {
			s.lines <- in.Text()
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return s
}

// expect returns what follows the prefix on the next line.
func (s *shown) expect(prefix string) string {
	s.t.Helper()
	select {
	case line, ok := <-s.lines:
		rest, found := strings.CutPrefix(line, prefix)
		if !ok || !found {
			s.t.Fatalf("the window's process said %q, expected %q", line, prefix)
		}
		return strings.TrimSpace(rest)
	case <-time.After(patience):
		s.t.Fatalf("the window's process said nothing, expected %q", prefix)
	}
	return ""
}

// ask sends a command and returns what follows the prefix in the answer.
func (s *shown) ask(command, prefix string) string {
	s.t.Helper()
	fmt.Fprintln(s.in, command)
	return s.expect(prefix)
}

type childStats struct {
	frames, draws, inits, releases int
	mode                           string
}

func (s *shown) stats() (c childStats) {
	s.t.Helper()
	line := s.ask("stats", "stats")
	if _, err := fmt.Sscan(line, &c.frames, &c.draws, &c.inits, &c.releases, &c.mode); err != nil {
		s.t.Fatal(line, err)
	}
	return c
}

// ticks is the process's time on the CPU, in hundredths of a second.
func (s *shown) ticks() int {
	s.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	if err1 != nil || err2 != nil {
		s.t.Fatal(err1, err2)
	}
	return user + system
}

// rests checks that the window draws nothing when nothing happens, and takes no
// time on the CPU.
func (s *shown) rests() {
	s.t.Helper()
	before := s.stats() // asks for one frame itself
	eventually(s.t, func() error {
		last := before
		if before = s.stats(); before.frames != last.frames+1 {
			return fmt.Errorf("the window does not come to rest")
		}
		return nil
	})
	ticks := s.ticks()
	time.Sleep(time.Second)
	used := s.ticks() - ticks
	// Each question may cost a second frame, if the first came late.
	if after := s.stats(); after.frames > before.frames+2 || after.draws != before.draws {
		s.t.Errorf("idle: %d frames and %d draws", after.frames-before.frames-1, after.draws-before.draws)
	}
	if used > 2 {
		s.t.Errorf("idle: %d hundredths of a second on the CPU", used)
	}
}

// eventually tries until f agrees.
func eventually(t *testing.T, f func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := f()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func find(t *testing.T, d *xshot.Display) (w xshot.Window) {
	t.Helper()
	eventually(t, func() error {
		var ok bool
		if w, ok = d.Find("hosttest"); !ok {
			return fmt.Errorf("no window of class hosttest")
		}
		return nil
	})
	return w
}

// differ compares two pictures: no channel of a pixel may differ by more than the
// tolerance.
func differ(got, want *image.NRGBA, tolerance int) error {
	if got.Rect.Size() != want.Rect.Size() {
		return fmt.Errorf("picture of %v, expected %v", got.Rect.Size(), want.Rect.Size())
	}
	bad, worst, at := 0, 0, image.Point{}
	for i := range want.Pix {
		d := int(got.Pix[i]) - int(want.Pix[i])
		if d = max(d, -d); d > tolerance {
			if bad++; d > worst {
				worst, at = d, image.Pt(i%want.Stride/4, i/want.Stride)
			}
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d values differ, the worst at %v: %v, expected %v", bad, at, got.NRGBAAt(at.X, at.Y), want.NRGBAAt(at.X, at.Y))
	}
	return nil
}

// expected is what the offscreen host shows of the same interface and scene.
func expected(t *testing.T, size image.Point, scale float32, change func(*testUI, *testScene)) *image.NRGBA {
	t.Helper()
	h, ui, scene := newTestHost(t, size, scale)
	if change != nil {
		change(ui, scene)
	}
	m, err := h.Frame(someTime)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// looksLike waits until the window on the screen looks like the picture.
func looksLike(t *testing.T, d *xshot.Display, w xshot.Window, want *image.NRGBA) {
	t.Helper()
	eventually(t, func() error {
		got, err := d.Capture(w)
		if err != nil {
			return err
		}
		return differ(got, want, 2)
	})
}

func TestWindowLooksLikeOffscreen(t *testing.T) {
	name, d := startX(t)
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, "DISPLAY="+name)
			w := find(t, d)
			looksLike(t, d, w, expected(t, image.Pt(400, 300), 1, nil))
			if got := s.stats(); got.mode != mode || got.inits != 1 {
				t.Errorf("stats %+v, expected mode %s", got, mode)
			}
			before := s.stats().draws
			s.ask("fade", "faded")
			looksLike(t, d, w, expected(t, image.Pt(400, 300), 1, func(u *testUI, _ *testScene) { u.fade = 0x20 }))
			if draws := s.stats().draws; draws != before {
				t.Errorf("a fading panel had the scene drawn %d times", draws-before)
			}
			s.ask("tint", "tinted")
			changed := func(u *testUI, sc *testScene) { u.fade, sc.tint = 0x20, 0.9 }
			looksLike(t, d, w, expected(t, image.Pt(400, 300), 1, changed))
			for _, size := range []image.Point{{X: 500, Y: 333}, {X: 150, Y: 100}, {X: 701, Y: 299}} {
				d.Resize(w, size)
				looksLike(t, d, w, expected(t, size, 1, changed))
			}
			if got := d.Words(w, "_NET_WM_PID"); len(got) != 1 || int(got[0]) != s.cmd.Process.Pid {
				t.Errorf("_NET_WM_PID %v, expected %d", got, s.cmd.Process.Pid)
			}
			if got, want := fmt.Sprint(d.Words(w, "_NET_WM_ICON")), fmt.Sprint([]uint32{2, 1, 0xff010203, 0x07040506}); got != want {
				t.Errorf("_NET_WM_ICON %v, expected %v", got, want)
			}
			d.RequestClose(w)
			if got := s.expect("closed"); got != "1 1" {
				t.Errorf("the scene was released, and that in a living context, %s times; expected once", got)
			}
		})
	}
}

func TestWindowFollowsScreenScale(t *testing.T) {
	name, d := startX(t)
	d.SetResources("Xft.dpi:\t192\n")
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, "DISPLAY="+name)
			looksLike(t, d, find(t, d), expected(t, image.Pt(800, 600), 2, nil))
			s.ask("close", "closing")
			s.expect("closed")
		})
	}
}

func TestClosingCanBeRefused(t *testing.T) {
	name, d := startX(t)
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, "DISPLAY="+name)
			w := find(t, d)
			s.ask("keep", "keeping")
			d.RequestClose(w)
			eventually(t, func() error {
				if got := s.ask("asked", "asked"); got != "1" {
					return fmt.Errorf("asked %s times, expected once", got)
				}
				return nil
			})
			s.ask("close", "closing")
			eventually(t, func() error {
				if got := s.ask("asked", "asked"); got != "2" {
					return fmt.Errorf("asked %s times, expected twice", got)
				}
				return nil
			})
			looksLike(t, d, w, expected(t, image.Pt(400, 300), 1, nil))
			s.ask("allow", "allowing")
			s.ask("close", "closing")
			s.expect("closed")
			if err := s.cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestIdleWindowDoesNothing(t *testing.T) {
	name, d := startX(t)
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, "DISPLAY="+name)
			looksLike(t, d, find(t, d), expected(t, image.Pt(400, 300), 1, nil))
			s.rests()
		})
	}
}

func TestWindowSurvivesLostContext(t *testing.T) {
	name, d := startX(t)
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, "DISPLAY="+name)
			w := find(t, d)
			want := expected(t, image.Pt(400, 300), 1, nil)
			looksLike(t, d, w, want)
			for n := 1; n <= 3; n++ {
				s.ask("lose", "lost")
				if got := s.stats(); got.inits != n+1 || got.releases != n {
					t.Fatalf("after loss %d: %+v", n, got)
				}
				looksLike(t, d, w, want)
			}
			s.ask("close", "closing")
			s.expect("closed")
		})
	}
}

func TestRefusedDriverFallsBackWithMessage(t *testing.T) {
	name, d := startX(t)
	s := show(t, "refuse-auto", "DISPLAY="+name)
	if got := s.expect("report"); !strings.Contains(got, "copied") || !strings.Contains(got, "no, thank you") {
		t.Errorf("the message is %q", got)
	}
	looksLike(t, d, find(t, d), expected(t, image.Pt(400, 300), 1, nil))
	if got := s.stats(); got.mode != "copy" {
		t.Errorf("mode %s, expected copy", got.mode)
	}
	if n := d.Count("hosttest"); n != 1 {
		t.Errorf("%d windows are shown, expected one", n)
	}
	s.ask("close", "closing")
	s.expect("closed")

	s = show(t, "refuse-direct", "DISPLAY="+name)
	if got := s.expect("error"); !strings.Contains(got, "no, thank you") {
		t.Errorf("the error is %q", got)
	}
}

func TestNoDisplayIsAnError(t *testing.T) {
	s := show(t, "auto", "DISPLAY=:54321")
	if got := s.expect("error"); !strings.HasPrefix(got, ErrNoWindow.Error()) {
		t.Errorf("the error is %q", got)
	}
}

func TestSceneErrorInWindowIsReported(t *testing.T) {
	name, d := startX(t)
	s := show(t, "auto", "DISPLAY="+name)
	w := find(t, d)
	s.ask("fail", "failing")
	if got := s.expect("report"); got != "boom" {
		t.Errorf("reported %q", got)
	}
	s.ask("mend", "mended")
	looksLike(t, d, w, expected(t, image.Pt(400, 300), 1, nil))
}

func TestWarpedPointerComesBackAsMove(t *testing.T) {
	name, d := startX(t)
	s := show(t, "auto", "DISPLAY="+name)
	looksLike(t, d, find(t, d), expected(t, image.Pt(400, 300), 1, nil))
	before := s.ask("moves", "moves")
	if got := s.ask("warp", "warped"); got != "true" {
		t.Fatalf("warping is possible: %s", got)
	}
	eventually(t, func() error {
		if after := s.ask("moves", "moves"); after == before {
			return fmt.Errorf("no pointer event after the warp")
		}
		return nil
	})
}

func TestTextInputAndClipboard(t *testing.T) {
	if _, err := exec.LookPath("xdotool"); err != nil {
		t.Skip("xdotool, which types in this test, is not installed")
	}
	name, d := startX(t)
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, "DISPLAY="+name)
			w := find(t, d)
			looksLike(t, d, w, expected(t, image.Pt(400, 300), 1, nil))
			s.ask("editor", "editing")
			xdotool := func(args ...string) {
				t.Helper()
				cmd := exec.Command("xdotool", args...)
				cmd.Env = append(os.Environ(), "DISPLAY="+name)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("xdotool %v: %v: %s", args, err, out)
				}
			}
			reads := func(want string) {
				t.Helper()
				eventually(t, func() error {
					if got := s.ask("text", "text"); got != strconv.Quote(want) {
						return fmt.Errorf("the editor holds %s, expected %q", got, want)
					}
					return nil
				})
			}
			reads("")
			xdotool("windowfocus", fmt.Sprint(uintptr(w)))
			xdotool("mousemove", "60", "110", "click", "1")
			xdotool("type", "--delay", "5", "Hills 7")
			reads("Hills 7")
			xdotool("key", "ctrl+a", "ctrl+c", "End", "ctrl+v")
			reads("Hills 7Hills 7")
			xdotool("key", "BackSpace")
			reads("Hills 7Hills ")
		})
	}
}
