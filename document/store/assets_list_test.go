package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ridgeline/document"
)

// The list of assets comes back, and check tells of an asset whose file is gone.
func TestAssetList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	ref, err := AddAsset(path, []byte("a mesh"), "glb")
	must(t, err)
	l := flat(t, 5, 5)
	l.Assets = []document.Asset{
		{Name: "Rock", File: ref},
		{Name: "Tree", File: ref, Source: "/a b/Tree.gltf", Extra: document.Extra{"lod": []byte("3")}},
	}
	_, _, err = Save(background, path, l, nil, nil)
	must(t, err)
	got, _, err := Open(background, path, Options{})
	must(t, err)
	equal(t, got, l)
	if a, ok := got.Asset("Tree"); !ok || a.Source != "/a b/Tree.gltf" {
		t.Fatalf("the asset is %+v", a)
	}
	damage := func() (n int) {
		problems, err := Check(background, path, nil)
		must(t, err)
		for _, p := range problems {
			if p.Severity == Damage {
				n++
			}
		}
		return n
	}
	if n := damage(); n != 0 {
		t.Fatalf("check finds %d damages in a whole level", n)
	}
	must(t, os.Remove(filepath.Join(Folder(path), assetsName, strings.TrimPrefix(ref, document.AssetPrefix))))
	if n := damage(); n != 2 {
		t.Fatalf("check finds %d damages, expected one for each asset", n)
	}
}

// A manifest with a bad asset list is refused by name.
func TestBadAssetList(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"","file":"asset:0.glb"}]`:                                    "assets[0]",
		`[{"name":"a","file":"/etc/passwd"}]`:                                   "assets[0]",
		`[{"name":"a","file":"asset:0.glb"},{"name":"a","file":"asset:1.glb"}]`: "assets[1].name",
		`[7]`: "assets[0]",
	} {
		data := strings.Replace(minimal(t), `"format"`, `"assets": `+text+`, "format"`, 1)
		_, problems := parseManifest([]byte(data))
		if len(problems) == 0 || !strings.Contains(problems[0].Error(), want) {
			t.Errorf("%s: %v, expected an error at %s", text, problems, want)
		}
	}
}

func minimal(t *testing.T) string {
	data, err := encodeManifest(flat(t, 2, 2), nil, nil)
	must(t, err)
	return string(data)
}
