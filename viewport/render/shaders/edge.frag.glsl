// Outlines: where the picture of the outlined instances ends within the width of a
// line. See mask.glsl for what it holds.
uniform sampler2D marks;
uniform float width; // pixels
uniform vec3 tint; // linear

layout(location = 0) out vec4 pixel;

const float hidden = 0.3; // opacity around what is hidden

void main() {
	ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(marks, 0) - 1;
	float own = texelFetch(marks, here, 0).r;
	float best = 0.0;
	int reach = int(ceil(width));
	for (int y = -reach; y <= reach; y++) {
		for (int x = -reach; x <= reach; x++) {
			vec2 m = texelFetch(marks, clamp(here + ivec2(x, y), ivec2(0), last), 0).rg;
			float cover = clamp(width + 0.5 - length(vec2(x, y)), 0.0, 1.0);
			if (m.r > own) best = max(best, cover * m.r * mix(hidden, 1.0, m.g));
		}
	}
	pixel = vec4(tint, best);
}
