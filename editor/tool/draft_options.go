package tool

import "ridgeline/document"

// Form is how something that makes visibility is drawn.
type Form string

// The forms. With every form a drag draws a rectangle on what is under the pointer.
const (
	FormBox     Form = "box"     // a rectangle that is pulled to a box
	FormPolygon Form = "polygon" // a polygon of clicks that is pulled to a solid
	FormFlat    Form = "flat"    // a polygon of clicks, or a rectangle, that stays flat
	FormHole    Form = "hole"    // the same, as the hole of the flat occluder that is selected
)

// Forms are all of them, in the order in which they are offered.
var Forms = []Form{FormBox, FormPolygon, FormFlat, FormHole}

// Drafting is the options of drawing occluders, cells and portals.
type Drafting struct {
	What   document.Kind // KindOccluder, KindCell or KindPortal
	Form   Form          // portals are flat whatever it says
	Height float64       // metres that a solid is pulled to before the pointer says otherwise
	// Attach makes an occluder part of the object on which it is drawn.
	Attach bool
	// Piece makes what is drawn a further piece of the one cell that is selected.
	Piece bool
	State document.PortalState // of new portals
	Reach float64              // of new portals, metres

	// How occluders are made of objects: so many metres inside them, with so many faces
	// at most, and what to do with one that leaks (see the command occluder.from).
	Shrink float64
	Faces  int
	Check  string
}

// The bounds of a height, in metres.
const (
	MinHeight = 0.01
	MaxHeight = 1e5
)

// DefaultOccluding and DefaultRooms are what a new installation draws.
func DefaultOccluding() Drafting {
	return Drafting{What: document.KindOccluder, Form: FormBox, Height: 3, Faces: 32, Check: "on"}
}

// DefaultRooms draws cells as high as a storey.
func DefaultRooms() Drafting {
	return Drafting{What: document.KindCell, Form: FormBox, Height: 3, State: document.PortalOpen, Reach: document.PortalReach}
}

// flat tells that nothing is pulled.
func (d *Drafting) flat() bool {
	return d.What == document.KindPortal || d.What == document.KindOccluder && (d.Form == FormFlat || d.Form == FormHole)
}

// holes tells that what is drawn is the hole of something.
func (d *Drafting) holes() bool { return d.What == document.KindOccluder && d.Form == FormHole }

// clicks tells that clicks set corners, instead of selecting.
func (d *Drafting) clicks() bool { return d.Form != FormBox }
