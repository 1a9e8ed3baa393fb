package cases

import (
	"math"
	"math/big"
	"strconv"
)

// fraction is a number between two integers within the bounds of a node, near zero if the bounds allow it.
func fraction(n *node) string {
	half := big.NewRat(1, 2)
	least, hasLeast := number(n, "minimum")
	most, hasMost := number(n, "maximum")
	near := big.NewRat(3, 2)
	switch {
	case hasLeast && (least.Sign() >= 0 || hasMost && most.Cmp(near) < 0):
		near = new(big.Rat).Add(least, half)
	case hasMost && most.Cmp(near) < 0:
		near = new(big.Rat).Sub(most, half)
	}
	return decimal(near)
}

// survivesRounding reports whether a number is the same as a floating-point number, which is how most parsers read it:
// -9007199254740990.5 becomes an integer, and nobody can reject it as a fraction.
func survivesRounding(text string) bool {
	exact, ok := new(big.Rat).SetString(text)
	float, _ := strconv.ParseFloat(text, 64)
	return ok && (exact.IsInt() || float != math.Trunc(float))
}

// beyondBound is the first value beyond a bound that is also beyond it as a floating-point number.
func beyondBound(at *big.Rat, outside int64) string {
	bound, _ := at.Float64()
	next := new(big.Rat).Add(at, big.NewRat(outside, 1))
	if value, _ := next.Float64(); outside == 0 || value != bound {
		return decimal(next)
	}
	if far := new(big.Rat).SetFloat64(math.Nextafter(bound, math.Inf(int(outside)))); far != nil {
		return decimal(far)
	}
	return decimal(next)
}

// wideInteger is an integer that is not a floating-point number, if the maximum of a node allows it. Without a maximum, other large
// numbers are sent.
func (n *node) wideInteger() []edit {
	most, bounded := number(n, "maximum")
	wide, _ := new(big.Rat).SetString(wideNumber)
	if !bounded || !typeAllows(n, "integer") || typeAllows(n, "number") || most.Cmp(wide) < 0 || n.rules.Has("multipleOf") {
		return nil
	}
	return first(replace(n, Boundary, "a large number", wideNumber))
}

// wideNumber is odd and above 2^53, and rounding it results in no power of two, which messages mention as limits.
const wideNumber = "9007199254750993"
