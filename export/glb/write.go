package glb

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"ridgeline/export/visibility"
)

const (
	magic     = 0x46546C67 // "glTF"
	chunkJSON = 0x4E4F534A
	chunkBIN  = 0x004E4942
)

// Write writes the scene to w as a .glb. progress, which may be nil, is told the
// part done, 0–1. On an error, a cancelled context included, what was written is
// no complete file. Assets that are missing are no error: see Stats.
func Write(ctx context.Context, w io.Writer, s Scene, progress func(done float64)) (Stats, error) {
	return writeKeeping(ctx, w, s, progress, usual)
}

// keep bounds what the first pass keeps for the second, in bytes. The rest is asked
// for and encoded again. It also says how the file is laid out: see plan.
type keep struct {
	models, pictures int
	apart, named     bool
	pieceLimit       int64
}

// usual is what is kept.
var usual = keep{models: 128 << 20, pictures: 64 << 20}

// first is the first pass and what the second one needs.
type first struct {
	plan   *plan
	ground ground
	shelf  *shelf
	meter  *meter
}

func begin(ctx context.Context, s *Scene, progress func(done float64), keep keep) (first, error) {
	f := first{shelf: &shelf{library: s.Models, limit: keep.models}, meter: &meter{tell: progress}}
	err := s.Options.Validate()
	if err == nil {
		f.plan, f.ground, err = measure(ctx, s, f.shelf, keep, f.meter)
	}
	return f, err
}

func writeKeeping(ctx context.Context, w io.Writer, s Scene, progress func(done float64), keep keep) (Stats, error) {
	f, err := begin(ctx, &s, progress, keep)
	if err != nil {
		return Stats{}, err
	}
	plan := f.plan
	doc, err := plan.json()
	if err != nil {
		return Stats{}, err
	}
	total := 12 + 8 + int64(len(doc))
	if plan.size > 0 {
		total += 8 + plan.size
	}
	if total > math.MaxUint32 {
		return Stats{}, fmt.Errorf("the level would take %.1f GB as .glb, expected at most 4.3 GB, the limit of the format; a .gltf with files beside it may be larger", float64(total)/1e9)
	}
	plan.stats.Bytes = total

	out := &sink{w: bufio.NewWriterSize(w, 1<<20)}
	var head [20]byte
	for i, v := range []uint32{magic, 2, uint32(total), uint32(len(doc)), chunkJSON} {
		binary.LittleEndian.PutUint32(head[4*i:], v)
	}
	out.write(head[:])
	out.write(doc)
	if plan.size > 0 {
		binary.LittleEndian.PutUint32(head[:], uint32(plan.size))
		binary.LittleEndian.PutUint32(head[4:], chunkBIN)
		out.write(head[:8])
		if err := plan.writeBinary(ctx, out, nil, &f); err != nil {
			return Stats{}, err
		}
	}
	if err := out.w.Flush(); err != nil {
		return Stats{}, err
	}
	if out.n != total {
		return Stats{}, errChanged
	}
	return plan.stats, nil
}

var errChanged = errors.New("the level's models changed while they were written")

// json is the JSON part, padded.
func (p *plan) json() ([]byte, error) {
	doc, err := json.Marshal(&p.doc)
	if err != nil {
		return nil, err
	}
	if p.nodes.n > 0 {
		doc = append(doc[:len(doc)-1], `,"nodes":[`...)
		doc = append(append(doc, p.nodes.json...), `]}`...)
		p.nodes.json = nil
	}
	for len(doc)%4 != 0 {
		doc = append(doc, ' ')
	}
	return doc, nil
}

// writeBinary writes what the first pass measured.
func (p *plan) writeBinary(ctx context.Context, out *sink, files Files, f *first) error {
	for _, of := range p.groundPictures {
		if err := p.writePicture(out, files, of); err != nil {
			return err
		}
	}
	if p.named {
		if err := p.writeBaked(ctx, out, files, &f.ground); err != nil {
			return err
		}
	}
	err := f.ground.eachChunk(ctx, false, func(c int, levels []level) error {
		if image, ok := p.baked[c]; ok && !p.named {
			if err := p.writePicture(out, files, pictureOf{image: image, file: levels[0].picture}); err != nil {
				return err
			}
		}
		for _, l := range levels {
			for i := range l.parts {
				out.write(l.parts[i].vertices)
				out.write(l.parts[i].indices)
			}
		}
		f.meter.add(1)
		return out.err
	})
	if err != nil {
		return err
	}
	for i := range p.models {
		if err := p.writeModel(ctx, out, files, &p.models[i], f.shelf); err != nil {
			return err
		}
		f.meter.add(modelSteps)
	}
	for _, data := range p.tail {
		out.write(data)
	}
	for _, v := range p.payloads {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.stream(v)
	}
	return out.err
}

func (p *plan) writeModel(ctx context.Context, out *sink, files Files, mp *modelPlan, shelf *shelf) error {
	m, err := mp.model(shelf)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("asset %q: %w", mp.asset.Name, err)
	}
	for _, k := range mp.pictures {
		if k.own >= len(m.Images) {
			return fmt.Errorf("asset %q changed while it was written", mp.asset.Name)
		}
		if err := p.writePicture(out, files, pictureOf{image: k.image, pixels: m.Images[k.own].Pixels}); err != nil {
			return err
		}
	}
	if mp.vertices != len(m.Positions) {
		return fmt.Errorf("asset %q changed while it was written", mp.asset.Name)
	}
	return eachPart(m, mp.levels, mp.fit, func(part *modelPart) error {
		out.write(part.vertices)
		for _, indices := range part.indices {
			out.write(indices)
		}
		return out.err
	})
}

// sink writes pieces, each up to the next multiple of four bytes, and keeps the first
// error and their length.
type sink struct {
	w   *bufio.Writer
	n   int64
	err error
}

func (s *sink) write(data []byte) {
	var zero [3]byte
	for _, b := range [2][]byte{data, zero[:padded(len(data))-int64(len(data))]} {
		if s.err == nil {
			_, s.err = s.w.Write(b)
			s.n += int64(len(b))
		}
	}
}

// stream writes a payload piece by piece.
func (s *sink) stream(p visibility.Payload) {
	if s.err != nil {
		return
	}
	var zero [3]byte
	if s.err = p.Write(s.w); s.err == nil {
		_, s.err = s.w.Write(zero[:padded(int(p.Size))-p.Size])
	}
	s.n += padded(int(p.Size))
}

func padded(n int) int64 { return (int64(n) + 3) &^ 3 }
