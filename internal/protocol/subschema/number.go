package subschema

import (
	"encoding/json"
	"math/big"
	"strings"
)

// bounds are an interval of numbers with divisors.
type bounds struct {
	lo, hi         *big.Rat // nil if absent
	openLo, openHi bool
	multiples      []*big.Rat
}

// add intersects.
func (b *bounds) add(other bounds) {
	if other.lo != nil {
		if b.lo == nil || other.lo.Cmp(b.lo) > 0 {
			b.lo, b.openLo = other.lo, other.openLo
		} else if other.lo.Cmp(b.lo) == 0 {
			b.openLo = b.openLo || other.openLo
		}
	}
	if other.hi != nil {
		if b.hi == nil || other.hi.Cmp(b.hi) < 0 {
			b.hi, b.openHi = other.hi, other.openHi
		} else if other.hi.Cmp(b.hi) == 0 {
			b.openHi = b.openHi || other.openHi
		}
	}
	b.multiples = append(b.multiples[:len(b.multiples):len(b.multiples)], other.multiples...)
}

func (b *bounds) isEmpty() bool {
	if b.lo == nil || b.hi == nil {
		return false
	}
	order := b.lo.Cmp(b.hi)
	return order > 0 || order == 0 && (b.openLo || b.openHi)
}

// has reports whether a number is within the bounds.
func (b *bounds) has(r *big.Rat) bool {
	if b.lo != nil && (r.Cmp(b.lo) < 0 || b.openLo && r.Cmp(b.lo) == 0) {
		return false
	}
	if b.hi != nil && (r.Cmp(b.hi) > 0 || b.openHi && r.Cmp(b.hi) == 0) {
		return false
	}
	for _, m := range b.multiples {
		if !new(big.Rat).Quo(r, m).IsInt() {
			return false
		}
	}
	return true
}

// roundBounds makes the bounds of integers closed integers.
func (a *atom) roundBounds() {
	one := big.NewRat(1, 1)
	if a.lo != nil {
		lo := new(big.Rat).SetInt(ceil(a.lo))
		if a.openLo && lo.Cmp(a.lo) == 0 {
			lo.Add(lo, one)
		}
		a.lo, a.openLo = lo, false
	}
	if a.hi != nil {
		hi := new(big.Rat).Neg(new(big.Rat).SetInt(ceil(new(big.Rat).Neg(a.hi))))
		if a.openHi && hi.Cmp(a.hi) == 0 {
			hi.Sub(hi, one)
		}
		a.hi, a.openHi = hi, false
	}
}

// maxEnumerated is the width up to which a range of integers is a list of values.
const maxEnumerated = 32

// enumerate lists the values of a short range of integers.
func (a *atom) enumerate() {
	if a.finite != nil || a.lo == nil || a.hi == nil || a.bounds.isEmpty() {
		return
	}
	if width := new(big.Rat).Sub(a.hi, a.lo); width.Cmp(big.NewRat(maxEnumerated, 1)) > 0 {
		return
	}
	a.finite = []any{}
	for r := new(big.Rat).Set(a.lo); r.Cmp(a.hi) <= 0; r = new(big.Rat).Add(r, big.NewRat(1, 1)) {
		if a.has(r) {
			a.finite = append(a.finite, json.Number(r.Num().String()))
		}
	}
}

func ceil(r *big.Rat) *big.Int {
	quotient, remainder := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if remainder.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return quotient
}

// numberIn reports whether all numbers of a are numbers of b, and why not.
func numberIn(a, b *atom) (string, bool) {
	switch {
	case b.integer && !a.integer && !allInteger(a.multiples):
		return "type", false
	case b.lo != nil && (a.lo == nil || a.lo.Cmp(b.lo) < 0 || a.lo.Cmp(b.lo) == 0 && b.openLo && !a.openLo):
		return "minimum", false
	case b.hi != nil && (a.hi == nil || a.hi.Cmp(b.hi) > 0 || a.hi.Cmp(b.hi) == 0 && b.openHi && !a.openHi):
		return "maximum", false
	}
	for _, m := range b.multiples {
		if !multipleOf(a, m) {
			return "multipleOf", false
		}
	}
	return "", true
}

func allInteger(multiples []*big.Rat) bool {
	for _, m := range multiples {
		if m.IsInt() {
			return true
		}
	}
	return false
}

// multipleOf reports whether all numbers of a are multiples of m.
func multipleOf(a *atom, m *big.Rat) bool {
	if a.integer && new(big.Rat).Inv(m).IsInt() {
		return true
	}
	for _, own := range a.multiples {
		if new(big.Rat).Quo(own, m).IsInt() {
			return true
		}
	}
	return false
}

// numbers lists numbers of a that are near the bounds of both, those without a fraction first.
func numbers(a *atom, near []*atom) []any {
	var tries []*big.Rat
	try := func(r *big.Rat, steps ...*big.Rat) {
		if r == nil {
			return
		}
		tries = append(tries, r)
		for _, s := range steps {
			tries = append(tries, new(big.Rat).Add(r, s), new(big.Rat).Sub(r, s))
		}
	}
	one, half := big.NewRat(1, 1), big.NewRat(1, 2)
	for _, b := range append([]*atom{a}, near...) {
		try(b.lo, one, half)
		try(b.hi, one, half)
		for _, m := range b.multiples {
			try(m, one, m)
			try(new(big.Rat).Mul(m, big.NewRat(3, 2)))
		}
	}
	for _, r := range []*big.Rat{big.NewRat(1, 1), new(big.Rat), big.NewRat(-1, 1), big.NewRat(1, 2), big.NewRat(-3, 2),
		big.NewRat(1000003, 1)} {
		try(r)
	}
	if a.lo != nil && a.hi != nil {
		try(new(big.Rat).Mul(new(big.Rat).Add(a.lo, a.hi), half))
	}
	for _, m := range a.multiples {
		if a.lo != nil {
			try(new(big.Rat).Mul(m, new(big.Rat).SetInt(ceil(new(big.Rat).Quo(a.lo, m)))), m)
		}
	}
	var found []any
	seen := map[string]bool{}
	for _, r := range tries {
		if key := r.RatString(); !seen[key] && a.has(r) && (!a.integer || r.IsInt()) {
			seen[key] = true
			if text, ok := decimal(r); ok {
				found = append(found, text)
			}
		}
	}
	return found
}

// decimal writes a number without loss; false if it has no finite notation.
func decimal(r *big.Rat) (json.Number, bool) {
	if r.IsInt() {
		return json.Number(r.Num().String()), true
	}
	text := r.FloatString(20)
	back, ok := new(big.Rat).SetString(text)
	if !ok || back.Cmp(r) != 0 {
		return "", false
	}
	return json.Number(strings.TrimRight(text, "0")), true
}
