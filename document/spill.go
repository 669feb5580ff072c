package document

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
	"github.com/klauspost/compress/zstd"

	"ridgeline/terrain"
)

// spill keeps steps of history on disk, each in a file of its own: one zstd stream
// of a length, as much JSON, and then the planes that the JSON lists, in its order.
// The files are private to the running program and do not outlive it.
type spill struct {
	dir   string // made when first needed
	lock  *flock.Flock
	enc   *zstd.Encoder
	next  int
	bytes int64 // of all files
}

// errNoSpill says that there is no folder to write to.
var errNoSpill = errors.New("history has no folder")

const spillPrefix = "history-"

// open makes the folder of this document below parent and removes those that
// programs left behind which no longer run.
func (p *spill) open(parent string) error {
	if p.dir != "" {
		return nil
	}
	if parent == "" {
		return errNoSpill
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	p.sweep(parent)
	dir, err := os.MkdirTemp(parent, spillPrefix)
	if err != nil {
		return err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if _, err := lock.TryLock(); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	p.dir, p.lock = dir, lock
	return nil
}

func (p *spill) sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return // what cannot be listed cannot be tidied; making our own will tell
	}
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), spillPrefix) {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "lock")); err != nil {
			continue // another program is just making it
		}
		lock := flock.New(filepath.Join(dir, "lock"))
		if ok, err := lock.TryLock(); ok && err == nil {
			os.RemoveAll(dir)
		}
		lock.Close()
	}
}

func (p *spill) close() error {
	if p.dir == "" {
		return nil
	}
	err := errors.Join(os.RemoveAll(p.dir), p.lock.Close())
	p.dir = ""
	return err
}

// spillHead is the JSON of a spilled step. Values that are JSON themselves are
// those of a level's manifest.
type spillHead struct {
	Whole    *spillFrame        `json:",omitempty"`
	Tiles    []spillTile        `json:",omitempty"`
	Entities []spillEntity      `json:",omitempty"`
	Layers   []json.RawMessage  `json:",omitempty"`
	Assets   *[]json.RawMessage `json:",omitempty"`
	Settings json.RawMessage    `json:",omitempty"`
	NextID   ID                 `json:",omitempty"`
}

type spillFrame struct {
	Cols, Rows                int
	Spacing, OriginX, OriginZ uint64 // bits of float64
}

// spillTile lists planes of a tile. Those of Blank are untouched ground and not
// stored.
type spillTile struct {
	X, Y          int
	Planes, Blank terrain.Planes
}

type spillEntity struct {
	ID     ID
	Entity json.RawMessage `json:",omitempty"` // absent: it did not exist
}

// write stores a step; on success s knows its file.
func (p *spill) write(parent string, s *step) (err error) {
	if err := p.open(parent); err != nil {
		return err
	}
	name := filepath.Join(p.dir, strconv.Itoa(p.next)+".zst")
	p.next++
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			os.Remove(name)
		}
	}()
	if p.enc == nil {
		p.enc, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2))
		if err != nil {
			return err
		}
	}
	z := p.enc
	z.Reset(f)
	w := bufio.NewWriterSize(z, 1<<16)
	if err := s.swaps.encode(w); err != nil {
		return errors.Join(err, z.Close())
	}
	if err := errors.Join(w.Flush(), z.Close()); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	s.file, s.fileBytes = name, info.Size()
	p.bytes += s.fileBytes
	return nil
}

// read gets a step back. zstd's checksum tells when the file was damaged.
func (p *spill) read(name string) (*swaps, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	r := bufio.NewReaderSize(z, 1<<16)
	s, err := decodeSwaps(r)
	if err == nil {
		_, err = r.ReadByte() // the end, where the checksum is
		if err == nil {
			err = errors.New("more than the step")
		} else if err == io.EOF {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// remove deletes the file of a step, if it has one.
func (p *spill) remove(s *step) {
	if s.file != "" {
		os.Remove(s.file) // what stays goes with the folder
		p.bytes -= s.fileBytes
		s.file, s.fileBytes = "", 0
	}
}

// entries gives the tiles that s holds, those of a whole terrain included.
func (s *swaps) entries() []tileSwap {
	if s.whole == nil {
		return s.tiles
	}
	var out []tileSwap
	w, h := s.whole.TileGrid()
	for y := range h {
		for x := range w {
			out = append(out, tileSwap{x, y, terrain.AllPlanes, s.whole.Tile(x, y)})
		}
	}
	return out
}

func (s *swaps) encode(w io.Writer) error {
	h := spillHead{NextID: s.nextID}
	if s.whole != nil {
		c, r := s.whole.Size()
		x, z := s.whole.Origin()
		h.Whole = &spillFrame{c, r, math.Float64bits(s.whole.Spacing()), math.Float64bits(x), math.Float64bits(z)}
	}
	tiles := s.entries()
	for _, t := range tiles {
		h.Tiles = append(h.Tiles, spillTile{t.x, t.y, t.planes, t.tile.Blank() & t.planes})
	}
	for _, e := range s.entities {
		item := spillEntity{ID: e.id}
		if e.entity != nil {
			raw, err := EncodeEntity(e.entity)
			if err != nil {
				return err
			}
			item.Entity = raw
		}
		h.Entities = append(h.Entities, item)
	}
	for i := range s.layers {
		raw, err := EncodeLayer(&s.layers[i])
		if err != nil {
			return err
		}
		h.Layers = append(h.Layers, raw)
	}
	if s.assets != nil {
		list := make([]json.RawMessage, len(*s.assets))
		for i := range *s.assets {
			raw, err := EncodeAsset(&(*s.assets)[i])
			if err != nil {
				return err
			}
			list[i] = raw
		}
		h.Assets = &list
	}
	if s.settings != nil {
		raw, err := EncodeSettings(s.settings).Bytes()
		if err != nil {
			return err
		}
		h.Settings = raw
	}
	head, err := Compact(h)
	if err != nil {
		return err
	}
	if err := binary.Write(w, binary.LittleEndian, uint64(len(head))); err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	for i, t := range tiles {
		if err := writePlanes(w, &t.tile, t.planes&^h.Tiles[i].Blank); err != nil {
			return err
		}
	}
	return nil
}

func decodeSwaps(r io.Reader) (*swaps, error) {
	var size uint64
	if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	if size > math.MaxInt32 {
		return nil, errors.New("the head is too long")
	}
	raw, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err != nil {
		return nil, err
	}
	var h spillHead
	if err := json.Unmarshal(raw, &h); err != nil {
		return nil, err
	}
	s := &swaps{nextID: h.NextID}
	blank, err := terrain.Flat(terrain.MinSize, terrain.MinSize, 1)
	if err != nil {
		return nil, err
	}
	for _, t := range h.Tiles {
		tile := blank.Tile(0, 0)
		if err := readPlanes(r, &tile, t.Planes&^t.Blank); err != nil {
			return nil, err
		}
		s.tiles = append(s.tiles, tileSwap{t.X, t.Y, t.Planes, only(tile, t.Planes)})
	}
	if f := h.Whole; f != nil {
		cols := (f.Cols + terrain.TileSize - 1) / terrain.TileSize
		rows := (f.Rows + terrain.TileSize - 1) / terrain.TileSize
		if len(s.tiles) != cols*rows {
			return nil, errors.New("tiles are missing")
		}
		whole, err := terrain.FromTiles(f.Cols, f.Rows, math.Float64frombits(f.Spacing), func(x, y int) terrain.Tile {
			return s.tiles[y*cols+x].tile
		})
		if err != nil {
			return nil, err
		}
		s.whole = whole.WithOrigin(math.Float64frombits(f.OriginX), math.Float64frombits(f.OriginZ))
		s.tiles = nil
	}
	for _, e := range h.Entities {
		item := entitySwap{id: e.ID}
		if e.Entity != nil {
			v, err := ParseEntity(e.Entity, "")
			if err != nil {
				return nil, err
			}
			item.entity = &v
		}
		s.entities = append(s.entities, item)
	}
	for _, raw := range h.Layers {
		l, err := ParseLayer(raw, "")
		if err != nil {
			return nil, err
		}
		s.layers = append(s.layers, l)
	}
	if h.Assets != nil {
		var list []Asset
		for _, raw := range *h.Assets {
			a, err := ParseAsset(raw, "")
			if err != nil {
				return nil, err
			}
			list = append(list, a)
		}
		s.assets = &list
	}
	if h.Settings != nil {
		v, err := ParseSettings(h.Settings, "")
		if err != nil {
			return nil, err
		}
		s.settings = &v
	}
	return s, nil
}

func writePlanes(w io.Writer, t *terrain.Tile, p terrain.Planes) error {
	if p&terrain.PlaneHeights != 0 {
		if err := binary.Write(w, binary.LittleEndian, t.Heights[:]); err != nil {
			return err
		}
	}
	if p&terrain.PlaneSplats != 0 {
		b := make([]byte, 0, splatsBytes)
		for _, s := range t.Splats {
			b = append(b, s.Base, s.Over, s.Third, s.Alpha, s.Alpha2)
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	if p&terrain.PlaneLight != 0 {
		b := make([]byte, 0, lightBytes)
		for _, l := range t.Light {
			b = append(b, l.R, l.G, l.B)
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	if p&terrain.PlaneFlags != 0 {
		if _, err := w.Write(t.Flags[:]); err != nil {
			return err
		}
	}
	return nil
}

func readPlanes(r io.Reader, t *terrain.Tile, p terrain.Planes) error {
	if p&terrain.PlaneHeights != 0 {
		t.Heights = new(terrain.Heights)
		if err := binary.Read(r, binary.LittleEndian, t.Heights[:]); err != nil {
			return err
		}
	}
	if p&terrain.PlaneSplats != 0 {
		var b [splatsBytes]byte
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return err
		}
		t.Splats = new(terrain.Splats)
		for i := range t.Splats {
			s := b[5*i:]
			t.Splats[i] = terrain.Splat{Base: s[0], Over: s[1], Third: s[2], Alpha: s[3], Alpha2: s[4]}
		}
	}
	if p&terrain.PlaneLight != 0 {
		var b [lightBytes]byte
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return err
		}
		t.Light = new(terrain.Light)
		for i := range t.Light {
			t.Light[i] = terrain.RGB{R: b[3*i], G: b[3*i+1], B: b[3*i+2]}
		}
	}
	if p&terrain.PlaneFlags != 0 {
		t.Flags = new(terrain.Flags)
		if _, err := io.ReadFull(r, t.Flags[:]); err != nil {
			return err
		}
	}
	return nil
}
