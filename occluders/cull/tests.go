package cull

import "strings"

// Test is one of the tests that remove what cannot be seen.
type Test uint8

// The tests, in the order in which they are made.
const (
	Frustum  Test = iota // outside the view
	Backface             // ground that faces away
	Portal               // in cells that no line of sight reaches
	Terrain              // behind hills
	Occluder             // behind occluders
	NumTests = 5
)

var testNames = [NumTests]string{"frustum", "backface", "portal", "terrain", "occluder"}

// String is the test's name in reports and commands.
func (t Test) String() string {
	if int(t) < len(testNames) {
		return testNames[t]
	}
	return "none"
}

// ParseTest finds a test by its name.
func ParseTest(name string) (t Test, ok bool) {
	for i, n := range testNames {
		if n == name {
			return Test(i), true
		}
	}
	return 0, false
}

// Tests is a set of tests.
type Tests uint8

// All is the set of all tests.
const All = Tests(1<<NumTests - 1)

// Only is a set of the given tests.
func Only(list ...Test) (s Tests) {
	for _, t := range list {
		s |= 1 << t
	}
	return s
}

// Has reports whether t is in the set.
func (s Tests) Has(t Test) bool { return s&(1<<t) != 0 }

// With is the set with a test switched on or off.
func (s Tests) With(t Test, on bool) Tests {
	if on {
		return s | 1<<t
	}
	return s &^ (1 << t)
}

// String lists the tests of the set.
func (s Tests) String() string {
	var list []string
	for t := range Test(NumTests) {
		if s.Has(t) {
			list = append(list, t.String())
		}
	}
	return strings.Join(list, " ")
}

// Verdict says what became of an entry.
type Verdict uint8

// The verdicts: drawn, removed by one of the tests, or nothing to draw.
const (
	Drawn Verdict = iota
	ByFrustum
	ByBackface
	ByPortal
	ByTerrain
	ByOccluder
	Absent // hidden by the user, without a size, or gone: no test was made
	numVerdicts
)

// By is the verdict of what a test removed.
func By(t Test) Verdict { return ByFrustum + Verdict(t) }

// Test tells which test removed the entry; ok is false if none did.
func (v Verdict) Test() (t Test, ok bool) {
	return Test(v - ByFrustum), v >= ByFrustum && v <= ByOccluder
}

// String is the verdict's name in reports.
func (v Verdict) String() string {
	switch t, removed := v.Test(); {
	case removed:
		return t.String()
	case v == Drawn:
		return "drawn"
	}
	return "absent"
}
