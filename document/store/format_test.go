package store

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
)

// The example of FORMAT.md is what this package writes.
func TestFormatExample(t *testing.T) {
	text, err := os.ReadFile("FORMAT.md")
	must(t, err)
	f, err := terrain.Flat(300, 200, 2)
	must(t, err)
	d := document.New(document.NewLevel(f), document.Options{})
	must(t, d.Do("example", func(tx *document.Tx) error {
		dr := tx.Level().Terrain.Draft()
		dr.Heights(4, 0)[2*64+1] = 1.5
		dr.Heights(0, 3)[0] = -0.25
		f, _ := dr.Field()
		must(t, tx.SetTerrain(f))
		return tx.Put(document.Entity{
			ID: tx.NewID(), Kind: document.KindMarker, Name: "Start",
			Data: document.Marker{Shape: document.MarkerPoint, Points: []mgl64.Vec3{{10, 0, 20}}},
		})
	}))
	path := filepath.Join(t.TempDir(), "a.ridge")
	_, _, err = Save(background, path, d.Level(), nil, nil)
	must(t, err)
	manifest, err := os.ReadFile(path)
	must(t, err)
	if !strings.Contains(string(text), "```json\n"+string(manifest)+"```") {
		t.Errorf("the manifest is now\n%s", manifest)
	}
	_, rest, _ := strings.Cut(string(text), "is 34 bytes,\n\n    ")
	line, _, _ := strings.Cut(rest, "\n")
	packed, err := hex.DecodeString(line)
	must(t, err)
	if len(packed) != 34 {
		t.Errorf("%d bytes", len(packed))
	}
	z, err := newCodec()
	must(t, err)
	defer z.close()
	r, hash, ok := parseBlobName("height_01_00.29da226a59f742de.zst")
	if !ok {
		t.Fatal("the name is bad")
	}
	raw, err := z.unpack(packed, nil, r.rawSize(300, 200), hash)
	must(t, err)
	for i, b := range raw {
		if want := map[int]byte{17689: 0xc0, 26489: 0x3f}[i]; b != want {
			t.Errorf("byte %d is %#x, expected %#x", i, b, want)
		}
	}
}
