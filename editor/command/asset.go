package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ridgeline/document"
)

func assetCommands() []Command {
	name := Param{Name: "name", Help: "name of the asset", Kind: Asset, Required: true, Positional: true}
	file := Param{Name: "file", Help: "a .glb, .gltf or .obj file", Kind: File, Required: true}
	canAdd := func(env *Env) error { return has(env.Files.AddAsset != nil) }
	return []Command{
		{
			ID: "asset.import", Title: "Import a mesh", Class: Edit,
			Help: "Takes a mesh file, and the pictures and buffers that it refers to, into the level, and tells the name of the asset, its triangles, size and notes. " +
				"The same content is not taken twice.",
			Params: []Param{
				positional(file),
				{Name: "name", Help: "name of the asset; without one that of the file, numbered", Kind: Text},
			},
			Enabled: canAdd, Run: importAsset,
		},
		{
			ID: "asset.reload", Title: "Reload a mesh", Class: Edit,
			Help: "Reads a mesh again from the file that it was imported from.", Params: []Param{name},
			Enabled: canAdd,
			Run: func(ctx context.Context, env *Env, a Args) error {
				asset, _ := env.Doc.Level().Asset(a.Text("name"))
				if asset.Source == "" {
					return bad("name", quoteWord(asset.Name)+", whose file is not known", "asset.relink name= file=")
				}
				return env.relink(ctx, "Reload ", asset.Name, asset.Source)
			},
		},
		{
			ID: "asset.relink", Title: "Relink a mesh", Class: Edit,
			Help: "Puts another file behind the name of an asset, also behind one that objects name and the level does not have. The objects stay.",
			Params: []Param{
				{Name: "name", Help: "name of the asset, or of one that is missing", Kind: Text, Required: true}, file,
			},
			Enabled: canAdd,
			Run: func(ctx context.Context, env *Env, a Args) error {
				l, name := env.Doc.Level(), a.Text("name")
				_, ok := l.Asset(name)
				if !ok && AssetUses(l)[name] == (Uses{}) {
					return bad("name", quoteWord(name), "an asset of the level, or one that its objects name")
				}
				return env.relink(ctx, "Relink ", name, a.Text("file"))
			},
		},
		{
			ID: "asset.rename", Title: "Rename an asset", Class: Edit,
			Help: "Gives an asset another name, also where objects name it.",
			Params: []Param{
				notPositional(name),
				{Name: "to", Help: "new name, which no other asset has", Kind: Text, Required: true},
			},
			Run: renameAsset,
		},
		{
			ID: "asset.remove", Title: "Remove an asset", Class: Edit,
			Help: "Takes an asset out of the level, unless objects show it.",
			Params: []Param{
				name,
				{Name: "force", Help: "whether to remove it all the same; the objects show a placeholder until the name is imported again", Kind: Bool, Default: "no"},
			},
			Run: removeAsset,
		},
		{
			ID: "asset.list", Title: "List the assets", Class: View,
			Help: "Lists the assets with what shows them and their files, and what is missing.",
			Run:  listAssets,
		},
	}
}

func positional(p Param) Param    { p.Positional = true; return p }
func notPositional(p Param) Param { p.Positional = false; return p }

func importAsset(ctx context.Context, env *Env, a Args) error {
	in, err := env.Files.AddAsset(ctx, a.Text("file"))
	if err != nil {
		return err
	}
	l := env.Doc.Level()
	same := slices.IndexFunc(l.Assets, func(o document.Asset) bool { return o.File == in.Asset.File })
	switch {
	case a.Given("name"):
		in.Asset.Name = a.Text("name")
		if o, taken := l.Asset(in.Asset.Name); taken && o.File != in.Asset.File {
			return bad("name", quoteWord(o.Name), "another name, as an asset of another content has this one; asset.relink replaces it")
		}
		if err := checkAssetName("name", in.Asset.Name); err != nil {
			return err
		}
	case same >= 0:
		in.Asset.Name = l.Assets[same].Name
	default:
		in.Asset.Name = freshAsset(l, in.Asset.Name)
	}
	if _, there := l.Asset(in.Asset.Name); !there {
		err := env.Doc.Do("Import "+in.Asset.Name, func(tx *document.Tx) error { return tx.SetAsset(in.Asset) })
		if err != nil {
			return err
		}
	}
	env.tell(in)
	return nil
}

// freshAsset numbers a name that an asset has.
func freshAsset(l *document.Level, name string) string {
	base, n := numbered(name)
	for {
		if _, taken := l.Asset(name); !taken {
			return name
		}
		n++
		name = base + " " + itoa(n)
	}
}

// checkAssetName refuses names that cannot be written in a command.
func checkAssetName(arg, name string) error {
	if strings.TrimSpace(name) != name || name == "" || strings.ContainsRune(name, 0) {
		return bad(arg, quoteWord(name), "a name without blanks around it")
	}
	return nil
}

// tell prints what was imported.
func (e *Env) tell(in Imported) {
	e.Printf("%s: %d triangles, %s × %s × %s m", in.Asset.Name, in.Triangles, short(in.Size[0]), short(in.Size[1]), short(in.Size[2]))
	for _, n := range in.Notes {
		e.Printf("note: %s", n)
	}
}

// short writes a number with few digits, for people.
func short(v float64) string { return fmt.Sprintf("%.4g", v) }

// relink puts a file behind an asset's name.
func (e *Env) relink(ctx context.Context, verb, name, file string) error {
	in, err := e.Files.AddAsset(ctx, file)
	if err != nil {
		return err
	}
	in.Asset.Name = name
	if old, ok := e.Doc.Level().Asset(name); ok {
		in.Asset.Extra = old.Extra
		if old.File == in.Asset.File {
			e.Printf("%s: the same as before", name)
		}
	}
	if err := e.Doc.Do(verb+name, func(tx *document.Tx) error { return tx.SetAsset(in.Asset) }); err != nil {
		return err
	}
	e.tell(in)
	return nil
}

// Uses counts the things that show an asset.
type Uses struct {
	Objects  int
	Scatters int // that have it among theirs
	Points   int // of those scatters
}

// String says how many, for a message.
func (u Uses) String() string {
	var parts []string
	if u.Objects > 0 || u.Scatters == 0 {
		parts = append(parts, plural(u.Objects, "object"))
	}
	if u.Scatters > 0 {
		parts = append(parts, fmt.Sprintf("%s (%s)", plural(u.Scatters, "scatter"), plural(u.Points, "point")))
	}
	return strings.Join(parts, " and ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

// AssetUses counts, for each name of an asset that things of the level have, those
// things, whether the level has the asset or not.
func AssetUses(l *document.Level) map[string]Uses {
	uses := make(map[string]Uses)
	for e := range l.Entities() {
		if s, ok := e.Data.(document.Scatter); ok {
			points := make([]int, len(s.Assets))
			for i := range s.Points {
				points[s.Points[i].Asset]++
			}
			for i, name := range s.Assets {
				u := uses[name]
				u.Scatters++
				u.Points += points[i]
				uses[name] = u
			}
		}
		if o, ok := document.ObjectOf(e); ok && o.Asset != "" {
			u := uses[o.Asset]
			u.Objects++
			uses[o.Asset] = u
		}
	}
	return uses
}

// MissingAssets lists the names that things of the level have for assets which the
// level does not have, ascending.
func MissingAssets(l *document.Level) []string {
	var names []string
	for name := range AssetUses(l) {
		if _, ok := l.Asset(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func renameAsset(_ context.Context, env *Env, a Args) error {
	l, from, to := env.Doc.Level(), a.Text("name"), a.Text("to")
	if err := checkAssetName("to", to); err != nil {
		return err
	}
	if _, taken := l.Asset(to); taken && to != from {
		return bad("to", quoteWord(to), "another name, as an asset has this one")
	}
	return env.Doc.Do("Rename "+from, func(tx *document.Tx) error {
		list := slices.Clone(l.Assets)
		for i := range list {
			if list[i].Name == from {
				list[i].Name = to
			}
		}
		if err := tx.SetAssets(list); err != nil {
			return err
		}
		for e := range l.Entities() {
			c := *e
			switch d := e.Data.(type) {
			case document.Object:
				if d.Asset != from {
					continue
				}
				d.Asset = to
				c.Data = d
			case document.Scatter:
				i := slices.Index(d.Assets, from)
				if i < 0 {
					continue
				}
				d.Assets = slices.Clone(d.Assets)
				d.Assets[i] = to
				c.Data = d
			default:
				continue
			}
			if err := tx.Put(c); err != nil {
				return err
			}
		}
		return nil
	})
}

func removeAsset(_ context.Context, env *Env, a Args) error {
	l, name := env.Doc.Level(), a.Text("name")
	if u := AssetUses(l)[name]; u != (Uses{}) && !a.Bool("force") {
		return bad("name", fmt.Sprintf("%s, which is shown by %s", quoteWord(name), u), "an asset that nothing shows, or force=yes")
	}
	return env.Doc.Do("Remove "+name, func(tx *document.Tx) error {
		return tx.SetAssets(slices.DeleteFunc(slices.Clone(l.Assets), func(o document.Asset) bool { return o.Name == name }))
	})
}

func listAssets(_ context.Context, env *Env, _ Args) error {
	l := env.Doc.Level()
	uses := AssetUses(l)
	for _, o := range l.Assets {
		source := ""
		if o.Source != "" {
			source = ", from " + o.Source
		}
		env.Printf("%s: %s, %s%s", o.Name, uses[o.Name], o.File, source)
	}
	for _, name := range MissingAssets(l) {
		env.Printf("%s: %s, missing", name, uses[name])
	}
	return nil
}
