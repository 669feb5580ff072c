package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ridgeline/terrain/fault"
)

// write makes a pack of files.
func write(t interface{ Fatal(...any) }, names []string, data [][]byte) []byte {
	var out bytes.Buffer
	p := NewWriter(&out)
	for i, name := range names {
		w, err := p.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data[i]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What is written is found again, and a pack that is cut off or has other bytes in its
// table is refused.
func TestContents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,9}(/[a-z0-9]{1,5}\.bin)?`), 0, 9, rapid.ID).Draw(t, "names")
		var data [][]byte
		for range names {
			data = append(data, rapid.SliceOfN(rapid.Byte(), 0, 70).Draw(t, "data"))
		}
		file := write(t, names, data)
		spans, err := readContents(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if len(spans) != len(names) {
			t.Fatalf("%d files, expected %d", len(spans), len(names))
		}
		for i, name := range names {
			s := spans[name]
			if s.first%align != 0 || !bytes.Equal(file[s.first:][:s.size], data[i]) {
				t.Fatalf("%s lies at %d, %d bytes", name, s.first, s.size)
			}
		}
		cut := rapid.IntRange(0, len(file)-1).Draw(t, "cut")
		if _, err := readContents(bytes.NewReader(file[:cut]), int64(cut)); err == nil {
			t.Fatalf("a pack of %d bytes is opened that has %d", cut, len(file))
		}
		var toc int64 = headSize
		for _, s := range spans {
			toc = max(toc, s.first+s.size)
		}
		toc = (toc + align - 1) &^ (align - 1)
		bad := bytes.Clone(file)
		at := rapid.IntRange(int(toc), len(file)-1).Draw(t, "at")
		bad[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		_, err = readContents(bytes.NewReader(bad), int64(len(bad)))
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Fatalf("byte %d of %d is another: %v", at, len(bad), err)
		}
	})
}

// Only names within the pack are taken, each once, and one file after another.
func TestNames(t *testing.T) {
	p := NewWriter(io.Discard)
	for _, name := range []string{"", ".", "/a", "../a", "a/../b", "a//b", `a\b`, "C:a", "a/", "a\x00"} {
		if _, err := p.Create(name); err == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	a, err := p.Create("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Create("b"); err == nil {
		t.Error("two files at once")
	}
	if err := p.Close(); err == nil {
		t.Error("a pack is closed before its file")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Write([]byte{1}); err == nil {
		t.Error("a closed file is written")
	}
	if _, err := p.Create("a"); err == nil {
		t.Error("a file twice")
	}
}

// packOf is a pack with a table of contents as it is given, and its own checksum.
func packOf(body int, count uint32, toc []byte) []byte {
	out := append([]byte(headMagic), 1, 0, 0, 0, 0, 0, 0, 0)
	out = append(out, make([]byte, body)...)
	foot := append([]byte(footMagic), make([]byte, footSize-len(footMagic))...)
	binary.LittleEndian.PutUint64(foot[8:], uint64(len(out)))
	binary.LittleEndian.PutUint32(foot[16:], uint32(len(toc)))
	binary.LittleEndian.PutUint32(foot[20:], count)
	binary.LittleEndian.PutUint32(foot[24:], crc32.ChecksumIEEE(toc))
	binary.LittleEndian.PutUint32(foot[28:], Version)
	return append(append(out, toc...), foot...)
}

func tocOf(first, size uint64, name string) []byte {
	out := binary.LittleEndian.AppendUint64(nil, first)
	out = binary.LittleEndian.AppendUint64(out, size)
	return append(binary.LittleEndian.AppendUint16(out, uint16(len(name))), name...)
}

// Tables with the right checksum that make no sense are refused where they do not.
func TestBadTables(t *testing.T) {
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for want, data := range map[string][]byte{
		"":        packOf(64, 2, join(tocOf(16, 20, "a"), tocOf(48, 32, "b"))),
		"file 1":  packOf(64, 2, join(tocOf(16, 33, "a"), tocOf(48, 32, "b"))), // overlap
		"file 0":  packOf(64, 1, tocOf(16, 65, "a")),
		"of 16":   packOf(64, 1, tocOf(24, 8, "a")),
		"file 0 ": packOf(64, 1, tocOf(0, 8, "a")),
		" file 0": packOf(64, 1, tocOf(16, 1<<63, "a")),
		"file 1 ": packOf(64, 2, join(tocOf(16, 1, "a"), tocOf(32, 1, "a"))),
		"file 2":  packOf(64, 3, join(tocOf(16, 1, "a"), tocOf(32, 1, "b"))),
		"bytes":   packOf(64, 1, join(tocOf(16, 1, "a"), tocOf(32, 1, "b"))),
		" 0":      packOf(64, 1, tocOf(16, 1, "../a")),
		"0 ":      packOf(64, 1, tocOf(16, 1, "a")[:18]),
	} {
		_, err := readContents(bytes.NewReader(data), int64(len(data)))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want))) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// Headers and footers of another version, or of two, are refused.
func TestBadVersions(t *testing.T) {
	good := packOf(64, 1, tocOf(16, 20, "a"))
	end := len(good)
	for want, change := range map[string]map[int]byte{
		`header: found "\x00LPACK\r\n", expected "RLPACK\r\n"`:                               {0: 0},
		"header: found version 0, expected 1 to 1":                                           {8: 0},
		"header: found version 2, expected 1 to 1":                                           {8: 2, end - 4: 2},
		"header: found 1 behind the version, expected 0":                                     {12: 1},
		"footer: found version 2, expected 1, that of the header":                            {end - 4: 2},
		"footer: found version 0, expected 1, that of the header":                            {end - 4: 0},
		`footer: found "RLPKTOC\r", expected "RLPKTOC\n": the file may be cut off`:           {end - footSize + 7: '\r'},
		"footer: found a table of contents of 19 bytes at 208, expected one that ends at 99": {end - footSize + 8: 208},
		"table of contents, file 1: found the end of the table, expected 2 files":            {end - footSize + 20: 2},
		"table of contents: found 19 bytes more, expected 0 files and no more":               {end - footSize + 20: 0},
	} {
		bad := bytes.Clone(good)
		for at, b := range change {
			bad[at] = b
		}
		if _, err := readContents(bytes.NewReader(bad), int64(len(bad))); err == nil || err.Error() != want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
}

// Runs of holes are taken in order, within the grid.
func TestBadHoles(t *testing.T) {
	for i, h := range []Holes{
		{Columns: 4, Rows: 3},
		{Columns: 3, Rows: 3, Runs: [][3]int{{0, 2, 1}, {0, 0, 1}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{0, 0, 2}, {0, 1, 1}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{3, 0, 1}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{-1, 0, 1}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{0, 3, 1}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{0, 1, 3}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{0, 1, 0}}},
		{Columns: 3, Rows: 3, Runs: [][3]int{{0, 1, math.MaxInt}}},
	} {
		if _, err := h.bits(3, 3); err == nil {
			t.Errorf("%d: %+v is taken", i, h)
		}
	}
	h := Holes{Columns: 3, Rows: 3, Runs: [][3]int{{0, 0, 3}, {1, 0, 1}, {2, 2, 1}}}
	if bits, err := h.bits(3, 3); err != nil || !bytes.Equal(bits, []byte{0b1111, 1}) {
		t.Errorf("%b, %v", bits, err)
	}
}

// Files in a table lie within the pack and apart from each other, whatever the bytes.
func FuzzContents(f *testing.F) {
	f.Add(uint16(64), uint32(2), append(tocOf(16, 20, "a"), tocOf(48, 32, "b")...))
	f.Add(uint16(0), uint32(0), []byte{})
	f.Fuzz(func(t *testing.T, body uint16, count uint32, toc []byte) {
		data := packOf(int(body), count, toc)
		spans, err := readContents(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		used := make([]bool, len(data))
		for name, s := range spans {
			if !goodName(name) {
				t.Errorf("the name %q", name)
			}
			for i := range data[s.first:][:s.size] {
				if used[s.first+int64(i)] {
					t.Fatalf("%s lies in another file", name)
				}
				used[s.first+int64(i)] = true
			}
		}
	})
}
