package panel

import "testing"

// The start screen leads where its buttons say, and stays away once it was told to.
func TestWelcome(t *testing.T) {
	r := newRig(t, 900, 700, 1)
	r.shell.Welcome()
	r.Frame()
	r.Click(sWelcomeNew)
	r.Frame()
	if r.s.Maker() == nil || r.shell.welcome.dialog.IsOpen() {
		t.Errorf("a new level is asked for: %v; the start screen is open: %v", r.s.Maker() != nil, r.shell.welcome.dialog.IsOpen())
	}
	r.s.CancelMaker()
	r.Frame()

	r.s.Memory.Recent = []string{"/nowhere/valley.ridge"}
	r.menu(sHelp, sStart)
	r.Frame()
	r.Click("valley.ridge")
	r.settle()
	if _, lines := r.s.Lines(); lines == 0 || r.shell.welcome.dialog.IsOpen() {
		t.Error("the level that was opened last is not opened again")
	}

	r.menu(sHelp, sStart)
	r.Frame()
	r.Click(sWelcomeAlways)
	r.Click(sClose)
	r.Frame()
	if !r.s.Memory.NoWelcome || r.shell.welcome.dialog.IsOpen() {
		t.Errorf("it is to stay away: %v; it is open: %v", r.s.Memory.NoWelcome, r.shell.welcome.dialog.IsOpen())
	}
	r.shell.Welcome()
	r.Frame()
	if r.shell.welcome.dialog.IsOpen() {
		t.Error("it comes although it was told to stay away")
	}
}
