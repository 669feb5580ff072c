package icons

import (
	"fmt"
	"strings"
	"testing"
)

// lineWidth is the widest line a renderer draws, in grid units.
const lineWidth = 2

func TestEveryIconDecodesInsideItsBox(t *testing.T) {
	if len(Names()) < 50 {
		t.Fatalf("only %d icons", len(Names()))
	}
	for _, name := range Names() {
		icon, ok := Lookup(name)
		if !ok || len(icon) == 0 {
			t.Errorf("%s: no shapes", name)
			continue
		}
		for i, s := range icon {
			if err := s.Validate(); err != nil {
				t.Errorf("%s, shape %d: %v", name, i, err)
				continue
			}
			edge := float32(lineWidth) / 2
			if s.Filled() {
				edge = 0
			}
			x0, y0, x1, y1 := s.Bounds()
			if !(x0-edge >= 0 && y0-edge >= 0 && x1+edge <= Size && y1+edge <= Size) {
				t.Errorf("%s, shape %d leaves the box: %g,%g to %g,%g", name, i, x0, y0, x1, y1)
			}
		}
	}
}

// A small mark in a corner of the box would look misplaced beside the others.
func TestEveryIconIsCentredAndFillsItsBox(t *testing.T) {
	small := map[Name]bool{Minus: true, MenuDots: true}
	for _, name := range Names() {
		icon, _ := Lookup(name)
		x0, y0, x1, y1 := icon[0].Bounds()
		for _, s := range icon[1:] {
			a, b, c, d := s.Bounds()
			x0, y0, x1, y1 = min(x0, a), min(y0, b), max(x1, c), max(y1, d)
		}
		if cx, cy := (x0+x1)/2, (y0+y1)/2; cx < 10 || cx > 14 || cy < 10 || cy > 14 {
			t.Errorf("%s is off centre: %g,%g", name, cx, cy)
		}
		if !small[name] && max(x1-x0, y1-y0) < 12 {
			t.Errorf("%s is too small: %g × %g", name, x1-x0, y1-y0)
		}
	}
}

func TestNoTwoIconsAreTheSame(t *testing.T) {
	seen := map[string]Name{}
	for _, name := range Names() {
		icon, _ := Lookup(name)
		key := fmt.Sprint(icon)
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s are the same drawing", name, other)
		}
		seen[key] = name
	}
}

func TestNamesAreFileNames(t *testing.T) {
	for _, name := range Names() {
		if strings.Trim(string(name), "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("icon name %q", name)
		}
	}
	if _, ok := Lookup("no such icon"); ok {
		t.Error("an icon that does not exist was found")
	}
}

func TestValidateRefuses(t *testing.T) {
	for _, s := range []Shape{
		{Line, []float32{1, 2}},
		{Line, []float32{1, 2, 3}},
		{Poly, []float32{1, 2, 3, 4}},
		{Rect, []float32{5, 5, 4, 9, 0}},
		{Rect, []float32{5, 5, 9, 9}},
		{Circle, []float32{5, 5, 0}},
		{Curve, []float32{1, 2, 3, 4}},
		{Loop, []float32{1, 2, 3, 4, 5, 6, 7, 8}},
		{Kind(99), []float32{1}},
	} {
		if s.Validate() == nil {
			t.Errorf("%v passed", s)
		}
	}
}
