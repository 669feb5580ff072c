package packer

import (
	"context"
	"encoding/json"
	"hash/crc32"
	"io"

	"ridgeline/export/glb"
	"ridgeline/export/pack"
)

// groundPart is the part of the progress that ground takes.
const groundPart = 0.25

// Write writes a scene to w as one file. Options.Chunk, LODs and the like are those of
// glb; Heights says how heights are written. progress, which may be nil, is told the part
// done, 0–1. On an error, a cancelled context included, what was written is no pack.
// Assets that are missing are no error unless Options.Strict: see glb.Stats.
func Write(ctx context.Context, w io.Writer, s glb.Scene, progress func(done float64)) (glb.Stats, error) {
	out := pack.NewWriter(w)
	stats, err := WriteFiles(ctx, out, s, progress)
	if err == nil {
		err = out.Close()
	}
	return stats, err
}

// WriteFiles writes the files of a pack, such as those of a folder. Otherwise it is as
// Write.
func WriteFiles(ctx context.Context, files pack.Files, s glb.Scene, progress func(done float64)) (glb.Stats, error) {
	if err := s.Options.Validate(); err != nil {
		return glb.Stats{}, err
	}
	if progress == nil {
		progress = func(float64) {}
	}
	o := &output{ctx: ctx, files: files}
	x := &pack.Index{Format: pack.Format, Version: pack.Version, Generator: "Ridgeline"}
	from := 0.0
	if s.Level.HasTerrain() && s.Options.Only == nil {
		from = groundPart
		var err error
		if x.Ground, err = o.ground(s.Level, s.Options.Heights, func(done float64) { progress(done * from) }); err != nil {
			return glb.Stats{}, err
		}
	}
	c, err := glb.WriteParts(ctx, o, s, func(done float64) { progress(from + done*(1-from)) })
	if err != nil {
		return glb.Stats{}, err
	}
	if err := o.fill(x, c, &s); err != nil {
		return glb.Stats{}, err
	}
	x.Files = o.written
	if err := o.index(x); err != nil {
		return glb.Stats{}, err
	}
	stats := c.Stats
	stats.Bytes = 0
	for _, f := range o.written {
		stats.Bytes += f.Size
	}
	return stats, ctx.Err()
}

// output notes the files that are written. It is a glb.Parts.
type output struct {
	ctx     context.Context
	files   pack.Files
	written []pack.File
}

// Create implements glb.Parts.
func (o *output) Create(name string) (io.WriteCloser, error) {
	w, err := o.files.Create(name)
	if err != nil {
		return nil, err
	}
	return &counted{w, o, pack.File{Name: name}}, nil
}

// counted is a file whose size and checksum are noted when it is closed.
type counted struct {
	io.WriteCloser
	to   *output
	file pack.File
}

func (c *counted) Write(data []byte) (int, error) {
	n, err := c.WriteCloser.Write(data)
	c.file.Size += int64(n)
	c.file.CRC32 = crc32.Update(c.file.CRC32, crc32.IEEETable, data[:n])
	return n, err
}

func (c *counted) Close() error {
	err := c.WriteCloser.Close()
	if err == nil {
		c.to.written = append(c.to.written, c.file)
	}
	return err
}

// file writes a file.
func (o *output) file(name string, write func(io.Writer) error) error {
	if err := o.ctx.Err(); err != nil {
		return err
	}
	w, err := o.Create(name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// json writes a value as a file.
func (o *output) json(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return o.file(name, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}
