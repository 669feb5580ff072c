// Lines of a width in pixels: each instance is a segment, drawn as a rectangle in
// the plane of the picture, one pixel wider on each side than the line so that its
// rim can fade.
#include "frame.glsl"

layout(location = 0) in vec3 from; // metres from the eye
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 colour; // sRGB
layout(location = 3) in float width;  // dp

out vec3 rim; // pixels from the middle, half the width, opacity
flat out vec3 paint;

#include "pull.glsl"

void main() {
	vec4 a = place(from), b = place(to);
	// Cut what is behind the eye, where the picture has no place for it.
	float least = 1e-4 * max(abs(a.w), abs(b.w));
	vec4 p = a, q = b;
	if (a.w < least) p = mix(a, b, clamp((least - a.w) / (b.w - a.w), 0.0, 1.0));
	if (b.w < least) q = mix(b, a, clamp((least - b.w) / (a.w - b.w), 0.0, 1.0));
	vec2 half2 = viewport.xy * 0.5;
	vec2 along = (q.xy / q.w - p.xy / p.w) * half2;
	float l = length(along);
	along = l > 1e-6 ? along / l : vec2(1.0, 0.0);
	vec2 side = vec2(-along.y, along.x);
	float thick = width * viewport.z * 0.5;
	float s = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
	bool end = (gl_VertexID & 2) != 0;
	vec4 c = end ? q : p;
	vec2 off = side * s * (thick + 1.0) + along * (end ? 0.5 : -0.5);
	c.xy += off / half2 * c.w;
	if (a.w < least && b.w < least) c = vec4(0.0, 0.0, -2.0, 1.0);
	gl_Position = c;
	rim = vec3(s * (thick + 1.0), thick, colour.a);
	paint = decode(colour.rgb);
}
