package store

import (
	"bytes"
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// saveRich saves a level with all there is and gives its path and manifest.
func saveRich(t testing.TB) (path string, manifest []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.ridge")
	_, _, err := Save(background, path, rich(t), nil, nil)
	must(t, err)
	data, err := os.ReadFile(path)
	must(t, err)
	return path, data
}

// refused opens a damaged level and wants one line that names the file and all of
// words.
func refused(t *testing.T, path string, words ...string) {
	t.Helper()
	l, _, err := Open(background, path, Options{})
	if err == nil || l != nil {
		t.Errorf("%v: opened", words)
		return
	}
	var f *fault.Error
	if !errors.As(err, &f) || f.Op == "" {
		t.Errorf("%v: error %v is no fault with an operation", words, err)
	}
	msg := err.Error()
	if strings.Contains(msg, "\n") {
		t.Errorf("more than one line: %s", msg)
	}
	for _, w := range append(words, filepath.Base(path)) {
		if !strings.Contains(msg, w) {
			t.Errorf("no %q in: %s", w, msg)
		}
	}
}

func TestBadManifests(t *testing.T) {
	path, good := saveRich(t)
	blob := filepath.Base(blobsIn(t, path)[0])
	for _, c := range []struct {
		name, from, to string
		words          []string
	}{
		{"truncated", string(good[len(good)/2:]), "", []string{"line ", "column ", "no JSON"}},
		{"no JSON", `"format"`, `format`, []string{"line ", "no JSON"}},
		{"newer", `"version": 1`, `"version": 7`, []string{"version 7", "newer", "1 at most"}},
		{"version word", `"version": 1`, `"version": "1"`, []string{"version", "a JSON string", "a whole number"}},
		{"other format", FormatName, "gimp", []string{"format", "gimp", FormatName}},
		{"up", blob, "../" + blob, []string{"terrain.blobs[0]", "../"}},
		{"absolute", blob, "/etc/passwd", []string{"terrain.blobs[0]", "passwd"}},
		{"off the ground", blob, strings.Replace(blob, "_00_00", "_40_00", 1), []string{"terrain.blobs[0]", "521×300"}},
		{"twice", `"` + blob + `"`, `"` + blob + `", "` + strings.Replace(blob, ".", ".0", 1)[:len(blob)-4] + `.zst"`, []string{"terrain.blobs[1]", "one blob a region"}},
		{"size 0", `"cols": 521`, `"cols": 0`, []string{"terrain", "0×300", "16385"}},
		{"size 1", `"cols": 521`, `"cols": 1`, []string{"1×300"}},
		{"huge", `"cols": 521`, `"cols": 1000000000`, []string{"1000000000×300"}},
		{"fraction", `"cols": 521`, `"cols": 521.5`, []string{"terrain.cols", "521.5", "a whole number"}},
		{"no size", `"cols": 521`, `"colz": 521`, []string{"terrain.cols", "nothing"}},
		{"spacing", `"spacing": 1`, `"spacing": 0`, []string{"spacing"}},
		{"origin", `"origin": [-100000,0.1]`, `"origin": [1e308,0]`, []string{"terrain", "origin of 1e+308"}},
		{"edits", `"format"`, `"autosave": {"edits": -1, "of": ""}, "format"`, []string{"autosave.edits", "-1", "at least 0"}},
		{"ids repeat", `"id":7`, `"id":2`, []string{"entities[1].id", "2", "entities[0]"}},
		{"id 0", `"id":7`, `"id":0`, []string{"entities[1]", "id"}},
		{"parent", `"parent":7`, `"parent":8`, []string{"parent 8"}},
		{"vector", `"scale":[-1,1,2]`, `"scale":[-1,1]`, []string{"entities[1].scale", "2 numbers", "3"}},
		{"too large", `"scale":[-1,1,2]`, `"scale":[-1,1,2e999]`, []string{"entities[1].scale"}},
		{"marker", `"shape":"line"`, `"shape":"blob"`, []string{"entities[0]", "shape"}},
		{"layer", `"texture":"builtin:rock"`, `"texture":"../rock"`, []string{"layers[1]", "../rock"}},
		{"null", `"layers": [`, `"layerz": [`, []string{"layers", "0 layers"}},
		{"next id", `"next_id": 90000`, `"next_id": 8`, []string{"next_id", "8", "40001"}},
		{"sun", `"ambient":0.3`, `"ambient":3`, []string{"settings.sun", "ambient"}},
		{"settings", `"settings": {`, `"settings": 5, "x": {`, []string{"settings", "a JSON number", "an object"}},
		{"fewer layers", `,"tint":[0.5,0,1]`, ``, nil}, // the control: this is no damage
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := bytes.Replace(good, []byte(c.from), []byte(c.to), 1)
			if bytes.Equal(bad, good) {
				t.Fatalf("%q is not in the manifest", c.from)
			}
			must(t, os.WriteFile(path, bad, 0o666))
			if c.words == nil {
				reopen(t, path)
				return
			}
			refused(t, path, c.words...)
			problems, err := Check(background, path, nil)
			must(t, err)
			if len(problems) == 0 || problems[0].Severity != Damage {
				t.Errorf("check finds %v", problems)
			}
		})
	}
	for _, f := range others {
		t.Run(f.found, func(t *testing.T) {
			must(t, os.WriteFile(path, append([]byte(f.head), good...), 0o666))
			refused(t, path, f.found, f.want)
			if problems, err := Check(background, path, nil); err == nil || !strings.Contains(err.Error(), f.found) || len(problems) > 0 {
				t.Errorf("check finds %v, %v", problems, err)
			}
		})
	}
	t.Run("empty", func(t *testing.T) {
		must(t, os.WriteFile(path, nil, 0o666))
		refused(t, path, "empty")
	})
	t.Run("missing", func(t *testing.T) {
		must(t, os.Remove(path))
		refused(t, path, "no such file")
	})
	t.Run("folder", func(t *testing.T) {
		must(t, os.Mkdir(path, 0o777))
		refused(t, path, "a folder")
		_, _, err := Save(background, path, flat(t, 2, 2), nil, nil)
		if err == nil || !strings.Contains(err.Error(), "a folder") {
			t.Error("saved over a folder:", err)
		}
	})
}

func TestBadBlobs(t *testing.T) {
	pack := func(raw []byte) []byte {
		z, err := newCodec()
		must(t, err)
		defer z.close()
		return z.enc.EncodeAll(raw, nil)
	}
	for name, damage := range map[string]struct {
		do    func(packed []byte) []byte
		words []string
	}{
		"missing":   {func([]byte) []byte { return nil }, []string{"no such file"}},
		"truncated": {func(b []byte) []byte { return b[:len(b)/2] }, []string{"damaged data"}},
		"cut tail":  {func(b []byte) []byte { return b[:len(b)-1] }, []string{"damaged data"}},
		"zeros":     {func(b []byte) []byte { return make([]byte, len(b)) }, []string{"damaged data", "zstd"}},
		"other":     {func([]byte) []byte { return pack(make([]byte, 256*256*4)) }, []string{"bad checksum"}},
		"short":     {func([]byte) []byte { return pack(make([]byte, 99)) }, []string{"99 bytes", "262144"}},
		"bomb":      {func([]byte) []byte { return pack(make([]byte, 1<<26)) }, []string{"more than"}},
		"long file": {func(b []byte) []byte { return append(b, make([]byte, 1<<20)...) }, []string{"more than"}},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := saveRich(t)
			file := filepath.Join(Folder(path), nameOf(t, path, "height_00_00"))
			old, err := os.ReadFile(file)
			must(t, err)
			if bad := damage.do(old); bad == nil {
				must(t, os.Remove(file))
			} else {
				must(t, os.WriteFile(file, bad, 0o666))
			}
			_, _, err = Open(background, path, Options{})
			if err == nil {
				t.Fatal("opened")
			}
			for _, w := range append(damage.words, filepath.Base(file)) {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("no %q in: %v", w, err)
				}
			}
			problems, err := Check(background, path, nil)
			must(t, err)
			if len(problems) != 1 || problems[0].Severity != Damage || problems[0].File != file {
				t.Errorf("check finds %v", problems)
			}
		})
	}
}

func nameOf(t *testing.T, path, prefix string) string {
	for _, b := range blobsIn(t, path) {
		if strings.HasPrefix(filepath.Base(b), prefix) {
			return filepath.Base(b)
		}
	}
	t.Fatal("no blob", prefix)
	return ""
}

// Bad samples come with a right checksum: another program wrote them.
func TestBadSamples(t *testing.T) {
	for name, c := range map[string]struct {
		prefix string
		spoil  func(raw []byte)
		words  []string
	}{
		"NaN": {"height_00_00", func(raw []byte) {
			i := 3*256 + 5
			raw[i+2*65536], raw[i+3*65536] = 0xc0, 0x7f
		}, []string{"column 5, row 3", "NaN"}},
		"infinite": {"height_00_00", func(raw []byte) {
			raw[0], raw[65536], raw[2*65536], raw[3*65536] = 0, 0, 0x80, 0x7f
		}, []string{"column 0, row 0", "Inf"}},
		"layer": {"splat_01_00", func(raw []byte) { raw[65536+300] = 4 }, []string{"column 300, row 1", "layer 4", "0 to 3"}},
	} {
		t.Run(name, func(t *testing.T) {
			path, manifest := saveRich(t)
			old := nameOf(t, path, c.prefix)
			z, err := newCodec()
			must(t, err)
			defer z.close()
			r, hash, _ := parseBlobName(old)
			raw, err := z.read(Folder(path), old, nil, r.rawSize(521, 300), hash)
			must(t, err)
			c.spoil(raw)
			name := r.blobName(xxhash.Sum64(raw))
			must(t, os.WriteFile(filepath.Join(Folder(path), name), z.enc.EncodeAll(raw, nil), 0o666))
			must(t, os.WriteFile(path, bytes.Replace(manifest, []byte(old), []byte(name), 1), 0o666))
			_, _, err = Open(background, path, Options{})
			if err == nil {
				t.Fatal("opened")
			}
			for _, w := range append(c.words, name) {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("no %q in: %v", w, err)
				}
			}
		})
	}
}

func TestCheckNotes(t *testing.T) {
	path, _ := saveRich(t)
	check := func() (out []string) {
		problems, err := Check(background, path, nil)
		must(t, err)
		for _, p := range problems {
			if p.Severity == Damage {
				t.Errorf("damage: %v", p)
			}
			out = append(out, p.String())
		}
		return out
	}
	lock, err := TakeLock(path)
	must(t, err)
	defer lock.Release()
	if got := check(); len(got) != 0 {
		t.Errorf("a good level has %v", got)
	}
	dir := Folder(path)
	l, info := reopen(t, path)
	_, _, err = Autosave(background, path, withTerrain(l, paint(l.Terrain, image.Rect(0, 0, 9, 9), 3)), 2, info.Saved, nil)
	must(t, err)
	orphan := "flags_00_00.0123456789abcdef.zst"
	for _, f := range []string{filepath.Join(dir, orphan), filepath.Join(dir, "."+orphan+".tmp-1"), filepath.Join(dir, "notes.txt"),
		filepath.Join(filepath.Dir(path), ".a.ridge.tmp-77")} {
		must(t, os.WriteFile(f, []byte("x"), 0o666))
	}
	got := strings.Join(check(), "\n")
	for _, w := range []string{orphan + ": Neither", "tmp-1: A save", "notes.txt: This", "tmp-77: A save", "newer by 2 edits, in 1 region "} {
		if !strings.Contains(got, w) {
			t.Errorf("no %q in\n%s", w, got)
		}
	}
	// A save tidies up after itself, and leaves alone what it does not know.
	l, info, err = Open(background, path, Options{Recover: true})
	must(t, err)
	_, _, err = Save(background, path, l, info.Saved, nil)
	must(t, err)
	if got := check(); len(got) != 1 || !strings.Contains(got[0], "notes.txt") {
		t.Errorf("after a save there is %v", got)
	}
}

func TestAssets(t *testing.T) {
	path, _ := saveRich(t)
	ref, err := AddAsset(path, []byte("hello"), "PNG")
	must(t, err)
	if again, err := AddAsset(path, []byte("hello"), ".png"); err != nil || again != ref || !strings.HasSuffix(ref, ".png") {
		t.Errorf("names %q, %q, error %v", ref, again, err)
	}
	data, err := ReadAsset(path, ref)
	must(t, err)
	if string(data) != "hello" {
		t.Errorf("content %q", data)
	}
	for _, bad := range []string{"", "asset:", "asset:../a.ridge", "asset:/etc/passwd", "builtin:grass", ref + "/x"} {
		if _, err := ReadAsset(path, bad); err == nil {
			t.Errorf("read %q", bad)
		}
	}
	for _, ext := range []string{"", "a/b", "..", "verylongkind"} {
		if _, err := AddAsset(path, []byte("x"), ext); err == nil {
			t.Errorf("added a %q", ext)
		}
	}
	l, info := reopen(t, path)
	c := *l
	c.Layers = append([]document.Layer(nil), l.Layers...)
	c.Layers[0].Texture = ref
	_, _, err = Save(background, path, &c, info.Saved, nil)
	must(t, err)
	problems, err := Check(background, path, nil)
	must(t, err)
	if len(problems) > 0 {
		t.Error(problems)
	}
	file := filepath.Join(Folder(path), assetsName, strings.TrimPrefix(ref, document.AssetPrefix))
	must(t, os.WriteFile(file, []byte("jello"), 0o666))
	if _, err := ReadAsset(path, ref); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error is %v", err)
	}
	if _, err := AddAsset(path, []byte("hello"), "png"); err != nil {
		t.Error(err)
	}
	if data, err := ReadAsset(path, ref); err != nil || string(data) != "hello" {
		t.Error("not repaired:", err)
	}
	must(t, os.Remove(file))
	problems, err = Check(background, path, nil)
	must(t, err)
	if len(problems) != 1 || problems[0].Place == "" && !strings.Contains(problems[0].Text, "no such file") {
		t.Error("check finds", problems)
	}
}

func TestManyEqualTilesTakeLittleMemory(t *testing.T) {
	l := flat(t, 512, 512)
	d := l.Terrain.Draft()
	for y := range 8 {
		for x := range 8 {
			h := d.Heights(x, y)
			for i := range h {
				h[i] = 7.5
			}
		}
	}
	f, _ := d.Field()
	path := filepath.Join(t.TempDir(), "a.ridge")
	_, _, err := Save(background, path, withTerrain(l, f), nil, nil)
	must(t, err)
	got, _ := reopen(t, path)
	seen := map[*terrain.Heights]bool{}
	for y := range 8 {
		for x := range 8 {
			seen[got.Terrain.Tile(x, y).Heights] = true
		}
	}
	if len(seen) != 1 || got.Terrain.Sample(300, 300) != 7.5 {
		t.Error(len(seen), "planes for ground that is the same everywhere")
	}
}

func FuzzManifest(f *testing.F) {
	_, good := saveRich(f)
	f.Add(good)
	f.Add([]byte(`{"format":"ridgeline level","version":1,"terrain":{"cols":2,"rows":2,"spacing":1},"layers":[{"name":"a","texture":"builtin:a","uv_scale":1}]}`))
	f.Add([]byte(`{"format":"ridgeline level","version":1,"entities":[{"id":1,"kind":"marker","data":{"shape":"point","points":[[1,2,3]]}}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, problems := parseManifest(data)
		if len(problems) > 0 {
			for _, p := range problems {
				if p.Error() == "" {
					t.Error("an empty message")
				}
			}
			return
		}
		if m.cols*m.rows > 1<<16 {
			return // allowed, but slow to make many of
		}
		// What is accepted can be written, and reads back as the same bytes.
		level := *m.level
		ground, err := terrain.Flat(m.cols, m.rows, m.spacing)
		must(t, err)
		level.Terrain = ground.WithOrigin(m.origin[0], m.origin[1])
		must(t, level.Validate())
		out, err := encodeManifest(&level, m.blobs, m.autosave)
		must(t, err)
		again, problems := parseManifest(out)
		if len(problems) > 0 {
			t.Fatalf("%v in\n%s", problems, out)
		}
		level2 := *again.level
		level2.Terrain = level.Terrain
		out2, err := encodeManifest(&level2, again.blobs, again.autosave)
		must(t, err)
		if !bytes.Equal(out, out2) {
			t.Fatalf("unstable:\n%s\n%s", out, out2)
		}
	})
}

func FuzzBlob(f *testing.F) {
	z, err := newCodec()
	must(f, err)
	r := region{0, 2, 1} // 8×44 samples of 520×300
	raw := make([]byte, r.rawSize(520, 300))
	for i := range raw {
		raw[i] = byte(i * i)
	}
	f.Add(z.enc.EncodeAll(raw, nil), uint8(0))
	f.Add(z.enc.EncodeAll(make([]byte, 1<<20), nil), uint8(1))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd}, uint8(2))
	f.Add([]byte{}, uint8(3))
	f.Fuzz(func(t *testing.T, packed []byte, plane uint8) {
		r := region{int(plane) % 4, 2, 1}
		want := r.rawSize(520, 300)
		// The hash in the name stops most damage; here it is made to fit, so that
		// what comes after it sees foreign samples.
		raw, err := z.dec.DecodeAll(packed, make([]byte, 0, want))
		if err != nil {
			raw = nil
		}
		got, err := z.unpack(packed, nil, want, xxhash.Sum64(raw))
		if err != nil {
			if err.Error() == "" {
				t.Error("an empty message")
			}
			return
		}
		if len(got) != want {
			t.Fatalf("%d bytes, expected %d", len(got), want)
		}
		if checkRaw(got, r, 520, 300, 4) != nil {
			return
		}
		c, err := newCanvas(520, 300)
		must(t, err)
		c.lay(got, r)
		field, err := terrain.FromTiles(520, 300, 1, func(x, y int) terrain.Tile { return c.tiles[y][x] })
		must(t, err)
		if back := appendRaw(nil, field, r); !bytes.Equal(back, got) {
			t.Fatal("the samples do not come back")
		}
	})
}

func TestBlobNames(t *testing.T) {
	for i := range planes {
		r := region{i, 64, 3}
		name := r.blobName(0xabc)
		if got, h, ok := parseBlobName(name); !ok || got != r || h != 0xabc {
			t.Errorf("%s is read as %v, %x, %v", name, got, h, ok)
		}
	}
	for _, bad := range []string{"", "height_00_00.zst", "height_0_00.0123456789abcdef.zst", "height_00_00.0123456789ABCDEF.zst",
		"Height_00_00.0123456789abcdef.zst", "height_00_00.0123456789abcdef.zst\n", "a/height_00_00.0123456789abcdef.zst", "height_00_00.0123456789abcdef.zst/.."} {
		if _, _, ok := parseBlobName(bad); ok {
			t.Errorf("%q is taken for a blob", bad)
		}
	}
}
