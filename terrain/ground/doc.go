// Package ground makes the tiling ground textures that a new level begins with:
// grass, dirt, sand, rock, gravel, snow, forest floor and mud.
//
// A texture is a square sRGB picture whose right edge continues at its left and
// whose lower edge continues at its upper one, meant for a few metres of ground.
// It is computed from its name and size alone, the same each time: heights from
// periodic noise (gradient noise: Perlin, "Improving Noise", 2002; cells: Worley,
// "A Cellular Texture Basis Function", 1996) and from stamped blades, leaves and
// stones; light on these heights; and at last its brightness is evened out over
// distances of a sixth of the texture, so that no bright or dark spot shows the
// repetition from afar.
package ground
