package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ridgeline/document"
	"ridgeline/terrain/brush"
)

// The metres that one repeat of a texture may cover.
const (
	minUV = 0.01
	maxUV = 1e6
)

func paintCommands() []Command {
	textureHelp := "a PNG or JPEG file, or a built-in texture: " + strings.Join(document.Builtins, ", ")
	uvHelp := "ground that one repeat of the texture covers"
	return []Command{
		{
			ID: "layer.add", Title: "Add a layer", Class: Edit,
			Help: "Adds a ground texture to paint with and prints its index. " +
				"Without `texture` a layer shows the built-in texture of its own name, or grass.",
			Params: []Param{
				{Name: "name", Help: "name of the layer, which no other has", Kind: Text, Required: true},
				{Name: "texture", Help: textureHelp, Kind: Text},
				{Name: "uv", Help: uvHelp + "; without it 4, or 4 sample spacings where these are over 1 m", Unit: "m", Kind: Number, Min: minUV, Max: maxUV},
			},
			Enabled: func(env *Env) error {
				if len(env.Doc.Level().Layers) >= document.MaxLayers {
					return fmt.Errorf("the level has %d layers already, and no more fit", document.MaxLayers)
				}
				return nil
			},
			Run: addLayer,
		},
		{
			ID: "layer.set", Title: "Change a layer", Class: Edit,
			Help: "Changes the name, texture or scale of a layer. What is left out stays.",
			Params: []Param{
				{Name: "layer", Help: "index or name of the layer", Kind: Layer, Required: true},
				{Name: "name", Help: "new name, which no other layer has", Kind: Text},
				{Name: "texture", Help: textureHelp, Kind: Text},
				{Name: "uv", Help: uvHelp, Unit: "m", Kind: Number, Min: minUV, Max: maxUV},
			},
			Run: setLayer,
		},
		{
			ID: "paint.stroke", Title: "Paint along a stroke", Class: Edit,
			Help: "Paints a layer along a stroke. Where a sample shows three other layers, it takes the place of the weakest.",
			Params: append([]Param{{Name: "layer", Help: "index or name of the layer to paint", Kind: Layer, Required: true}},
				strokeParams("weight per dab at the centre, clamped to 0–1")...),
			Reserved: []string{"mask", "seed"},
			Run: func(ctx context.Context, env *Env, a Args) error {
				return stroke(ctx, env, "Paint "+env.Doc.Level().Layers[a.Layer("layer")].Name, a,
					brush.Brush{Op: brush.Paint, Layer: uint8(a.Layer("layer"))})
			},
		},
	}
}

func addLayer(_ context.Context, env *Env, a Args) error {
	layers := slices.Clone(env.Doc.Level().Layers)
	l := document.Layer{Name: a.Text("name"), Texture: document.BuiltinPrefix + "grass"}
	l.UVScale = 4 * max(1, env.Doc.Level().Terrain.Spacing())
	if a.Given("uv") {
		l.UVScale = a.Number("uv")
	}
	if err := checkLayerName(layers, -1, l.Name); err != nil {
		return err
	}
	if own := strings.ToLower(l.Name); slices.Contains(document.Builtins, own) {
		l.Texture = document.BuiltinPrefix + own
	}
	if a.Given("texture") {
		var err error
		if l.Texture, err = texture(env, a.Text("texture")); err != nil {
			return err
		}
	}
	err := env.Doc.Do("Add layer "+l.Name, func(tx *document.Tx) error { return tx.SetLayers(append(layers, l)) })
	if err == nil {
		env.Printf("%d", len(layers))
	}
	return err
}

func setLayer(_ context.Context, env *Env, a Args) error {
	layers := slices.Clone(env.Doc.Level().Layers)
	i := a.Layer("layer")
	l := &layers[i]
	old := l.Name
	if !a.Given("name") && !a.Given("texture") && !a.Given("uv") {
		return bad("", "nothing to change", "name=, texture= or uv=")
	}
	if a.Given("name") {
		l.Name = a.Text("name")
		if err := checkLayerName(layers, i, l.Name); err != nil {
			return err
		}
	}
	if a.Given("texture") {
		var err error
		if l.Texture, err = texture(env, a.Text("texture")); err != nil {
			return err
		}
	}
	if a.Given("uv") {
		l.UVScale = a.Number("uv")
	}
	return env.Doc.Do("Change layer "+old, func(tx *document.Tx) error { return tx.SetLayers(layers) })
}

// checkLayerName refuses names that could not select layer i: those that another
// layer has and those that read as an index.
func checkLayerName(layers []document.Layer, i int, name string) error {
	if strings.TrimSpace(name) == "" {
		return bad("name", quoteWord(name), "a name")
	}
	if _, err := strconv.Atoi(name); err == nil {
		return bad("name", quoteWord(name), "a name that is not a number, as numbers select layers by index")
	}
	for j := range layers {
		if j != i && layers[j].Name == name {
			return bad("name", quoteWord(name), fmt.Sprintf("another name, as layer %d has this one", j))
		}
	}
	return nil
}

// texture reads the name of a built-in texture, with or without its prefix, or
// takes a picture file into the level.
func texture(env *Env, name string) (string, error) {
	bare := strings.ToLower(strings.TrimPrefix(name, document.BuiltinPrefix))
	if slices.Contains(document.Builtins, bare) {
		return document.BuiltinPrefix + bare, nil
	}
	if !strings.ContainsAny(name, "./"+string(filepath.Separator)) {
		return "", bad("texture", quoteWord(name), "a PNG or JPEG file, or one of "+strings.Join(document.Builtins, ", "))
	}
	if env.Files.AddTexture == nil {
		return "", bad("texture", quoteWord(name), "one of "+strings.Join(document.Builtins, ", ")+", as files cannot be added here")
	}
	return env.Files.AddTexture(name)
}
