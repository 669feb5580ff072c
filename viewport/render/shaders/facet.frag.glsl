flat in vec4 paint;

uniform float opacity;

layout(location = 0) out vec4 pixel;

void main() { pixel = vec4(paint.rgb, paint.a * opacity); }
