// The first half of the ground: which place of it a pixel shows. Triangles of a few
// pixels make a fragment shader do many times the work that is seen, so that this
// one does next to nothing.
//
//   HOLES  some cells are open
#include "sample.glsl"

in vec2 at;

uniform ivec4 page;

layout(location = 0) out vec2 place;

void main() {
#ifdef HOLES
	ivec2 cell = clamp(ivec2(at - vec2(page.xy)), ivec2(0), page.zw - 1);
	if (sampleHole(texelFetch(samples, cell, 0))) discard;
#endif
	place = at;
}
