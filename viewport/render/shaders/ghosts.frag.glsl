// The picture of the ghosts, laid over the level. Where one ends, it is denser, so that
// flat tints have outlines. Where there is none, the loop runs no times, see
// edge.frag.glsl.
uniform sampler2D ghosts;

layout(location = 0) out vec4 pixel;

const ivec2 around[4] = ivec2[](ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0), ivec2(0, -1));

void main() {
	ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(ghosts, 0) - 1;
	vec4 own = texelFetch(ghosts, here, 0);
	int looks = own.a > 0.0 ? 4 : 0;
	bool rim = false;
	for (int k = 0; k < looks; k++) {
		vec4 other = texelFetch(ghosts, clamp(here + around[k], ivec2(0), last), 0);
		rim = rim || other.a == 0.0 || distance(other.rgb, own.rgb) > 0.02;
	}
	pixel = vec4(own.rgb, rim ? min(own.a * 1.8, 1.0) : own.a);
}
