package panel

import "ridgeline/occluders/cull"

// What the panel of culling says.
const (
	sCulling     = "Culling"
	sTests       = "Tests"
	sTried       = "tried"
	sRemoved     = "removed"
	sMs          = "ms"
	sFreezeIt    = "Freeze the culling camera"
	sFreezeHelp  = "What is culled stays as it is while you fly on. The frozen frustum and ghosts of what was removed are drawn."
	sNothingRun  = "Nothing has been drawn yet."
	sDrawnOf     = "%s of %s drawn"
	sNoTest      = "–"
	sFrames      = "last %d frames"
	sFramesGraph = "What was drawn and removed in the last frames"
	sFalseKey    = "Wrongly culled"

	sTruth        = "Compared with what can be seen"
	sCheckNow     = "Check now"
	sCheckHelp    = "Draws the view once more with nothing culled, and looks which of the culled things have a pixel in it."
	sCheckIdle    = "Check while idle"
	sCheckIdleTip = "Checks whenever the view comes to rest. Large ground is then looked at only as it is drawn, not in full detail."
	sNotChecked   = "This view was not checked yet."
	sOldCheck     = "These are figures of an earlier view."
	sFalseCulls   = "False culls"
	sEfficiency   = "Efficiency"
	sOfHidden     = "%d%% of %s hidden"
	sNoneHidden   = "nothing is hidden"
	sShares       = "Removed of it, by test:"

	sWhy         = "Why is it not drawn?"
	sWhyNothing  = "Select something, or click a ghost, to find out."
	sPartsCut    = "%s of its %s points are removed; of one of them:"
	sHiding      = "Occluders that hide most"
	sNoHiding    = "No occluder hides anything here."
	sRanking     = "Counting…"
	sHeatMap     = "Heat map"
	sMakeHeat    = "Make a heat map"
	sDropHeat    = "Take it away"
	sHeatHelp    = "Counts how many triangles are drawn from places all over the ground. Click one on the map to go there, while the camera is not frozen."
	sHeatStep    = "Step"
	sHeatStepTip = "Distance between the places."
	sHeatRange   = "%s to %s triangles"
	sHeatLegend  = "triangles drawn"
	sHeatOld     = "from before the last edits"

	// Legends and figures over the level.
	sFrozen      = "Culling camera frozen"
	sGhosts      = "Ghosts"
	sReachHere   = "here"
	sReachOne    = "1 portal away"
	sReachMany   = "%d portals"
	sReachMost   = "%d or more"
	sUnreached   = "not reached"
	sTriangleHUD = "%s triangles"

	// The View menu.
	sGhostsItem    = "Ghosts of what is culled"
	sFrustumItem   = "Frozen frustum"
	sPortalView    = "Portal view"
	sEffFigures    = "Efficiency figures"
	sHeatItem      = "Show the heat map"
	sBothBoxes     = "Occluders and occludees"
	sBothRooms     = "Cells and portals"
	sTestPortals   = "Test by portals"
	sTestOcclusion = "Test by terrain and occluders"
)

// testTitles and testHelp go with the tests of culling.
var testTitles = [cull.NumTests]string{
	cull.Frustum: "Frustum", cull.Backface: "Backfaces", cull.Portal: "Portals", cull.Terrain: "Terrain", cull.Occluder: "Occluders",
}

var testHelp = [cull.NumTests]string{
	cull.Frustum:  "Removes what is beside the picture.",
	cull.Backface: "Removes ground that faces away.",
	cull.Portal:   "Removes what stands in cells that no portal shows.",
	cull.Terrain:  "Removes what is behind hills.",
	cull.Occluder: "Removes what is behind occluders.",
}
