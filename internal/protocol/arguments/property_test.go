package arguments

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// fieldAndValue draws a property schema that a form can show, and JSON that is valid for it.
func fieldAndValue(depth int) *rapid.Generator[[2]string] {
	return rapid.Custom(func(t *rapid.T) [2]string {
		kinds := []string{"integer", "number", "string", "boolean", "null", "enum", "nullable"}
		if depth <= 2 {
			kinds = append(kinds, "list", "object", "rows", "free")
		}
		switch rapid.SampledFrom(kinds).Draw(t, "kind") {
		case "integer":
			return [2]string{`{"type":"integer"}`,
				rapid.StringMatching(`-?[1-9][0-9]{0,40}|0|[1-9]\.0|[1-9]e[0-9]`).Draw(t, "integer")}
		case "number":
			return [2]string{`{"type":"number"}`, rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,`+
				`20})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number")}
		case "boolean":
			return [2]string{`{"type":"boolean"}`, rapid.SampledFrom([]string{"true", "false"}).Draw(t, "boolean")}
		case "null":
			return [2]string{`{"type":"null"}`, "null"}
		case "enum":
			return [2]string{`{"enum":["a","",1.50,true,[1]]}`,
				rapid.SampledFrom([]string{`"a"`, `""`, "1.50", "true", "[1]"}).Draw(t, "option")}
		case "nullable":
			return [2]string{`{"type":["string","null"]}`,
				rapid.SampledFrom([]string{"null", `"null"`, `""`}).Draw(t, "nullable")}
		case "list":
			return list(t, depth)
		case "object", "rows":
			return object(t, depth)
		case "free":
			return [2]string{`{"type":"object"}`, rapid.SampledFrom([]string{"{}", `{"a":[1, 2.0],"b":null}`}).Draw(t,
				"free")}
		}
		return [2]string{`{"type":"string"}`, anyString().Draw(t, "string")}
	})
}

// anyString draws a JSON string in more than one spelling.
func anyString() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) string { return string(jsonText(s)) }),
		rapid.Map(rapid.String(), func(s string) string { raw, _ := json.Marshal(s); return string(raw) }),
		rapid.StringMatching(`"(\\u00[0-7][0-9a-f]|\\/|[a-z ])*"`),
	)
}

func list(t *rapid.T, depth int) [2]string {
	item := fieldAndValue(depth+1).Draw(t, "item")
	count := rapid.IntRange(0, 3).Draw(t, "count")
	items := make([]string, count)
	for i := range items {
		items[i] = item[1]
	}
	return [2]string{`{"type":"array","items":` + item[0] + `}`, "[" + strings.Join(items, ",") + "]"}
}

func object(t *rapid.T, depth int) [2]string {
	var schemas, values []string
	for i := range rapid.IntRange(1, 4).Draw(t, "properties") {
		inner := fieldAndValue(depth+1).Draw(t, "inner")
		schemas = append(schemas, fmt.Sprintf(`"p%d":%s`, i, inner[0]))
		if rapid.Bool().Draw(t, "set") {
			values = append(values, fmt.Sprintf(`"p%d":%s`, i, inner[1]))
		}
	}
	s, v := `{"type":"object","properties":{`+strings.Join(schemas, ",")+`}}`, "{"+strings.Join(values, ",")+"}"
	if rapid.Bool().Draw(t, "rows") {
		return [2]string{`{"type":"array","items":` + s + `}`, "[" + v + "," + v + "]"}
	}
	return [2]string{s, v}
}

func TestConvertOfRenderIsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := fieldAndValue(3).Draw(t, "drawn")
		f := &Model(tool(drawn[0], true)).Fields[0]
		raw := json.RawMessage(drawn[1])
		v, ok := render(f, raw)
		if !ok {
			t.Fatalf("a field for %s cannot show %s", drawn[0], raw)
		}
		if v.State == Null {
			if drawn[1] != "null" {
				t.Fatalf("%s is shown as null", raw)
			}
			return
		}
		got, err := Convert(f, v.Text)
		if err != nil || !same(got, raw) {
			t.Fatalf("Convert(%q) = %s, %v, want %s", v.Text, got, err, raw)
		}
	})
}

func TestFormToJSONToFormLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := fieldAndValue(0).Draw(t, "drawn")
		inputSchema := tool(drawn[0], false)
		form := Model(inputSchema)
		if form.Mode != ModeForm {
			t.Fatalf("no form for %s: %s", drawn[0], form.Reason)
		}
		args := `{"other":{"z":1.0},"v":` + drawn[1] + `}`
		values, notices, err := form.Parse(json.RawMessage(args))
		if err != nil || len(notices) != 1 {
			t.Fatalf("Parse(%s): %v, notices %v", args, err, notices)
		}
		raw, errs := form.Encode(values)
		if len(errs) > 0 || string(raw) != args {
			t.Fatalf("form to JSON = %s, %v, want %s", raw, errs, args)
		}
		again, _, err := form.Parse(raw)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(values) {
			t.Fatalf("JSON to form = %v, want %v", again, values)
		}
		forget(&values)
		typed, errs := form.Encode(values)
		if len(errs) > 0 || !equal(typed, json.RawMessage(args)) {
			t.Fatalf("typed anew = %s, %v, want the values of %s", typed, errs, args)
		}
	})
}

// forget leaves only what was typed, as if there had been no JSON.
func forget(v *Value) {
	if v.State == Set {
		v.JSON = ""
	}
	for i := range v.Items {
		forget(&v.Items[i])
	}
}

// equal compares JSON by value, member by member in order.
func equal(a, b json.RawMessage) bool {
	if membersA, err := schema.Members(a); err == nil {
		membersB, err := schema.Members(b)
		if err != nil || len(membersA) != len(membersB) {
			return false
		}
		for i, m := range membersA {
			if m.Name != membersB[i].Name || !equal(m.Value, membersB[i].Value) {
				return false
			}
		}
		return true
	}
	if itemsA, err := schema.Elements(a); err == nil {
		itemsB, err := schema.Elements(b)
		if err != nil || len(itemsA) != len(itemsB) {
			return false
		}
		for i := range itemsA {
			if !equal(itemsA[i], itemsB[i]) {
				return false
			}
		}
		return true
	}
	return same(a, b)
}
