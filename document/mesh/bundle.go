package mesh

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"ridgeline/terrain/fault"
)

// Bundle gives a model as one file that needs no other, and the extension that tells
// LoadBytes its kind. A file that already needs no other is given as it is. Else it
// is a ZIP archive with the file under the name model and its extension, and the
// files that it refers to under the names by which it does: buffers, material files
// and pictures, of what is shown, with the pictures for materials that this package
// doesn't show yet. What is missing is missing in the bundle as well. The same files
// give the same bytes. Errors are those of Load.
func Bundle(ctx context.Context, fsys fs.FS, name string) (data []byte, ext string, err error) {
	_, l, err := load(ctx, fsys, name)
	if err != nil {
		return nil, "", err
	}
	companions := slices.Clone(l.files.used)
	for _, other := range l.files.other {
		if _, err := l.files.read(ctx, other); err == nil {
			companions = append(companions, other)
		} else if e := contextError(err); e != nil {
			return nil, "", e
		}
	}
	slices.Sort(companions)
	companions = slices.Compact(companions)
	if len(companions) == 0 {
		return l.main, l.ext, nil
	}
	entries := []entry{{mainName + l.ext, l.main}}
	total := len(l.main)
	for _, c := range companions {
		if isMain(c) {
			return nil, "", located(bad("", fmt.Sprintf("a reference to the model %q", clip(c)), "only buffers, materials and pictures"), name)
		}
		content, err := l.files.read(ctx, c)
		if err != nil {
			return nil, "", located(err, name)
		}
		total += len(content)
		if total > MaxFile {
			return nil, "", located(bad("", fmt.Sprintf("%d MiB of files that belong together", total>>20), "at most %d MiB", MaxFile>>20), name)
		}
		entries = append(entries, entry{c, content})
	}
	data, err = pack(entries)
	if err != nil {
		return nil, "", located(err, name)
	}
	return data, ".zip", nil
}

// mainName is the name of the model in a bundle, without extension.
const mainName = "model"

// isMain tells the model in a bundle from the files that it refers to.
func isMain(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return !strings.Contains(name, "/") && (ext == ".glb" || ext == ".gltf" || ext == ".obj")
}

type entry struct {
	name    string
	content []byte
}

// pack writes a ZIP archive without compression, times or other differences.
func pack(entries []entry) ([]byte, error) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		size := uint64(len(e.content))
		f, err := w.CreateRaw(&zip.FileHeader{
			Name: e.name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(e.content),
			CompressedSize64: size, UncompressedSize64: size,
		})
		if err == nil {
			_, err = f.Write(e.content)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// readZip reads the model of a bundle.
func readZip(ctx context.Context, data []byte) (*Model, *loaded, error) {
	archive, err := openArchive(data)
	if err != nil {
		return nil, nil, err
	}
	main := ""
	for name := range archive {
		if !isMain(name) {
			continue
		}
		if main != "" {
			return nil, nil, bad("", "several models in the archive", "one .glb, .gltf or .obj at its top")
		}
		main = name
	}
	if main == "" {
		return nil, nil, bad("", "no model in the archive", "one .glb, .gltf or .obj at its top")
	}
	f := &files{fsys: archive, dir: "."}
	text, err := f.read(ctx, main)
	if err != nil {
		return nil, nil, at(main, err)
	}
	m, _, err := decode(ctx, text, strings.ToLower(path.Ext(main)), f)
	if err != nil {
		return nil, nil, inside(main, err)
	}
	return m, &loaded{main: data, ext: ".zip", files: &files{}}, nil
}

// Companions gives the names of the files in a bundle beside the model, as the model
// refers to them, ascending. What is no bundle has none.
func Companions(bundle []byte) []string {
	files, err := openArchive(bundle)
	if err != nil {
		return nil
	}
	var names []string
	for name := range files {
		if !isMain(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// inside puts the name of a file in an archive before the place of an error.
func inside(name string, err error) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Place = strings.TrimSuffix(clip(name)+", "+e.Place, ", ")
	return &c
}

// archive is what a bundle has, as a file system. Its files are parts of the
// archive's own bytes, so that opening one takes no memory.
type archive map[string]*zipped

type zipped struct {
	name    string
	content []byte
	sum     uint32
}

// openArchive reads the directory of a ZIP archive. Only uncompressed entries are
// taken: those can't be larger than the archive.
func openArchive(data []byte) (archive, error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &fault.Error{Found: "no ZIP archive, or a damaged one", Want: "a bundle of a model", Err: err}
	}
	a := archive{}
	room := uint64(len(data)) // for what entries have; overlapping ones would need more
	for _, f := range r.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		place := fmt.Sprintf("entry %q", clip(f.Name))
		offset, err := f.DataOffset()
		switch size := f.UncompressedSize64; {
		case !fs.ValidPath(f.Name) || strings.Contains(f.Name, `\`):
			return nil, bad(place, "a name that leaves the archive", "a plain path")
		case a[f.Name] != nil:
			return nil, bad(place, "a second entry of that name", "one")
		case f.Method != zip.Store || f.CompressedSize64 != size:
			return nil, bad(place, "a compressed entry", "a stored one, as a bundle has")
		case err != nil:
			return nil, &fault.Error{Place: place, Found: "a damaged entry", Err: err}
		case offset < 0 || offset > int64(len(data)) || size > uint64(int64(len(data))-offset) || size > room:
			return nil, bad(place, fmt.Sprintf("%d bytes", size), "what the archive has")
		default:
			room -= size
			end := offset + int64(size)
			a[f.Name] = &zipped{f.Name, data[offset:end:end], f.CRC32}
		}
	}
	return a, nil
}

// Open implements fs.FS for files; folders are not there.
func (a archive) Open(name string) (fs.File, error) {
	z, ok := a[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if crc32.ChecksumIEEE(z.content) != z.sum {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("the entry is damaged, its checksum is another")}
	}
	return &openZipped{zipped: z}, nil
}

// Stat implements fs.StatFS.
func (a archive) Stat(name string) (fs.FileInfo, error) {
	if z, ok := a[name]; ok {
		return z, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

type openZipped struct {
	*zipped
	at int
}

func (f *openZipped) Stat() (fs.FileInfo, error) { return f.zipped, nil }
func (f *openZipped) Close() error               { return nil }

func (f *openZipped) Read(p []byte) (int, error) {
	if f.at == len(f.content) {
		return 0, io.EOF
	}
	n := copy(p, f.content[f.at:])
	f.at += n
	return n, nil
}

// The methods of fs.FileInfo.
func (z *zipped) Name() string       { return path.Base(z.name) }
func (z *zipped) Size() int64        { return int64(len(z.content)) }
func (z *zipped) Mode() fs.FileMode  { return 0o444 }
func (z *zipped) ModTime() time.Time { return time.Time{} }
func (z *zipped) IsDir() bool        { return false }
func (z *zipped) Sys() any           { return nil }
