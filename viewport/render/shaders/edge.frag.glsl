// Outlines: where the picture of the outlined instances ends within the width of a
// line. See mask.glsl for what it holds.
//
// Most pixels have no such end near them. What they cost is kept down by loops that run
// no times, which rasterisers in software leave at once, as they do not with branches.
uniform sampler2D marks;
uniform float width; // pixels
uniform vec3 tint; // linear

layout(location = 0) out vec4 pixel;

const float hidden = 0.3; // opacity around what is hidden

void main() {
	ivec2 here = ivec2(gl_FragCoord.xy), size = textureSize(marks, 0);
	int reach = int(ceil(width));
	float own = texelFetch(marks, here, 0).r;
	// Outside: is there anything? Each of these takes four pixels.
	int taps = own == 0.0 ? reach : -1;
	float near = own;
	vec2 inverse = 1.0 / vec2(size);
	for (int y = 0; y <= taps; y++) {
		for (int x = 0; x <= taps; x++) {
			near += textureLod(marks, (gl_FragCoord.xy + vec2(2 * ivec2(x, y) - reach) + 0.5) * inverse, 0.0).r;
		}
	}
	int around = near > 0.0 && own < 1.0 ? reach : -1;
	float best = 0.0;
	for (int y = -around; y <= around; y++) {
		for (int x = -around; x <= around; x++) {
			vec2 m = texelFetch(marks, clamp(here + ivec2(x, y), ivec2(0), size - 1), 0).rg;
			float cover = clamp(width + 1.0 - length(vec2(x, y)), 0.0, 1.0);
			if (m.r > own) best = max(best, cover * m.r * (m.g > m.r - 0.25 ? 1.0 : hidden));
		}
	}
	pixel = vec4(tint, best);
}
