#version 410 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in vec4 color[3];
uniform mat4 toClip, toWorld;
uniform vec2 place; // of the mesh on the map, from the ground's first sample
out vec3 n;
out vec2 st, map;
out vec4 c[3];
void main() {
	n = mat3(toWorld) * normal;
	st = uv;
	map = place + (mat3(toWorld) * position).xz;
	c = color;
	gl_Position = toClip * vec4(position, 1);
}
