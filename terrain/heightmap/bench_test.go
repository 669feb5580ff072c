package heightmap

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

// rows is a Source over a slice.
type rows struct {
	cols, rows int
	z          []float32
}

func (s rows) Size() (cols, rows int) { return s.cols, s.rows }

func (s rows) AppendRow(dst []float32, row int) []float32 {
	return append(dst, s.z[row*s.cols:][:s.cols]...)
}

// hills is ground of several wavelengths with a little noise, 0 to 2000 m, with
// centimetres.
func hills(cols, nrows int) rows {
	rng := rand.New(rand.NewPCG(1, 2))
	s := rows{cols, nrows, make([]float32, cols*nrows)}
	for r := range nrows {
		for c := range cols {
			x, y := float64(c), float64(r)
			h := 1000 + 600*math.Sin(x/311)*math.Cos(y/277) + 300*math.Sin(x/53+y/71) + 60*math.Sin(x/9)*math.Sin(y/11) + 2*rng.Float64()
			s.z[r*cols+c] = float32(math.Round(h*100) / 100)
		}
	}
	return s
}

const benchSide = 4097

func BenchmarkWrite(b *testing.B) {
	src := hills(benchSide, benchSide)
	ctx := context.Background()
	for _, k := range writers {
		b.Run(k.name, func(b *testing.B) {
			b.SetBytes(4 * int64(len(src.z)))
			for b.Loop() {
				if err := k.write(ctx, io.Discard, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var writers = []struct {
	name  string
	write func(context.Context, io.Writer, Source) error
}{
	{"r16", func(ctx context.Context, w io.Writer, s Source) error {
		_, err := WriteR16(ctx, w, s, nil, nil)
		return err
	}},
	{"r32", func(ctx context.Context, w io.Writer, s Source) error { return WriteR32(ctx, w, s, nil) }},
	{"png", func(ctx context.Context, w io.Writer, s Source) error {
		_, err := WritePNG16(ctx, w, s, nil, nil)
		return err
	}},
	{"asc", func(ctx context.Context, w io.Writer, s Source) error {
		return WriteASC(ctx, w, s, ASCOptions{CellSize: 2}, nil)
	}},
}

// BenchmarkRead counts bytes of heights, as BenchmarkWrite does, so that formats
// compare; file-MB is the size of the file.
func BenchmarkRead(b *testing.B) {
	src := hills(benchSide, benchSide)
	ctx := context.Background()
	for _, k := range writers {
		var file bytes.Buffer
		if err := k.write(ctx, &file, src); err != nil {
			b.Fatal(err)
		}
		b.Run(k.name, func(b *testing.B) {
			b.SetBytes(4 * int64(len(src.z)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(ctx, bytes.NewReader(file.Bytes()), int64(file.Len()), "x."+k.name, Options{}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(file.Len())/1e6, "file-MB")
		})
	}
}

func BenchmarkFill(b *testing.B) {
	const n = 2049
	src := hills(n, n)
	void := disc(n, n, n/2, n/2, n/3)
	z := make([]float32, len(src.z))
	for b.Loop() {
		copy(z, src.z)
		if err := fillVoids(context.Background(), z, void, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadReal reads each real file and makes heights of it, voids filled.
func BenchmarkReadReal(b *testing.B) {
	for _, k := range realFiles {
		b.Run(k.file, func(b *testing.B) {
			path := realPath(b, k.file)
			for b.Loop() {
				r, err := Read(context.Background(), path, k.opts, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := r.Heights(context.Background(), nil, Fill, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
