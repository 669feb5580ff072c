package store

import (
	"bytes"

	"ridgeline/terrain/fault"
)

// others are files that are easily given in place of a level, by how they begin.
var others = []struct{ head, found, want string }{
	{"glTF", "a .glb, a mesh or an exported level", "a level; a .glb is for other programs, and for asset.import"},
	{"RLPACK\r\n", "a .pack, an exported level", "a level; a .pack is for other programs"},
	{"\x89PNG", "a picture, PNG", "a level; a heightmap becomes one by import"},
	{"\xff\xd8\xff", "a picture, JPEG", "a level"},
	{"II*\x00", "a TIFF", "a level; a heightmap becomes one by import"},
	{"MM\x00*", "a TIFF", "a level; a heightmap becomes one by import"},
	{"PK\x03\x04", "a .zip", "a level, taken out of it together with its folder"},
}

// foreign tells by its first bytes what a file is that was given in place of a level; nil
// for what may be one.
func foreign(data []byte) error {
	for _, f := range others {
		if bytes.HasPrefix(data, []byte(f.head)) {
			return &fault.Error{Found: f.found, Want: f.want}
		}
	}
	return nil
}
