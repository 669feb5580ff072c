package heightmap

import (
	"bufio"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"
)

// WritePNG16 writes a 16-bit grey PNG, with mapping and result as WriteR16. Rows
// go through the Up filter and the fastest deflate level: neighbouring rows of
// ground differ by little, and a search for the best filter costs more time than
// it saves bytes.
func WritePNG16(ctx context.Context, w io.Writer, src Source, m *Mapping, progress func(done float64)) (Mapping, error) {
	x, used, err := newMappedExport(ctx, w, src, m, progress)
	if err != nil {
		return Mapping{}, err
	}
	if err := x.png16(used); err != nil {
		return Mapping{}, x.targetError(err)
	}
	return used, nil
}

func (x *export) png16(m Mapping) error {
	err := writePNG(x.w, x.cols, x.rows, 16, func(line []byte, put func() error) error {
		return x.each(0.5, func(_ int, row []float32) error {
			for i, h := range row {
				binary.BigEndian.PutUint16(line[2*i:], m.code(h))
			}
			return put()
		})
	})
	if err != nil {
		return err
	}
	if x.progress != nil {
		x.progress(1)
	}
	return nil
}

// WriteGrey8 writes an 8-bit grey PNG of cols×rows pixels, row by row as WritePNG16
// does. fill sets a row's pixels, from row 0 up.
func WriteGrey8(ctx context.Context, w io.Writer, cols, rows int, fill func(pixels []byte, row int)) error {
	return writePNG(bufio.NewWriterSize(w, 1<<16), cols, rows, 8, func(line []byte, put func() error) error {
		for row := range rows {
			if row%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			fill(line, row)
			if err := put(); err != nil {
				return err
			}
		}
		return nil
	})
}

// writePNG writes a grey PNG of some bits a pixel. each sets all of line and calls put,
// once for every row.
func writePNG(w *bufio.Writer, cols, rows, bits int, each func(line []byte, put func() error) error) error {
	head := make([]byte, 13)
	binary.BigEndian.PutUint32(head[0:], uint32(cols))
	binary.BigEndian.PutUint32(head[4:], uint32(rows))
	head[8], head[9] = byte(bits), pngGrey
	if _, err := w.WriteString(pngSignature); err != nil {
		return err
	}
	if err := writeChunk(w, "IHDR", head); err != nil {
		return err
	}
	data := bufio.NewWriterSize(chunkWriter{w}, 1<<16)
	z, err := zlib.NewWriterLevel(data, zlib.BestSpeed)
	if err != nil {
		return err
	}
	size := cols * bits / 8
	line, above := make([]byte, size), make([]byte, size)
	filtered := make([]byte, 1+size)
	filtered[0] = 2 // Up
	err = each(line, func() error {
		for i, b := range line {
			filtered[1+i] = b - above[i]
		}
		copy(above, line)
		_, err := z.Write(filtered)
		return err
	})
	if err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := data.Flush(); err != nil {
		return err
	}
	if err := writeChunk(w, "IEND", nil); err != nil {
		return err
	}
	return w.Flush()
}

// chunkWriter makes an IDAT chunk of each write.
type chunkWriter struct{ w io.Writer }

func (c chunkWriter) Write(b []byte) (int, error) {
	if err := writeChunk(c.w, "IDAT", b); err != nil {
		return 0, err
	}
	return len(b), nil
}

func writeChunk(w io.Writer, kind string, body []byte) error {
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(body)))
	copy(head[4:], kind)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, body)
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	var tail [4]byte
	binary.BigEndian.PutUint32(tail[:], sum)
	_, err := w.Write(tail[:])
	return err
}
