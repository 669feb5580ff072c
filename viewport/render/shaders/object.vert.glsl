// A vertex of a model.
//
//   TEXTURE  the material has a picture
//   COLOURS  the vertices have colours
#include "frame.glsl"
#include "object.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 colour; // linear

uniform vec4 base; // linear
uniform vec3 uvRows[2]; // of the transform of texture coordinates

#ifdef COLOURS
out vec4 paint;
#endif
out vec3 facing;
flat out vec4 tinted;
#ifdef TEXTURE
out vec2 at;
#endif

invariant gl_Position;

void main() {
	gl_Position = viewProj * vec4(fromEye(position), 1.0);
	vec3 n0, n1, n2;
	turned(n0, n1, n2);
	facing = unit(vec3(dot(n0, normal), dot(n1, normal), dot(n2, normal)));
#ifdef COLOURS
	paint = base * colour;
#endif
	tinted = tint;
#ifdef TEXTURE
	at = vec2(dot(uvRows[0], vec3(uv, 1.0)), dot(uvRows[1], vec3(uv, 1.0)));
#endif
}
