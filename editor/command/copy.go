package command

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// maxCopies bounds what one command may make, so that a slip of the hand is an error
// and not a level that fills the memory.
const maxCopies = 100_000

func copyCommands() []Command {
	return []Command{
		{
			ID: "object.duplicate", Title: "Duplicate", Class: Edit,
			Help: "Copies things with what stands below them, numbers the names, prints the ids of the copies and selects them.",
			Params: []Param{
				idsParam("ids"),
				{Name: "by", Help: "how far the copies stand from the originals, x,y,z", Unit: "m", Kind: Numbers, Counts: []int{3}},
			},
			Run: func(_ context.Context, env *Env, a Args) error {
				ids, err := env.editable(a, "ids")
				if err != nil {
					return err
				}
				return env.copies("Duplicate", "by", ids, 1, a.vector("by"))
			},
		},
		{
			ID: "object.array", Title: "Array along a line", Class: Edit,
			Help: "Repeats things along a line, prints the ids of the copies and selects them.",
			Params: []Param{
				idsParam("ids"),
				{Name: "count", Help: "how many there are then, with the original", Kind: Int, Min: 2, Max: maxCopies, Required: true},
				{Name: "by", Help: "the step from one to the next, x,y,z", Unit: "m", Kind: Numbers, Counts: []int{3}},
				{Name: "to", Help: "where the last one stands, instead of `by`", Kind: Ground},
			},
			Run: func(_ context.Context, env *Env, a Args) error {
				ids, err := env.editable(a, "ids")
				if err != nil {
					return err
				}
				if a.Given("by") == a.Given("to") {
					return bad("", "both or none of by= and to=", "one of them")
				}
				n, arg, step := a.Int("count")-1, "by", a.vector("by")
				if a.Given("to") {
					arg = "to"
					step = env.ground(a.Point("to")).Sub(Pivot(env.Doc.Level(), ids)).Mul(1 / float64(n))
				}
				return env.copies("Array", arg, ids, n, step)
			},
		},
	}
}

// copies makes n copies of things, each moved on by a step.
func (e *Env) copies(verb, arg string, ids []document.ID, n int, step mgl64.Vec3) error {
	l := e.Doc.Level()
	ids = Roots(l, ids)
	if err := fewEnough(l, "ids", ids, n); err != nil {
		return err
	}
	var fresh []document.ID
	err := e.Doc.Do(stepName(verb, l, ids), func(tx *document.Tx) error {
		c := copier{tx: tx, level: l, names: e.namer(), arg: arg}
		for i := range n {
			for _, moved := range Moved(l, ids, step.Mul(float64(i+1))) {
				id, err := c.copy(&moved, moved.Parent)
				if err != nil {
					return err
				}
				fresh = append(fresh, id)
			}
		}
		return nil
	})
	if err == nil {
		e.made(fresh)
	}
	return err
}

// fewEnough refuses more than maxCopies.
func fewEnough(l *document.Level, arg string, ids []document.ID, n int) error {
	each := len(ids)
	for _, id := range ids {
		each += len(below(l, id, true))
	}
	if each*n > maxCopies {
		return bad(arg, fmt.Sprintf("%d copies", each*n), fmt.Sprintf("at most %d at once", maxCopies))
	}
	return nil
}

// copier copies entities with what stands below them.
type copier struct {
	tx    *document.Tx
	level *document.Level // before
	names *namer
	arg   string // that places the copies
}

// copy puts a copy of e, as it is given, and of its children below a parent. All
// get ids and names of their own.
func (c *copier) copy(e *document.Entity, parent document.ID) (document.ID, error) {
	out := e.Clone()
	out.ID = c.tx.NewID()
	out.Parent = parent
	out.Name = c.names.fresh(e.Name)
	if err := put(c.tx, c.arg, []document.Entity{out}); err != nil {
		return 0, err
	}
	for child := range c.level.Children(e.ID) {
		if _, err := c.copy(child, out.ID); err != nil {
			return 0, err
		}
	}
	return out.ID, nil
}
