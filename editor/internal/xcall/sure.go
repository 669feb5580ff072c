package xcall

import (
	"iter"

	"pgregory.net/rapid"

	"ridgeline/document"
	"ridgeline/editor/command"
)

// chances is how many calls Sure draws.
const chances = 400

// sure are lines that work on xlevel.Rich, where calls at random seldom do: those
// that need a step before them, and those with many arguments that hang together.
var sure = map[string][]string{
	"undo":            {"layer.add name=moor", "undo"},
	"redo":            {"layer.add name=moor", "undo", "redo"},
	"history.goto":    {"layer.add name=moor", "layer.add name=heath", "history.goto step=1"},
	"object.scatter":  {"object.scatter assets=Tree,Box at=20,40 to=40,40 radius=8 density=0.2 scale=0.5,2 seed=3"},
	"scatter.erase":   {"scatter.erase id=8 at=1,30 radius=2"},
	"occluder.box":    {"occluder.box min=4,1,24 max=7,3,30 yaw=20 object=4"},
	"occluder.hull":   {"occluder.hull points=\"1,2,20;5,2,20;1,6,20;1,2,25;2,3,21\" object=5"},
	"occluder.plane":  {"occluder.plane points=\"1,2,20;5,2,20;5,6,20;1,6,20\" hole=\"2,3,20;3,3,20;3,4,20\" object=4"},
	"occluder.set":    {"occluder.box min=4,1,24 max=7,3,30", "occluder.set points=\"1,2,20;5,2,20;1,6,20;1,2,25\" object=5 off=yes"},
	"occluder.from":   {"occluder.from object=4 shrink=0.1"},
	"occluder.cut":    {"occluder.box min=4,1,24 max=7,3,30 object=5", "occluder.cut point=5,2,26 normal=1,1,0.5"},
	"occluder.merge":  {"occluder.box min=4,1,24 max=7,3,30", "occluder.box min=4,1,30 max=7,5,33", "occluder.merge ids=9,10"},
	"occluder.shrink": {"occluder.box min=4,1,24 max=7,3,30 object=4", "occluder.shrink by=0.5"},
	"cell.box":        {"cell.box min=4,1,24 max=7,3,30 name=hall"},
	"cell.hull":       {"cell.hull points=\"1,2,20;5,2,20;1,6,20;1,2,25;2,3,21\""},
	"cell.rooms":      {"object.set id=4 name=room", "cell.rooms"},
	"cell.cut":        {"cell.box min=4,1,24 max=7,3,30", "cell.cut point=5,2,26 normal=1,0,0.5"},
	"cell.mend":       {"cell.box min=4,1,24 max=7,3,30", "cell.mend"},
	"cell.add":        {"cell.box min=4,1,24 max=7,3,30", "cell.add points=\"1,2,20;5,2,20;1,6,20;1,2,25;2,3,21\""},
	"cell.set":        {"cell.box min=4,1,24 max=7,3,30", "cell.set points=\"1,2,20;5,2,20;1,6,20;1,2,25;2,3,21\" name=hall"},
	"portal.add":      {"portal.add points=\"1,2,20;5,2,20;5,6,20;1,6,20\" state=oneway"},
	"portal.set":      {"portal.add points=\"1,2,20;5,2,20;5,6,20;1,6,20\"", "portal.set points=\"1,2,20;5,2,20;5,6,20\" state=closed reach=2"},
	"portal.flip":     {"portal.add points=\"1,2,20;5,2,20;5,6,20;1,6,20\"", "portal.flip"},
	"portal.snap":     {"cell.box min=0,0,20.2 max=7,8,30", "portal.add points=\"1,2,20;5,2,20;5,6,20;1,6,20\"", "portal.snap"},
	"problem.fix":     {"cell.box min=0,0,20.2 max=7,8,30", "portal.add points=\"1,2,20.2;5,2,20.2;5,6,20.2;1,6,20.2\"", "portal.add points=\"1,2,20.2;5,2,20.2;5,6,20.2;1,6,20.2\"", "problem.list", "problem.fix number=2"},
	"edit.ground":     {"select 4", "edit.ground"},
}

// Sure gives lines of which the last calls a command, to be tried one list after the
// other on a new level of xlevel.Rich until all lines of one work. They are the same
// each time, so that a command that works once does so in every run.
func Sure(c *command.Command, l *document.Level) iter.Seq[[]string] {
	drawn := rapid.Custom(func(t *rapid.T) string {
		rapid.Bool().Draw(t, "something") // there may be no arguments, and rapid insists
		return Draw(t, c, l).String()
	})
	return func(yield func([]string) bool) {
		if lines, ok := sure[c.ID]; ok {
			yield(lines)
			return
		}
		for seed := range chances {
			if !yield([]string{drawn.Example(seed)}) {
				return
			}
		}
	}
}
