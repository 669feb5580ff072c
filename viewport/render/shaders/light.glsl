// How lit surfaces look. Linear.
vec3 lit(vec3 albedo, vec3 normal) {
	return albedo * (ambient.rgb + sun.rgb * max(dot(normal, toSun.xyz), 0.0));
}
