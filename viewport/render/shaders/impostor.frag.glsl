// A picture that stands in for a model, in the light that falls on the model.
//
//   MASK  for outlines
#include "frame.glsl"
#include "object_light.glsl"

in vec2 at;
flat in vec4 tinted;
flat in vec3 turn0, turn1, turn2;

uniform sampler2D picture;
uniform sampler2D normals; // of the model's frame, halved and raised; a short one where light does not count

#ifdef MASK
#include "mask.glsl"
#else
layout(location = 0) out vec4 pixel;
#endif

void main() {
	vec4 c = texture(picture, at);
	if (c.a < 0.5) discard;
#ifdef MASK
	mark();
#else
	vec3 n = texture(normals, at).xyz * 2.0 - 1.0;
	if (dot(n, n) > 0.06) {
		n = vec3(dot(turn0, n), dot(turn1, n), dot(turn2, n));
		c.rgb *= sunlight(n * inversesqrt(max(dot(n, n), 1e-30)));
	}
	pixel = vec4(mix(c.rgb, tinted.rgb, tinted.a), 1.0);
#endif
}
