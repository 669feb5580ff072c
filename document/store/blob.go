package store

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"ridgeline/terrain"
	"ridgeline/terrain/fault"
)

// RegionSize is the number of samples along the edge of a blob.
const RegionSize = 256

// regionTiles is the number of tiles along the edge of a blob.
const regionTiles = RegionSize / terrain.TileSize

// planes are what blobs hold: the name in the file's name, the bytes of a sample,
// and the byte that untouched ground is full of.
var planes = [4]struct {
	name  string
	bytes int
	blank byte
	of    terrain.Planes
}{
	{"height", 4, 0, terrain.PlaneHeights},
	{"splat", 5, 0, terrain.PlaneSplats},
	{"light", 3, 255, terrain.PlaneLight},
	{"flags", 1, 0, terrain.PlaneFlags},
}

// region is one plane of 256×256 samples.
type region struct{ plane, col, row int }

// blobPattern is all that a blob may be called; no path gets through it.
var blobPattern = regexp.MustCompile(`^(height|splat|light|flags)_([0-9]{2})_([0-9]{2})\.([0-9a-f]{16})\.zst$`)

// blobName names the blob of a region by the hash of its content.
func (r region) blobName(hash uint64) string {
	return fmt.Sprintf("%s_%02d_%02d.%016x.zst", planes[r.plane].name, r.col, r.row, hash)
}

// parseBlobName takes a name apart.
func parseBlobName(name string) (r region, hash uint64, ok bool) {
	m := blobPattern.FindStringSubmatch(name)
	if m == nil {
		return r, 0, false
	}
	for i := range planes {
		if planes[i].name == m[1] {
			r.plane = i
		}
	}
	r.col, _ = strconv.Atoi(m[2]) // two digits, by the pattern
	r.row, _ = strconv.Atoi(m[3])
	hash, err := strconv.ParseUint(m[4], 16, 64)
	return r, hash, err == nil
}

// rect is the samples of the region in a terrain of cols×rows.
func (r region) rect(cols, rows int) image.Rectangle {
	return image.Rect(r.col*RegionSize, r.row*RegionSize, (r.col+1)*RegionSize, (r.row+1)*RegionSize).
		Intersect(image.Rect(0, 0, cols, rows))
}

// rawSize is the length of a region's content.
func (r region) rawSize(cols, rows int) int {
	b := r.rect(cols, rows)
	return b.Dx() * b.Dy() * planes[r.plane].bytes
}

// segments calls do for each run of samples of rect that lies in one row of one
// tile: the tile, the first sample in it, the first in rect, and the number.
func segments(rect image.Rectangle, do func(tx, ty, from, at, n int)) {
	w := rect.Dx()
	for y := range rect.Dy() {
		row := rect.Min.Y + y
		for x := 0; x < w; x += terrain.TileSize {
			col := rect.Min.X + x
			do(col/terrain.TileSize, row/terrain.TileSize, row%terrain.TileSize*terrain.TileSize, y*w+x, min(terrain.TileSize, w-x))
		}
	}
}

// appendRaw appends the content of a region: byte plane k holds the k-th bytes of
// all samples, row by row. Bytes of the same weight lie together, which packs far
// better than whole samples.
func appendRaw(dst []byte, f *terrain.Field, r region) []byte {
	rect := r.rect(f.Size())
	area := rect.Dx() * rect.Dy()
	start := len(dst)
	dst = append(dst, make([]byte, area*planes[r.plane].bytes)...)
	var p [5][]byte
	for k := range planes[r.plane].bytes {
		p[k] = dst[start+k*area:][:area]
	}
	segments(rect, func(tx, ty, from, at, n int) {
		t := f.Tile(tx, ty)
		switch planes[r.plane].of {
		case terrain.PlaneHeights:
			b0, b1, b2, b3 := p[0][at:at+n], p[1][at:at+n], p[2][at:at+n], p[3][at:at+n]
			for i, v := range t.Heights[from : from+n] {
				u := math.Float32bits(v)
				b0[i], b1[i], b2[i], b3[i] = byte(u), byte(u>>8), byte(u>>16), byte(u>>24)
			}
		case terrain.PlaneSplats:
			for i, s := range t.Splats[from : from+n] {
				p[0][at+i], p[1][at+i], p[2][at+i], p[3][at+i], p[4][at+i] = s.Base, s.Over, s.Third, s.Alpha, s.Alpha2
			}
		case terrain.PlaneLight:
			for i, l := range t.Light[from : from+n] {
				p[0][at+i], p[1][at+i], p[2][at+i] = l.R, l.G, l.B
			}
		case terrain.PlaneFlags:
			copy(p[0][at:at+n], t.Flags[from:from+n])
		}
	})
	return dst
}

// isBlank reports whether content is that of untouched ground.
func isBlank(raw []byte, r region) bool {
	blank := planes[r.plane].blank
	return len(raw) == 0 || raw[0] == blank && bytes.Equal(raw[:len(raw)-1], raw[1:])
}

// checkRaw tells what is wrong with the content of a region: heights that are no
// numbers, layers that do not exist.
func checkRaw(raw []byte, r region, cols, rows, layers int) error {
	rect := r.rect(cols, rows)
	w, area := rect.Dx(), rect.Dx()*rect.Dy()
	place := func(i int) string {
		return fmt.Sprintf("column %d, row %d", rect.Min.X+i%w, rect.Min.Y+i/w)
	}
	switch planes[r.plane].of {
	case terrain.PlaneHeights:
		for i := range area {
			if v := rawHeight(raw, i, area); !(v >= -terrain.MaxHeight && v <= terrain.MaxHeight) {
				return &fault.Error{Place: place(i), Found: fmt.Sprintf("height %g", v),
					Want: fmt.Sprintf("a number between %g and %g", -terrain.MaxHeight, terrain.MaxHeight)}
			}
		}
	case terrain.PlaneSplats:
		for i, id := range raw[:3*area] {
			if int(id) >= layers {
				return &fault.Error{Place: place(i % area), Found: fmt.Sprintf("layer %d", id),
					Want: fmt.Sprintf("0 to %d", layers-1)}
			}
		}
	}
	return nil
}

func rawHeight(raw []byte, i, area int) float32 {
	return math.Float32frombits(uint32(raw[i]) | uint32(raw[area+i])<<8 | uint32(raw[2*area+i])<<16 | uint32(raw[3*area+i])<<24)
}

// canvas is the tiles of a terrain that is being read. Regions may be laid into it
// from several goroutines.
type canvas struct {
	cols, rows int
	tiles      [][]terrain.Tile
	blank      terrain.Tile
	uniform    sync.Map // from the value of all samples of a plane to the plane
}

func newCanvas(cols, rows int) (*canvas, error) {
	flat, err := terrain.Flat(terrain.MinSize, terrain.MinSize, 1)
	if err != nil {
		return nil, err
	}
	c := &canvas{cols: cols, rows: rows, blank: flat.Tile(0, 0)}
	c.tiles = make([][]terrain.Tile, (rows+terrain.TileSize-1)/terrain.TileSize)
	for y := range c.tiles {
		c.tiles[y] = make([]terrain.Tile, (cols+terrain.TileSize-1)/terrain.TileSize)
		for x := range c.tiles[y] {
			c.tiles[y][x] = c.blank
		}
	}
	return c, nil
}

// lay puts the content of a region, which has been checked, into the tiles.
func (c *canvas) lay(raw []byte, r region) {
	rect := r.rect(c.cols, c.rows)
	area := rect.Dx() * rect.Dy()
	for ty := rect.Min.Y / terrain.TileSize; ty*terrain.TileSize < rect.Max.Y; ty++ {
		for tx := rect.Min.X / terrain.TileSize; tx*terrain.TileSize < rect.Max.X; tx++ {
			t := &c.tiles[ty][tx]
			switch planes[r.plane].of {
			case terrain.PlaneHeights:
				t.Heights = new(terrain.Heights)
			case terrain.PlaneSplats:
				t.Splats = new(terrain.Splats)
			case terrain.PlaneLight:
				t.Light = new(terrain.Light)
			case terrain.PlaneFlags:
				t.Flags = new(terrain.Flags)
			}
		}
	}
	segments(rect, func(tx, ty, from, at, n int) {
		t := &c.tiles[ty][tx]
		switch planes[r.plane].of {
		case terrain.PlaneHeights:
			h := t.Heights[from : from+n]
			b0, b1, b2, b3 := raw[at:][:n], raw[area+at:][:n], raw[2*area+at:][:n], raw[3*area+at:][:n]
			for i := range h {
				h[i] = math.Float32frombits(uint32(b0[i]) | uint32(b1[i])<<8 | uint32(b2[i])<<16 | uint32(b3[i])<<24)
			}
		case terrain.PlaneSplats:
			for i := range n {
				a := at + i
				t.Splats[from+i] = terrain.Splat{Base: raw[a], Over: raw[area+a], Third: raw[2*area+a], Alpha: raw[3*area+a], Alpha2: raw[4*area+a]}
			}
		case terrain.PlaneLight:
			for i := range n {
				a := at + i
				t.Light[from+i] = terrain.RGB{R: raw[a], G: raw[area+a], B: raw[2*area+a]}
			}
		case terrain.PlaneFlags:
			copy(t.Flags[from:from+n], raw[at:at+n])
		}
	})
	c.share(rect, planes[r.plane].of)
}

// share lets whole tiles whose samples are all the same have one plane together,
// so that a few bytes in a file do not become many in memory.
func (c *canvas) share(rect image.Rectangle, p terrain.Planes) {
	for ty := rect.Min.Y / terrain.TileSize; (ty+1)*terrain.TileSize <= rect.Max.Y; ty++ {
		for tx := rect.Min.X / terrain.TileSize; (tx+1)*terrain.TileSize <= rect.Max.X; tx++ {
			t := &c.tiles[ty][tx]
			switch p {
			case terrain.PlaneHeights:
				// Keyed by bits: −0 is not 0.
				if same(t.Heights[:]) {
					t.Heights = shared(c, math.Float32bits(t.Heights[0]), 0, t.Heights, c.blank.Heights)
				}
			case terrain.PlaneSplats:
				if same(t.Splats[:]) {
					t.Splats = shared(c, t.Splats[0], terrain.Splat{}, t.Splats, c.blank.Splats)
				}
			case terrain.PlaneLight:
				if same(t.Light[:]) {
					t.Light = shared(c, t.Light[0], terrain.RGB{R: 255, G: 255, B: 255}, t.Light, c.blank.Light)
				}
			case terrain.PlaneFlags:
				if same(t.Flags[:]) {
					t.Flags = shared(c, t.Flags[0], 0, t.Flags, c.blank.Flags)
				}
			}
		}
	}
}

// same reports whether all elements are equal, and, of floats, have equal signs.
func same[T comparable](s []T) bool {
	for _, v := range s[1:] {
		if v != s[0] {
			return false
		}
	}
	if h, ok := any(s).([]float32); ok && h[0] == 0 {
		for _, v := range h {
			if math.Signbit(float64(v)) != math.Signbit(float64(h[0])) {
				return false
			}
		}
	}
	return true
}

func shared[K comparable, P any](c *canvas, key, blankKey K, plane, blank *P) *P {
	if key == blankKey {
		return blank
	}
	p, _ := c.uniform.LoadOrStore(key, plane)
	return p.(*P)
}

// codec packs and unpacks blobs; it may be used by several goroutines.
type codec struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
}

// maxRaw is the length of the largest content.
const maxRaw = RegionSize * RegionSize * 5

// maxPacked bounds the length of a blob file with content of n bytes: what cannot
// be packed is stored with a few bytes around it.
func maxPacked(n int) int64 { return int64(n + n/64 + 1024) }

func newCodec() (*codec, error) {
	n := runtime.GOMAXPROCS(0)
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithEncoderConcurrency(n),
		zstd.WithEncoderCRC(true), zstd.WithWindowSize(1<<19), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(n), zstd.WithDecoderMaxMemory(maxRaw),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		return nil, err
	}
	return &codec{enc, dec}, nil
}

func (c *codec) close() {
	c.dec.Close()
	c.enc.Close()
}

// unpack gives the content of a blob, at most want bytes, into buf, which has the
// room for it. The error says what was found and what was expected.
func (c *codec) unpack(packed []byte, buf []byte, want int, hash uint64) ([]byte, error) {
	if want > cap(buf) {
		buf = make([]byte, 0, want)
	}
	raw, err := c.dec.DecodeAll(packed, buf[:0:want])
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return nil, &fault.Error{Found: "more than the samples of the region", Want: fmt.Sprintf("%d bytes", want)}
	case errors.Is(err, zstd.ErrCRCMismatch):
		return nil, &fault.Error{Found: "a bad checksum", Want: "that of the content"}
	case err != nil:
		return nil, &fault.Error{Found: fmt.Sprintf("damaged data of %d bytes", len(packed)), Want: "a zstd frame", Err: err}
	case len(raw) != want:
		return nil, &fault.Error{Found: fmt.Sprintf("%d bytes of samples", len(raw)), Want: strconv.Itoa(want)}
	}
	if h := xxhash.Sum64(raw); h != hash {
		return nil, &fault.Error{Found: fmt.Sprintf("bad checksum %016x", h), Want: fmt.Sprintf("%016x, as in its name", hash)}
	}
	return raw, nil
}

// read reads and unpacks a blob file.
func (c *codec) read(dir, name string, buf []byte, want int, hash uint64) ([]byte, error) {
	path := filepath.Join(dir, name)
	f, info, err := fault.Open("read terrain", path, "a blob")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := maxPacked(want)
	packed := bytes.NewBuffer(make([]byte, 0, min(info.Size(), limit)+bytes.MinRead))
	n, err := io.Copy(packed, io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fault.Wrap("read terrain", path, err)
	}
	if n > limit {
		return nil, &fault.Error{Op: "read terrain", File: path, Found: fmt.Sprintf("more than %d bytes", limit), Want: "less"}
	}
	raw, err := c.unpack(packed.Bytes(), buf, want, hash)
	return raw, fault.Wrap("read terrain", path, err)
}
