package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestBoundedAgrees holds that Bounded says what the inspection before a compilation says, although it reads
// subschemas only if a limit could be exceeded.
func TestBoundedAgrees(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 70) + "{}" + strings.Repeat("}", 70)
	many := `{"prefixItems":[` + strings.TrimSuffix(strings.Repeat("1,", 20), ",") + "]}"
	for _, test := range []struct {
		doc     string
		limits  *Limits
		refused bool
	}{
		{`{"type":"object","properties":{"a":{"$ref":"#/x"}}}`, nil, false},
		{deep, nil, true},
		{deep, &Limits{Depth: 100}, true},
		{many, &Limits{Subschemas: 21}, false},
		{many, &Limits{Subschemas: 20}, true},
		{`{"properties":{"a":{},"b":{},"c":{}}}`, &Limits{Subschemas: 3}, true},
		{`{"$dynamicAnchor":"a","not":{"$dynamicAnchor":"a"}}`, nil, true},
		{`{"$dynamicAnchor":"a","not":{"$dynamicAnchor":"b"}}`, nil, false},
		{`{"$dynamic\u0041nchor":"a","not":{"$dynamicAnchor":"a"}}`, nil, true},
		{`{"$recursiveAnchor":true,"not":{"$recursiveAnchor":true}}`, nil, true},
		{`{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/x/y"},`, 700), ",") + `]}`, nil, true},
		{`{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#/anyOf/0"},`, 700), ",") + `]}`, nil, false},
		{`{"a":`, nil, true},
	} {
		raw := json.RawMessage(test.doc)
		_, inspected := inspect(raw, test.limits.withDefaults())
		err := Bounded(raw, test.limits)
		if fmt.Sprint(err) != fmt.Sprint(inspected) || (err != nil) != test.refused {
			t.Errorf("Bounded(%.60s) = %v, inspect says %v; want refused %v", test.doc, err, inspected, test.refused)
		}
	}
}

// TestFollowAgrees holds that references are followed as [Get] reads pointers.
func TestFollowAgrees(t *testing.T) {
	root := json.RawMessage(` {"$defs":{"a":1,"b/c":2,"d~e":3,"a":4,"":5,"\u0066":6},"list":[{"x":7}],"n":8} `)
	for _, pointer := range []string{"", "/$defs", "/$defs/a", "/$defs/a", "/$defs/b~1c", "/$defs/d~0e", "/$defs/d~e",
		"/$defs/", "/$defs/f", "/$defs/none", "/list/0", "/list/0/x", "/list/00", "/list/1", "/n", "/n/x", "/none/x",
		"/d~e/x"} {
		r := NewResolver(root)
		want, found := Get(root, pointer)
		for range 2 {
			got, err := r.Follow("#" + pointer)
			if (err == nil) != found || string(got) != string(want) {
				t.Errorf("Follow(%q) = %s, %v; Get says %s, %v", pointer, got, err, want, found)
			}
		}
	}
}

func TestSkipString(t *testing.T) {
	for doc, want := range map[string]int{
		`"" x`: 2, `"a"b"`: 3, `"\""`: 4, `"\\"x"`: 4, `"\\\""`: 6, `"\"\"" "`: 6, `"\\\\" "`: 6,
		`"`: -1, `"a`: -1, `"\"`: -1, `"\\\"`: -1, `"a\`: -1, `x`: -1, ``: -1,
	} {
		if got := skipString([]byte(doc), 0); got != want {
			t.Errorf("skipString(%s) = %d, want %d", doc, got, want)
		}
	}
}
