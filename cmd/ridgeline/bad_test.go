package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ridgeline/document/store"
)

// grey16 is a picture of the given size.
func grey16(t testing.TB, w, h int) string {
	t.Helper()
	img := image.NewGray16(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.SetGray16(i%w, i/w, color.Gray16{uint16(i * 37)})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// claimed is a picture whose header claims another size.
func claimed(t testing.TB, w, h uint32) string {
	t.Helper()
	data := []byte(grey16(t, 8, 8))
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return string(data)
}

func floats(v ...float32) string {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, v)
	return b.String()
}

const asc = "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n1 2 3\n4 5 6\n"

// badFiles are the inputs that no verb may swallow.
func badFiles(t *testing.T) {
	t.Helper()
	var jpg bytes.Buffer
	if err := jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	whole := grey16(t, 64, 64)
	for name, data := range map[string]string{
		"good.png": whole, "empty.png": "", "empty.asc": "", "empty.r16": "", "empty.hgt": "",
		"cut.png": whole[:len(whole)/2], "jpeg.png": jpg.String(), "huge.png": claimed(t, 60000, 60000), "none.png": claimed(t, 0, 8),
		"one.png": grey16(t, 1, 1), "odd.r16": "12345", "odd.r32": "123456", "short.hgt": "1234",
		"oblong.r16": strings.Repeat("x", 2*2*7), "nan.r32": floats(1, 2, float32(math.NaN()), 4), "inf.r32": floats(1, 2, 3, float32(math.Inf(-1))),
		"high.r32": floats(1, 2, 3, 2e6),
		"key.asc":  strings.Replace(asc, "nrows 2\n", "", 1), "word.asc": strings.Replace(asc, "5", "five", 1), "few.asc": strings.Replace(asc, " 6", "", 1),
		"nan.asc": strings.Replace(asc, "5", "nan", 1), "cell.asc": strings.Replace(asc, "cellsize 10", "cellsize 0", 1), "cols.asc": strings.Replace(asc, "ncols 3", "ncols 1000000000", 1),
		"what.txt": "hello", "bad.txt": "layer.add name=A\nlayer.add name=\"B\n", "later.txt": "sky.set\n", "range.txt": "terrain.stroke op=raise at=1,1 radius=1e9 strength=1",
		"json.ridge": "hello", "cut.ridge": `{"format": "ridgeline level", "version": 1, `, "newer.ridge": `{"format": "ridgeline level", "version": 99}`,
		"other.ridge": `{"format": "recipe"}`, "empty.ridge": "", "list.ridge": `[1, 2]`,
	} {
		write(t, name, data)
	}
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
	ok(t, "new", "good.ridge", "--size", "65x65")
	manifest, err := os.ReadFile("good.ridge")
	if err != nil {
		t.Fatal(err)
	}
	for name, blob := range map[string]string{"path.ridge": "../x", "deep.ridge": "height_00_00.0123456789abcdef.zst/../../x", "far.ridge": "height_99_99.0123456789abcdef.zst"} {
		text := strings.Replace(string(manifest), `"blobs": []`, `"blobs": ["`+blob+`"]`, 1)
		if text == string(manifest) {
			t.Fatal("no list of blobs in the manifest")
		}
		write(t, name, text)
	}
	write(t, "size.ridge", strings.Replace(string(manifest), `"cols": 65`, `"cols": 1000000000`, 1))
}

// Every bad input is one line that names the file and what is wrong, and changes
// nothing.
func TestBadInput(t *testing.T) {
	dir := inDir(t)
	badFiles(t)
	for args, want := range map[string]string{
		"import missing.png -o x.ridge":                   `missing.png: no such file or folder`,
		"import folder -o x.ridge":                        `folder: found a folder, expected a heightmap file`,
		"import empty.png -o x.ridge":                     `empty.png: found an empty file, expected a heightmap`,
		"import empty.asc -o x.ridge":                     `empty.asc: found an empty file, expected a heightmap`,
		"import empty.r16 -o x.ridge":                     `empty.r16: found an empty file, expected a heightmap`,
		"import empty.hgt -o x.ridge":                     `empty.hgt: found an empty file, expected a heightmap`,
		"import cut.png -o x.ridge":                       `cut.png: `,
		"import jpeg.png -o x.ridge":                      `jpeg.png: byte 0: found a JPEG picture, expected a PNG picture`,
		"import huge.png -o x.ridge":                      `huge.png: header: found width 60000, expected 2 to 16385 samples`,
		"import none.png -o x.ridge":                      `none.png: header: found width 0, expected 2 to 16385 samples`,
		"import one.png -o x.ridge":                       `one.png: header: found width 1, expected 2 to 16385 samples`,
		"import odd.r16 -o x.ridge":                       `odd.r16: found 5 bytes, expected `,
		"import odd.r32 -o x.ridge":                       `odd.r32: found 6 bytes, expected `,
		"import oblong.r16 -o x.ridge":                    `oblong.r16: found 14 samples of 16 bits, not a square, expected a square, or the size as WIDTHxHEIGHT`,
		"import short.hgt -o x.ridge":                     `short.hgt: found 4 bytes, expected `,
		"import good.png --size 8x8 -o x.ridge":           `good.png: found 64×64 in the file, expected 8×8 as asked`,
		"import oblong.r16 --size 0x0 -o x.ridge":         `oblong.r16: --size: a terrain of 0×0 samples is out of range, expected 2×2 to 16385×16385`,
		"import oblong.r16 --size 1000000000x1 -o x":      `oblong.r16: --size: a terrain of 1000000000×1 samples is out of range, expected 2×2 to 16385×16385`,
		"import oblong.r16 --size 3x5 -o x.ridge":         `oblong.r16: found 28 bytes, expected 30 (3×5 samples of 16 bits)`,
		"import nan.r32 -o x.ridge":                       `nan.r32: row 1, column 0 (byte 8): found not a number (NaN), expected a finite height`,
		"import inf.r32 -o x.ridge":                       `inf.r32: row 1, column 1 (byte 12): found minus infinity, expected a finite height`,
		"import high.r32 -o x.ridge":                      `high.r32: the height at column 1, row 1 is 2e+06, expected a number between -1e+06 and 1e+06`,
		"import good.png --max inf -o x.ridge":            `good.png: height range: found 0 to +Inf m, expected two finite heights`,
		"import good.png --min 5 --max 1 -o x.ridge":      `good.png: height range: found 5 to 1 m, expected the lower height first`,
		"import good.png --max 1e7 -o x.ridge":            `good.png: the height at column `,
		"import good.png --spacing 0 -o x.ridge":          `good.png: --spacing: a sample spacing of 0 m is out of range, expected 0.001 to 100000`,
		"import key.asc -o x.ridge":                       `key.asc: line 6, column 1: found numbers, expected the missing header key nrows`,
		"import word.asc -o x.ridge":                      `word.asc: line 8, column 3: found "five", expected a number`,
		"import few.asc -o x.ridge":                       `few.asc: `,
		"import nan.asc -o x.ridge":                       `nan.asc: line 8, column 3: found "nan", expected a finite height`,
		"import cell.asc -o x.ridge":                      `cell.asc: `,
		"import cols.asc -o x.ridge":                      `cols.asc: line 1, column 7: found ncols 1000000000, expected 2 to 16385 samples`,
		"import what.txt -o x.ridge":                      `what.txt: found an unknown extension ".txt", expected `,
		"import good.png -o good.ridge":                   `good.ridge: found a file that exists, expected a new name, or --force to replace it`,
		"import good.png -o folder":                       `folder: found a folder, expected the name of a level`,
		"import good.png -o none/x.ridge":                 `none/x.ridge: no such file or folder`,
		"new x.ridge --size 0x0":                          `x.ridge: a terrain of 0×0 samples is out of range, expected 2×2 to 16385×16385`,
		"new x.ridge --size 1x1":                          `x.ridge: a terrain of 1×1 samples is out of range, expected 2×2 to 16385×16385`,
		"new x.ridge --size 1000000000x1000000000":        `x.ridge: a terrain of 1000000000×1000000000 samples is out of range, expected 2×2 to 16385×16385`,
		"new x.ridge --spacing NaN":                       `x.ridge: a sample spacing of NaN m is out of range, expected 0.001 to 100000`,
		"new folder":                                      `folder: found a folder, expected the name of a level`,
		"new good.ridge":                                  `good.ridge: found a file that exists, expected a new name, or --force to replace it`,
		"info missing.ridge":                              `missing.ridge: no such file or folder`,
		"info folder":                                     `folder: found a folder, expected a level`,
		"info empty.ridge":                                `empty.ridge: `,
		"info json.ridge":                                 `json.ridge: `,
		"info cut.ridge":                                  `cut.ridge: `,
		"info list.ridge":                                 `list.ridge: `,
		"info newer.ridge":                                `newer.ridge: version: found format version 99, written by a newer Ridgeline, expected 1 at most`,
		"info other.ridge":                                `other.ridge: format: found "recipe", expected "ridgeline level"`,
		"info path.ridge":                                 `path.ridge: terrain.blobs[0]: found "../x", expected the name of a blob`,
		"info deep.ridge":                                 `deep.ridge: terrain.blobs[0]: found `,
		"info far.ridge":                                  `far.ridge: terrain.blobs[0]: found `,
		"info size.ridge":                                 `size.ridge: terrain: a terrain of 1000000000×65 samples is out of range`,
		"check missing.ridge":                             `missing.ridge: no such file or folder`,
		"check folder":                                    `folder: found a folder, expected a level`,
		"check path.ridge":                                `path.ridge is damaged`,
		"run missing.ridge -e undo":                       `missing.ridge: no such file or folder`,
		"run folder -e help":                              `folder: found a folder, expected a level`,
		"run good.ridge missing.txt":                      `missing.txt: no such file or folder`,
		"run good.ridge folder":                           `folder: found a folder, expected a script`,
		"run good.ridge bad.txt":                          `bad.txt: line 2: column 16: found a quote that is not closed, expected a closing "`,
		"run good.ridge later.txt":                        `later.txt: line 1: sky.set: no command of this name`,
		"run good.ridge range.txt":                        `range.txt: line 1: terrain.stroke: radius: found "1e9", expected a number from 0.01 to 1000000 m`,
		"run good.ridge -e undo":                          `-e: line 1: undo: there is nothing to undo`,
		"run good.ridge -e help -o none/x.ridge":          `none/x.ridge: no such file or folder`,
		"run newer.ridge -e help":                         `newer.ridge: version: found format version 99`,
		"export good.ridge -o x.obj":                      `x.obj: found the extension ".obj", expected `,
		"export good.ridge -o x":                          `x: found no extension, expected `,
		"export good.ridge -o none/x.png":                 `none/x.png: no such file or folder`,
		"export missing.ridge -o x.png":                   `missing.ridge: no such file or folder`,
		"export good.ridge -o good.png --min 1 --max 100": `good.png: `,
	} {
		t.Run(args, func(t *testing.T) {
			before := snapshot(t, dir)
			r := cli(t, "", strings.Fields(args)...)
			if r.code != exitFailed {
				t.Errorf("code %d", r.code)
			}
			if !strings.HasPrefix(r.errs, "ridgeline: "+want) || strings.Count(r.errs, "\n") != 1 {
				t.Errorf("\n got %swant ridgeline: %s", r.errs, want)
			}
			if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
				t.Errorf("something changed: %s", d)
			}
		})
	}
}

// A header's claims do not decide how much memory is taken.
func TestMemoryFollowsTheFile(t *testing.T) {
	inDir(t)
	badFiles(t)
	write(t, "wide.asc", strings.NewReplacer("ncols 3", "ncols 16385", "nrows 2", "nrows 16385").Replace(asc))
	write(t, "wide.png", claimed(t, 16385, 16385))
	for _, args := range []string{
		"import huge.png -o x.ridge", "import wide.png -o x.ridge", "import wide.asc -o x.ridge", "import oblong.r16 --size 16385x16385 -o x.ridge",
		"import nan.r32 --size 16385x16385 -o x.ridge", "info size.ridge",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := cli(t, "", strings.Fields(args)...)
		runtime.ReadMemStats(&after)
		if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; r.code != exitFailed || mib > 16 {
			t.Errorf("%s: code %d, took %d MiB: %s", args, r.code, mib, r.errs)
		}
	}
}

func TestLevelOpenElsewhere(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "33x33")
	write(t, "flat.png", grey16(t, 8, 8))
	lock, err := store.TakeLock("a.ridge")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	before := snapshot(t, dir)
	for _, args := range []string{"run a.ridge -e undo", "new a.ridge --force", "import flat.png -o a.ridge --force"} {
		r := cli(t, "", strings.Fields(args)...)
		if r.code != exitFailed || r.errs != "ridgeline: a.ridge: the level is open elsewhere\n" {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Error(d)
	}
	// Readers need no lock.
	ok(t, "info", "a.ridge")
	ok(t, "check", "a.ridge")
	ok(t, "export", "a.ridge", "-o", "a.r32")
	ok(t, "run", "a.ridge", "-e", "layer.add name=x", "-o", "b.ridge")
}

// noise is a picture that no compression makes small.
func noise(side int) string {
	r := rand.New(rand.NewPCG(1, 2))
	img := image.NewGray16(image.Rect(0, 0, side, side))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.String()
}
