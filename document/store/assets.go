package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ridgeline/document"
	"ridgeline/terrain/fault"
)

// assetPattern is all that a file under assets may be called: the first 16 bytes
// of the SHA-256 of its content, and what kind of file it is.
var assetPattern = regexp.MustCompile(`^[0-9a-f]{32}\.[a-z0-9]{1,8}$`)

func assetHash(data []byte) string {
	sum := sha256.Sum256(data)
	return fmt.Sprintf("%x", sum[:16])
}

// AssetRef is the name that AddAsset gives, without storing anything.
func AssetRef(data []byte, ext string) (ref string, err error) {
	name := assetHash(data) + "." + strings.ToLower(strings.TrimPrefix(ext, "."))
	if !assetPattern.MatchString(name) {
		return "", &fault.Error{Op: "add asset", Found: fmt.Sprintf("kind of file %q", ext), Want: "1 to 8 letters and digits"}
	}
	return document.AssetPrefix + name, nil
}

// MaxAsset bounds the files of a level, in bytes.
const MaxAsset = 1 << 30

// AddAsset stores a file with the level at path, which need not have been saved,
// and gives the name by which layers and entities refer to it, "asset:HASH.EXT".
// The same content is stored once. ext is its kind, such as "png", without a dot;
// up to 8 lower-case letters and digits.
func AddAsset(path string, data []byte, ext string) (ref string, err error) {
	if ref, err = AssetRef(data, ext); err != nil {
		return "", err
	}
	path, err = resolve(path)
	if err == nil {
		_, err = writeAsset(path, strings.TrimPrefix(ref, document.AssetPrefix), data)
	}
	if err != nil {
		return "", fault.Wrap("add asset", path, err)
	}
	return ref, nil
}

// writeAsset stores a file unless it is there already, whole.
func writeAsset(path, name string, data []byte) (wrote bool, err error) {
	if len(data) > MaxAsset {
		return false, tooLarge("add asset", path, MaxAsset)
	}
	dir := filepath.Join(Folder(path), assetsName)
	file := filepath.Join(dir, name)
	if old, err := readAssetFile("read asset", file); err == nil && assetHash(old) == assetHash(data) {
		return false, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, err
	}
	if err := replace(file, data, 0o666); err != nil {
		os.Remove(dir) // only if nothing is in it
		return false, err
	}
	// The folders may be new too.
	return true, errors.Join(syncFolder(Folder(path)), syncFolder(filepath.Dir(path)))
}

// readAssetFile reads a file of at most MaxAsset bytes. Its size is not believed: a
// file with holes says more than it has.
func readAssetFile(op, file string) ([]byte, error) {
	return readBounded(op, file, "a file", MaxAsset)
}

// copyAssets takes the assets of the level at from along to the one at path. What
// cannot be read there is no reason not to save: the first of these is unread.
func copyAssets(ctx context.Context, op, from, path string, wrote func(name string)) (unread, err error) {
	dir := filepath.Join(Folder(from), assetsName)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return err, nil
	}
	for _, e := range entries {
		if !assetPattern.MatchString(e.Name()) {
			continue
		}
		data, err := readAssetFile(op, filepath.Join(dir, e.Name()))
		if err != nil {
			if unread == nil {
				unread = err
			}
			continue
		}
		is, err := writeAsset(path, e.Name(), data)
		if is {
			wrote(e.Name())
		}
		if err != nil {
			return unread, err
		}
		if err := ctx.Err(); err != nil {
			return unread, err
		}
	}
	return unread, nil
}

// TakeAssets copies the files of the level at from that the one at path does not
// have. An error tells of the first that could not be copied; the others were.
func TakeAssets(ctx context.Context, from, path string) error {
	from, err := resolve(from)
	if err == nil {
		path, err = resolve(path)
	}
	if err != nil {
		return fault.Wrap("copy assets", path, err)
	}
	unread, err := copyAssets(ctx, "copy assets", from, path, func(string) {})
	return fault.Wrap("copy assets", path, cmp.Or(err, unread))
}

// ReadAsset gives the content of a file that AddAsset stored, by the name that it
// gave. A file whose content is not what its name says is an error.
func ReadAsset(path, ref string) ([]byte, error) {
	name, ok := strings.CutPrefix(ref, document.AssetPrefix)
	if !ok || !assetPattern.MatchString(name) {
		return nil, &fault.Error{Op: "read asset", File: path, Found: fmt.Sprintf("asset name %q", ref), Want: document.AssetPrefix + "HASH.EXT"}
	}
	path, err := resolve(path)
	if err != nil {
		return nil, fault.Wrap("read asset", path, err)
	}
	file := filepath.Join(Folder(path), assetsName, name)
	data, err := readAssetFile("read asset", file)
	if err != nil {
		return nil, err
	}
	if h := assetHash(data); h != name[:32] {
		return nil, &fault.Error{Op: "read asset", File: file, Found: "bad checksum " + h, Want: "that of its name"}
	}
	return data, nil
}
