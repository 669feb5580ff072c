// A picture that stands in for a model: upright in the model's frame, turned to the eye
// around the model's own upright axis, or, seen steeply from above, flat. In that frame
// it stands where the lines of sight go, so that any matrix takes it to its place.
#include "frame.glsl"
#include "object.glsl"

uniform vec3 centre;
uniform vec2 reach; // half the width, half the height

out vec2 at;
flat out vec4 tinted;
flat out vec3 turn0, turn1, turn2; // rows of the matrix for normals

invariant gl_Position;

const float steep = 1.73; // tan 60°
const float cells = 3.0, rim = 1.0 / 16.0, yaws = 8.0;

void main() {
	vec3 n0, n1, n2;
	turned(n0, n1, n2);
	vec3 toward = toEye.w > 0.0 ? toEye.xyz : -fromEye(centre);
	// The cofactors, transposed, are the inverse but for a scale that does not matter.
	vec3 d = n0 * toward.x + n1 * toward.y + n2 * toward.z;
	float flat2 = length(d.xz);
	vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
	vec2 span = corner * 2.0 - 1.0;
	vec3 p;
	float cell;
	if (d.y > steep * flat2) {
		cell = yaws;
		p = vec3(span.x * reach.x, 0.0, -span.y * reach.x);
	} else {
		vec2 n = flat2 > 0.0 ? d.xz / flat2 : vec2(0.0, 1.0);
		cell = mod(round(atan(n.x, n.y) * (yaws / 6.28318530718)) + yaws, yaws);
		p = vec3(n.y * span.x * reach.x, span.y * reach.y, -n.x * span.x * reach.x);
	}
	gl_Position = viewProj * vec4(fromEye(centre + p), 1.0);
	at = (vec2(mod(cell, cells), floor(cell / cells)) + mix(vec2(rim), vec2(1.0 - rim), corner)) / cells;
	tinted = tint;
	turn0 = n0;
	turn1 = n1;
	turn2 = n2;
}
