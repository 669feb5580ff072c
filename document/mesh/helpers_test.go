package mesh

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/qmuntal/gltf"
	"pgregory.net/rapid"

	"ridgeline/terrain/fault"
)

// difference tells how two models differ; "" if they don't.
func difference(a, b *Model) string {
	if len(a.Images) != len(b.Images) {
		return "the number of images"
	}
	for i := range a.Images {
		if !bytes.Equal(a.Images[i].Pixels.Pix, b.Images[i].Pixels.Pix) {
			return "an image"
		}
	}
	x, y := *a, *b
	x.Images, y.Images = nil, nil
	return cmp.Diff(x, y)
}

// wantFault checks that err is a fault at a place and returns it.
func wantFault(t *testing.T, err error, place string) *fault.Error {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("error %v, expected one at %q", err, place)
	}
	if f.Place != place || f.Op != op || f.Found == "" && f.Err == nil {
		t.Errorf("error %#v, expected one at %q", f, place)
	}
	return f
}

// pngCRC is the checksum of a chunk of a PNG file, from its type on.
func pngCRC(chunk []byte) []byte {
	return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
}

// encodeRapid is encode within a property.
func encodeRapid(t *rapid.T, doc *gltf.Document) []byte {
	var b bytes.Buffer
	if err := gltf.NewEncoder(&b).Encode(doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// testContext is for helpers that have none.
var testContext = context.Background()
