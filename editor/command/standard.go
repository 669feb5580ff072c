package command

import "slices"

// Standard is a registry of all commands that need no window. The host adds its
// own.
func Standard() *Registry {
	r := new(Registry)
	err := r.Add(slices.Concat(
		terrainCommands(), groundCommands(), paintCommands(), lightCommands(), worldCommands(),
		assetCommands(), objectCommands(), arrangeCommands(), copyCommands(), groupCommands(),
		scatterCommands(), markerCommands(), outlineCommands(),
		occluderCommands(), occluderFromCommands(), occluderShapeCommands(), cellCommands(), cellShapeCommands(), roomCommands(), portalCommands(), cullCommands(), problemCommands(),
		cameraCommands(), selectionCommands(), historyCommands(), fileCommands(), helpCommands(),
	)...)
	if err != nil {
		panic(err) // the tables above contradict themselves
	}
	return r
}
