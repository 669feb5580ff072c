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
	head := make([]byte, 13)
	binary.BigEndian.PutUint32(head[0:], uint32(x.cols))
	binary.BigEndian.PutUint32(head[4:], uint32(x.rows))
	head[8], head[9] = 16, pngGrey
	if _, err := x.w.WriteString(pngSignature); err != nil {
		return err
	}
	if err := writeChunk(x.w, "IHDR", head); err != nil {
		return err
	}
	data := bufio.NewWriterSize(chunkWriter{x.w}, 1<<16)
	z, err := zlib.NewWriterLevel(data, zlib.BestSpeed)
	if err != nil {
		return err
	}
	line, above := make([]byte, 2*x.cols), make([]byte, 2*x.cols)
	filtered := make([]byte, 1+2*x.cols)
	filtered[0] = 2 // Up
	err = x.each(0.5, func(_ int, row []float32) error {
		for i, h := range row {
			binary.BigEndian.PutUint16(line[2*i:], m.code(h))
		}
		for i, b := range line {
			filtered[1+i] = b - above[i]
		}
		line, above = above, line
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
	if err := writeChunk(x.w, "IEND", nil); err != nil {
		return err
	}
	if err := x.w.Flush(); err != nil {
		return err
	}
	if x.progress != nil {
		x.progress(1)
	}
	return nil
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
