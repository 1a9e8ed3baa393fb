package schema

import (
	"encoding/json"
	"errors"
	"math/big"
)

// makeNumber returns the number nearest to zero, or to one if the style is typical, that the bounds allow.
func (m *sampler) makeNumber(n *Node, whole bool) (json.RawMessage, error) {
	step := new(big.Rat)
	if multiple, ok := rationalOf(n, "multipleOf"); ok && multiple.Sign() > 0 {
		step.Set(multiple)
	}
	if whole {
		step = wholeStep(step)
	}
	low, high := bounds(n)
	wanted := new(big.Rat)
	if !m.smallest() {
		wanted.SetInt64(1 + int64(m.options.Seed%9))
	}
	for _, candidate := range candidates(wanted, low, high, step) {
		if low.allows(candidate, 1) && high.allows(candidate, -1) {
			return json.RawMessage(number(candidate)), nil
		}
	}
	return nil, errors.New("no number is within the bounds")
}

// wholeStep returns the least integer that is a multiple of step.
func wholeStep(step *big.Rat) *big.Rat {
	if step.Sign() == 0 {
		return big.NewRat(1, 1)
	}
	return new(big.Rat).SetInt(step.Num())
}

// A bound is a limit of a number; the zero value means no limit.
type bound struct {
	value     *big.Rat
	exclusive bool
}

// allows reports whether x is on the right side; sign is 1 for a lower bound.
func (b bound) allows(x *big.Rat, sign int) bool {
	if b.value == nil {
		return true
	}
	side := x.Cmp(b.value) * sign
	return side > 0 || side == 0 && !b.exclusive
}

// bounds reads both notations of an exclusive bound: a separate number, or true next to the other.
func bounds(n *Node) (low, high bound) {
	return boundOf(n, "minimum", "exclusiveMinimum", 1), boundOf(n, "maximum", "exclusiveMaximum", -1)
}

func boundOf(n *Node, inclusive, exclusive string, sign int) bound {
	var b bound
	if value, ok := rationalOf(n, inclusive); ok {
		flag, _ := n.Get(exclusive)
		b = bound{value, Kind(flag) == 't'}
	}
	if value, ok := rationalOf(n, exclusive); ok && (b.value == nil || value.Cmp(b.value)*sign >= 0) {
		b = bound{value, true}
	}
	return b
}

func rationalOf(n *Node, keyword string) (*big.Rat, bool) {
	raw, ok := n.Get(keyword)
	if !ok {
		return nil, false
	}
	return rational(raw)
}

// candidates lists numbers to try: the preferred one, those next to each bound, and the middle.
func candidates(wanted *big.Rat, low, high bound, step *big.Rat) []*big.Rat {
	seeds := []*big.Rat{wanted, new(big.Rat)}
	unit := step
	if unit.Sign() == 0 {
		unit = big.NewRat(1, 1)
	}
	for _, b := range []bound{low, high} {
		if b.value != nil {
			seeds = append(seeds, b.value, new(big.Rat).Add(b.value, unit), new(big.Rat).Sub(b.value, unit))
		}
	}
	if low.value != nil && high.value != nil {
		middle := new(big.Rat).Add(low.value, high.value)
		seeds = append(seeds, middle.Quo(middle, big.NewRat(2, 1)))
	}
	if step.Sign() == 0 {
		return seeds
	}
	var steps []*big.Rat
	for _, seed := range seeds {
		down := new(big.Rat).Mul(floor(new(big.Rat).Quo(seed, step)), step)
		steps = append(steps, down, new(big.Rat).Add(down, step))
	}
	return steps
}

func floor(x *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(x.Num(), x.Denom()))
}
