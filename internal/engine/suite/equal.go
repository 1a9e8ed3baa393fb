package suite

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// equal reports whether two JSON values are equal.
func equal(a, b json.RawMessage) bool {
	at, _, _, same := compare(a, b, "", 0)
	return same && at == ""
}

// difference finds the first location where two values differ: a JSON Pointer and both values. The pointer is empty if
// the values differ as a whole.
func difference(a, b json.RawMessage) (at string, ofA, ofB json.RawMessage) {
	if a == nil || b == nil {
		return "", a, b
	}
	at, ofA, ofB, _ = compare(a, b, "", 0)
	return at, ofA, ofB
}

func compare(a, b json.RawMessage, at string, depth int) (string, json.RawMessage, json.RawMessage, bool) {
	kind := schema.Kind(a)
	if kind != schema.Kind(b) || depth > 1000 {
		return at, a, b, false
	}
	switch kind {
	case '{':
		return compareObjects(a, b, at, depth)
	case '[':
		return compareLists(a, b, at, depth)
	case '0':
		return at, a, b, sameNumber(a, b)
	case '"':
		return at, a, b, flat(a) == flat(b)
	}
	return at, a, b, string(a) == string(b)
}

func compareObjects(a, b json.RawMessage, at string, depth int) (string, json.RawMessage, json.RawMessage, bool) {
	ofA, errA := schema.Members(a)
	ofB, errB := schema.Members(b)
	if errA != nil || errB != nil {
		return at, a, b, false
	}
	wanted := map[string]json.RawMessage{}
	for _, m := range ofB {
		wanted[m.Name] = m.Value
	}
	seen := map[string]bool{}
	for _, m := range ofA {
		seen[m.Name] = true
		want, ok := wanted[m.Name]
		if !ok {
			return at + "/" + schema.Token(m.Name), m.Value, nil, false
		}
		if where, x, y, same := compare(m.Value, want, at+"/"+schema.Token(m.Name), depth+1); !same {
			return where, x, y, false
		}
	}
	for _, m := range ofB {
		if !seen[m.Name] {
			return at + "/" + schema.Token(m.Name), nil, m.Value, false
		}
	}
	return "", nil, nil, true
}

func compareLists(a, b json.RawMessage, at string, depth int) (string, json.RawMessage, json.RawMessage, bool) {
	ofA, errA := schema.Elements(a)
	ofB, errB := schema.Elements(b)
	if errA != nil || errB != nil {
		return at, a, b, false
	}
	for i := range max(len(ofA), len(ofB)) {
		where := at + "/" + strconv.Itoa(i)
		switch {
		case i >= len(ofA):
			return where, nil, ofB[i], false
		case i >= len(ofB):
			return where, ofA[i], nil, false
		}
		if inner, x, y, same := compare(ofA[i], ofB[i], where, depth+1); !same {
			return inner, x, y, false
		}
	}
	return "", nil, nil, true
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
