package glb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/document"
)

// folder keeps files in memory.
type folder struct {
	files map[string][]byte
	limit int // of all bytes; 0 for none
	n     int
}

type folderFile struct {
	bytes.Buffer
	of   *folder
	name string
}

func (f *folder) Create(extension string) (File, error) {
	f.n++
	return &folderFile{of: f, name: fmt.Sprintf("%d %%%s", f.n, extension)}, nil
}

func (f *folderFile) Write(data []byte) (int, error) {
	if f.of.limit > 0 && f.Len()+len(data) > f.of.limit {
		return 0, errors.New("full")
	}
	return f.Buffer.Write(data)
}

func (f *folderFile) Finish() (string, error) {
	f.of.files[f.name] = f.Bytes()
	return f.name, nil
}

// The files of a .gltf hold what the .glb holds, view by view and picture by picture, in
// however many pieces.
func TestFilesApart(t *testing.T) {
	s := example(t)
	whole, stats := write(t, s)
	want := decode(t, whole)
	for _, limit := range []int64{maxPiece, 100_000, 1} {
		var text bytes.Buffer
		f := &folder{files: map[string][]byte{}}
		keep := usual
		keep.apart, keep.pieceLimit = true, limit
		got, err := writeApart(t.Context(), &text, f, s, nil, keep)
		if err != nil {
			t.Fatal(err)
		}
		total := int64(text.Len())
		for _, data := range f.files {
			total += int64(len(data))
		}
		if got.Bytes != total || got.Tris != stats.Tris || len(got.Missing) != len(stats.Missing) {
			t.Errorf("%+v, %d bytes were written", got, total)
		}
		doc := new(gltf.Document)
		if err := json.Unmarshal(text.Bytes(), doc); err != nil {
			t.Fatal(err)
		}
		open := func(uri string) []byte {
			name, err := url.PathUnescape(uri)
			if err != nil || f.files[name] == nil {
				t.Fatalf("no file %q: %v", uri, err)
			}
			return f.files[name]
		}
		if (len(doc.Buffers) > 1) != (limit < maxPiece) || len(doc.Buffers)+len(doc.Images) != len(f.files) {
			t.Errorf("%d buffers and %d pictures in %d files", len(doc.Buffers), len(doc.Images), len(f.files))
		}
		for _, b := range doc.Buffers {
			if n := len(open(b.URI)); n != b.ByteLength {
				t.Errorf("%s has %d bytes, expected %d", b.URI, n, b.ByteLength)
			}
		}
		bytesOf := func(d *gltf.Document, view int, data []byte) []byte {
			v := d.BufferViews[view]
			return data[v.ByteOffset:][:v.ByteLength]
		}
		for i, a := range doc.Accessors {
			mine := bytesOf(doc, *a.BufferView, open(doc.Buffers[doc.BufferViews[*a.BufferView].Buffer].URI))
			if !bytes.Equal(mine, bytesOf(want, *want.Accessors[i].BufferView, want.Buffers[0].Data)) {
				t.Fatalf("accessor %d differs", i)
			}
		}
		for i, image := range doc.Images {
			if !bytes.Equal(open(image.URI), bytesOf(want, *want.Images[i].BufferView, want.Buffers[0].Data)) {
				t.Errorf("picture %d differs", i)
			}
		}
		f.limit = 1000
		if _, err := writeApart(t.Context(), &text, f, s, nil, keep); err == nil || !strings.Contains(err.Error(), "full") {
			t.Errorf("a full disk: %v", err)
		}
	}
}

// Cameras look along −Z, upright; the sun's light falls along it.
func TestSunAndCameras(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var to mgl64.Vec3
		for a := range to {
			to[a] = float64(rapid.IntRange(-3, 3).Draw(rt, "to"))
		}
		if to.Len() == 0 {
			to[1] = -1
		}
		q := looking(to)
		if got := q.Rotate(mgl64.Vec3{0, 0, -1}); got.Sub(to.Normalize()).Len() > 1e-9 {
			rt.Fatalf("looks to %v, expected %v", got, to.Normalize())
		}
		if up := q.Rotate(mgl64.Vec3{0, 1, 0}); up[1] < -1e-9 || q.Rotate(mgl64.Vec3{1, 0, 0})[1] > 1e-9 {
			rt.Fatalf("up is %v", up)
		}
	})
	s := example(t)
	s.Options.Sun, s.Options.Cameras, s.Options.ZUp = true, true, true
	s.Level.Settings.Sun.Color, s.Level.Settings.Sun.Intensity = mgl64.Vec3{2, 1, 0}, 3
	s.Level.Settings.Bookmarks = map[string]document.Camera{"b": {Look: mgl64.Vec3{1, 0, 0}}, "a": {Eye: mgl64.Vec3{0, 9, 0}}}
	file, _ := write(t, s)
	validate(t, file)
	doc := decode(t, file)
	if len(doc.Cameras) != 3 || doc.Cameras[1].Name != "a" || doc.Cameras[2].Name != "b" || len(doc.Scenes[0].Nodes) != 1 {
		t.Errorf("%d cameras, %v", len(doc.Cameras), doc.Scenes[0].Nodes)
	}
	for _, n := range doc.Nodes {
		r := n.Rotation
		q := mgl64.Quat{W: r[3], V: mgl64.Vec3{r[0], r[1], r[2]}}
		if to := q.Rotate(mgl64.Vec3{0, 0, -1}); n.Name == "sun" && to.Add(s.Level.Settings.Sun.Direction()).Len() > 1e-9 {
			t.Errorf("light falls to %v from the sun at %v", to, s.Level.Settings.Sun.Direction())
		}
	}
	if !bytes.Contains(file, []byte(`"color":[1,0.5,0],"intensity":18.84955592153876`)) {
		t.Error("the sun has another light")
	}
	s.Level.Settings.Sun.Color = mgl64.Vec3{}
	file, _ = write(t, s)
	validate(t, file)
}
