package mesh

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestDataFolder imports every model below the folder that RIDGELINE_DATA names, and
// prints what became of it. Every file must give a model that keeps the invariants
// or an error, and its bundle the same model; where the Khronos validator's report
// lies beside a file without errors, it must be a model.
func TestDataFolder(t *testing.T) {
	dir := os.Getenv("RIDGELINE_DATA")
	if dir == "" {
		t.Skip("RIDGELINE_DATA names no folder of models")
	}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch strings.ToLower(path.Ext(p)) {
		case ".glb", ".gltf", ".obj":
		default:
			return nil
		}
		rel, _ := filepath.Rel(dir, p)
		folder := os.DirFS(filepath.Dir(p))
		name := filepath.Base(p)
		m, err := Load(t.Context(), folder, name)
		errors := -1
		if text, e := os.ReadFile(p + ".report.json"); e == nil {
			var report struct{ Issues struct{ NumErrors int } }
			if err := json.Unmarshal(text, &report); err != nil {
				t.Error(err)
			}
			errors = report.Issues.NumErrors
		}
		if err != nil {
			t.Logf("%-70s E%-2d error: %v", rel, errors, err)
			// A buffer that only a program could fill is no error to the validator.
			if errors == 0 && !strings.Contains(err.Error(), "found no data") {
				t.Errorf("%s: the validator finds no error", rel)
			}
			return nil
		}
		t.Logf("%-70s E%-2d %d triangles, %d parts, %d images, %q", rel, errors, m.Triangles(), len(m.Parts), len(m.Images), m.Notes)
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", rel, err)
		}
		data, ext, err := Bundle(t.Context(), folder, name)
		if err != nil {
			t.Errorf("%s: %v", rel, err)
			return nil
		}
		again, err := LoadBytes(t.Context(), data, ext)
		if err != nil {
			t.Errorf("%s: its bundle: %v", rel, err)
			return nil
		}
		again.Name = m.Name
		if d := difference(m, again); d != "" {
			t.Errorf("%s: its bundle differs: %s", rel, d)
		}
		if twice, _, _ := Bundle(t.Context(), folder, name); !bytes.Equal(twice, data) {
			t.Errorf("%s: its bundle isn't the same twice", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
