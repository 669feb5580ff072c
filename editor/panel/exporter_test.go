package panel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gioui.org/io/key"
)

// The export dialog writes what it says, and opens as it was left.
func TestExportDialog(t *testing.T) {
	r := newRig(t, 1280, 720, 1)
	file := filepath.Join(t.TempDir(), "a.glb")
	r.s.BeginExport(file)
	r.Frame()
	for _, check := range []string{sQuantize, sZUp, sExportCameras, sExportVisibility} {
		r.Click(check)
	}
	r.Click(sUnits)
	r.Type("100")
	r.Key(key.NameReturn, 0)
	if ex := r.s.Exporter(); ex == nil || ex.Options.Scale != 100 || !ex.Options.Quantize || !ex.Options.NoVisibility {
		t.Fatalf("the dialog says %+v", ex)
	}
	r.Click(sExport)
	r.settle()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"KHR_mesh_quantization", `"up":"z","units_per_metre":100`, `"perspective"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the file has no %s", want)
		}
	}
	if strings.Contains(string(data), "RIDGELINE_visibility") {
		t.Error("the file has visibility")
	}
	r.s.BeginExport(file)
	r.Frame()
	if ex := r.s.Exporter(); !ex.Options.Quantize || ex.Options.Scale != 100 || ex.Options.Only != nil || ex.Chosen {
		t.Errorf("the next export begins with %+v", ex)
	}
	r.Click(sCancel)
	if r.s.Exporter() != nil || r.Has("Dialog: "+sExporting) {
		t.Error("the dialog stays open")
	}
	// Heights have no options.
	file = filepath.Join(t.TempDir(), "a.r32")
	r.s.BeginExport(file)
	r.settle()
	if _, err := os.Stat(file); err != nil || r.s.Exporter() != nil {
		t.Errorf("%v, dialog %v", err, r.s.Exporter())
	}
	r.noErrors()
}
