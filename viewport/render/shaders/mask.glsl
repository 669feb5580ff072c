// What outlines are found by. Of several objects in a pixel the greatest kind counts, and
// whether one of that kind can be seen.
uniform sampler2D depths; // of the picture
uniform float kind;

layout(location = 0) out vec2 mask; // the kind; the same where it can be seen, else 0

void mark() {
	float scene = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
	mask = vec2(kind, gl_FragCoord.z <= scene + 3e-7 ? kind : 0.0);
}
