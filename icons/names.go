package icons

// Name identifies an icon. The empty name is no icon.
type Name string

// The icons of the set.
const (
	None Name = ""

	// Modes.
	Select   Name = "select"
	Sculpt   Name = "sculpt"
	Paint    Name = "paint"
	Object   Name = "object"
	Occluder Name = "occluder"
	Portal   Name = "portal"
	Marker   Name = "marker"
	Walk     Name = "walk"

	// Terrain operations.
	Raise   Name = "raise"
	Lower   Name = "lower"
	Smooth  Name = "smooth"
	Flatten Name = "flatten"

	// Kinds of things in a level that are no mode.
	Group       Name = "group"
	MarkerPoint Name = "marker-point"
	MarkerLine  Name = "marker-line"
	MarkerArea  Name = "marker-area"
	Scatter     Name = "scatter"
	Foliage     Name = "foliage"
	Billboard   Name = "billboard"
	Light       Name = "light"
	Sky         Name = "sky"

	// Transforms.
	Move        Name = "move"
	Rotate      Name = "rotate"
	Scale       Name = "scale"
	Snap        Name = "snap"
	SnapVertex  Name = "snap-vertex"
	SnapSurface Name = "snap-surface"
	SnapAngle   Name = "snap-angle"
	World       Name = "world"
	Local       Name = "local"
	Mirror      Name = "mirror"
	Array       Name = "array"
	Random      Name = "random"
	Measure     Name = "measure"
	Radius      Name = "radius"

	// Walking.
	Footsteps Name = "footsteps"
	Collision Name = "collision"

	// Files and history.
	Undo    Name = "undo"
	Redo    Name = "redo"
	Save    Name = "save"
	Open    Name = "open"
	New     Name = "new"
	Import  Name = "import"
	Export  Name = "export"
	History Name = "history"
	Folder  Name = "folder"
	File    Name = "file"
	Copy    Name = "copy"

	// Assets and groups.
	Assets    Name = "assets"
	Duplicate Name = "duplicate"
	Ungroup   Name = "ungroup"
	Link      Name = "link"
	Unlink    Name = "unlink"
	Reload    Name = "reload"
	Tag       Name = "tag"

	// Panels and views.
	Layers   Name = "layers"
	Settings Name = "settings"
	Console  Name = "console"
	Palette  Name = "palette"
	Grid     Name = "grid"
	NodeTree Name = "node-tree"
	Outliner Name = "outliner"
	Wire     Name = "wire"
	Bounds   Name = "bounds"
	Markers  Name = "markers"
	Cell     Name = "cell"
	Sun      Name = "sun"
	Water    Name = "water"
	Camera   Name = "camera"
	Frame    Name = "frame"
	Play     Name = "play"

	// States and small actions.
	Eye          Name = "eye"
	EyeOff       Name = "eye-off"
	Lock         Name = "lock"
	Unlock       Name = "unlock"
	Plus         Name = "plus"
	Minus        Name = "minus"
	Trash        Name = "trash"
	Pencil       Name = "pencil"
	Search       Name = "search"
	Filter       Name = "filter"
	Close        Name = "close"
	Check        Name = "check"
	ChevronUp    Name = "chevron-up"
	ChevronDown  Name = "chevron-down"
	ChevronLeft  Name = "chevron-left"
	ChevronRight Name = "chevron-right"
	ExpandAll    Name = "expand-all"
	CollapseAll  Name = "collapse-all"
	MenuDots     Name = "menu-dots"
	Warning      Name = "warning"
	Error        Name = "error"
	Info         Name = "info"
)
