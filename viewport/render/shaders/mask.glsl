// What outlines are found by.
uniform sampler2D depths; // of the picture
uniform float kind;

layout(location = 0) out vec2 mask; // the kind; 1 where it can be seen

void mark() {
	float scene = texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r;
	mask = vec2(kind, gl_FragCoord.z <= scene + 3e-7 ? 1.0 : 0.0);
}
