package view

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Of a union without a tag, a form shows the problems of the chosen variant alone, at its fields.
func TestProblemsOfTheChosenVariant(t *testing.T) {
	const union = `{"anyOf":[{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},
	  {"type":"object","properties":{"name":{"type":"string"},"in":{"type":"string"}},"required":["name","in"]},{"type":"null"}]}`
	for _, test := range []struct{ schema, typed, want string }{
		{`{"type":"object",` + union[1:], `{"in":"x"}`, "name"},
		{`{"type":"object","properties":{"v":` + union + `}}`, `{"v":{"in":"x"}}`, "v.name"},
		{`{"type":"object","properties":{"l":{"type":"array","items":` + union + `}}}`, `{"l":[{"id":1},{"in":"x"}]}`, "l[1].name"},
		{`{"type":"object","additionalProperties":` + union + `}`, `{"free":{"in":"x"}}`, "free.name"},
	} {
		form := arguments.Model(json.RawMessage(test.schema))
		value, _, err := form.Parse(json.RawMessage(test.typed))
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := schema.Compile(json.RawMessage(test.schema), nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := form.EncodeAnyway(value)
		states, violations := FieldStates(form, value, raw, nil, compiled.Validate(raw))
		at := slices.IndexFunc(states, func(s FieldState) bool { return s.Problem != "" })
		if len(violations) != 1 || violations[0].Rule != "required" || at < 0 || states[at].Path != test.want {
			t.Errorf("%s in %s: %+v, states %+v; want one problem at %s", test.typed, test.schema, violations, states, test.want)
		}
	}
}
