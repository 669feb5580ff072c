package pack

import (
	"bytes"
	"errors"
	"io"
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
		if at >= len(file)-4 {
			return // the footer's version is for people
		}
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

// Files in a table lie within the pack and apart from each other, whatever the bytes.
func FuzzContents(f *testing.F) {
	f.Add(write(f, []string{"level.json", "meshes/a.bin"}, [][]byte{[]byte("{}"), make([]byte, 40)}))
	f.Add(write(f, nil, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
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
