// A chunk of the ground as a ghost.
//
//   HOLES  some cells are open
#include "frame.glsl"
#include "sample.glsl"
#include "shown.glsl"

in vec2 at;

uniform ivec4 page;
uniform vec4 tint; // linear

layout(location = 0) out vec4 pixel;

void main() {
#ifdef HOLES
	ivec2 cell = clamp(ivec2(at - vec2(page.xy)), ivec2(0), page.zw - 1);
	if (sampleHole(texelFetch(samples, cell, 0))) discard;
#endif
	pixel = vec4(tint.rgb, tint.a * opacity());
}
