package browser

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mcptest-dev/mcptest/internal/demo"
)

// A guideCase is what a person does with the tool of a row of the Tool Testing Guide.
type guideCase struct {
	tool string
	name string
	do   func(p *toolPage)
}

func TestGuide(t *testing.T) {
	cases := slices.Concat(basicTypes(), conversions(), arrays(), nestedObjects(), optionalFields(), scenarios(),
		optionalParameters(), guideAsJSON(), extras())
	for _, row := range append(demo.GuideRows(), demo.GuideExtras()...) {
		if !slices.ContainsFunc(cases, func(c guideCase) bool { return c.tool == row.Tool }) {
			t.Errorf("no case for %s (%s: %s)", row.Tool, row.Table, row.Row)
		}
	}
	p := openTools(t, "demo-guide")
	p.sent = map[string]bool{}
	ran := 0
	for _, c := range cases {
		t.Run(c.tool+"/"+c.name, func(t *testing.T) {
			ran++
			p := p.in(t)
			p.choose(c.tool)
			c.do(p)
		})
	}
	if ran < len(cases) {
		return // -run chose some of them
	}
	both := 0
	for _, row := range demo.GuideRows() {
		byForm, byJSON := p.sent[row.Tool+" by form"], p.sent[row.Tool+" by JSON"]
		if byForm && byJSON {
			both++
		} else {
			t.Errorf("%s (%s: %s): arrived by form: %t, by JSON: %t; want both", row.Tool, row.Table, row.Row, byForm, byJSON)
		}
	}
	t.Logf("%d of %d rows of the guide arrived by form and by JSON", both, len(demo.GuideRows()))
}

func basicTypes() []guideCase {
	return []guideCase{
		{"basic_integer", "a number input with step 1", func(p *toolPage) {
			p.there(inside("v", `[role=spinbutton][data-step="1"]`))
			p.shows("v", "unset")
			p.field("v", "42")
			p.shows("v", "value")
			p.sends(`{"v":42}`)
			p.named("Increase v")
			p.sends(`{"v":43}`)
			p.field("v", " 42 ")
			p.sends(`{"v":42}`)
			p.field("v", "")
			p.shows("v", "unset")
		}},
		{"basic_number", "a number input", func(p *toolPage) {
			p.there(inside("v", `[role=spinbutton]`))
			p.field("v", "42.5")
			p.sends(`{"v":42.5}`)
			p.field("v", "1e3")
			p.sends(`{"v":1e3}`)
		}},
		{"basic_string", "a text input", func(p *toolPage) {
			p.field("v", "hello")
			p.sends(`{"v":"hello"}`)
		}},
		{"basic_boolean", "a checkbox", func(p *toolPage) {
			p.shows("v", "unset")
			p.click(inside("v", "input[type=checkbox]"))
			p.sends(`{"v":true}`)
			p.click(inside("v", "input[type=checkbox]"))
			p.sends(`{"v":false}`)
			p.state("v", "unset")
			p.willBeSent(`{}`)
			p.held()
		}},
		{"basic_null", "nothing to enter", func(p *toolPage) {
			p.shows("v", "null")
			p.sends(`{"v":null}`)
		}},
	}
}

func conversions() []guideCase {
	return []guideCase{
		{"convert_string_to_integer", "an integer", func(p *toolPage) {
			p.field("v", "42")
			p.sends(`{"v":42}`)
		}},
		{"convert_string_to_integer", "not an integer", func(p *toolPage) {
			p.field("v", "1.5")
			p.problem("v", "not an integer")
			if got := take(p.tab,
				chromedp.Evaluate[string](`document.querySelector("[data-path=v] input").value`)); got != "1.5" {
				p.t.Errorf("the field holds %q, want 1.5 as typed", got)
			}
			p.sendsAnyway(`{"v":1.5}`)
			p.click(`[aria-label=Arguments] [data-value=json]`)
			p.there(`.json-editor`)
			p.form()
			p.until(`document.querySelector("[data-path=v] input").value === "1.5"`) // and can be changed there
			p.field("v", "15")
			p.sends(`{"v":15}`)
		}},
		{"convert_number_to_integer", "numbers in the form", func(p *toolPage) {
			p.field("v", "42")
			p.sends(`{"v":42}`)
			p.field("v", "1.5")
			p.problem("v", "not an integer")
			p.sendsAnyway(`{"v":1.5}`)
		}},
		{"convert_number_to_integer", "an integer as JSON", func(p *toolPage) {
			p.json(`{"v":42}`)
			p.sends(`{"v":42}`)
		}},
		{"convert_number_to_integer", "a fraction as JSON", func(p *toolPage) {
			p.json(`{"v":1.5}`)
			p.says(`[data-testid=problems]`, "1.5")
			p.sendsAnyway(`{"v":1.5}`)
		}},
		{"convert_number_to_integer", "a string as JSON, converted in sight or sent as typed", func(p *toolPage) {
			p.json(`{"v":"42"}`)
			p.sends(`{"v":42}`)
			p.says(`[data-testid=problems]`, `send 42 instead of "42"`)
			if got := p.anyway(); got != `{"v":"42"}` {
				p.t.Errorf("the server received %s, want the text as typed", got)
			}
			p.press("Apply")
			p.gone(`[data-testid=anyway]`)
			p.sends(`{"v":42}`)
			p.json(`{"v":"1.5"}`)
			p.sendsAnyway(`{"v":"1.5"}`)
		}},
		{"convert_string_to_number", "a number", func(p *toolPage) {
			p.field("v", "42.5")
			p.sends(`{"v":42.5}`)
		}},
		{"convert_string_to_number", "no number", func(p *toolPage) {
			p.field("v", "abc")
			p.problem("v", "not a number")
			p.sendsAnyway(`{"v":"abc"}`)
		}},
		{"convert_string_to_number", "a string as JSON", func(p *toolPage) {
			p.json(`{"v":"42.5"}`)
			p.sends(`{"v":42.5}`)
		}},
		{"convert_string_to_boolean", "true and false in the form", func(p *toolPage) {
			p.click(inside("v", "input[type=checkbox]"))
			p.sends(`{"v":true}`)
			p.click(inside("v", "input[type=checkbox]"))
			p.sends(`{"v":false}`)
		}},
		{"convert_string_to_boolean", "the text true", func(p *toolPage) {
			p.json(`{"v":"true"}`)
			p.sends(`{"v":true}`)
		}},
		{"convert_string_to_boolean", "the text yes", func(p *toolPage) {
			p.json(`{"v":"yes"}`)
			p.says(`[data-testid=problems]`, "boolean")
			p.sendsAnyway(`{"v":"yes"}`)
			p.form()
			p.says(inside("v", ".kept-json"), `"yes"`)
			p.json(`["yes"]`)
			p.click(`[aria-label=Arguments] [data-value=form]`)
			p.says(`.toasts`, "arguments must be an object")
		}},
	}
}

func arrays() []guideCase {
	return []guideCase{
		{"array_simple", "items are added", func(p *toolPage) {
			p.press("Add item")
			p.field("v[0]", "item1")
			p.press("Add item")
			p.field("v[1]", "item2")
			p.sends(`{"v":["item1","item2"]}`)
		}},
		{"array_object", "rows with fields", func(p *toolPage) {
			p.press("Add row")
			p.problem("v[0].name", "required")
			p.field("v[0].name", "item1")
			p.press("Add row")
			p.field("v[1].name", "item2")
			p.sends(`{"v":[{"name":"item1"},{"name":"item2"}]}`)
		}},
		{"array_optional", "omitted or empty, never null", func(p *toolPage) {
			p.sends(`{}`)
			p.state("v", "empty")
			p.sends(`{"v":[]}`)
			p.gone(inside("v", `[role=radio][data-value=null]`))
			p.json(`{"v":null}`)
			p.says(`[data-testid=problems]`, "null instead of a list")
			p.sendsAnyway(`{"v":null}`)
		}},
	}
}

func nestedObjects() []guideCase {
	return []guideCase{
		{"nested_single_level", "a structured form, and JSON", func(p *toolPage) {
			p.state("v", "value")
			p.until(`document.activeElement === document.querySelector('[data-path="v.name"] textarea')`)
			p.field("v.name", "Ada")
			p.sends(`{"v":{"name":"Ada"}}`)
			p.json(`{"v":{"name":"Bob"}}`)
			p.sends(`{"v":{"name":"Bob"}}`)
			p.form()
			p.until(`document.querySelector('[data-path="v.name"] textarea')?.value === "Bob"`)
		}},
		{"nested_multi_level", "groups, and JSON", func(p *toolPage) {
			p.toggle("v.user")
			p.field("v.user.name", "Ada")
			p.toggle("v.user.address")
			p.field("v.user.address.city", "Paris")
			p.sends(`{"v":{"user":{"name":"Ada","address":{"city":"Paris"}}}}`)
			p.toggle("v.user")
			p.gone(`[data-path="v.user.name"]`)
			p.says(inside("v.user", ".field-head"), "2 set")
			p.json(`{"v":{"user":{"name":"Ada","address":{"city":"Paris"}}}}`)
			p.sends(`{"v":{"user":{"name":"Ada","address":{"city":"Paris"}}}}`)
		}},
		{"nested_mixed_types", "variants that keep what was typed, and JSON", func(p *toolPage) {
			p.field("v.data", "text")
			p.variant("v.data", 1)
			p.willBeSent(`{}`)
			p.field("v.data", "5")
			p.sends(`{"v":{"data":5}}`)
			p.variant("v.data", 0)
			p.sends(`{"v":{"data":"text"}}`)
			p.variant("v.data", 2)
			p.field("v.data.k", "x")
			p.sends(`{"v":{"data":{"k":"x"}}}`)
			p.json(`{"v":{"data":5}}`)
			p.sends(`{"v":{"data":5}}`)
			p.json(`{"v":{"data":true}}`)
			p.sendsAnyway(`{"v":{"data":true}}`)
		}},
	}
}

func optionalFields() []guideCase {
	return []guideCase{
		{"optional_field", "omitted unless set", func(p *toolPage) {
			p.sends(`{}`)
			p.field("v", "x")
			p.sends(`{"v":"x"}`)
			p.state("v", "unset")
			p.sends(`{}`)
		}},
		{"optional_nullable", "null when it is said", func(p *toolPage) {
			p.sends(`{}`)
			p.state("v", "null")
			p.shows("v", "null")
			p.sends(`{"v":null}`)
		}},
		{"optional_empty_array", "[] when it is said", func(p *toolPage) {
			p.sends(`{}`)
			p.state("v", "empty")
			p.shows("v", "empty")
			p.sends(`{"v":[]}`)
		}},
		{"optional_empty_object", "{} when it is said", func(p *toolPage) {
			p.sends(`{}`)
			p.state("v", "empty")
			p.shows("v", "empty")
			p.sends(`{"v":{}}`)
		}},
	}
}

func scenarios() []guideCase {
	return []guideCase{
		{"scenario_complex_nested", "groups, and JSON", func(p *toolPage) {
			p.toggle("v.l1")
			p.toggle("v.l1.l2")
			p.toggle("v.l1.l2.l3")
			p.field("v.l1.l2.l3.leaf", "L")
			p.sends(`{"v":{"l1":{"l2":{"l3":{"leaf":"L"}}}}}`)
			p.json(`{"v":{"l1":{"l2":{"l3":{"leaf":"L"}}}}}`)
			p.sends(`{"v":{"l1":{"l2":{"l3":{"leaf":"L"}}}}}`)
		}},
		{"scenario_array_manipulation", "add, move, remove", func(p *toolPage) {
			for i, text := range []string{"a", "b", "c"} {
				p.press("Add item")
				p.field([]string{"v[0]", "v[1]", "v[2]"}[i], text)
			}
			p.named("Move v[2] up")
			p.willBeSent(`{"v":["a","c","b"]}`)
			p.named("Remove v[0]")
			p.sends(`{"v":["c","b"]}`)
			p.named("Remove v[0]")
			p.willBeSent(`{"v":["b"]}`)
			p.named("Remove v[0]")
			p.sends(`{"v":[]}`)
		}},
		{"scenario_optional_nested", "omitted when not set", func(p *toolPage) {
			p.sends(`{}`)
			p.field("o.x", "1")
			p.sends(`{"o":{"x":"1"}}`)
			p.state("o.x", "unset")
			p.sends(`{}`)
		}},
		{"scenario_mixed_array", "a variant for each item, and JSON", func(p *toolPage) {
			p.press("Add item")
			p.field("v[0]", "1")
			p.press("Add item")
			p.variant("v[1]", 1)
			p.field("v[1]", "1")
			p.press("Add item")
			p.variant("v[2]", 2)
			p.sends(`{"v":["1",1,false]}`)
			p.json(`{"v":["a",1,true]}`)
			p.sends(`{"v":["a",1,true]}`)
		}},
		{"scenario_nullable_vs_optional", "null or omitted", func(p *toolPage) {
			p.gone(inside("optional", `[role=radio][data-value=null]`))
			p.sends(`{}`)
			p.state("nullable", "null")
			p.sends(`{"nullable":null}`)
			p.field("optional", "x")
			p.sends(`{"nullable":null,"optional":"x"}`)
		}},
		{"scenario_empty_collections", "only when it is said", func(p *toolPage) {
			p.sends(`{}`)
			p.state("arr", "empty")
			p.state("obj", "empty")
			p.sends(`{"arr":[],"obj":{}}`)
			p.state("obj", "value")
			p.there(`[aria-label="Name of property 1 of obj"]`)
		}},
	}
}

func optionalParameters() []guideCase {
	return []guideCase{
		{"parameter_unset", "omitted", func(p *toolPage) { p.sends(`{}`) }},
		{"parameter_null", "null when it is said", func(p *toolPage) {
			p.state("name", "null")
			p.sends(`{"name":null}`)
		}},
		{"parameter_empty_string", "empty when it is said, unset when everything was deleted", func(p *toolPage) {
			p.state("name", "empty")
			p.shows("name", "empty")
			p.sends(`{"name":""}`)
			p.field("name", "x")
			p.willBeSent(`{"name":"x"}`)
			p.field("name", "")
			p.shows("name", "unset")
			p.sends(`{}`)
		}},
	}
}
