// An instance of a model: the rows of the matrix that takes its vertices to metres
// from the eye, and a tint.
layout(location = 4) in vec4 row0;
layout(location = 5) in vec4 row1;
layout(location = 6) in vec4 row2;
layout(location = 7) in vec4 tint; // linear; how much of it

vec3 fromEye(vec3 p) {
	return vec3(dot(row0.xyz, p) + row0.w, dot(row1.xyz, p) + row1.w, dot(row2.xyz, p) + row2.w);
}

// The rows of the matrix for normals, of any length: cofactors keep them at right
// angles to surfaces that are scaled unevenly, and the sign keeps them outside of
// mirrored ones.
void turned(out vec3 n0, out vec3 n1, out vec3 n2) {
	n0 = cross(row1.xyz, row2.xyz);
	float s = dot(row0.xyz, n0) < 0.0 ? -1.0 : 1.0;
	n0 *= s;
	n1 = cross(row2.xyz, row0.xyz) * s;
	n2 = cross(row0.xyz, row1.xyz) * s;
}

vec3 unit(vec3 v) { return v * inversesqrt(max(dot(v, v), 1e-30)); }
