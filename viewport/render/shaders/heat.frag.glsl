// A map of colours over the ground.
in vec2 at; // cells from the eye's

uniform vec4 spread; // map coordinates per cell; those of the eye's cell
uniform float density;
uniform sampler2D heat; // times alpha, which is 0 where nothing is known

layout(location = 0) out vec4 pixel;

void main() {
	vec2 place = at * spread.xy + spread.zw;
	vec4 c = textureLod(heat, place, 0.0);
	bool outside = any(lessThan(place, vec2(0.0))) || any(greaterThan(place, vec2(1.0)));
	if (outside || c.a < 1.0 / 512.0) discard;
	pixel = vec4(c.rgb / c.a, c.a * density);
}
