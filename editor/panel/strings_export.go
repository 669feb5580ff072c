package panel

// The export dialog.
const (
	sExport       = "Export"
	sExporting    = "Export the level"
	sUnits        = "Units a metre"
	sOnlySelected = "Only what is selected (%d)"

	sOnlySelectedHelp = "And what is below it, where it stands. Without ground."

	sChunk         = "Chunk cells"
	sChunkHelp     = "Cells along an edge of a ground chunk."
	sLODs          = "Detail levels"
	sLODsHelp      = "Levels of detail of the ground, the full one included."
	sMeshLODs      = "Mesh levels"
	sMeshLODsHelp  = "Further levels of detail of meshes, by the part of the triangles that each keeps."
	sExportBake    = "Baked pixels"
	sBakeHelp      = "Pixels of a texture a chunk that holds its layers blended, for engines that cannot blend them."
	sExportHeights = "Heights"
	sHeightsHelp   = "Beside the meshes, for engines that draw height fields."
	sHeightsFloat  = "32 bits"
	sHeights16     = "16 bits"

	sUnlit                = "Unlit ground"
	sUnlitHelp            = "For baked light, which engines would light again."
	sQuantize             = "Compact vertices"
	sQuantizeHelp         = "Vertices take half the bytes. The engine must know KHR_mesh_quantization."
	sInstancing           = "Instanced things"
	sInstancingHelp       = "Things that share a mesh are one node. The engine must know EXT_mesh_gpu_instancing."
	sZUp                  = "Z is up"
	sZUpHelp              = "A root node turns the level."
	sExportSun            = "Sun as a light"
	sExportSunHelp        = "The sun as a light."
	sExportCameras        = "Cameras"
	sExportCamerasHelp    = "The view and its bookmarks as cameras."
	sExportVisibility     = "Visibility data"
	sExportVisibilityHelp = "What hides what, for games that cull as the editor does."
	sStrict               = "Missing assets fail"
	sStrictHelp           = "Fails when an asset is missing, instead of showing a box for it."
)
