// One triangle over the whole picture.
void main() {
	gl_Position = vec4(vec2((gl_VertexID & 1) << 2, (gl_VertexID & 2) << 1) - 1.0, 0.0, 1.0);
}
