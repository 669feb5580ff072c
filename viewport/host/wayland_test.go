package host

import (
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// startWayland starts a Wayland compositor of our own, without a screen, and
// returns the environment that leads to it.
func startWayland(t *testing.T, scale int) ([]string, *os.Process) {
	t.Helper()
	if _, err := exec.LookPath("weston"); err != nil {
		t.Skip("weston, the compositor for this test, is not installed")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("weston", "--backend=headless-backend.so", "--socket=wl", "--width=1280", "--height=1024",
		fmt.Sprint("--scale=", scale), "--use-pixman", "--idle-time=0", "--no-config", "--log="+filepath.Join(dir, "log"))
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
	cmd.SysProcAttr = dieWithUs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt) // ends its helpers too
		cmd.Wait()
	})
	eventually(t, func() error {
		_, err := os.Stat(filepath.Join(dir, "wl"))
		return err
	})
	return []string{"XDG_RUNTIME_DIR=" + dir, "WAYLAND_DISPLAY=wl"}, cmd.Process
}

// belowTitle cuts off the title bar that the window draws here.
func belowTitle(m *image.NRGBA, scale int) *image.NRGBA {
	height := min(int(titleHeight)*scale, m.Rect.Dy())
	return &image.NRGBA{Pix: m.Pix[height*m.Stride:], Stride: m.Stride, Rect: image.Rect(0, 0, m.Rect.Dx(), m.Rect.Dy()-height)}
}

// waitForPicture waits until the window's own picture, taken before it is swapped,
// looks as expected: a compositor without a screen shows none.
func waitForPicture(t *testing.T, s *shown, want *image.NRGBA) {
	t.Helper()
	eventually(t, func() error {
		s.ask("picture", "picture follows")
		fields := strings.Fields(s.expect("pixels"))
		w, err1 := strconv.Atoi(fields[0])
		h, err2 := strconv.Atoi(fields[1])
		pix, err3 := hex.DecodeString(fields[2])
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		got := image.NewNRGBA(image.Rect(0, 0, w, h))
		got.Pix = pix
		return differ(belowTitle(got, want.Rect.Dx()/400), want, 2)
	})
}

func TestWaylandWindow(t *testing.T) {
	for _, scale := range []int{1, 2} {
		t.Run(fmt.Sprint("scale ", scale), func(t *testing.T) {
			env, _ := startWayland(t, scale)
			s := show(t, "direct", env...)
			px := func(w, h int) image.Point { return image.Pt(w, h).Mul(scale) }
			waitForPicture(t, s, expected(t, px(400, 300), float32(scale), nil))
			s.ask("fade", "faded")
			waitForPicture(t, s, expected(t, px(400, 300), float32(scale), func(u *testUI, _ *testScene) { u.fade = 0x20 }))
			s.ask("grow", "growing")
			waitForPicture(t, s, expected(t, px(500, 333-int(titleHeight)), float32(scale), func(u *testUI, _ *testScene) { u.fade = 0x20 }))
			if got := s.ask("surface", "surface"); got != "true false" {
				t.Errorf("the surface is sRGB and translucent: %s, expected true false", got)
			}
			s.ask("lose", "lost")
			if got := s.stats(); got.inits != 2 || got.releases != 1 {
				t.Errorf("after a loss: %+v", got)
			}
			waitForPicture(t, s, expected(t, px(500, 333-int(titleHeight)), float32(scale), func(u *testUI, _ *testScene) { u.fade = 0x20 }))
			if s.ask("warp", "warped") != "false" {
				t.Error("Wayland lets the pointer be moved?")
			}
			s.ask("keep", "keeping")
			s.ask("close", "closing")
			if got := s.ask("asked", "asked"); got != "1" {
				t.Errorf("asked %s times, expected once", got)
			}
			s.ask("allow", "allowing")
			s.ask("close", "closing")
			if got := s.expect("closed"); got != "2 1" {
				t.Errorf("the scene was released, and that in a living context, %s times; expected twice and once", got)
			}
			if err := s.cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWaylandWindowRests(t *testing.T) {
	env, _ := startWayland(t, 1)
	for _, mode := range []string{"direct", "copy"} {
		t.Run(mode, func(t *testing.T) {
			s := show(t, mode, env...)
			s.rests()
			s.ask("close", "closing")
			s.expect("closed")
		})
	}
}

func TestBrokenConnectionEndsWindow(t *testing.T) {
	env, compositor := startWayland(t, 1)
	s := show(t, "auto", env...)
	for s.stats().frames == 0 {
	}
	compositor.Kill()
	if got := s.expect("error"); got == "" {
		t.Error("no reason given")
	}
}
