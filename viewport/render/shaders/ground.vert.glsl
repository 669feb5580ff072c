// A patch of the ground: a grid of quads over its cells, a vertex every 2^level
// cells, with the rims bent to the levels that they share with the neighbours.
// There are no vertex arrays: the index is row·128 + column, and the height is read
// from the page. Vertices past the patch's last cell fall on its rim.
#include "frame.glsl"
#include "sample.glsl"

layout(location = 0) in uvec3 patchData; // first cell in the page, x and z << 16; cells, x and z << 16; edges, four bits each, and level << 16

uniform ivec4 page; // first cell of the page, counted from the eye's, x and z; cells of the page
uniform float bias; // towards the eye, in parts of the depth

out vec2 at; // cells from the eye's

invariant gl_Position;

// snap is the rule of lod.Snap: the place on one axis of rim vertex p, in cells,
// when the rim has the given level.
int snap(int p, uint edge, int cells) {
	int step = 1 << edge;
	int down = p & ~(step - 1);
	int up = min(down + step, cells);
	return p - down <= up - p ? down : up;
}

void main() {
	ivec2 first = ivec2(patchData.x & 0xffffu, patchData.x >> 16);
	ivec2 cells = ivec2(patchData.y & 0xffffu, patchData.y >> 16);
	ivec2 v = min(ivec2(gl_VertexID & 127, gl_VertexID >> 7) << (patchData.z >> 16), cells);
	uvec4 edges = (uvec4(patchData.z) >> uvec4(0u, 4u, 8u, 12u)) & 15u;
	ivec2 bent = v;
	if (v.x == 0) bent.y = snap(v.y, edges.x, cells.y);
	if (v.x == cells.x) bent.y = snap(v.y, edges.z, cells.y);
	if (v.y == 0) bent.x = snap(v.x, edges.y, cells.x);
	if (v.y == cells.y) bent.x = snap(v.x, edges.w, cells.x);
	ivec2 cell = first + bent;
	float height = uintBitsToFloat(texelFetch(samples, cell, 0).w);
	at = vec2(page.xy + cell);
	vec2 ground = at * grid.x - grid.yz;
	gl_Position = viewProj * vec4(ground.x, (height - eye.x) - eye.y, ground.y, 1.0);
	gl_Position.z -= bias * gl_Position.w;
}
