// Filled triangles without light.
#include "frame.glsl"
#include "pull.glsl"

layout(location = 0) in vec3 at; // metres from the eye
layout(location = 1) in vec4 colour; // sRGB

flat out vec4 paint;

void main() {
	gl_Position = place(at);
	paint = vec4(decode(colour.rgb), colour.a);
}
