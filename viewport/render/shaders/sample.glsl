// A page of the ground: one texel a sample, and coarser levels that hold means. See
// pack.go for the bits.
uniform usampler2D samples;

uvec3 sampleLayers(uvec4 s) { return uvec3(s.x, s.x >> 8, s.x >> 16) & 255u; }
vec2 sampleAlphas(uvec4 s) { return vec2(s.x >> 24, s.z >> 24) * (1.0 / 255.0); }
bool sampleHole(uvec4 s) { return (s.y & 0x40000000u) != 0u; }

// Baked light, linear. It is kept as square roots, which is near enough to what
// the eye sees for ten bits.
vec3 sampleLight(uvec4 s) {
	vec3 root = vec3(s.y & 1023u, (s.y >> 10) & 1023u, (s.y >> 20) & 1023u) * (1.0 / 1023.0);
	return root * root;
}

// The x and z of the unit normal, scaled by 2047.
vec2 sampleSlope(uvec4 s) {
	return vec2(ivec2(int(s.z << 20) >> 20, int(s.z << 8) >> 20));
}
