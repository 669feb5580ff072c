package packed

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Encode packs cols×rows heights, row by row.
func Encode(heights []int16, cols int) ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	// The low bytes of all residuals come first, then the high ones, which hardly
	// vary.
	n := len(heights)
	plain := make([]byte, 2*n)
	for i, h := range heights {
		r := uint16(h - expected(heights, i, cols))
		plain[i], plain[n+i] = byte(r), byte(r>>8)
	}
	head := binary.LittleEndian.AppendUint16(nil, uint16(cols))
	head = binary.LittleEndian.AppendUint16(head, uint16(n/cols))
	return w.EncodeAll(plain, head), w.Close()
}

// Decode unpacks what Encode made.
func Decode(data []byte) (heights []int16, cols int, err error) {
	if len(data) < 4 {
		return nil, 0, fmt.Errorf("%d bytes are no packed heights", len(data))
	}
	cols = int(binary.LittleEndian.Uint16(data))
	n := cols * int(binary.LittleEndian.Uint16(data[2:]))
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(2*n)+1<<16))
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	plain, err := r.DecodeAll(data[4:], nil)
	if err != nil {
		return nil, 0, fmt.Errorf("packed heights: %w", err)
	}
	if len(plain) != 2*n || n == 0 {
		return nil, 0, fmt.Errorf("packed heights have %d bytes, expected %d", len(plain), 2*n)
	}
	heights = make([]int16, n)
	for i := range heights {
		heights[i] = int16(uint16(plain[i])|uint16(plain[n+i])<<8) + expected(heights, i, cols)
	}
	return heights, cols, nil
}

// expected continues the plane through the three neighbours that come before.
func expected(h []int16, i, cols int) int16 {
	switch {
	case i == 0:
		return 0
	case i < cols:
		return h[i-1]
	case i%cols == 0:
		return h[i-cols]
	}
	return h[i-1] + h[i-cols] - h[i-cols-1]
}
