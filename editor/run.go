package editor

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"gioui.org/app"
	"gioui.org/unit"

	"ridgeline/editor/session"
	"ridgeline/editor/settings"
	"ridgeline/viewport/host"
)

// RunOptions say how the editor comes up.
type RunOptions struct {
	Path     string // of the level to open; empty opens the sample level
	Village  bool   // open the Village
	Viewport string // "auto", "direct" or "copy"; empty: as the settings say
}

// Run shows the editor in a window and returns when it is closed.
func Run(ctx context.Context, o RunOptions) error {
	level, err := session.SampleLevel()
	if err != nil {
		return err
	}
	var win *host.Window
	s := session.New(level, session.Options{
		Dirs:       settings.UserDirs(),
		Post:       func(fn func()) { win.Post(fn) },
		Invalidate: func() { invalidate(win) },
		Dialog:     dialogHelper(),
		Quit:       func() { win.RequestClose() },
		Name:       session.SampleName,
	})
	mode, err := viewportMode(o.Viewport, s.Settings.Window.Viewport)
	if err != nil {
		return err
	}
	a := newProgram(s)
	win = host.NewWindow(host.Options{
		Title: windowTitle(s), AppID: "ridgeline",
		Width: unit.Dp(cmp.Or(s.Memory.Window[0], 1440)), Height: unit.Dp(cmp.Or(s.Memory.Window[1], 900)),
		MinWidth: 960, MinHeight: 600, Mode: mode, Background: a.theme.Color.Gap,
		Closing: s.Closing,
		Configured: func(c app.Config) {
			if _, scale := s.View.Size(); c.Mode == app.Windowed {
				s.Memory.Window = [2]int{int(float32(c.Size.X) / scale), int(float32(c.Size.Y) / scale)}
			}
			if a.unfocused = !c.Focused; a.unfocused {
				s.ReleaseHeld()
			}
		},
		Report: s.Fail,
	}, a, a.scene)
	a.host = win
	stop := closeOnSignal(ctx, win, s)
	defer stop()
	if o.Path != "" {
		s.Open(o.Path)
	} else {
		if o.Village {
			s.OpenVillage()
		} else {
			a.shell.Welcome()
		}
		s.OfferUnsaved()
	}
	err = runGuarded(s, win.Run)
	if cerr := s.Close(); err == nil {
		err = cerr
	}
	return a.stopped(err)
}

// runGuarded runs a window. A panic in it ends it with a crash file that tells what was
// done last; the session is closed as ever after it, so that the autosave is complete.
func runGuarded(s *session.Session, run func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.Crashed("The window", r, debug.Stack())
		}
	}()
	return run()
}

// invalidate asks for a frame of a window that may not be there yet.
func invalidate(w *host.Window) {
	if w != nil {
		w.Invalidate()
	}
}

// viewportMode is the flag's mode, or the setting's.
func viewportMode(flag, setting string) (host.Mode, error) {
	if flag != "" {
		return host.ParseMode(flag)
	}
	return host.ParseMode(setting)
}

// closeOnSignal closes the window without asking when the process is told to end:
// what is not saved stays in the autosave.
func closeOnSignal(ctx context.Context, w *host.Window, s *session.Session) (stop func()) {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-ctx.Done()
		w.Post(func() {
			s.Abandon()
			w.RequestClose()
		})
	}()
	return cancel
}

// dialogHelper finds the program that shows file dialogs: it lies beside the
// editor, or in the path.
func dialogHelper() string {
	const name = "ridgeline-dialog"
	if exe, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(exe), name)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			return beside
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
