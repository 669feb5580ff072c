package heightmap

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// grey16 returns the samples as the standard decoder sees them.
func grey16(t interface{ Fatal(...any) }, data []byte) (cols, rows int, codes []uint16) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			switch p := img.(type) {
			case *image.Gray:
				codes = append(codes, uint16(p.GrayAt(x, y).Y))
			case *image.Gray16:
				codes = append(codes, p.Gray16At(x, y).Y)
			case *image.NRGBA:
				codes = append(codes, uint16(p.NRGBAAt(x, y).R))
			case *image.NRGBA64:
				codes = append(codes, p.NRGBA64At(x, y).R)
			case *image.RGBA:
				codes = append(codes, uint16(p.RGBAAt(x, y).R))
			case *image.RGBA64:
				codes = append(codes, p.RGBA64At(x, y).R)
			default:
				t.Fatal("unexpected picture type")
			}
		}
	}
	return b.Dx(), b.Dy(), codes
}

// TestPNGAgainstStandard draws pictures of every accepted kind, size, filter and
// interlacing and compares with the standard library's decoder.
func TestPNGAgainstStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(2, 19).Draw(t, "cols"), rapid.IntRange(2, 19).Draw(t, "rows")
		depth := rapid.SampledFrom([]byte{8, 16}).Draw(t, "depth")
		colour := rapid.SampledFrom([]byte{0, 2, 4, 6}).Draw(t, "colour")
		adam7 := rapid.Bool().Draw(t, "adam7")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		width := int(depth / 8)
		pixel := func() []byte {
			grey, alpha := make([]byte, width), make([]byte, width)
			for i := range width {
				grey[i], alpha[i] = byte(rng.Uint32()), byte(rng.Uint32()%3*127)
			}
			switch colour {
			case 0:
				return grey
			case 2:
				return bytes.Repeat(grey, 3)
			case 4:
				return append(grey, alpha...)
			}
			return append(bytes.Repeat(grey, 3), alpha...)
		}
		// Rows of any filter are valid data; what they mean is for both
		// decoders to find. Colours, which must stay grey, take none.
		var raw []byte
		pass := func(n, lines int) {
			for range lines {
				if n == 0 {
					return
				}
				filter := byte(rng.Uint32() % 5)
				if colour == 2 || colour == 6 {
					filter = 0
				}
				raw = append(raw, filter)
				for range n {
					raw = append(raw, pixel()...)
				}
			}
		}
		interlace := byte(0)
		if adam7 {
			interlace = 1
			for _, a := range [7][4]int{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}} {
				pass((cols-a[0]+a[2]-1)/a[2], (rows-a[1]+a[3]-1)/a[3])
			}
		} else {
			pass(cols, rows)
		}
		data := pngOf(ihdr(uint32(cols), uint32(rows), depth, colour, interlace), raw)
		_, _, want := grey16(t, data)
		r, err := decodeBytes("a.png", data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.ints, want) {
			t.Fatalf("got %v\nwant %v", r.ints, want)
		}
	})
}

// TestAlphaIsDropped: a transparent sample keeps its height.
func TestAlphaIsDropped(t *testing.T) {
	img := image.NewNRGBA64(image.Rect(0, 0, 2, 2))
	for i := range 4 {
		v := uint16(1000 + 9001*i)
		img.SetNRGBA64(i%2, i/2, color.NRGBA64{v, v, v, uint16(i * 11)})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	r, err := decodeBytes("a.png", b.Bytes(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint16{1000, 10001, 19002, 28003}; !reflect.DeepEqual(r.ints, want) {
		t.Errorf("got %v, want %v", r.ints, want)
	}
	if len(r.Notes) != 2 {
		t.Errorf("notes %q, want one on alpha and one on colour", r.Notes)
	}
}

// TestWrittenPNG reads our files with the standard decoder.
func TestWrittenPNG(t *testing.T) {
	src := hills(301, 77)
	var b bytes.Buffer
	m, err := WritePNG16(t.Context(), &b, src, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	cols, nrows, codes := grey16(t, b.Bytes())
	if cols != 301 || nrows != 77 {
		t.Fatalf("%d×%d", cols, nrows)
	}
	for i, h := range src.z {
		if codes[i] != m.code(h) {
			t.Fatalf("sample %d is %d, want %d", i, codes[i], m.code(h))
		}
	}
}

// TestWrittenGrey8 reads 8-bit pictures with the standard decoder, and has a full target
// tell so.
func TestWrittenGrey8(t *testing.T) {
	want := image.NewGray(image.Rect(0, 0, 301, 77))
	for i := range want.Pix {
		want.Pix[i] = uint8(i * i / 7)
	}
	var b bytes.Buffer
	err := WriteGrey8(t.Context(), &b, 301, 77, func(pixels []byte, row int) { copy(pixels, want.Pix[row*want.Stride:]) })
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := got.(*image.Gray); !ok || g.Rect != want.Rect || !bytes.Equal(g.Pix, want.Pix) {
		t.Errorf("got a %T that differs", got)
	}
	if err := WriteGrey8(t.Context(), fullTarget{}, 301, 77, func(pixels []byte, _ int) {}); err == nil {
		t.Error("a full target gave no error")
	}
}

type fullTarget struct{}

func (fullTarget) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
