package main

import (
	"encoding/binary"
	"fmt"
	"os"

	"ridgeline/terrain/sample/internal/packed"
)

// The tile's edge and the window in it, in samples.
const (
	tile       = 1201
	left, top  = 640, 480
	cols, rows = 304, 224
	void       = -32768
	output     = "terrain/sample/pyrenees.bin"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen N42E001.hgt")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(source string) error {
	data, err := os.ReadFile(source)
	if err != nil {
		return err
	}
	if len(data) != 2*tile*tile {
		return fmt.Errorf("%s: found %d bytes, expected %d (%d×%d samples of 16 bits)", source, len(data), 2*tile*tile, tile, tile)
	}
	h := make([]int16, 0, cols*rows)
	for y := range rows {
		for x := range cols {
			i := (top+y)*tile + left + x
			h = append(h, int16(binary.BigEndian.Uint16(data[2*i:])))
		}
	}
	filled, err := fill(h)
	if err != nil {
		return err
	}
	out, err := packed.Encode(h, cols)
	if err != nil {
		return err
	}
	if err := os.WriteFile(output, out, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d×%d samples, %d voids filled, %d bytes\n", output, cols, rows, filled, len(out))
	return nil
}

// fill gives voids the mean of their neighbours until that changes nothing.
func fill(h []int16) (filled int, err error) {
	value := make([]float64, len(h))
	var voids []int
	var mean float64
	for i, v := range h {
		value[i] = float64(v)
		if v == void {
			voids = append(voids, i)
		} else {
			mean += float64(v)
		}
	}
	if len(voids) == len(h) {
		return 0, fmt.Errorf("the window holds nothing but voids")
	}
	mean /= float64(len(h) - len(voids))
	for _, i := range voids {
		value[i] = mean
	}
	for range 1000 {
		for _, i := range voids {
			var sum, n float64
			for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				if x, y := i%cols+d[0], i/cols+d[1]; x >= 0 && y >= 0 && x < cols && y < rows {
					sum += value[y*cols+x]
					n++
				}
			}
			value[i] = sum / n
		}
	}
	for _, i := range voids {
		h[i] = int16(value[i] + 0.5)
	}
	return len(voids), nil
}
