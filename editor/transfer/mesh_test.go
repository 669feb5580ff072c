package transfer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document/mesh"
	"ridgeline/document/store"
	"ridgeline/terrain/fault"
)

const tent = "mtllib tent.mtl\nv 0 0 0\nv 2 0 0\nv 0 0 3\nv 0 1.5 0\nusemtl canvas\nf 1 2 3 4\nf 1 3 4\n"

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A mesh becomes one file of the level, with what it refers to; the same files are
// the same asset, whatever folder they come from.
func TestAddAsset(t *testing.T) {
	dir := t.TempDir()
	level := filepath.Join(dir, "a.ridge")
	for _, folder := range []string{"one", "two"} {
		put(t, filepath.Join(dir, folder, "tent.obj"), tent)
		put(t, filepath.Join(dir, folder, "tent.mtl"), "newmtl canvas\nKd 1 0.5 0\n")
	}
	file := filepath.Join(dir, "one", "tent.obj")
	in, err := AddAsset(t.Context(), level, file)
	if err != nil {
		t.Fatal(err)
	}
	if in.Asset.Name != "tent" || in.Asset.Source != file || in.Triangles != 3 || in.Size != (mgl64.Vec3{2, 1.5, 3}) {
		t.Errorf("%+v", in)
	}
	data, err := store.ReadAsset(level, in.Asset.File)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "one")); err != nil {
		t.Fatal(err)
	}
	m, err := mesh.LoadBytes(t.Context(), data, filepath.Ext(in.Asset.File))
	if err != nil || m.Triangles() != 3 || m.Materials[m.Parts[0].Material].BaseColor[1] != 0.5 {
		t.Errorf("%+v, %v", m, err)
	}
	again, err := AddAsset(t.Context(), level, filepath.Join(dir, "two", "tent.obj"))
	if err != nil || again.Asset.File != in.Asset.File {
		t.Errorf("%+v, %v", again, err)
	}
	// A link is followed, and the asset called after it.
	if err := os.Symlink(filepath.Join(dir, "two", "tent.obj"), filepath.Join(dir, "Hut.obj")); err != nil {
		t.Fatal(err)
	}
	if again, err = AddAsset(t.Context(), level, filepath.Join(dir, "Hut.obj")); err != nil || again.Asset.File != in.Asset.File || again.Asset.Name != "Hut" {
		t.Errorf("%+v, %v", again, err)
	}
}

// What is no mesh is one clear error that names the file as it was given, and leaves
// nothing with the level.
func TestBadMeshes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put(t, "secret.bin", "0123456789012345678901234567890123456789")
	put(t, "models/text.glb", "hello")
	put(t, "models/empty.gltf", "")
	put(t, "models/out.gltf", `{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"../secret.bin"}],"bufferViews":[{"buffer":0,"byteLength":36}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
		"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}`)
	put(t, "models/mesh.fbx", "x")
	put(t, "models/link.gltf", strings.Replace(string(must(os.ReadFile("models/out.gltf"))), "../secret.bin", "link.bin", 1))
	if err := os.Symlink("../secret.bin", "models/link.bin"); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"models/none.glb":   "no such file or folder",
		"models":            "found a folder, expected a .glb, .gltf or .obj file",
		"models/text.glb":   "found",
		"models/empty.gltf": "found",
		"models/out.gltf":   "leaves the folder",
		"models/link.gltf":  "link.bin",
		"models/mesh.fbx":   `".fbx"`,
	} {
		_, err := AddAsset(t.Context(), "a.ridge", file)
		var e *fault.Error
		if !errors.As(err, &e) || e.File != file || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, expected %q", file, err, want)
		}
	}
	if _, err := os.Stat("a.ridge.d"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was stored: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	put(t, "tent.obj", strings.TrimPrefix(tent, "mtllib tent.mtl\n"))
	if _, err := AddAsset(ctx, "a.ridge", "tent.obj"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
