package heightmap

import (
	"bytes"
	"path/filepath"
	"strings"

	"ridgeline/terrain/fault"
)

// Format names a heightmap file format.
type Format string

// The formats. Auto means: tell by the extension, then by the content. Raw is a
// headerless file whose sample width is given by Options.Bits or guessed; R8,
// R16 and R32 state it.
const (
	Auto Format = ""
	PNG  Format = "png"
	Raw  Format = "raw"
	R8   Format = "r8"
	R16  Format = "r16"
	R32  Format = "r32"
	HGT  Format = "hgt"
	ASC  Format = "asc"
)

var formatNames = map[string]Format{
	"png": PNG,
	"raw": Raw,
	"r8":  R8, "raw8": R8,
	"r16": R16, "raw16": R16,
	"r32": R32, "raw32": R32,
	"hgt": HGT,
	"asc": ASC,
}

const formatList = "png, raw, r8, r16, r32, hgt or asc"

// ParseFormat gives the format with that name, whatever its case; raw8, raw16
// and raw32 are other names of r8, r16 and r32. ok is false for any other name.
func ParseFormat(name string) (f Format, ok bool) {
	f, ok = formatNames[strings.ToLower(name)]
	return f, ok
}

// FormatOf gives the format that a file name's extension stands for.
func FormatOf(path string) (f Format, ok bool) {
	return ParseFormat(strings.TrimPrefix(filepath.Ext(path), "."))
}

func (f Format) isRaw() bool { return f == Raw || f == R8 || f == R16 || f == R32 }

// sniffBytes is how much of a file's beginning detect wants to see.
const sniffBytes = 512

const pngSignature = "\x89PNG\r\n\x1a\n"

// magics are the beginnings of files that people take for heightmaps.
var magics = []struct{ magic, name string }{
	{pngSignature, "a PNG picture"},
	{"\xff\xd8\xff", "a JPEG picture"},
	{"II*\x00", "a TIFF picture"},
	{"MM\x00*", "a TIFF picture"},
	{"II+\x00", "a BigTIFF picture"},
	{"MM\x00+", "a BigTIFF picture"},
	{"GIF8", "a GIF picture"},
	{"BM", "a BMP picture"},
	{"RIFF", "a WebP or other RIFF file"},
	{"\x76\x2f\x31\x01", "an OpenEXR picture"},
	{"8BPS", "a Photoshop picture"},
	{"\x1f\x8b", "a gzip archive"},
	{"PK\x03\x04", "a zip archive"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"\xfd7zXZ\x00", "an xz archive"},
	{"\x28\xb5\x2f\xfd", "a zstd archive"},
	{"%PDF", "a PDF document"},
	{"<!DOCTYPE", "an HTML page"},
	{"<html", "an HTML page"},
}

func sniff(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.name
		}
	}
	return ""
}

// detect decides the format of a file by what was asked for, its name and its
// first bytes.
func detect(name string, head []byte, asked Format) (Format, error) {
	if asked != Auto {
		if _, ok := formatNames[string(asked)]; !ok {
			return Auto, &fault.Error{Place: "format", Found: quote(string(asked)), Want: formatList}
		}
	}
	isPNG := bytes.HasPrefix(head, []byte(pngSignature))
	f := asked
	if f == Auto {
		f, _ = FormatOf(name)
	}
	switch {
	case f == PNG && !isPNG:
		found := sniff(head)
		if found == "" {
			found = "no PNG signature"
		}
		return f, &fault.Error{Place: "byte 0", Found: found, Want: "a PNG picture"}
	case f == ASC && sniff(head) != "":
		return f, &fault.Error{Place: "byte 0", Found: sniff(head), Want: "the text of an ESRI ASCII grid"}
	case f.isRaw() && isPNG && asked == Auto:
		// Eight fixed bytes are never the first samples of real ground.
		return f, &fault.Error{Place: "byte 0", Found: "a PNG picture", Want: "raw samples; name the format if it is one"}
	case f != Auto:
		return f, nil
	case isPNG:
		return PNG, nil
	case looksLikeASC(head):
		return ASC, nil
	}
	found := sniff(head)
	if found == "" {
		found = "an unknown extension " + quote(filepath.Ext(name))
	}
	return Auto, &fault.Error{Found: found, Want: "a heightmap that ends in .png, .raw, .r8, .r16, .r32, .hgt or .asc, or its format by name"}
}

func looksLikeASC(head []byte) bool {
	word := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(utf8BOM)), " \t\r\n\v\f")
	if i := bytes.IndexAny(word, " \t\r\n\v\f"); i >= 0 {
		word = word[:i]
	}
	_, ok := ascKeys[strings.ToLower(string(word))]
	return ok
}
