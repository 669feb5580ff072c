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

	// Transforms.
	Move   Name = "move"
	Rotate Name = "rotate"
	Scale  Name = "scale"
	Snap   Name = "snap"

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

	// Panels and views.
	Layers   Name = "layers"
	Settings Name = "settings"
	Console  Name = "console"
	Palette  Name = "palette"
	Grid     Name = "grid"
	Wire     Name = "wire"
	Bounds   Name = "bounds"
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
	Close        Name = "close"
	Check        Name = "check"
	ChevronUp    Name = "chevron-up"
	ChevronDown  Name = "chevron-down"
	ChevronLeft  Name = "chevron-left"
	ChevronRight Name = "chevron-right"
	MenuDots     Name = "menu-dots"
	Warning      Name = "warning"
	Error        Name = "error"
	Info         Name = "info"
)
