// Which chunk of the ground a pixel shows: that of the cell under it, whatever patch
// carries it.
//
//   CHUNK n  cells along a chunk's edge
//   HOLES    some cells are open
#include "sample.glsl"

in vec2 at;

uniform ivec4 page;
uniform ivec2 numbers; // of the page's first chunk; chunks in a row of the field

layout(location = 0) out uint id;

void main() {
	ivec2 cell = clamp(ivec2(at - vec2(page.xy)), ivec2(0), page.zw - 1);
#ifdef HOLES
	if (sampleHole(texelFetch(samples, cell, 0))) discard;
#endif
	ivec2 chunk = cell / CHUNK;
	id = uint(numbers.x + chunk.y * numbers.y + chunk.x);
}
