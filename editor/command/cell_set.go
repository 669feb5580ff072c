package command

import (
	"context"
	"slices"

	"ridgeline/document"
)

// cellSet is the command that changes a cell.
func cellSet() Command {
	return Command{
		ID: "cell.set", Title: "Change cells", Class: Edit,
		Help: "Changes what is given of some cells, and leaves the rest. Points are places in the world, in any order; " +
			"those that lie inside their hull are left out, and points that make no solid change nothing.",
		Params: []Param{
			idsParam("id"),
			{Name: "points", Help: "new corners of a piece of one cell", Kind: Points},
			{Name: "piece", Help: "number of the piece that gets the points", Kind: Int, Min: 1, Max: document.MaxPieces, Default: "1"},
			{Name: "name", Help: "its name", Kind: Text},
			layerParam(),
		},
		Run: setCells,
	}
}

func setCells(_ context.Context, env *Env, a Args) error {
	if !a.givenAny("points", "name", "layer") {
		return bad("", "nothing to change", "points=, name= or layer=")
	}
	ids, err := env.editable(a, "id")
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	if err := onlyOf(l, "id", document.KindCell, ids); err != nil {
		return err
	}
	if len(ids) > 1 && a.Given("points") {
		return bad("points", "points for "+itoa(len(ids))+" cells", "one cell")
	}
	list := make([]document.Entity, 0, len(ids))
	for _, id := range ids {
		e, _ := l.Entity(id)
		c := *e
		if a.Given("points") {
			if err := env.setPiece(&c, a); err != nil {
				return err
			}
		}
		if a.Given("name") {
			c.Name = a.Text("name")
		}
		if a.Given("layer") {
			c.Layer = a.Text("layer")
		}
		list = append(list, c)
	}
	if err := env.replace("Change", "points", ids, list); err != nil {
		return err
	}
	env.tellBeside(a.Points("points")...)
	return nil
}

// setPiece gives a piece of a cell the corners of the arguments. The cell stays where
// it is if it has other pieces, and else goes to the middle of the corners.
func (e *Env) setPiece(c *document.Entity, a Args) error {
	d, _ := c.Data.(document.Cell)
	piece := a.Int("piece") - 1
	if piece >= max(1, len(d.Pieces)) {
		return bad("piece", itoa(piece+1), "1 to "+itoa(max(1, len(d.Pieces))))
	}
	h, err := solid("points", e.corners(a, "points"))
	if err != nil {
		return err
	}
	l := e.Doc.Level()
	frame := frameOf(l, c.Parent)
	if len(d.Pieces) <= 1 && len(below(l, c.ID, false)) == 0 {
		place(c, frame, middle(h.Vertices))
	}
	corners := localTo(c, frame, h.Vertices)
	if err := storable("points", corners); err != nil {
		return err
	}
	d.Pieces = slices.Clone(d.Pieces)
	if len(d.Pieces) == 0 {
		d.Pieces = append(d.Pieces, nil)
	}
	d.Pieces[piece] = corners
	c.Data = d
	return nil
}
