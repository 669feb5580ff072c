// What a model looks like. The sun is the same as the ground's, but never that of
// baked light.
//
//   TEXTURE  the material has a picture
//   COLOURS  the vertices have colours
//   CUT      there are holes where alpha is below the cutoff
//   BLEND    alpha is how much of it there is
//   TINT     some instances are tinted
//   MASK     for outlines: what kind of object there is, and whether it is hidden
//   ATLAS    for impostors: colour without light, and the normal
//   ID       the number that stands in the tint
//   GHOST    the tint, over the picture
#include "frame.glsl"
#include "object_light.glsl"

// As little as can be is handed from vertices to pixels: it is what triangles cost.
in vec3 facing;
#ifdef COLOURS
in vec4 paint;
#else
uniform vec4 base;
#endif
#if defined TINT || defined ID || defined GHOST
flat in vec4 tinted;
#endif
#ifdef TEXTURE
in vec2 at;
uniform sampler2D picture;
#endif

uniform vec4 glow; // light of its own; 1 where light does not count
uniform float cutoff;

#if defined MASK
#include "mask.glsl"
#elif defined ID
layout(location = 0) out uint id;
#else
#ifdef GHOST
#include "shown.glsl"
#endif
layout(location = 0) out vec4 pixel;
#ifdef ATLAS
layout(location = 1) out vec4 facet;
#endif
#endif

void main() {
#ifdef COLOURS
	vec4 c = paint;
#else
	vec4 c = base;
#endif
#ifdef TEXTURE
	c *= texture(picture, at);
#endif
#ifdef CUT
	if (c.a < cutoff) discard;
#endif
#if defined MASK
	mark();
#elif defined ID
	uvec2 parts = uvec2(tinted.xy * 65535.0 + 0.5);
	id = parts.x | parts.y << 16;
#elif defined GHOST
	pixel = vec4(tinted.rgb, tinted.a * opacity());
#else
	vec3 n = facing * inversesqrt(max(dot(facing, facing), 1e-30));
	if (!gl_FrontFacing) n = -n;
#ifdef ATLAS
	pixel = vec4(c.rgb + glow.rgb, 1.0);
	facet = vec4(n * (0.5 - 0.5 * glow.a) + 0.5, 1.0);
#else
	c.rgb = c.rgb * mix(sunlight(n), vec3(1.0), glow.a) + glow.rgb;
#ifdef TINT
	c.rgb = mix(c.rgb, tinted.rgb, tinted.a);
#endif
#ifdef BLEND
	pixel = c;
#else
	pixel = vec4(c.rgb, 1.0);
#endif
#endif
#endif
}
