package command

// Level is the level of the tests outside the package.
var Level = level
