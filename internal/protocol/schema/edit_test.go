package schema

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

func TestApply(t *testing.T) {
	for _, test := range []struct{ name, doc, pointer, value, want string }{
		{"replace keeps the rest", `{"b":1.0, "a" :1E5}`, "/b", "2", `{"b":2, "a" :1E5}`},
		{"replace the whole", ` 1 `, "", "{}", ` {} `},
		{"add to a compact object", `{"b":1,"a":2}`, "/c", "3", `{"b":1,"a":2,"c":3}`},
		{"add in the spaced style", `{"b": 1, "a": 2}`, "/c", "3", `{"b": 1, "a": 2, "c": 3}`},
		{"add beside a single spaced member", `{"b": 1}`, "/c", "3", `{"b": 1, "c": 3}`},
		{"add to an indented object", "{\n  \"b\": 1\n}", "/c", "3", "{\n  \"b\": 1,\n  \"c\": 3\n}"},
		{"add to an empty object", `{}`, "/c", "3", `{"c":3}`},
		{"add to an empty object in an indented document", "{\n\t\"b\": {}\n}", "/b/c", "3",
			"{\n\t\"b\": {\n\t\t\"c\": 3\n\t}\n}"},
		{"add to an empty object in a spaced document", `{"b": {}}`, "/b/c", "3", `{"b": {"c": 3}}`},
		{"add a name that needs escaping", `{}`, "/a~1b\"", "3", `{"a/b\"":3}`},
		{"append by index", `[1, 2]`, "/2", "3", `[1, 2, 3]`},
		{"append by dash", `[ ]`, "/-", "3", `[3]`},
		{"remove the first", `{"a":1, "b":2}`, "/a", "", `{"b":2}`},
		{"remove the last", `{"a":1, "b":2 }`, "/b", "", `{"a":1 }`},
		{"remove the only one", "{\n \"a\":1\n}", "/a", "", `{}`},
		{"remove from an indented object", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", "/b", "",
			"{\n  \"a\": 1,\n  \"c\": 3\n}"},
		{"remove an element", `[1, 2, 3]`, "/1", "", `[1, 3]`},
		{"remove every duplicate", `{"a":1,"b":2,"a":3}`, "/a", "", `{"b":2}`},
		{"replace the duplicate that counts", `{"a":1,"a":3}`, "/a", "4", `{"a":1,"a":4}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			edit := finding.Edit{Pointer: test.pointer}
			if test.value != "" {
				edit.Value = json.RawMessage(test.value)
			}
			got, err := Apply(json.RawMessage(test.doc), []finding.Edit{edit})
			if err != nil || string(got) != test.want {
				t.Errorf("Apply = %s, %v, want %s", got, err, test.want)
			}
		})
	}
}

func TestApplyInOrder(t *testing.T) {
	got, err := Apply(json.RawMessage(`{"a":1}`), []finding.Edit{
		{Pointer: "/b", Value: json.RawMessage(`{}`)},
		{Pointer: "/b/c", Value: json.RawMessage(`"<&>"`)},
		{Pointer: "/a"},
	})
	if want := `{"b":{"c":"<&>"}}`; err != nil || string(got) != want {
		t.Errorf("Apply = %s, %v, want %s", got, err, want)
	}
}

func TestApplyRefuses(t *testing.T) {
	for _, test := range []struct{ name, doc, pointer, value string }{
		{"a missing parent", `{}`, "/a/b", "1"},
		{"a scalar parent", `{"a":1}`, "/a/b", "1"},
		{"a gap in an array", `[1]`, "/2", "1"},
		{"removing what is not available", `{}`, "/a", ""},
		{"removing everything", `{}`, "", ""},
		{"a value that is not JSON", `{}`, "/a", "{"},
		{"a document that is not JSON", `{`, "/a", "1"},
		{"a pointer that is none", `{}`, "a", "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			edit := finding.Edit{Pointer: test.pointer}
			if test.value != "" {
				edit.Value = json.RawMessage(test.value)
			}
			if got, err := Apply(json.RawMessage(test.doc), []finding.Edit{edit}); err == nil {
				t.Errorf("Apply = %s, want an error", got)
			}
		})
	}
}
