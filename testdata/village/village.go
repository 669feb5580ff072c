package village

import "embed"

// Files are the script village.txt, the picture ground.png and the meshes. The script
// names the meshes by their path from the repository's root.
//
//go:embed village.txt ground.png *.glb
var Files embed.FS

// Folder is where the files are in the repository.
const Folder = "testdata/village"

// What the samples of the ground are: metres apart, and the heights of 0 and 65535.
const (
	Spacing = 1.5
	Lowest  = 0.0
	Highest = 90.0
)
