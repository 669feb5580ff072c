package command

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"pgregory.net/rapid"
)

// A matrix is split into the very factors that it was made of, signs and all, where they
// are told: -1, -1, 1 is otherwise the same as a turn.
func TestDecomposeGivesTheFactorsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-1, 1)
		q := unit(mgl64.Quat{W: number.Draw(t, "w"), V: mgl64.Vec3{number.Draw(t, "x"), number.Draw(t, "y"), number.Draw(t, "z") + 2}})
		var s mgl64.Vec3
		for i := range s {
			s[i] = math.Exp2(8 * number.Draw(t, "size"))
			if rapid.Bool().Draw(t, "negative") {
				s[i] = -s[i]
			}
		}
		gotQ, gotS, shear := decompose(scaled(q, s), s)
		if gotS != s {
			t.Fatalf("factors %v, expected %v", gotS, s)
		}
		if math.Abs(gotQ.Dot(q)) < 1-1e-12 || shear > 1e-12 {
			t.Fatalf("turn %v, expected %v; shear %v", gotQ, q, shear)
		}
		// Other signs give the same matrix, as far as signs and a turn can: those asked
		// for, but for the first where it would mirror.
		like := s
		for i := range like {
			if rapid.Bool().Draw(t, "other") {
				like[i] = -like[i]
			}
		}
		gotQ, gotS, _ = decompose(scaled(q, s), like)
		want := like
		if like[0]*like[1]*like[2]*s[0]*s[1]*s[2] < 0 {
			want[0] = -want[0]
		}
		for i := range want {
			if math.Signbit(gotS[i]) != math.Signbit(want[i]) || math.Abs(gotS[i]-want[i]) > 1e-12*math.Abs(want[i]) {
				t.Fatalf("factors %v, expected %v", gotS, want)
			}
		}
		if d := apart(scaled(gotQ, gotS).Mat4(), scaled(q, s).Mat4()); !(d < 1e-12) {
			t.Fatalf("the matrix is off by %v", d)
		}
	})
}
