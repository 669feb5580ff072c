// A line's cross-section: full within half its width, fading over one pixel.
in vec3 rim;
flat in vec3 paint;

uniform float opacity;

layout(location = 0) out vec4 pixel;

void main() {
	float cover = clamp(rim.y + 0.5 - abs(rim.x), 0.0, 1.0);
	pixel = vec4(paint, rim.z * cover * opacity);
}
