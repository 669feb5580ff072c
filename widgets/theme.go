package widgets

import (
	"image/color"

	"gioui.org/font"
	"gioui.org/font/gofont"
	"gioui.org/op"
	"gioui.org/text"
	"gioui.org/unit"
)

// Colors names colours by their role. Surfaces go from the deepest to the
// highest; the text roles keep a contrast of at least 4.5 to 1 (WCAG AA) on
// every surface that text stands on.
type Colors struct {
	Gap     color.NRGBA // between panels, behind everything
	Field   color.NRGBA // text and number fields, sunken
	Panel   color.NRGBA // panels
	Bar     color.NRGBA // menu bar, toolbar, status bar, headers
	Raised  color.NRGBA // buttons at rest
	Hover   color.NRGBA // buttons and rows under the pointer
	Pressed color.NRGBA // buttons while pressed
	Popup   color.NRGBA // menus, tooltips, dialogs, toasts

	Line   color.NRGBA // hairlines between surfaces
	Border color.NRGBA // outline of fields and pop-ups

	Text     color.NRGBA
	Dim      color.NRGBA // secondary text and icons at rest
	Hint     color.NRGBA // what a field says while it is empty
	Disabled color.NRGBA // text and icons that cannot be used now

	Accent     color.NRGBA // fill of what is chosen; carries OnAccent
	AccentHigh color.NRGBA // accent as a line, an icon or text on dark
	AccentLow  color.NRGBA // fill of chosen rows, under ordinary text
	OnAccent   color.NRGBA

	Good  color.NRGBA
	Warn  color.NRGBA
	Error color.NRGBA
	// ErrorField fills a field whose text cannot be used.
	ErrorField color.NRGBA

	// AxisX, AxisY and AxisZ are the letters of the three axes on a field.
	AxisX, AxisY, AxisZ color.NRGBA

	Shadow color.NRGBA // around pop-ups
	Scrim  color.NRGBA // over the window behind a dialog
}

// Sizes are the measures of the widget set.
type Sizes struct {
	Text     unit.Sp // body text
	Small    unit.Sp // hints, status bar, tooltips' second line
	Title    unit.Sp // dialog titles
	Row      unit.Dp // controls, list rows
	Menu     unit.Dp // rows of menus and of the palette
	Bar      unit.Dp // menu bar and headers
	Tool     unit.Dp // toolbar buttons
	Status   unit.Dp // status bar
	IconSize unit.Dp // icons in rows
	ToolIcon unit.Dp // icons on toolbar buttons
	Pad      unit.Dp // space inside panels
	Gap      unit.Dp // space between controls
	Radius   unit.Dp // corners
}

// Theme is the look of a window and the state its widgets share. Make it with
// NewTheme, one for each window.
type Theme struct {
	Color  Colors
	Size   Sizes
	Shaper *text.Shaper
	// Sans and Mono are the two fonts; weights are chosen by the styles.
	Sans, Mono font.Font
	// WheelStep is by how many pixels events scroll for one step of a mouse wheel,
	// which window systems don't agree on; 0 for 100.
	WheelStep float32

	win     window
	icons   map[iconKey]op.CallOp
	iconOps op.Ops
	metrics map[metricKey]lineMetric
}

// NewTheme returns the dark theme with the embedded fonts.
func NewTheme() *Theme {
	return &Theme{
		Color:   darkColors(),
		Size:    defaultSizes(),
		Shaper:  text.NewShaper(text.NoSystemFonts(), text.WithCollection(gofont.Collection())),
		Sans:    font.Font{Typeface: "Go"},
		Mono:    font.Font{Typeface: "Go Mono"},
		icons:   map[iconKey]op.CallOp{},
		metrics: map[metricKey]lineMetric{},
	}
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}
}

func alpha(c color.NRGBA, a uint8) color.NRGBA {
	c.A = a
	return c
}

func darkColors() Colors {
	return Colors{
		Gap:     rgb(0x141518),
		Field:   rgb(0x17181b),
		Panel:   rgb(0x222327),
		Bar:     rgb(0x292a2f),
		Raised:  rgb(0x36383f),
		Hover:   rgb(0x41434b),
		Pressed: rgb(0x2d2f35),
		Popup:   rgb(0x2c2d33),

		Line:   rgb(0x101114),
		Border: rgb(0x43454d),

		Text:     rgb(0xe3e4e8),
		Dim:      rgb(0xa9adb7),
		Hint:     rgb(0x868a95),
		Disabled: rgb(0x737781),

		Accent:     rgb(0x2a68cc),
		AccentHigh: rgb(0x6ea8ff),
		AccentLow:  rgb(0x2b4470),
		OnAccent:   rgb(0xffffff),

		Good:       rgb(0x7ccb8a),
		Warn:       rgb(0xe8b95b),
		Error:      rgb(0xff8880),
		ErrorField: rgb(0x4a1f21),

		AxisX: rgb(0xff8078),
		AxisY: rgb(0x93cf5f),
		AxisZ: rgb(0x78aaff),

		Shadow: color.NRGBA{A: 0x70},
		Scrim:  color.NRGBA{A: 0x90},
	}
}

func defaultSizes() Sizes {
	return Sizes{
		Text:     13,
		Small:    12,
		Title:    15,
		Row:      24,
		Menu:     26,
		Bar:      28,
		Tool:     32,
		Status:   24,
		IconSize: 16,
		ToolIcon: 20,
		Pad:      8,
		Gap:      4,
		Radius:   4,
	}
}
