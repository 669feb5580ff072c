// The ground's surface: the vertex-diffuse blend at full detail, whatever mesh
// carries it. In the cell under the fragment the three corners of its triangle
// each give ((over·α + base·(1−α))·(1−α2) + third·α2)·light, in linear light, and
// the triangle interpolates. The blend is linear in the textures' colours, so it
// is gathered texture by texture:
//
//   LAYERS n    the patch shows n textures in all: a weight for each of them
//   LAYERS 0    any number: nine texture reads, three a corner
//   HOLES       some cells are open
//   FLAT        no surface at all, one colour: for wires
#include "frame.glsl"
#include "sample.glsl"

in vec2 pageCell;

uniform ivec4 page;
uniform sampler2DArray textures;
uniform uint missing;    // the texture for layers that have none
uniform uint palette[8]; // the layers that the patch shows
uniform vec4 tint;

layout(location = 0) out vec4 pixel;

vec3 blend(uvec3 id, vec2 alpha) { // weights of base, over and third
	float keep = 1.0 - alpha.y;
	return vec3((1.0 - alpha.x) * keep, alpha.x * keep, alpha.y);
}

vec3 lit(vec3 albedo, vec3 normal) {
	return albedo * (ambient.rgb + sun.rgb * max(dot(normal, toSun.xyz), 0.0));
}

void main() {
#ifdef FLAT
	pixel = tint;
#else
	ivec2 cell = clamp(ivec2(pageCell), ivec2(0), page.zw - 1);
	vec2 f = clamp(pageCell - vec2(cell), 0.0, 1.0);
#ifdef HOLES
	if (sampleHole(texelFetch(samples, cell, 0))) discard;
#endif
	bool first = f.x + f.y <= 1.0; // triangle (a, c, b), else (b, c, d)
	uvec4 s0 = texelFetch(samples, first ? cell : cell + 1, 0);
	uvec4 s1 = texelFetch(samples, cell + ivec2(1, 0), 0);
	uvec4 s2 = texelFetch(samples, cell + ivec2(0, 1), 0);
	vec3 w = first ? vec3(1.0 - f.x - f.y, f.x, f.y) : vec3(f.x + f.y - 1.0, 1.0 - f.y, 1.0 - f.x);

	vec2 slope = (w.x * sampleSlope(s0) + w.y * sampleSlope(s1) + w.z * sampleSlope(s2)) * (1.0 / 2047.0);
	vec3 normal = vec3(slope.x, sqrt(max(1.0 - dot(slope, slope), 0.0)), slope.y);

	vec3 light0 = w.x * sampleLight(s0), light1 = w.y * sampleLight(s1), light2 = w.z * sampleLight(s2);
	vec2 at = pageCell + vec2(page.xy); // cells from the eye's
	vec3 albedo = vec3(0.0);
#if LAYERS == 1
	vec4 uv = layerUV[min(palette[0], missing)];
	albedo = (light0 + light1 + light2) * texture(textures, vec3(at * uv.x + uv.yz, min(palette[0], missing))).rgb;
#else
	uvec3 id0 = sampleLayers(s0), id1 = sampleLayers(s1), id2 = sampleLayers(s2);
	vec3 b0 = blend(id0, sampleAlphas(s0)), b1 = blend(id1, sampleAlphas(s1)), b2 = blend(id2, sampleAlphas(s2));
#if LAYERS > 1
	for (int k = 0; k < LAYERS; k++) {
		uvec3 p = uvec3(palette[k]);
		vec3 weight = light0 * dot(vec3(equal(id0, p)), b0)
			+ light1 * dot(vec3(equal(id1, p)), b1)
			+ light2 * dot(vec3(equal(id2, p)), b2);
		vec4 uv = layerUV[min(p.x, missing)];
		albedo += weight * texture(textures, vec3(at * uv.x + uv.yz, min(p.x, missing))).rgb;
	}
#else
	vec2 dx = dFdx(at), dy = dFdy(at);
	for (int k = 0; k < 9; k++) {
		int corner = k / 3, slot = k - corner * 3;
		uint id = (corner == 0 ? id0 : corner == 1 ? id1 : id2)[slot];
		float weight = (corner == 0 ? b0 : corner == 1 ? b1 : b2)[slot];
		id = min(id, missing);
		vec4 uv = layerUV[id];
		albedo += weight * (corner == 0 ? light0 : corner == 1 ? light1 : light2)
			* textureGrad(textures, vec3(at * uv.x + uv.yz, id), dx * uv.x, dy * uv.x).rgb;
	}
#endif
#endif
	pixel = vec4(lit(albedo, normal), 1.0);
#endif
}
