// What all passes of a frame share. Metres, relative to the eye. The cells of the
// ground are counted from the cell under the eye, so that float32 is fine anywhere.
layout(std140) uniform Frame {
	mat4 viewProj;
	vec4 eye;       // height of the eye: high part, low part
	vec4 grid;      // metres per cell; place of the eye in its cell, x and z, metres
	vec4 toSun;     // unit vector
	vec4 sun;       // linear light
	vec4 ambient;   // linear light
	vec4 liveSun, liveAmbient; // the same for objects, which no light is baked for
	vec4 viewport;  // width, height, pixels; pixels per dp
	vec4 toEye;     // parallel views: unit vector, 1; else w = 0
	vec4 footprint; // size of a pixel, squared: square metres, at one metre's distance unless parallel
	vec4 layerUV[257]; // texture repeats per cell; texture coordinates of the eye's cell; log₂ of texels per cell
};
