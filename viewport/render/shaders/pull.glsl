// What is drawn over the level: places pulled towards the eye, so that the surface they
// lie on does not hide them, and colours.
uniform float bias; // towards the eye, in parts of the distance

// The depth of the pulled place is that of the place plus a share of the eye's own, and
// so as linear as what it pulls: it may be interpolated, and cut behind the eye.
vec4 place(vec3 p) {
	vec4 c = viewProj * vec4(p, 1.0);
	float eye_z = viewProj[3].z;
	c.z = toEye.w > 0.0 ? mix(c.z, eye_z, bias) : c.z + eye_z * (bias / (1.0 - bias));
	return c;
}

// sRGB to linear light, as near as a picture shows.
vec3 decode(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
