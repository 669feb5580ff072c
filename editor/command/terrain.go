package command

import (
	"context"

	"ridgeline/document"
	"ridgeline/terrain/brush"
)

// laterOps are the ways to sculpt that later versions will know.
var laterOps = []string{
	"set", "ramp", "noise", "terrace", "sharpen", "pinch", "smudge", "erode", "thermal",
	"stamp", "clone", "hole", "unhole", "lift", "shave",
}

func terrainCommands() []Command {
	params := []Param{{Name: "op", Help: "what the brush does", Kind: Choice, Required: true, Choices: brush.OpNames(), Reserved: laterOps}}
	return []Command{{
		ID:    "terrain.stroke",
		Title: "Sculpt along a stroke",
		Help: "Draws one brush stroke over the heights: a dab where it begins and, with `to`, one every `spacing` radii " +
			"along the line through those points. Flatten aims at the height under the first point.",
		Class:    Edit,
		Params:   append(params, strokeParams("raise and lower: metres per dab at the centre; others: a weight, clamped to 0–1")...),
		Reserved: []string{"mask", "seed"},
		Run: func(ctx context.Context, env *Env, a Args) error {
			op, err := brush.ParseOp(a.Text("op"))
			if err != nil {
				return err
			}
			return stroke(ctx, env, StrokeName(op), a, brush.Brush{Op: op})
		},
	}}
}

// strokeParams are the arguments that all strokes share.
func strokeParams(strength string) []Param {
	return []Param{
		{Name: "at", Help: "where the stroke begins", Kind: Ground, Required: true},
		{Name: "to", Help: "the points that it goes on to", Kind: Points},
		{Name: "radius", Help: "radius of the brush", Unit: "m", Kind: Number, Min: brush.MinRadius, Max: brush.MaxRadius, Required: true},
		{Name: "strength", Help: strength, Kind: Number, Min: 0, Max: brush.MaxStrength, Required: true},
		{Name: "hardness", Help: "part of the radius that has the full strength", Kind: Number, Min: 0, Max: 1, Default: "0.5"},
		{Name: "spacing", Help: "distance between dabs, in radii", Kind: Number, Min: brush.MinSpacing, Max: brush.MaxSpacing, Default: ftoa(brush.DefaultSpacing)},
	}
}

// StrokeName is what history calls a stroke.
func StrokeName(op brush.Op) string {
	switch op {
	case brush.Raise:
		return "Raise ground"
	case brush.Lower:
		return "Lower ground"
	case brush.Smooth:
		return "Smooth ground"
	case brush.Flatten:
		return "Flatten ground"
	}
	return "Paint ground"
}

// stroke draws a stroke as one edit. It is not changed by being cancelled halfway.
func stroke(ctx context.Context, env *Env, name string, a Args, b brush.Brush) error {
	b.Radius, b.Strength = a.Number("radius"), a.Number("strength")
	b.Hardness, b.Spacing = a.Number("hardness"), a.Number("spacing")
	return env.Doc.Do(name, func(tx *document.Tx) error {
		draft := tx.Level().Terrain.Draft()
		at := a.Point("at")
		s, err := brush.Begin(draft, b, at[0], at[2])
		if err != nil {
			return err
		}
		for _, p := range a.Points("to") {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := s.To(p[0], p[2]); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		f, _ := draft.Field()
		return tx.SetTerrain(f)
	})
}
