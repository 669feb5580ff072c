package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sync/errgroup"

	"ridgeline/document"
	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// Saved is what a save or an Open knows of a level's files, so that the next save
// writes only what is new. It does not change; it keeps the level alive. A nil
// *Saved knows nothing.
type Saved struct {
	path     string
	level    *document.Level
	blobs    map[region]string // of level
	main     map[string]struct{}
	mainRead bool // main and mainHash are known
	mainHash string
	owns     bool // the autosave, if there is one, is of this session
}

// Beside is what is known of a level of which nothing was saved yet: that its assets
// lie with path. It makes a save in another place take them along.
func Beside(path string) *Saved {
	if real, err := resolve(path); err == nil {
		path = real
	}
	return &Saved{path: path}
}

// Path is the level's path, symbolic links followed.
func (s *Saved) Path() string { return s.path }

// Level is the level as it was written or read; nil after Beside.
func (s *Saved) Level() *document.Level { return s.level }

// SaveStats says what a save wrote.
type SaveStats struct {
	Regions int   // blobs written
	Bytes   int64 // in all, the manifest included
	// Leftovers tells why files that are not needed any more could not be removed.
	// The save itself is complete.
	Leftovers error
	// Unread tells, of a save in a new place, why an asset could not be taken along: it
	// cannot be read where it is. The rest of the save is complete.
	Unread error
}

// Progress is told how much of a task is done. It may be called from any
// goroutine, one call at a time. A nil Progress is not called.
type Progress func(done, total int)

// Save writes the level to path. When it returns without error, the level is on
// the disk; with one, the level that was at path before is still there whole.
// prev is what the last save, autosave or Open of this level returned; with
// another path, or nil, everything is written, and the assets of prev's path are
// copied. The caller holds the Lock of path, and makes one save at a time.
//
// An autosave that this session wrote or recovered is removed: it is older now.
func Save(ctx context.Context, path string, l *document.Level, prev *Saved, progress Progress) (*Saved, SaveStats, error) {
	s, err := newSaver(ctx, "save level", path, l, prev, progress)
	if err != nil {
		return nil, SaveStats{}, err
	}
	defer s.codec.close()
	return s.run(false, 0)
}

// Autosave writes the level beside the one at path, which need not exist, as a
// state that Open can recover. edits is the number of edits since the level was
// saved. All else is as with Save. An autosave of another session is replaced:
// whether it is to be recovered is decided when the level is opened.
func Autosave(ctx context.Context, path string, l *document.Level, edits int, prev *Saved, progress Progress) (*Saved, SaveStats, error) {
	s, err := newSaver(ctx, "autosave level", path, l, prev, progress)
	if err != nil {
		return nil, SaveStats{}, err
	}
	defer s.codec.close()
	return s.run(true, edits)
}

// Discard removes the autosave of the level at path, and the blobs that only it
// names.
func Discard(path string) error {
	path, err := resolve(path)
	if err != nil {
		return fault.Wrap("discard autosave", path, err)
	}
	dir := Folder(path)
	err = os.Remove(filepath.Join(dir, autosaveName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.Wrap("discard autosave", path, err)
	}
	keep := map[string]struct{}{}
	data, err := readLevelFile(path)
	if err == nil {
		names, ok := blobNames(data)
		if !ok {
			return nil // a damaged manifest: what it needs is not known
		}
		keep = names
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fault.Wrap("discard autosave", path, removeOrphans(dir, keep))
}

// blobNames reads what a manifest names.
func blobNames(data []byte) (map[string]struct{}, bool) {
	m, problems := parseManifest(data)
	if m == nil || len(problems) > 0 {
		return nil, false
	}
	return nameSet(m.blobs), true
}

func nameSet(blobs map[region]string) map[string]struct{} {
	set := make(map[string]struct{}, len(blobs))
	for _, n := range blobs {
		set[n] = struct{}{}
	}
	return set
}

// saver is one save under way.
type saver struct {
	ctx      context.Context
	op       string
	path     string
	dir      string
	level    *document.Level
	prev     *Saved // nil unless of the same path
	other    *Saved // of another path, whose assets are copied
	progress Progress
	codec    *codec
	have     map[string]struct{} // files in dir

	mu    sync.Mutex
	blobs map[region]string
	wrote []string // files in dir that did not exist before
	stats SaveStats
}

func newSaver(ctx context.Context, op, path string, l *document.Level, prev *Saved, progress Progress) (*saver, error) {
	path, err := resolve(path)
	if err != nil {
		return nil, fault.Wrap(op, path, err)
	}
	s := &saver{ctx: ctx, op: op, path: path, dir: Folder(path), level: l, progress: progress, blobs: make(map[region]string)}
	if s.progress == nil {
		s.progress = func(int, int) {}
	}
	switch {
	case prev == nil:
	case prev.path != path:
		s.other = prev
	case prev.level != nil:
		s.prev = prev
	}
	s.codec, err = newCodec()
	return s, fault.Wrap(op, path, err)
}

// prepare makes sure that there is a folder and finds out what is in it.
func (s *saver) prepare(auto bool) error {
	parent := filepath.Dir(s.path)
	if auto {
		if err := os.MkdirAll(parent, 0o777); err != nil {
			return err
		}
	}
	switch info, err := os.Stat(s.path); {
	case err == nil && !info.Mode().IsRegular():
		// Renaming over it would replace a device.
		return fault.Regular(s.op, s.path, "a level", info)
	case err == nil && !auto:
		// Renaming over it would succeed although it is write-protected.
		f, err := os.OpenFile(s.path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	if _, err := makeFolder(s.dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	s.have = make(map[string]struct{}, len(entries))
	for _, e := range entries {
		s.have[e.Name()] = struct{}{}
	}
	return nil
}

func (s *saver) run(auto bool, edits int) (*Saved, SaveStats, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, SaveStats{}, err
	}
	fail := func(err error) (*Saved, SaveStats, error) {
		// What this save added is nothing to anybody, and the disk may be full.
		for _, name := range s.wrote {
			err = errors.Join(err, ignoreMissing(os.Remove(filepath.Join(s.dir, name))))
		}
		os.Remove(filepath.Join(s.dir, assetsName)) // only if nothing is in it
		if s.ctx.Err() != nil {
			return nil, SaveStats{}, s.ctx.Err()
		}
		return nil, SaveStats{}, fault.Wrap(s.op, s.path, firstOf(err))
	}
	if err := s.prepare(auto); err != nil {
		return fail(err)
	}
	if err := s.writeBlobs(); err != nil {
		return fail(err)
	}
	if err := s.copyAssets(); err != nil {
		return fail(err)
	}
	if len(s.wrote) > 0 {
		if err := syncFolder(s.dir); err != nil {
			return fail(err)
		}
	}
	next := &Saved{path: s.path, level: s.level, blobs: s.blobs}
	var err error
	if auto {
		err = s.replaceAutosave(next, edits)
	} else {
		err = s.replaceMain(next)
	}
	if err != nil {
		return fail(err)
	}
	s.stats.Leftovers = s.tidy(next, auto)
	return next, s.stats, nil
}

// firstOf picks the error to show of several that happened together.
func firstOf(err error) error {
	if j, ok := err.(interface{ Unwrap() []error }); ok && len(j.Unwrap()) > 0 {
		return firstOf(j.Unwrap()[0])
	}
	return err
}

// jobs lists the regions that may be new, and takes over the others from the last
// save.
func (s *saver) jobs() []region {
	f := s.level.Terrain
	cols, rows := f.Size()
	stale := func(region) bool { return true }
	if s.prev != nil {
		if changes, same := terrain.AppendChanges(nil, s.prev.level.Terrain, f); same {
			changed := make(map[region]struct{})
			for _, c := range changes {
				for i := range planes {
					if c.Planes&planes[i].of != 0 {
						changed[region{i, c.X / regionTiles, c.Y / regionTiles}] = struct{}{}
					}
				}
			}
			stale = func(r region) bool {
				if _, ok := changed[r]; ok {
					return true
				}
				name, ok := s.prev.blobs[r]
				if !ok {
					return false
				}
				_, there := s.have[name]
				if there {
					s.blobs[r] = name
				}
				return !there // somebody removed it: write it again
			}
		}
	}
	var out []region
	for i := range planes {
		for row := range (rows + RegionSize - 1) / RegionSize {
			for col := range (cols + RegionSize - 1) / RegionSize {
				if r := (region{i, col, row}); stale(r) && !untouched(f, r) {
					out = append(out, r)
				}
			}
		}
	}
	return out
}

// untouched reports whether all of a region's tiles share the plane of ground that
// nobody has changed.
func untouched(f *terrain.Field, r region) bool {
	w, h := f.TileGrid()
	for y := r.row * regionTiles; y < min((r.row+1)*regionTiles, h); y++ {
		for x := r.col * regionTiles; x < min((r.col+1)*regionTiles, w); x++ {
			if f.Tile(x, y).Blank()&planes[r.plane].of == 0 {
				return false
			}
		}
	}
	return true
}

// writeBlobs writes the blobs that are not there yet.
func (s *saver) writeBlobs() error {
	jobs := s.jobs()
	s.progress(0, len(jobs))
	// More workers than processors: most of the time goes into waiting for the
	// disk.
	workers := min(4*runtime.GOMAXPROCS(0), len(jobs))
	g, ctx := errgroup.WithContext(s.ctx)
	var next atomic.Int64
	done := 0
	for range workers {
		g.Go(func() error {
			var raw, packed, check []byte
			for {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				r := jobs[i]
				raw = appendRaw(raw[:0], s.level.Terrain, r)
				if !isBlank(raw, r) {
					hash := xxhash.Sum64(raw)
					name := r.blobName(hash)
					if check == nil {
						check = make([]byte, 0, maxRaw)
					}
					n := 0
					if !s.holds(name, raw, check, hash) {
						packed = s.codec.enc.EncodeAll(raw, packed[:0])
						if err := place(filepath.Join(s.dir, name), packed, 0o666); err != nil {
							return err
						}
						n = len(packed)
					}
					s.add(r, name, n)
				}
				s.mu.Lock()
				done++
				s.progress(done, len(jobs))
				s.mu.Unlock()
			}
		})
	}
	return g.Wait()
}

// holds reports whether the folder has a blob with exactly this content. A file of
// that name may be damaged.
func (s *saver) holds(name string, raw, buf []byte, hash uint64) bool {
	if _, ok := s.have[name]; !ok {
		return false
	}
	got, err := s.codec.read(s.dir, name, buf, len(raw), hash)
	return err == nil && bytes.Equal(got, raw)
}

// add notes a blob of n bytes; n is 0 when it was there already.
func (s *saver) add(r region, name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blobs[r] = name
	if n == 0 {
		return
	}
	s.stats.Regions++
	s.stats.Bytes += int64(n)
	if _, had := s.have[name]; !had {
		s.wrote = append(s.wrote, name)
	}
}

// copyAssets takes the assets along when a level is saved under a new name.
func (s *saver) copyAssets() (err error) {
	if s.other == nil {
		return nil
	}
	s.stats.Unread, err = copyAssets(s.ctx, s.op, s.other.path, s.path, func(name string) {
		s.wrote = append(s.wrote, filepath.Join(assetsName, name))
	})
	return err
}

// main finds out what the manifest of the saved level is and names.
func (s *saver) main(next *Saved) error {
	if s.prev != nil && s.prev.mainRead {
		next.main, next.mainHash, next.mainRead = s.prev.main, s.prev.mainHash, true
		return nil
	}
	data, err := readLevelFile(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		next.mainRead = true
	case err != nil:
		return err
	default:
		next.mainHash = manifestHash(data)
		next.main, next.mainRead = blobNames(data)
	}
	return nil
}

// replaceAutosave makes the autosave this level.
func (s *saver) replaceAutosave(next *Saved, edits int) error {
	if err := s.main(next); err != nil {
		return err
	}
	next.owns = true
	data, err := encodeManifest(s.level, s.blobs, &autosaveNote{Edits: edits, Of: next.mainHash})
	if err != nil {
		return err
	}
	s.stats.Bytes += int64(len(data))
	if err := place(filepath.Join(s.dir, autosaveName), data, 0o666); err != nil {
		return err
	}
	s.wrote = nil // they are named now, whatever comes
	return syncFolder(s.dir)
}

// replaceMain makes the manifest this level. An autosave of this session first
// becomes the same level: whichever of the two a crash leaves as the newer one, it
// is this.
func (s *saver) replaceMain(next *Saved) error {
	data, err := encodeManifest(s.level, s.blobs, nil)
	if err != nil {
		return err
	}
	if _, there := s.have[autosaveName]; there && s.prev != nil && s.prev.owns {
		if err := s.replaceAutosave(next, 0); err != nil {
			return err
		}
	}
	s.stats.Bytes += int64(len(data))
	next.main, next.mainHash, next.mainRead = nameSet(s.blobs), manifestHash(data), true
	if err := place(s.path, data, 0o666); err != nil {
		return err
	}
	s.wrote = nil
	return syncFolder(filepath.Dir(s.path))
}

// tidy removes what nobody needs after a save.
func (s *saver) tidy(next *Saved, auto bool) error {
	keep := nameSet(s.blobs)
	if auto {
		if !next.mainRead {
			return nil // a damaged manifest: what it needs is not known
		}
		maps.Copy(keep, next.main)
		return removeOrphans(s.dir, keep)
	}
	temps, err := tempsBeside(s.path)
	if err != nil {
		return err
	}
	for _, temp := range temps {
		if err := ignoreMissing(os.Remove(temp)); err != nil {
			return err
		}
	}
	name := filepath.Join(s.dir, autosaveName)
	if s.prev != nil && s.prev.owns {
		if err := ignoreMissing(os.Remove(name)); err != nil {
			return err
		}
		next.owns = false
	} else if data, err := readAutosave(s.dir); err == nil {
		// Another session's work, which may yet be recovered.
		names, ok := blobNames(data)
		if !ok {
			return nil
		}
		maps.Copy(keep, names)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("blobs were left: %w", err)
	}
	return removeOrphans(s.dir, keep)
}
