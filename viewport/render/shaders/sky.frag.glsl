// A sky of three colours: zenith, horizon and what lies below it.
in vec3 direction;

uniform vec3 zenith, horizon, below;

layout(location = 0) out vec4 pixel;

void main() {
	float y = direction.y * inversesqrt(max(dot(direction, direction), 1e-20));
	float high = 1.0 - y;
	high *= high;
	vec3 above = mix(zenith, horizon, high * high * min(high, 1.0));
	pixel = vec4(mix(above, below, clamp(-y * 3.0, 0.0, 1.0)), 1.0);
}
