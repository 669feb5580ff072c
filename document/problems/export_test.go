package problems

import (
	"context"

	"ridgeline/document"
	"ridgeline/document/scene"
	"ridgeline/occluders/cull"
)

// FindWithin is Find with another bound of what looking for useless occluders may cost.
func FindWithin(ctx context.Context, s *scene.Scene, o Options, together, alone int) ([]Problem, error) {
	return find(ctx, s, o, effort{together, alone})
}

// Ring are the places around an occluder from which it is looked at.
func Ring(s *scene.Scene, occluder int) []document.Camera {
	f := &finder{s: s, l: s.Level(), v: s.Visibility()}
	return f.ring(f.v.Occluders[occluder].Box)
}

// ViewAt is how it is looked from a place.
func ViewAt(s *scene.Scene, at document.Camera) cull.View { return viewAt(at, farOf(s)) }

// PictureSize is the size of the pictures.
var PictureSize = pictureSize
