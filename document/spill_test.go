package document

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDamagedSpillLosesOnlyWhatIsBehind(t *testing.T) {
	dir := t.TempDir()
	var reports []error
	d := New(flat(t, 65, 65), Options{HistoryBytes: 1, SpillDir: dir, Report: func(err error) { reports = append(reports, err) }})
	for i := range 6 {
		must(t, d.Do("raise", raise(i, 0, float32(i+1))))
	}
	for i, e := range d.History() {
		if e.Spilled != (i < 5) {
			t.Fatalf("history is %+v", d.History())
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "history-*", "2.zst"))
	must(t, err)
	if len(files) != 1 {
		t.Fatal("files", files)
	}
	must(t, os.Truncate(files[0], 40))
	if d.JumpTo(0) {
		t.Error("jumped over a lost step")
	}
	if len(reports) != 1 {
		t.Error("reports", reports)
	}
	f := d.Level().Terrain
	if f.Sample(2, 0) != 3 || f.Sample(3, 0) != 0 || d.Position() != 0 || len(d.History()) != 3 {
		t.Errorf("samples %g, %g, at %d of %d", f.Sample(2, 0), f.Sample(3, 0), d.Position(), len(d.History()))
	}
	if !d.Dirty() {
		t.Error("the saved state is lost, but the level not dirty")
	}
	if !d.JumpTo(3) || d.Level().Terrain.Sample(5, 0) != 6 {
		t.Error("redo is lost too")
	}
	must(t, d.Close())
}

func TestDeadFoldersAreSwept(t *testing.T) {
	dir := t.TempDir()
	dead := filepath.Join(dir, spillPrefix+"dead")
	must(t, os.Mkdir(dead, 0o700))
	must(t, os.WriteFile(filepath.Join(dead, "lock"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(dead, "0.zst"), nil, 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "other"), 0o700))
	a := New(flat(t, 65, 65), Options{HistoryBytes: 1, SpillDir: dir})
	b := New(flat(t, 65, 65), Options{HistoryBytes: 1, SpillDir: dir})
	for _, d := range []*Document{a, b} {
		must(t, d.Do("raise", raise(0, 0, 1)))
		must(t, d.Do("raise", raise(0, 0, 2)))
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("a dead folder stayed")
	}
	for _, d := range []*Document{a, b} {
		if !d.JumpTo(0) || d.Level().Terrain.Sample(0, 0) != 0 {
			t.Error("undo failed: a living folder was swept")
		}
		must(t, d.Close())
	}
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) != 1 || left[0].Name() != "other" {
		t.Error("left are", left)
	}
}

func TestHistoryStaysWithinItsBytes(t *testing.T) {
	const limit = 10 * heightsBytes
	d := New(flat(t, 65, 65), Options{HistoryBytes: limit})
	for i := range 50 {
		must(t, d.Do("raise", raise(1, 1, float32(i+1))))
		if d.HistoryBytes() > limit {
			t.Fatalf("history takes %d bytes, expected %d at most", d.HistoryBytes(), limit)
		}
	}
	if n := len(d.History()); n != 9 { // each also costs some bytes beside its plane
		t.Errorf("%d steps are kept, expected 9", n)
	}
}
