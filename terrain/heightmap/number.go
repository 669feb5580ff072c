package heightmap

import (
	"math"
	"strconv"
)

// parseFloat32 reads a decimal number and gives the nearest float32, as
// strconv.ParseFloat(s, 32) does, in a third of the time for the short numbers
// that grids are made of. ok is false for anything but decimal digits with an
// optional sign, point and exponent; inf and nan are not numbers here. A number
// beyond float32 comes back as an infinity.
//
// A number of up to 15 digits and a small exponent is one exact float64 times or
// over another, so that one rounding gives the nearest float64 (Clinger). Rounding
// that to float32 can only differ from rounding the decimal itself when the
// float64 lies exactly between two float32; those go to strconv.
func parseFloat32(s []byte) (v float32, ok bool) {
	i, n := 0, len(s)
	neg := false
	if i < n && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	var mant uint64
	digits, exp := 0, 0
	start := i
	for ; i < n && s[i]-'0' <= 9; i++ {
		mant = mant*10 + uint64(s[i]-'0')
	}
	digits = i - start
	if i < n && s[i] == '.' {
		i++
		start = i
		for ; i < n && s[i]-'0' <= 9; i++ {
			mant = mant*10 + uint64(s[i]-'0')
		}
		exp = start - i
		digits += i - start
	}
	if digits == 0 {
		return 0, false
	}
	if i < n && s[i]|0x20 == 'e' {
		i++
		sign := 1
		if i < n && (s[i] == '-' || s[i] == '+') {
			if s[i] == '-' {
				sign = -1
			}
			i++
		}
		if i == n {
			return 0, false
		}
		e := 0
		for ; i < n && s[i]-'0' <= 9; i++ {
			e = min(e*10+int(s[i]-'0'), 9999)
		}
		exp += sign * e
	}
	if i < n {
		return 0, false
	}
	// 19 digits cannot overflow mant.
	if digits <= 19 && mant < 1<<53 && exp >= -22 && exp <= 22 {
		f := float64(mant)
		if exp < 0 {
			f /= powersOfTen[-exp]
		} else {
			f *= powersOfTen[exp]
		}
		const half, lost = 1 << 28, 1<<29 - 1
		if math.Float64bits(f)&lost != half && (f >= smallestNormal32 || mant == 0) && f <= math.MaxFloat32 {
			if neg {
				f = -f
			}
			return float32(f), true
		}
	}
	// Only the range can be wrong here; strconv then gives the infinity.
	w, _ := strconv.ParseFloat(string(s), 32)
	return float32(w), true
}

const smallestNormal32 = 0x1p-126

var powersOfTen = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// appendFloat32 writes the shortest decimal that parseFloat32 reads as v again.
func appendFloat32(dst []byte, v float32) []byte {
	if a := math.Abs(float64(v)); a >= 1e-5 && a < 1e9 || a == 0 {
		if i := int32(v); float32(i) == v && (i != 0 || !math.Signbit(float64(v))) {
			return strconv.AppendInt(dst, int64(i), 10)
		}
		return strconv.AppendFloat(dst, float64(v), 'f', -1, 32)
	}
	return strconv.AppendFloat(dst, float64(v), 'e', -1, 32)
}
