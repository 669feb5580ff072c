package store

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/terrain"
)

var background = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func flat(t testing.TB, cols, rows int) *document.Level {
	t.Helper()
	f, err := terrain.Flat(cols, rows, 1)
	must(t, err)
	return document.NewLevel(f)
}

// withTerrain gives l other ground.
func withTerrain(l *document.Level, f *terrain.Field) *document.Level {
	c := *l
	c.Terrain = f
	return &c
}

// paint changes every plane of the samples of rect, which depend on seed alone.
func paint(f *terrain.Field, rect image.Rectangle, seed uint64) *terrain.Field {
	rng := rand.New(rand.NewPCG(seed, 1))
	d := f.Draft()
	for y := rect.Min.Y; y < rect.Max.Y; y++ {
		for x := rect.Min.X; x < rect.Max.X; x++ {
			tx, ty, i := x/64, y/64, y%64*64+x%64
			d.Heights(tx, ty)[i] = rng.Float32()*100 - 50
			d.Splats(tx, ty)[i] = terrain.Splat{Base: uint8(rng.IntN(4)), Over: uint8(rng.IntN(4)), Third: uint8(rng.IntN(4)), Alpha: uint8(rng.Uint32()), Alpha2: uint8(rng.Uint32())}
			d.Light(tx, ty)[i] = terrain.RGB{R: uint8(rng.Uint32()), G: 1, B: 2}
			d.Flags(tx, ty)[i] = uint8(rng.IntN(2))
		}
	}
	out, _ := d.Field()
	return out
}

func rich(t testing.TB) *document.Level {
	l := flat(t, 521, 300)
	f := paint(l.Terrain, image.Rect(250, 10, 290, 280), 1)
	l = withTerrain(l, paint(f, image.Rect(515, 290, 521, 300), 2).WithOrigin(-1e5, 0.1))
	l.Settings.Bookmarks = map[string]document.Camera{"a <b>": {Eye: mgl64.Vec3{1, 2, 3}}}
	l.Settings.Geo = map[string]string{"crs": "EPSG:4326"}
	l.Settings.HeightRange = document.HeightRange{Min: -1, Max: 0.1, Bits: 16, Set: true}
	l.Layers[1].Tint = mgl64.Vec3{0.5, 0, 1}
	l.Settings.EntityLayers = []document.EntityLayer{{Name: "props", Hidden: true}, {Name: "é", Locked: true}}
	l.Settings.Nodes = document.NodeTree{Split: document.SplitOct, Size: 12.5, Items: 7}
	l.Extra = document.Extra{"future": []byte(`{"a":[1,2.50,12345678901234567890]}`)}
	l.TerrainExtra = document.Extra{"wind": []byte(`1e400`)}
	l, err := l.WithEntities([]document.Entity{
		{ID: 7, Kind: "object", Name: "Büchse \"1\"", Translation: mgl64.Vec3{1e7 + 0.1, math.Copysign(0, -1), 3}, Rotation: mgl64.QuatRotate(1, mgl64.Vec3{0, 1, 0}),
			Scale: mgl64.Vec3{-1, 1, 2}, Hidden: true, Properties: map[string]string{"k": "v"}, Data: document.Object{Asset: "x", Extra: document.Extra{"n": []byte(`[1.0]`)}},
			Extra: document.Extra{"later": []byte(`true`)}},
		{ID: 2, Kind: "marker", Parent: 7, Data: document.Marker{Shape: document.MarkerLine, Points: []mgl64.Vec3{{1, 2, 3}, {4, 5, 6}}, Extra: document.Extra{"w": []byte("2")}}},
		{ID: 40000, Kind: "hologram", Locked: true, Layer: "props"},
	})
	must(t, err)
	l.NextID = 90000
	return l
}

// equal compares all that is saved, and the ground sample by sample.
func equal(t testing.TB, got, want *document.Level) {
	t.Helper()
	a, err := encodeManifest(got, nil, nil)
	must(t, err)
	b, err := encodeManifest(want, nil, nil)
	must(t, err)
	if !bytes.Equal(a, b) {
		t.Fatalf("manifests differ:\n%s\nexpected\n%s", a, b)
	}
	cols, rows := want.Terrain.Size()
	for i := range planes {
		for row := range (rows + 255) / 256 {
			for col := range (cols + 255) / 256 {
				r := region{i, col, row}
				if !bytes.Equal(appendRaw(nil, got.Terrain, r), appendRaw(nil, want.Terrain, r)) {
					t.Fatalf("the %s of region %d, %d differs", planes[i].name, col, row)
				}
			}
		}
	}
}

func reopen(t testing.TB, path string) (*document.Level, Info) {
	t.Helper()
	l, info, err := Open(background, path, Options{})
	must(t, err)
	return l, info
}

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a level.ridge")
	want := rich(t)
	saved, stats, err := Save(background, path, want, nil, nil)
	must(t, err)
	must(t, stats.Leftovers)
	got, info := reopen(t, path)
	equal(t, got, want)
	if got.Terrain.Tile(0, 0).Blank() != terrain.AllPlanes {
		t.Error("untouched ground is not shared")
	}
	first, err := os.ReadFile(path)
	must(t, err)

	// The same level gives the same bytes, whoever saves it, and writes no blob.
	for name, prev := range map[string]*Saved{"same": saved, "opened": info.Saved, "unknown": nil} {
		_, stats, err := Save(background, path, got, prev, nil)
		must(t, err)
		if again, _ := os.ReadFile(path); !bytes.Equal(again, first) || stats.Regions != 0 {
			t.Errorf("%s: %d blobs written, same bytes %v", name, stats.Regions, bytes.Equal(again, first))
		}
	}
	other := filepath.Join(t.TempDir(), "b.ridge")
	_, stats, err = Save(background, other, got, info.Saved, nil)
	must(t, err)
	if again, _ := os.ReadFile(other); !bytes.Equal(again, first) || stats.Regions == 0 {
		t.Errorf("elsewhere: %d blobs written, same bytes %v", stats.Regions, bytes.Equal(again, first))
	}
}

func TestFlatLevelIsTiny(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	_, stats, err := Save(background, path, flat(t, 16385, 16385), nil, nil)
	must(t, err)
	if stats.Regions != 0 || stats.Bytes > 2000 {
		t.Errorf("%d blobs, %d bytes", stats.Regions, stats.Bytes)
	}
	l, _ := reopen(t, path)
	if c, r := l.Terrain.Size(); c != 16385 || r != 16385 {
		t.Error("size", c, r)
	}
}

func blobsIn(t testing.TB, path string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(Folder(path), "*.zst"))
	must(t, err)
	return list
}

func TestSaveWritesOnlyWhatChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l := flat(t, 560, 560)
	l = withTerrain(l, paint(l.Terrain, image.Rect(0, 0, 560, 560), 1))
	saved, stats, err := Save(background, path, l, nil, nil)
	must(t, err)
	if stats.Regions != 4*9 {
		t.Fatalf("%d regions, expected 36", stats.Regions)
	}
	d := l.Terrain.Draft()
	d.Heights(3, 4)[0] = 9 // regions are 4×4 tiles
	d.Heights(4, 4)[0] = 9
	f, _ := d.Field()
	next := withTerrain(l, f)
	saved, stats, err = Save(background, path, next, saved, nil)
	must(t, err)
	if stats.Regions != 2 {
		t.Errorf("%d regions, expected 2", stats.Regions)
	}
	if n := len(blobsIn(t, path)); n != 36 {
		t.Errorf("%d blobs on disk, expected 36", n)
	}
	got, _ := reopen(t, path)
	equal(t, got, next)

	// A blob that somebody removed is written again, one that was damaged too,
	// once its region is looked at.
	must(t, os.Remove(blobsIn(t, path)[0]))
	saved, stats, err = Save(background, path, next, saved, nil)
	must(t, err)
	if stats.Regions != 1 {
		t.Errorf("%d regions, expected 1", stats.Regions)
	}
	must(t, os.Truncate(blobsIn(t, path)[0], 10))
	_, stats, err = Save(background, path, next, nil, nil)
	must(t, err)
	if stats.Regions != 1 {
		t.Errorf("%d regions, expected 1", stats.Regions)
	}
	got, _ = reopen(t, path)
	equal(t, got, next)
}

func TestAutosaveAndRecovery(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	base := rich(t)
	saved, _, err := Save(background, path, base, nil, nil)
	must(t, err)
	edited := withTerrain(base, paint(base.Terrain, image.Rect(0, 0, 10, 10), 5))
	saved, _, err = Autosave(background, path, edited, 3, saved, nil)
	must(t, err)

	got, info := reopen(t, path)
	equal(t, got, base)
	if info.Autosave != AutosaveNewer || info.Edits != 3 || info.Regions != 1 || info.Recovered {
		t.Errorf("info is %+v", info)
	}
	got, rinfo, err := Open(background, path, Options{Recover: true})
	must(t, err)
	equal(t, got, edited)
	if !rinfo.Recovered {
		t.Error("not recovered")
	}

	// Someone who did not recover it saves: the autosave stays, with its blobs.
	elsewhere := withTerrain(base, paint(base.Terrain, image.Rect(300, 0, 310, 10), 6))
	_, _, err = Save(background, path, elsewhere, info.Saved, nil)
	must(t, err)
	got, info = reopen(t, path)
	equal(t, got, elsewhere)
	if info.Autosave != AutosaveDiverged {
		t.Errorf("info is %+v", info)
	}
	got, rinfo, err = Open(background, path, Options{Recover: true})
	must(t, err)
	equal(t, got, edited)

	// Who recovered it, and saves, replaces both.
	_, _, err = Save(background, path, got, rinfo.Saved, nil)
	must(t, err)
	got, info = reopen(t, path)
	equal(t, got, edited)
	if info.Autosave != AutosaveNone {
		t.Errorf("info is %+v", info)
	}
	if _, err := os.Stat(filepath.Join(Folder(path), autosaveName)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the autosave stayed")
	}
	_ = saved
}

func TestRecoverFromDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	base := rich(t)
	saved, _, err := Save(background, path, base, nil, nil)
	must(t, err)
	_, _, err = Autosave(background, path, base, 1, saved, nil)
	must(t, err)
	must(t, os.WriteFile(path, []byte("{"), 0o666)) // newer, and broken
	_, info, err := Open(background, path, Options{})
	if err == nil || info.Autosave != AutosaveNewer {
		t.Fatalf("error %v, info %+v", err, info)
	}
	got, info, err := Open(background, path, Options{Recover: true})
	must(t, err)
	equal(t, got, base)
	_, _, err = Save(background, path, got, info.Saved, nil)
	must(t, err)
	got, _ = reopen(t, path)
	equal(t, got, base)
}

func TestUnsavedLevelAutosaves(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state", "unsaved-1.ridge")
	l := rich(t)
	saved, _, err := Autosave(background, state, l, 1, nil, nil)
	must(t, err)
	if _, _, err := Open(background, state, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error("opened what was never saved:", err)
	}
	ref, err := AddAsset(state, []byte("picture"), "png")
	must(t, err)
	got, info, err := Open(background, state, Options{Recover: true})
	must(t, err)
	equal(t, got, l)
	path := filepath.Join(t.TempDir(), "a.ridge")
	_, _, err = Save(background, path, got, info.Saved, nil)
	must(t, err)
	data, err := ReadAsset(path, ref)
	must(t, err)
	if string(data) != "picture" {
		t.Errorf("the asset is %q", data)
	}
	_ = saved
}

func TestDiscard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	base := rich(t)
	saved, _, err := Save(background, path, base, nil, nil)
	must(t, err)
	before := blobsIn(t, path)
	_, _, err = Autosave(background, path, withTerrain(base, paint(base.Terrain, image.Rect(0, 0, 500, 10), 5)), 1, saved, nil)
	must(t, err)
	if len(blobsIn(t, path)) <= len(before) {
		t.Fatal("the autosave wrote no blob")
	}
	must(t, Discard(path))
	must(t, Discard(path))
	if after := blobsIn(t, path); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("blobs are %v, expected %v", after, before)
	}
	got, info := reopen(t, path)
	equal(t, got, base)
	if info.Autosave != AutosaveNone {
		t.Errorf("info is %+v", info)
	}
}

func TestReadersHoldOffRemoval(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l := rich(t)
	saved, _, err := Save(background, path, l, nil, nil)
	must(t, err)
	before := len(blobsIn(t, path))
	release, ok := folderLock(Folder(path), false)
	if !ok {
		t.Fatal("no lock")
	}
	next := withTerrain(l, paint(l.Terrain, image.Rect(0, 0, 521, 300), 9))
	saved, _, err = Save(background, path, next, saved, nil)
	must(t, err)
	after := blobsIn(t, path)
	release()
	if len(after) != 4*6+before {
		t.Errorf("%d blobs while a reader is at work, expected %d", len(after), 4*6+before)
	}
	_, _, err = Save(background, path, next, saved, nil)
	must(t, err)
	if n := len(blobsIn(t, path)); n != 4*6 {
		t.Errorf("%d blobs, expected 24", n)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l, err := TakeLock(path)
	must(t, err)
	if _, err := TakeLock(path); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("error is %v", err)
	}
	must(t, l.Release())
	l, err = TakeLock(path)
	must(t, err)
	must(t, l.Release())
	if _, err := TakeLock(filepath.Join(t.TempDir(), "no", "a.ridge")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error is %v", err)
	}
}

func TestSymbolicLinkStays(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.ridge"), filepath.Join(dir, "link.ridge")
	l := rich(t)
	_, _, err := Save(background, path, l, nil, nil)
	must(t, err)
	must(t, os.Symlink("a.ridge", link))
	got, info := reopen(t, link)
	got.NextID++
	_, _, err = Save(background, link, got, info.Saved, nil)
	must(t, err)
	if fi, err := os.Lstat(link); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	again, _ := reopen(t, path)
	equal(t, again, got)
}

func TestCancelledSaveLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ridge")
	l := flat(t, 560, 560)
	l = withTerrain(l, paint(l.Terrain, image.Rect(0, 0, 560, 560), 1))
	ctx, cancel := context.WithCancel(background)
	_, _, err := Save(ctx, path, l, nil, func(done, total int) {
		if done == 20 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal("error is", err)
	}
	if n := len(blobsIn(t, path)); n != 0 {
		t.Errorf("%d blobs left", n)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a manifest was written")
	}
	if _, _, err := Open(ctx, path, Options{}); err == nil {
		t.Error("opened")
	}
}
