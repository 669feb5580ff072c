package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/document/texture"
	"ridgeline/export/glb"
)

func exportGLB(ctx context.Context, j *exportJob, w io.Writer) (string, error) {
	scene := glb.Scene{Name: strings.TrimSuffix(filepath.Base(j.path), filepath.Ext(j.path)), Terrain: j.level.Terrain}
	var err error
	if scene.Layers, err = glbLayers(j.level.Layers, filepath.Join(store.Folder(j.path), "assets")); err != nil {
		return "", err
	}
	s, err := glb.Write(ctx, w, scene, j.part())
	return fmt.Sprintf("%d chunks, %d triangles, %d bytes", s.Chunks, s.Tris, s.Bytes), err
}

// glbLayers loads the textures of the layers. A texture that cannot be had is an
// error: a file for others should not show a stand-in.
func glbLayers(layers []document.Layer, assets string) ([]glb.Layer, error) {
	pictures, errs := texture.LoadAll(layers, assets)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	out := make([]glb.Layer, len(layers))
	for i, l := range layers {
		out[i] = glb.Layer{Name: l.Name, Scale: l.UVScale, Texture: pictures[i]}
	}
	return out, nil
}
