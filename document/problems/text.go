package problems

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
	"ridgeline/occluders/portal"
)

// The sentences. %s are names of things unless it says otherwise.
const (
	textNoHull       = "%s hides nothing: %s."                                                                          // an error
	textNoPolygon    = "%s hides nothing: %s."                                                                          // an error
	textInsidePoints = "%s is not convex: %s of its points lie inside its hull, which hides more than the points show." // a number
	textNoPiece      = "%s has a piece that is no room: %s."                                                            // an error
	textCellInside   = "%s is not convex: %s of its points lie inside its hull, which is the room."                     // a number
	textDoor         = "%s hides nothing while %s is open, which goes through it."
	textDoors        = "%s hides nothing while %s and %s are open, which go through it." // the last is a number

	textHuge = "%s measures %s, more than the %s up to which it is exact." // lengths

	textUnlinked   = "%s joins nothing: there is no cell within its reach of %s." // a length
	textSameCell   = "%s joins nothing: both its sides are in %s."
	textOff        = "%s is %s off the face of its cell." // a length
	textAdrift     = "%s is farther from its cells than they can be told apart, so that all of both is drawn."
	textNotBetween = "%s is not between its two cells, so that it is seen through from everywhere."
	textThin       = "%s has no area."
	textBent       = "%s is bent: its corners are up to %s off their plane." // a length
	textConvex     = "%s is not convex. The hull of its corners is used."
	textTwin       = "%s stands in the place of %s."
	textTwins      = "%d portals stand in the place of %s: %s." // a number
	textTwinAway   = "%s stands in the place of %s and faces the other way."
	textTwinsAway  = "%d portals stand in the place of %s and face the other way: %s." // a number
	textOther      = "%s: %s."                                                         // what the package portal says

	textOverlap      = "%s and %s overlap: from inside of both, all that either sees is drawn."
	textOverlaps     = "%s overlaps %d others: %s. From inside of several, all that any sees is drawn."          // a number
	textManyOverlaps = "%s overlaps %d others at least: %s. From inside of several, all that any sees is drawn." // a number
	textSameRoom     = "%s is the same room as %s."
	textSameRooms    = "%d cells are one and the same room: %s."                                    // a number
	textLeak         = "%s leaks at %s: nothing stands within %s of its face there, and no portal." // a place, a length
	textLeakTo       = "%s leaks at %s into %s: nothing stands between them there, and no portal."  // a place
	textUnseen       = "%s can be seen from %s but does not touch it, so that it vanishes when only the inside is drawn."
	textUnseenBy     = "%s can be seen from %d cells but touches none of them, so that it vanishes when only the inside of one is drawn: %s."         // a number
	textBare         = "%s can be seen from outside of %s at %s, and vanishes there: it fills the cell up to its face, and nothing stands before it." // a place
	textTooBig       = "%s is bigger than what it stands for: it hides what can be seen past %s at %s."                                               // a place
	textCrossed      = "%s is bigger than what it stands for: %s has a dent in it at %s."                                                             // a place
	textHollow       = "%s is bigger than what it stands for: its middle is not inside of %s."
	textAlone        = "%s hides what can be seen: nothing solid stands around it at %s." // a place
	textUseless      = "%s never removes anything, from any camera, marker or place on the ground."
	textTooMany      = "No portal removes anything: there are %d cells and %d portals, and no more than %d of either, or of pieces of cells, can be told apart." // numbers
	textUntried      = "%d occluders were not seen to remove anything; they were not tried from everywhere, as there are so many."                               // a number
	textUntriedOne   = "%s was not seen to remove anything; it was not tried from everywhere, as there are so many."
)

// What a suggestion says: a thing, a number of faces, how much is removed.
const textSuggest = "%s: a hull of %d faces inside it would remove %.1f more things and tiles of ground a view, on average."

// The titles of fixes.
const (
	fixDelete    = "Delete"
	fixDeleteAll = "Delete %d" // a number
	fixFlatten   = "Flatten"
	fixHull      = "Make convex"
	fixCut       = "Cut the opening out"
	fixHole      = "Make a hole for it"
	fixSnap      = "Snap to the face"
	fixShrink    = "Shrink"
	fixOff       = "Switch off"
	fixInset     = "Make the cell smaller"
	fixTouch     = "Add to the cell"
	fixPiece     = "Remove the piece"
	fixApart     = "Cut apart"
)

// subject names a thing at the beginning of a sentence.
func (f *finder) subject(id document.ID) string {
	e, ok := f.l.Entity(id)
	if !ok {
		return "Thing " + idText(id)
	}
	kind := map[document.Kind]string{
		document.KindObject: "Object", document.KindOccluder: "Occluder", document.KindCell: "Cell",
		document.KindPortal: "Portal", document.KindScatter: "Scatter",
	}[e.Kind]
	if kind == "" {
		kind = "Thing"
	}
	if e.Name == "" {
		return kind + " " + idText(id)
	}
	return kind + " “" + e.Name + "”"
}

// object names a thing within a sentence.
func (f *finder) object(id document.ID) string {
	s := f.subject(id)
	return strings.ToLower(s[:1]) + s[1:]
}

// mostNamed is how many things a sentence names, and counts the others.
const mostNamed = 3

// names lists the first of n things within a sentence.
func (f *finder) names(ids []document.ID, n int) string {
	shown := min(len(ids), mostNamed)
	if n == mostNamed+1 && len(ids) == n {
		shown = n // “and 1 other” would say less
	}
	var b strings.Builder
	for i, id := range ids[:shown] {
		switch {
		case i == 0:
		case i == n-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(f.object(id))
	}
	if left := n - shown; left > 0 {
		fmt.Fprintf(&b, " and %d more", left)
	}
	return b.String()
}

// cellName names a cell of a graph within a sentence.
func (f *finder) cellName(cell int) string {
	if cell == portal.Outside {
		return "the outside"
	}
	return f.object(f.v.Cells[cell].ID)
}

func idText(id document.ID) string { return strconv.FormatUint(uint64(id), 10) }

// metres writes a length for people.
func metres(d float64) string {
	switch {
	case d < 0.01:
		return strconv.FormatFloat(math.Round(d*1e5)/100, 'g', -1, 64) + " mm"
	case d < 1:
		return strconv.FormatFloat(math.Round(d*1e3)/10, 'g', -1, 64) + " cm"
	case d >= 1e4:
		return strconv.FormatFloat(math.Round(d/100)/10, 'f', -1, 64) + " km"
	}
	return strconv.FormatFloat(math.Round(d*100)/100, 'g', -1, 64) + " m"
}

// place writes a point for people.
func place(p mgl64.Vec3) string {
	n := func(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'g', 12, 64) }
	return fmt.Sprintf("(%s, %s, %s)", n(p[0]), n(p[1]), n(p[2]))
}

// pointsArg writes points as commands take them.
func pointsArg(name string, points []mgl64.Vec3) string {
	var b strings.Builder
	b.WriteString(name + `="`)
	for i, p := range points {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(pointText(p))
	}
	b.WriteByte('"')
	return b.String()
}

func pointText(p mgl64.Vec3) string {
	n := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return n(p[0]) + "," + n(p[1]) + "," + n(p[2])
}

// deleteFix deletes a thing, and leaves what stands below it.
func deleteFix(id document.ID) Fix {
	return Fix{fixDelete, "object.delete id=" + idText(id) + " children=lift"}
}

// offFix keeps an occluder from hiding anything.
func offFix(id document.ID) Fix { return Fix{fixOff, "occluder.set id=" + idText(id) + " off=yes"} }

// deleteAll deletes those of some things that are not locked.
func (f *finder) deleteAll(ids []document.ID) Fix {
	var list []string
	for _, id := range ids {
		if !f.locked(id) {
			list = append(list, idText(id))
		}
	}
	switch len(list) {
	case 0:
		return Fix{}
	case 1:
		return Fix{fixDelete, "object.delete id=" + list[0] + " children=lift"}
	}
	return Fix{fmt.Sprintf(fixDeleteAll, len(list)), "object.delete id=" + strings.Join(list, ",") + " children=lift"}
}

func setPoints(title, command string, id document.ID, points []mgl64.Vec3) Fix {
	return Fix{title, command + " id=" + idText(id) + " " + pointsArg("points", points)}
}
