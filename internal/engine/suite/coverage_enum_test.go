package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestEnumValues finds enumerations wherever SDKs put them, and what arguments cover of them.
func TestEnumValues(t *testing.T) {
	for name, c := range map[string]struct{ schema, sent, all, covered string }{
		"property": {`{"properties":{"c":{"enum":["red","blue"]}}}`, `{"c":"red"}`, `c="red" c="blue"`, `c="red"`},
		"number":   {`{"properties":{"n":{"enum":[1,2]}}}`, `{"n":1.0}`, `n=1 n=2`, `n=1`},
		"reference": {`{"$defs":{"C":{"enum":["a","b"]}},"properties":{"c":{"$ref":"#/$defs/C"}}}`, `{"c":"b"}`,
			`c="a" c="b"`, `c="b"`},
		"nullable": {`{"properties":{"c":{"anyOf":[{"enum":["a"]},{"type":"null"}]}}}`, `{"c":null}`, `c="a"`, ``},
		"null":     {`{"properties":{"c":{"enum":["a",null]}}}`, `{"c":null}`, `c="a" c=null`, `c=null`},
		"constants": {`{"properties":{"c":{"oneOf":[{"const":"a"},{"const":"b"}]},"only":{"const":1}}}`,
			`{"c":"a","only":1}`, `c="a" c="b"`, `c="a"`},
		"array": {`{"properties":{"c":{"type":"array","items":{"enum":["a","b","x"]}}}}`, `{"c":["b","a"]}`,
			`c[]="a" c[]="b" c[]="x"`, `c[]="a" c[]="b"`},
		"nested": {`{"properties":{"o":{"properties":{"l":{"items":{"properties":{"k":{"enum":["a","b"]}}}}}}}}`,
			`{"o":{"l":[{"k":"b"}]},"k":"a"}`, `o.l[].k="a" o.l[].k="b"`, `o.l[].k="b"`},
		"union of objects": {`{"properties":{"o":{"oneOf":[{"properties":{"k":{"const":"a"}}},{"properties":{"k":{"const":"b"}}}]}}}`,
			`{"o":{"k":"a"}}`, `o.k="a" o.k="b"`, `o.k="a"`},
		"twice":        {`{"properties":{"c":{"anyOf":[{"enum":["a"]},{"enum":["a"]}]}}}`, `{}`, `c="a"`, ``},
		"none":         {`{"properties":{"c":{"type":"string"}}}`, `{"c":"a"}`, ``, ``},
		"not a schema": {`[]`, `{"c":"a"}`, ``, ``},
	} {
		t.Run(name, func(t *testing.T) {
			var all, covered []string
			for _, v := range enumValues(json.RawMessage(`{"inputSchema":` + c.schema + `}`)) {
				all = append(all, v.label)
				if v.isIn(json.RawMessage(c.sent)) {
					covered = append(covered, v.label)
				}
			}
			if got := strings.Join(all, " "); got != c.all {
				t.Errorf("all: got %s, want %s", got, c.all)
			}
			if got := strings.Join(covered, " "); got != c.covered {
				t.Errorf("covered: got %s, want %s", got, c.covered)
			}
		})
	}
}

// TestEnumValuesAreLimited wants no server to decide how long this takes: schemas can refer to themselves, and be large.
func TestEnumValuesAreLimited(t *testing.T) {
	recursive := `{"$defs":{"N":{"properties":{"a":{"$ref":"#/$defs/N"},"b":{"$ref":"#/$defs/N"},"c":{"$ref":"#/$defs/N"},` +
		`"k":{"enum":[1]}}}},"$ref":"#/$defs/N"}`
	var many []string
	for n := range 2 * maxEnumValues {
		many = append(many, fmt.Sprint(n))
	}
	large := `{"properties":{"n":{"enum":[` + strings.Join(many, ",") + `]}}}`
	for _, input := range []string{recursive, large} {
		values := enumValues(json.RawMessage(`{"inputSchema":` + input + `}`))
		if len(values) == 0 || len(values) > maxEnumValues {
			t.Errorf("got %d values, want 1 to %d", len(values), maxEnumValues)
		}
		if slices.ContainsFunc(values, func(v enumValue) bool { return len(v.path) > maxEnumDepth }) {
			t.Errorf("got a value deeper than %d", maxEnumDepth)
		}
	}
}
