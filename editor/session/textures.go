package session

import (
	"context"
	"errors"
	"image"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/document/store"
	"ridgeline/document/texture"
	"ridgeline/terrain/shade"
)

// textures keeps the pictures of layers that were asked for.
type textures struct {
	byKey   map[textureKey]*image.NRGBA
	loading map[textureKey]bool
	count   int // of pictures that arrived
}

// textureKey is all that a layer's picture depends on.
type textureKey struct {
	texture, assets string
	tint            mgl64.Vec3
}

func (s *Session) textureKey(l document.Layer) textureKey {
	k := textureKey{texture: l.Texture, tint: l.Tint}
	if strings.HasPrefix(l.Texture, document.AssetPrefix) {
		k.assets = s.Assets()
	}
	return k
}

// Texture is the tiling picture of a layer, tinted; nil while it is being loaded,
// after which a frame is asked for. The picture must not be changed.
func (s *Session) Texture(l document.Layer) *image.NRGBA {
	k := s.textureKey(l)
	if m, ok := s.textures.byKey[k]; ok {
		return m
	}
	if s.textures.loading == nil {
		s.textures.loading = map[textureKey]bool{}
	}
	if !s.textures.loading[k] {
		s.textures.loading[k] = true
		s.start(&Task{Title: "Loading textures", Began: s.now(), hidden: true}, func(context.Context, func(float64)) (func() error, error) {
			m, err := texture.Load(l, k.assets)
			m = tinted(m, l.Tint)
			return func() error {
				s.keepTexture(k, m)
				return err // the picture that stands for it is shown
			}, nil
		}, nil)
	}
	return nil
}

// AskTexture asks for a picture file.
func (s *Session) AskTexture(then func(path string)) {
	s.askPath(PathPrompt{
		Title: "Choose a texture", Text: s.startFolder(), kind: "Pictures", extensions: []string{".png", ".jpg", ".jpeg"},
		then: then,
	})
}

// addTexture takes a picture file into the level's files.
func (s *Session) addTexture(file string) (string, error) {
	at := s.file.path
	if at == "" {
		at = s.file.untitled
	}
	if at == "" || s.file.readOnly {
		return "", errors.New("the level has no place for files; save it first")
	}
	data, ext, err := texture.ReadFile(file)
	if err != nil {
		return "", err
	}
	return store.AddAsset(at, data, ext)
}

// LoadTextures loads what Texture would load in the background, and waits.
func (s *Session) LoadTextures() {
	for _, l := range s.Level().Layers {
		if k := s.textureKey(l); s.textures.byKey[k] == nil {
			m, err := texture.Load(l, k.assets)
			s.Fail(err)
			s.keepTexture(k, tinted(m, l.Tint))
		}
	}
}

func (s *Session) keepTexture(k textureKey, m *image.NRGBA) {
	if s.textures.byKey == nil {
		s.textures.byKey = map[textureKey]*image.NRGBA{}
	}
	s.textures.byKey[k] = m
	s.textures.count++
	delete(s.textures.loading, k)
	s.invalidate()
}

// TextureCount grows with every picture that was loaded.
func (s *Session) TextureCount() int { return s.textures.count }

// tinted multiplies a picture with a colour in linear light.
func tinted(m *image.NRGBA, tint mgl64.Vec3) *image.NRGBA {
	if tint == (mgl64.Vec3{}) || tint == (mgl64.Vec3{1, 1, 1}) {
		return m
	}
	var table [3][256]uint8
	for c := range table {
		for i := range table[c] {
			table[c][i] = shade.SRGB(shade.Linear(uint8(i)) * float32(tint[c]))
		}
	}
	out := image.NewNRGBA(m.Rect)
	for i := 0; i < len(m.Pix); i += 4 {
		for c := range 3 {
			out.Pix[i+c] = table[c][m.Pix[i+c]]
		}
		out.Pix[i+3] = m.Pix[i+3]
	}
	return out
}
