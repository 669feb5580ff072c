// How much of a ghost is seen: less where the picture hides it. Its place is taken a
// little towards the eye, so that a surface that it lies on does not hide it.
uniform sampler2D depths; // of the picture
uniform vec2 shown; // opacity behind the picture; towards the eye, in parts of the distance

float opacity() {
	float eye_z = viewProj[3].z, z = gl_FragCoord.z;
	z = toEye.w > 0.0 ? mix(z, 0.5 * eye_z + 0.5, shown.y) : z + 0.5 * eye_z * gl_FragCoord.w * shown.y / (1.0 - shown.y);
	return z <= texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r + 3e-7 ? 1.0 : shown.x;
}
