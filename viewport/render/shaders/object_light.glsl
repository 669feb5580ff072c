// The light that falls on an object. Linear.
vec3 sunlight(vec3 normal) { return liveAmbient.rgb + liveSun.rgb * max(dot(normal, toSun.xyz), 0.0); }
