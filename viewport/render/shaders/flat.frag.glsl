// One colour, linear.
uniform vec4 tint;

layout(location = 0) out vec4 pixel;

void main() { pixel = tint; }
