package inspector

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// What is missing is said at each field, however many are. What no field can say stands by itself, and JSON has one
// sentence.
func TestMissingIsSaidAtEachField(t *testing.T) {
	const text = `{"type":"string"}`
	tests := []struct {
		name, schema string
		fields, said []string
	}{
		{"one", `{"properties":{"a":` + text + `,"b":` + text + `},"required":["b"]}`,
			[]string{"", "missing required: b"}, []string{"missing required: b"}},
		{"two", `{"properties":{"a":` + text + `,"b":` + text + `},"required":["a","b"]}`,
			[]string{"missing required: a", "missing required: b"},
			[]string{"missing required: a", "missing required: b"}},
		{"names within names", `{"properties":{"a":` + text + `,"aa":` + text + `,"b":` + text +
			`},"required":["b","aa"]}`,
			[]string{"", "missing required: aa", "missing required: b"},
			[]string{"missing required: aa", "missing required: b"}},
		{"one without a field", `{"properties":{"a":` + text + `},"required":["a","z"]}`,
			[]string{"missing required: a"}, []string{"missing required: a, z"}},
	}
	for _, c := range tests {
		form := examine(json.RawMessage(c.schema), view.Typed{Value: &arguments.Value{State: arguments.Set}})
		var fields []string
		for _, f := range form.Fields {
			fields = append(fields, f.Problem)
		}
		if diff := cmp.Diff(c.fields, fields); diff != "" {
			t.Errorf("%s: at the fields (-want +got)\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.said, sentences(form)); diff != "" {
			t.Errorf("%s: altogether (-want +got)\n%s", c.name, diff)
		}
		empty := "{}"
		if said := sentences(examine(json.RawMessage(c.schema), view.Typed{JSON: &empty})); len(said) != 1 {
			t.Errorf("%s: of JSON it says %q, want one sentence", c.name, said)
		}
	}
}

func sentences(x view.Examination) []string {
	var all []string
	for _, v := range x.Violations {
		all = append(all, v.Message)
	}
	return all
}
