// The second half of the ground: what the place that a pixel shows looks like, at
// full detail, whatever mesh carried it there. In the cell under the pixel the three
// corners of its triangle each give
//
//   ((over·α + base·(1−α))·(1−α2) + third·α2)·light
//
// in linear light, and the triangle interpolates. The blend is linear in the
// textures' colours, so it is gathered texture by texture:
//
//   LAYERS n  n layers are shown in all: one texture read and one weight for each
//   LAYERS 0  any number: nine reads, three a corner
//   WHITE     no light is baked: all of it is 1
//   FAR       there may be pixels as big as cells: they look at a coarser level of
//             the page, the means of its samples
#include "frame.glsl"
#include "sample.glsl"
#include "light.glsl"

uniform ivec4 page; // first cell, counted from the eye's, x and z; cells
uniform int coarsest; // level of the page
uniform sampler2D places;
uniform sampler2DArray textures;
uniform uint missing; // the texture for layers that have none
#if LAYERS > 0
uniform uint palette[LAYERS];
uniform vec4 paletteUV[LAYERS];
#endif

layout(location = 0) out vec4 pixel;

// Weights of base, over and third.
vec3 weights(vec2 alpha) {
	float keep = 1.0 - alpha.y;
	return vec3((1.0 - alpha.x) * keep, alpha.x * keep, alpha.y);
}

vec3 layer(uint id, vec4 uv, vec2 at, float size) {
	return textureLod(textures, vec3(at * uv.x + uv.yz, min(id, missing)), size + uv.w).rgb;
}

// From a place of the ground towards the eye: the distance in metres, or a unit
// vector in parallel views.
vec3 toward(vec2 at, float height) {
	if (toEye.w > 0.0) return toEye.xyz;
	vec2 ground = at * grid.x - grid.yz;
	return vec3(-ground.x, (eye.x - height) + eye.y, -ground.y);
}

float square(float v) { return v * v; }
float square(vec3 v) { return dot(v, v); }

void main() {
	vec2 at = texelFetch(places, ivec2(gl_FragCoord.xy), 0).xy;
	vec2 in_page = at - vec2(page.xy);
#ifdef FAR
	float height = uintBitsToFloat(texelFetch(samples, clamp(ivec2(in_page), ivec2(0), page.zw - 1), 0).w);
	vec3 ray = toward(at, height);
	int level = clamp(int(0.5 * log2(footprint.x * square(ray) / square(grid.x)) + 0.5), 0, coarsest);
	vec2 place = (in_page + 0.5) / float(1 << level) - 0.5;
	ivec2 last = max((page.zw + 1) >> level, 2) - 2;
#else
	const int level = 0;
	vec2 place = in_page;
	ivec2 last = page.zw - 1;
#endif
	ivec2 cell = clamp(ivec2(place), ivec2(0), last);
	vec2 f = clamp(place - vec2(cell), 0.0, 1.0);
	bool first = f.x + f.y <= 1.0; // triangle (a, c, b), else (b, c, d)
	uvec4 s0 = texelFetch(samples, first ? cell : cell + 1, level);
	uvec4 s1 = texelFetch(samples, cell + ivec2(1, 0), level);
	uvec4 s2 = texelFetch(samples, cell + ivec2(0, 1), level);
	vec3 w = first ? vec3(1.0 - f.x - f.y, f.x, f.y) : vec3(f.x + f.y - 1.0, 1.0 - f.y, 1.0 - f.x);

	vec2 slope = (w.x * sampleSlope(s0) + w.y * sampleSlope(s1) + w.z * sampleSlope(s2)) * (1.0 / 2047.0);
	vec3 normal = vec3(slope.x, sqrt(max(1.0 - dot(slope, slope), 0.0)), slope.y);
	float fourth = dot(uintBitsToFloat(uvec3(s0.w, s1.w, s2.w)), w);
#ifdef FAR
	if (level > 0) normal.y = fourth;
#else
	vec3 ray = toward(at, fourth);
#endif

	// The area of ground that the pixel covers, seen from above, as log₂ of its side
	// in cells: so textures are as sharp as they can be on average, and neighbouring
	// pixels need not be asked.
	float far2 = dot(ray, ray), far = sqrt(far2);
	float area = footprint.x * far2 * far * normal.y / max(dot(normal, ray), 0.05 * far);
	float size = 0.5 * log2(max(area, 1e-20) / square(grid.x));

#ifdef WHITE
#define LIGHT float
	float light0 = w.x, light1 = w.y, light2 = w.z;
#else
#define LIGHT vec3
	vec3 light0 = w.x * sampleLight(s0), light1 = w.y * sampleLight(s1), light2 = w.z * sampleLight(s2);
#endif
	vec3 albedo = vec3(0.0);
#if LAYERS == 1
	albedo = (light0 + light1 + light2) * layer(palette[0], paletteUV[0], at, size);
#else
	uvec3 id0 = sampleLayers(s0), id1 = sampleLayers(s1), id2 = sampleLayers(s2);
	vec3 b0 = weights(sampleAlphas(s0)), b1 = weights(sampleAlphas(s1)), b2 = weights(sampleAlphas(s2));
#if LAYERS > 1
	for (int k = 0; k < LAYERS; k++) {
		uvec3 p = uvec3(palette[k]);
		LIGHT weight = light0 * dot(vec3(equal(id0, p)), b0)
			+ light1 * dot(vec3(equal(id1, p)), b1)
			+ light2 * dot(vec3(equal(id2, p)), b2);
		albedo += weight * layer(p.x, paletteUV[k], at, size);
	}
#else
	for (int k = 0; k < 3; k++) {
		albedo += light0 * b0[k] * layer(id0[k], layerUV[min(id0[k], missing)], at, size)
			+ light1 * b1[k] * layer(id1[k], layerUV[min(id1[k], missing)], at, size)
			+ light2 * b2[k] * layer(id2[k], layerUV[min(id2[k], missing)], at, size);
	}
#endif
#endif
	pixel = vec4(lit(albedo, normal), 1.0);
}
