package command

// Level and AddAsset are those of the tests outside the package.
var (
	Level    = level
	AddAsset = addAsset
)
