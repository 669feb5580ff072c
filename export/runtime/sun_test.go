package runtime

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// opened opens a .gltf of some text.
func opened(t *testing.T, text string) (*Level, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "level.gltf")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Open(context.Background(), path)
	if err == nil {
		t.Cleanup(func() { l.Close() })
	}
	return l, err
}

// The first directional light is the sun, whoever wrote the file.
func TestSun(t *testing.T) {
	const head = `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"extensionsUsed":["KHR_lights_punctual"],`
	l, err := opened(t, head+`"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"},{"type":"directional","color":[1,0.5,0],"intensity":3.141592653589793}]}},
		"nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}}},
		{"rotation":[-0.7071067811865476,0,0,0.7071067811865476],"extensions":{"KHR_lights_punctual":{"light":1}},"extras":{"kind":"sun","ambient":0.25,"baked":true}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Sun; s == nil || s.Direction.Sub(mgl64.Vec3{0, 1, 0}).Len() > 1e-6 || s.Light.Sub(mgl64.Vec3{1, 0.5, 0}).Len() > 1e-12 || s.Ambient != 0.25 || !s.Baked {
		t.Errorf("%+v", l.Sun)
	}
	// Without numbers the extension's own hold, and others' extras say nothing.
	l, err = opened(t, head+`"extensions":{"KHR_lights_punctual":{"lights":[{"type":"directional"}]}},"nodes":[{},{"extensions":{"KHR_lights_punctual":{"light":0}},"extras":[1]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Sun; s == nil || s.Direction != (mgl64.Vec3{0, 0, 1}) || math.Abs(s.Light[0]-1/math.Pi) > 1e-12 || s.Ambient != 0 || s.Baked {
		t.Errorf("%+v", l.Sun)
	}
	if l, err = opened(t, `{"asset":{"version":"2.0"}}`); err != nil || l.Sun != nil {
		t.Errorf("%v, %v", l, err)
	}
	for text, want := range map[string]string{
		`"extensions":{"KHR_lights_punctual":{"lights":[]}},"nodes":[{},{"extensions":{"KHR_lights_punctual":{"light":0}}}]}`: "nodes[1].extensions.KHR_lights_punctual: found light 0, expected one of 0 lights",
		`"extensions":{"KHR_lights_punctual":{"lights":3}},"nodes":[{},{}]}`:                                                  "extensions.KHR_lights_punctual",
	} {
		if _, err := opened(t, head+text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}
