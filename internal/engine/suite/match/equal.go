package match

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Equal reports whether two JSON values are equal.
func Equal(a, b json.RawMessage) bool { return len(compare(nil, a, b, "", 0, 1)) == 0 }

// differences lists every location where two values differ.
func differences(got, want json.RawMessage) []difference {
	return compare(nil, got, want, "", 0, maxCompared)
}

const (
	maxCompared     = 1000 // differences that are collected
	maxCompareDepth = 1000
)

// compare adds the differences of two values to a list, up to a number of them.
func compare(all []difference, got, want json.RawMessage, at string, depth, most int) []difference {
	if len(all) >= most {
		return all
	}
	kind := schema.Kind(got)
	same := false
	switch {
	case kind != schema.Kind(want) || depth > maxCompareDepth:
	case kind == '{':
		return compareObjects(all, got, want, at, depth, most)
	case kind == '[':
		return compareLists(all, got, want, at, depth, most)
	case kind == '0':
		same = sameNumber(got, want)
	case kind == '"':
		same = Flat(got) == Flat(want)
	default:
		same = string(got) == string(want)
	}
	if same {
		return all
	}
	return append(all, difference{at, got, want})
}

func compareObjects(all []difference, got, want json.RawMessage, at string, depth, most int) []difference {
	ofGot, errGot := schema.Members(got)
	ofWant, errWant := schema.Members(want)
	if errGot != nil || errWant != nil {
		return append(all, difference{at, got, want})
	}
	wanted := map[string]json.RawMessage{}
	for _, m := range ofWant {
		wanted[m.Name] = m.Value
	}
	seen := map[string]bool{}
	for _, m := range ofGot {
		seen[m.Name] = true
		where := at + "/" + schema.Token(m.Name)
		if value, ok := wanted[m.Name]; ok {
			all = compare(all, m.Value, value, where, depth+1, most)
		} else if len(all) < most {
			all = append(all, difference{where, m.Value, nil})
		}
	}
	for _, m := range ofWant {
		if !seen[m.Name] && len(all) < most {
			all = append(all, difference{at + "/" + schema.Token(m.Name), nil, m.Value})
		}
	}
	return all
}

func compareLists(all []difference, got, want json.RawMessage, at string, depth, most int) []difference {
	ofGot, errGot := schema.Elements(got)
	ofWant, errWant := schema.Elements(want)
	if errGot != nil || errWant != nil {
		return append(all, difference{at, got, want})
	}
	for i := 0; i < max(len(ofGot), len(ofWant)) && len(all) < most; i++ {
		where := at + "/" + strconv.Itoa(i)
		switch {
		case i >= len(ofGot):
			all = append(all, difference{where, nil, ofWant[i]})
		case i >= len(ofWant):
			all = append(all, difference{where, ofGot[i], nil})
		default:
			all = compare(all, ofGot[i], ofWant[i], where, depth+1, most)
		}
	}
	return all
}

// sameNumber compares by value. A number with an excessive exponent is compared as written.
func sameNumber(a, b json.RawMessage) bool {
	if string(a) == string(b) {
		return true
	}
	x, okX := rational(a)
	y, okY := rational(b)
	return okX && okY && x.Cmp(y) == 0
}

func rational(n json.RawMessage) (*big.Rat, bool) {
	if len(n) > 400 {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || f != 0 && (f > 1e300 || f < -1e300 || f < 1e-300 && f > -1e-300) {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}
