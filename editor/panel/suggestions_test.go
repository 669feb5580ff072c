package panel

import "testing"

// crowd is a house and a shed with barrels behind them.
var crowd = []string{
	`object.place asset=House at=30,8 scale=5 name="Town hall"`,
	`object.place asset=Pine at=8,30 scale=4 name="Shed"`,
	`object.place asset=Barrel at=42,10 scale=0.5; object.place asset=Barrel at=43,11 scale=0.5; object.place asset=Barrel at=44,10 scale=0.5`,
	`object.place asset=Barrel at=10,43 scale=0.5`,
	`camera.set eye=2,4,2 look=30,4,8; camera.bookmark name=east`,
	`camera.set eye=2,4,2 look=8,4,30; camera.bookmark name=south`,
	`select.none`,
}

func TestSuggestionsPanel(t *testing.T) {
	r := thingsRig(t, 288, 760, 1, crowd...)
	r.s.Run("view.tab name=problems")
	r.Frame()
	if !r.Has(sSuggestHelp) {
		t.Error("the empty list says nothing")
	}
	r.Click(sSuggest)
	r.Frame()
	if !r.Has(sSuggesting) || r.Has(sSuggest) {
		t.Error("it does not say that it looks")
	}
	r.settle()
	g := &r.s.Suggestions
	if len(g.List()) != 2 {
		lines, _ := r.s.Lines()
		t.Fatalf("%d proposals: %v", len(g.List()), lines)
	}
	first, second := g.List()[0].Text(r.s.Level()), g.List()[1].Text(r.s.Level())
	r.Click(first)
	if g.Previewed() != 0 {
		t.Error("a click does not choose")
	}
	r.Frame()
	r.shoot("problems-suggestions")
	r.Click(first)
	if g.Previewed() != -1 {
		t.Error("a second click does not let go")
	}

	// Which of two buttons of a name is clicked is not said; each belongs to its row.
	steps := r.s.Document().Position()
	r.Click(sAccept)
	if n := r.s.Document().Position(); n != steps+1 || len(r.s.Scene().Visibility().Occluders) != 1 {
		t.Errorf("%d steps", n-steps)
	}
	r.Frame()
	if len(g.List()) != 1 || r.Has(first) == r.Has(second) || !r.Has(g.List()[0].Text(r.s.Level())) || r.s.Scene().Visibility().Occluders[0].Owner == g.List()[0].Object {
		t.Error("what was accepted is still there, or what was not is gone")
	}
	r.Click(sDismiss)
	r.Frame()
	if len(g.List()) != 0 || r.Has(first) || r.Has(second) || r.s.Document().Position() != steps+1 {
		t.Error("what was dismissed is still there")
	}
	r.noErrors()
}

func TestNothingToSuggest(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	r.s.Run("view.tab name=problems")
	r.Frame()
	r.Click(sSuggest)
	r.settle()
	if !r.Has(sNoneSuggested) {
		t.Error("nothing is said when nothing was found")
	}
}
