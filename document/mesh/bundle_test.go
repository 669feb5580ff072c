package mesh

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image/color"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// entries lists the names in a ZIP archive.
func entriesOf(t *testing.T, data []byte) []string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range r.File {
		names = append(names, f.Name)
		if f.Method != zip.Store || !f.Modified.IsZero() && f.Modified.Year() > 1980 {
			t.Errorf("%s: method %d, time %v", f.Name, f.Method, f.Modified)
		}
	}
	return names
}

// TestBundlesOfSamples: every sample's bundle is the same model, needs no folder, and
// comes out the same each time and from any folder.
func TestBundlesOfSamples(t *testing.T) {
	err := filepath.WalkDir("testdata/models", func(p string, e fs.DirEntry, err error) error {
		if ext := path.Ext(p); err != nil || ext != ".glb" && ext != ".gltf" && ext != ".obj" {
			return err
		}
		folder, name := os.DirFS(filepath.Dir(p)), filepath.Base(p)
		want, err := Load(t.Context(), folder, name)
		data, ext, bundleErr := Bundle(t.Context(), folder, name)
		if err != nil {
			if bundleErr == nil || bundleErr.Error() != err.Error() {
				t.Errorf("%s: error %v, expected %v", p, bundleErr, err)
			}
			return nil
		}
		if bundleErr != nil {
			t.Errorf("%s: %v", p, bundleErr)
			return nil
		}
		if original, _ := os.ReadFile(p); ext != ".zip" && !bytes.Equal(data, original) {
			t.Errorf("%s: the bundle of a single file isn't that file", p)
		}
		got, err := LoadBytes(t.Context(), data, ext)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			return nil
		}
		if got.Name = want.Name; difference(want, got) != "" {
			t.Errorf("%s: %s", p, difference(want, got))
		}
		if testing.Short() {
			return nil
		}
		again, _, err := Bundle(t.Context(), os.DirFS("testdata"), strings.TrimPrefix(filepath.ToSlash(p), "testdata/"))
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: another bundle from a folder above (%v)", p, err)
		}
		// The bundle of a bundle is itself.
		twice, ext2, err := Bundle(t.Context(), fstest.MapFS{"b" + ext: {Data: data}}, "b"+ext)
		if err != nil || ext2 != ext || !bytes.Equal(twice, data) {
			t.Errorf("%s: the bundle's bundle is another: %v", p, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBundleHasWhatIsReferredTo(t *testing.T) {
	for _, c := range []struct {
		dir, name, ext string
		names          []string
	}{
		{"Box", "Box.glb", ".glb", nil},
		{"BoxVertexColors", "BoxVertexColors.gltf", ".gltf", nil},
		{"obj", "cube_att.obj", ".obj", nil},
		{"obj", "sphere.obj", ".obj", nil}, // its materials are missing
		{"Box", "Box.gltf", ".zip", []string{"Box0.bin", "model.gltf"}},
		{"kenney_city", "pavement.glb", ".zip", []string{"Textures/colormap.png", "model.glb"}},
		// Pictures that aren't shown yet belong to the model all the same.
		{"Box With Spaces", "Box With Spaces.gltf", ".zip", []string{"Box With Spaces.bin", "Normal Map.png", "Roughness Metallic.png", "glTF Logo With Spaces.png", "model.gltf"}},
		// Of the compressed data, nothing is.
		{"meshopt-fallback", "meshopt-fallback.gltf", ".zip", []string{"meshopt-fallback.fallback.bin", "model.gltf"}},
	} {
		data, ext, err := Bundle(t.Context(), sample(c.dir), c.name)
		if err != nil {
			t.Fatal(err)
		}
		if ext != c.ext {
			t.Errorf("%s: extension %q", c.name, ext)
		}
		if ext == ".zip" {
			if d := cmp.Diff(c.names, entriesOf(t, data)); d != "" {
				t.Errorf("%s: %s", c.name, d)
			}
		}
		companions := slices.DeleteFunc(slices.Clone(c.names), func(n string) bool { return strings.HasPrefix(n, "model.") })
		if got := Companions(data); !slices.Equal(got, companions) {
			t.Errorf("%s: companions %q, expected %q", c.name, got, companions)
		}
	}
}

func TestBundleOfOBJ(t *testing.T) {
	red := fstest.MapFile{Data: picture(t, 2, 2, func(x, y int) color.NRGBA { return color.NRGBA{255, 0, 0, 255} })}
	folder := fstest.MapFS{
		"d/m.OBJ":      {Data: []byte("mtllib lib/a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n")},
		"d/lib/a.mtl":  {Data: []byte("newmtl a\nmap_Kd a.png\nbump ../bump.png\nmap_Ks /x/gone.png\nnewmtl not used\nmap_Kd other.png\n")},
		"d/lib/a.png":  &red,
		"d/bump.png":   &red,
		"d/other.png":  &red,
		"d/secret.txt": {Data: []byte("secret")},
	}
	data, ext, err := Bundle(t.Context(), folder, "d/m.OBJ")
	if err != nil || ext != ".zip" {
		t.Fatal(ext, err)
	}
	if d := cmp.Diff([]string{"bump.png", "lib/a.mtl", "lib/a.png", "model.obj"}, entriesOf(t, data)); d != "" {
		t.Error(d)
	}
	m, err := LoadBytes(t.Context(), data, "zip")
	if err == nil {
		t.Error("an extension without its dot was taken")
	}
	if m, err = LoadBytes(t.Context(), data, ".ZIP"); err != nil || len(m.Images) != 1 {
		t.Errorf("%v, %v", m, err)
	}
}

// archiveOf makes a ZIP archive with the package's own writer.
func archiveOf(t testing.TB, method uint16, names ...string) []byte {
	t.Helper()
	box, err := os.ReadFile("testdata/models/Box/Box.glb")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = f.Write(box)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBadBundles(t *testing.T) {
	stored := archiveOf(t, zip.Store, "m.glb")
	if _, err := LoadBytes(t.Context(), stored, ".zip"); err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(stored)
	broken[200] ^= 1
	for _, c := range []struct {
		name  string
		data  []byte
		place string
		found string
	}{
		{"compressed", archiveOf(t, zip.Deflate, "m.glb"), `entry "m.glb"`, "a compressed entry"},
		{"no model", archiveOf(t, zip.Store, "m.txt", "sub/m.glb"), "", "no model in the archive"},
		{"two models", archiveOf(t, zip.Store, "m.glb", "n.obj"), "", "several models in the archive"},
		{"twice", archiveOf(t, zip.Store, "m.glb", "m.glb"), `entry "m.glb"`, "a second entry of that name"},
		{"outside", archiveOf(t, zip.Store, "m.glb", "../x.bin"), `entry "../x.bin"`, "a name that leaves the archive"},
		{"absolute", archiveOf(t, zip.Store, "m.glb", "/x.bin"), `entry "/x.bin"`, "a name that leaves the archive"},
		{"backslash", archiveOf(t, zip.Store, "m.glb", `a\x.bin`), `entry "a\\x.bin"`, "a name that leaves the archive"},
		{"damaged", broken, "m.glb", ""},
		{"cut off", stored[:len(stored)-30], "", "no ZIP archive, or a damaged one"},
		{"bomb", bomb(t, 400, 1<<20), `entry "x001.bin"`, "1048576 bytes"},
	} {
		var err error
		if used := memory(func() { _, err = LoadBytes(t.Context(), c.data, ".zip") }); used > 8<<20 {
			t.Errorf("%s: %d bytes were allocated", c.name, used)
		}
		if f := wantFault(t, err, c.place); c.found != "" && f.Found != c.found {
			t.Errorf("%s: found %q, expected %q", c.name, f.Found, c.found)
		}
	}
}

// bomb is an archive of which many entries are the same bytes.
func bomb(t testing.TB, n, size int) []byte {
	t.Helper()
	data, err := pack([]entry{{"m.glb", nil}, {"x000.bin", make([]byte, size)}})
	if err != nil {
		t.Fatal(err)
	}
	// The directory has an entry of 46 bytes and the name for each file, then the
	// end of 22 bytes.
	const header = 46 + len("x000.bin")
	directory := data[len(data)-22-header : len(data)-22]
	body, end := data[:len(data)-22], data[len(data)-22:]
	var b bytes.Buffer
	b.Write(body)
	for i := 1; i < n; i++ {
		copy(directory[46:], fmt.Sprintf("x%03d.bin", i))
		b.Write(directory)
	}
	end[8], end[9] = byte(n+1), byte((n+1)>>8)
	end[10], end[11] = end[8], end[9]
	length := int(end[12]) | int(end[13])<<8
	length += (n - 1) * header
	end[12], end[13] = byte(length), byte(length>>8)
	b.Write(end)
	return b.Bytes()
}

// TestBundleRefusesModelsAsCompanions: which entry is the model must be plain.
func TestBundleRefusesModelsAsCompanions(t *testing.T) {
	folder := fstest.MapFS{
		"m.gltf": {Data: []byte(strings.Replace(good, "t.bin", "t.obj", 1))},
		"t.obj":  {Data: triangleBin()},
	}
	_, _, err := Bundle(t.Context(), folder, "m.gltf")
	if f := wantFault(t, err, ""); f.Found != `a reference to the model "t.obj"` {
		t.Errorf("found %q", f.Found)
	}
}
