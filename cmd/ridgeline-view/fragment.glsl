#version 410 core
in vec3 n;
in vec2 st, map;
in vec4 c[3];
uniform sampler2D pictures[9];
uniform vec4 layer[9]; // tint, and metres that the picture covers
uniform int layers;    // of ground; 0 for other things
uniform vec4 base;
uniform vec3 emissive;
uniform float cutoff; // below which alpha is a hole
uniform bool unlit, baked; // light does not count; the ground's is in its vertices
uniform vec3 toSun, sun;
uniform float ambient;
out vec4 result;
void main() {
	vec4 v = base * texture(pictures[0], st) * c[0];
	if (layers > 0) { // light, and the weights of all layers but the first
		float w[9] = float[9](1, c[0].a, c[1].r, c[1].g, c[1].b, c[1].a, c[2].r, c[2].g, c[2].b);
		for (int i = 1; i < layers; i++) w[0] -= w[i];
		v = vec4(0, 0, 0, 1);
		for (int i = 0; i < layers; i++) v.rgb += w[i] * layer[i].rgb * texture(pictures[i], map / layer[i].w).rgb;
		v.rgb *= c[0].rgb;
	}
	if (v.a < cutoff) discard;
	vec3 m = normalize(gl_FrontFacing ? n : -n);
	vec3 light = unlit || layers > 0 && baked ? vec3(1) : ambient + sun * max(dot(m, toSun), 0.0);
	result = vec4(v.rgb * light + emissive, v.a);
}
