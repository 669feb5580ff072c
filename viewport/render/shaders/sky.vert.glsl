// One triangle over the whole picture, at the far end of the depth range.
uniform vec3 corner, across, up; // view directions: lower left, and the steps to the right and upper rim

out vec3 direction;

void main() {
	vec2 at = vec2((gl_VertexID & 1) << 1, gl_VertexID & 2);
	direction = corner + at.x * across + at.y * up;
	gl_Position = vec4(at * 2.0 - 1.0, 1.0, 1.0);
}
