package browser

import (
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// extras are kinds of input that the guide leaves out.
func extras() []guideCase {
	return []guideCase{
		{"extra_array_of_any_object", "rows with members that are named freely", func(p *toolPage) {
			p.press("Add row")
			p.press("Add property")
			p.fill(`[aria-label="Name of property 1 of v[0]"]`, "a")
			p.fill(inside("v[0].a", "textarea"), "[1]")
			p.sends(`{"v":[{"a":[1]}]}`)
			p.fill(inside("v[0].a", "textarea"), "item1") // plain text
			p.sends(`{"v":[{"a":"item1"}]}`)
		}},
		{"extra_enum", "a choice that can be taken back", func(p *toolPage) {
			p.pick("v", "g")
			p.sends(`{"v":"green"}`)
			p.state("v", "unset")
			p.sends(`{}`)
		}},
		{"extra_integer_enum", "a choice of numbers", func(p *toolPage) {
			p.pick("v", "2")
			p.sends(`{"v":2}`)
		}},
		{"extra_titled_enum", "titles are shown, values sent", func(p *toolPage) {
			p.says(inside("v", "select"), "Medium")
			p.pick("v", "M")
			p.sends(`{"v":"m"}`)
		}},
		{"extra_null_enum", "null among the values", func(p *toolPage) {
			p.state("v", "null")
			p.sends(`{"v":null}`)
			p.pick("v", "o")
			p.do(chromedp.KeyEvent(kb.ArrowDown)) // a second letter would have to follow within a second
			p.sends(`{"v":"off"}`)
		}},
		{"extra_multi_select", "several of an enum", func(p *toolPage) {
			p.press("Add item")
			p.press("Add item")
			p.pick("v[1]", "c")
			p.sends(`{"v":["a","c"]}`)
		}},
		{"extra_default", "defaults are set and can be unset", func(p *toolPage) {
			p.sends(`{"text":"hello","count":3,"flag":true}`)
			p.state("count", "unset")
			p.sends(`{"text":"hello","flag":true}`)
			p.field("text", "") // cleared is unset, also where there is a default
			p.sends(`{"flag":true}`)
		}},
		{"extra_const", "the one value", func(p *toolPage) {
			p.sends(`{"v":"fixed"}`)
		}},
		{"extra_ref", "a reference", func(p *toolPage) {
			p.field("v.x", "1.5")
			p.field("v.y", "-0")
			p.sends(`{"v":{"x":1.5,"y":-0}}`)
		}},
		{"extra_bounds", "nothing is clamped or cut", func(p *toolPage) {
			p.field("n", "99")
			p.problem("n", "10")
			p.field("s", "TOOLONG")
			p.problem("s", "5")
			p.sendsAnyway(`{"n":99,"s":"TOOLONG"}`)
		}},
		{"extra_big_integer", "digits stay as typed", func(p *toolPage) {
			p.field("v", "12345678901234567890123")
			p.sends(`{"v":12345678901234567890123}`)
			p.json(`{"v":9007199254740993}`)
			p.sends(`{"v":9007199254740993}`)
			p.form()
			p.until(`document.querySelector("[data-path=v] input").value === "9007199254740993"`)
		}},
		{"extra_map", "any keys", func(p *toolPage) {
			p.press("Add property")
			p.fill(`[aria-label="Name of property 1 of v"]`, "a")
			p.fill(inside("v.a", "[role=spinbutton]"), "1")
			p.sends(`{"v":{"a":1}}`)
		}},
		{"extra_tuple", "a field for each position, and JSON", func(p *toolPage) {
			p.field("v[1]", "1")
			p.problem("v[0]", "missing, expected string")
			p.field("v[0]", "a")
			p.sends(`{"v":["a",1]}`)
			p.field("v[1]", "")
			p.willBeSent(`{"v":["a"]}`)
			p.field("v[0]", "")
			p.shows("v", "unset")
			p.json(`{"v":["a",1]}`)
			p.sends(`{"v":["a",1]}`)
		}},
		{"extra_any", "text or JSON", func(p *toolPage) {
			p.field("v", "plain text")
			p.sends(`{"v":"plain text"}`)
			p.field("v", "[1.0")
			p.problem("v", "not valid JSON")
			p.json(`{"v":1.0}`)
			p.sends(`{"v":1.0}`)
		}},
		{"extra_any_of", "variants, and JSON", func(p *toolPage) {
			p.variant("v", 1)
			p.field("v", "1.50")
			p.sends(`{"v":1.50}`)
			p.json(`{"v":"x"}`)
			p.sends(`{"v":"x"}`)
		}},
		{"extra_formats", "a format is a hint, not a rule", func(p *toolPage) {
			p.says(inside("email", ".field-type"), "email")
			p.field("email", "nobody")
			p.says(inside("email", ".remark"), "email")
			p.sends(`{"email":"nobody"}`)
		}},
		{"extra_root_one_of", "variants that keep what was typed, in both modes", func(p *toolPage) {
			p.problem("id", "required")
			p.field("project", "p1")
			p.field("id", "7")
			p.sends(`{"project":"p1","id":7}`)
			p.variant("the arguments", 1)
			p.says(`[aria-label="Variants of the arguments"] .field-doc`, "need not be unique")
			p.willBeSent(`{"project":"p1","exact":true}`) // what both have is kept
			p.problem("name", "required")
			p.held()
			p.field("name", "n")
			p.sends(`{"project":"p1","name":"n","exact":true}`)
			p.variant("the arguments", 0)
			p.sends(`{"project":"p1","id":7}`)
			p.json(`{"name":"x","project":"p2"}`)
			p.sends(`{"name":"x","project":"p2"}`)
			p.form()
			p.until(`document.querySelector('[data-path="name"] textarea')?.value === "x"`)
			p.sends(`{"name":"x","project":"p2"}`)
			p.variant("the arguments", 0) // typed before the JSON
			p.sends(`{"project":"p1","id":7}`)
			p.json(`{"project":"p3","id":"8"}`)
			p.sends(`{"project":"p3","id":8}`)
			p.json(`{"project":"p3"}`)
			p.says(`[data-testid=problems]`, "none of the alternatives")
			p.sendsAnyway(`{"project":"p3"}`)
		}},
		{"extra_nested_rows", "a list inside an optional object opens when a row is added", func(p *toolPage) {
			p.pressIn("o.rows", "Add row")
			p.field("o.rows[0].name", "x")
			p.sends(`{"o":{"rows":[{"name":"x"}]}}`)
			p.json(`{"o":{"rows":[{"name":"y"}]}}`)
			p.sends(`{"o":{"rows":[{"name":"y"}]}}`)
		}},
		{"extra_root_map", "properties that are named freely, and JSON", func(p *toolPage) {
			p.sends(`{}`)
			p.press("Add property")
			p.fill(`[aria-label="Name of property 1 of the arguments"]`, "a")
			p.fill(inside("a", "[role=spinbutton]"), "x")
			p.problem("a", "not an integer")
			p.fill(inside("a", "[role=spinbutton]"), "1")
			p.sends(`{"a":1}`)
			p.json(`{"a":1,"b":2}`)
			p.sends(`{"a":1,"b":2}`)
			p.form()
			p.named("Remove property 1 of the arguments")
			p.sends(`{"b":2}`)
		}},
		{"extra_open_object", "nothing declared", func(p *toolPage) {
			p.sends(`{}`)
			p.json(`{"free":1}`)
			p.sends(`{"free":1}`)
		}},
		{"extra_no_arguments", "nothing to enter", func(p *toolPage) {
			p.sends(`{}`)
			p.json(`{"more":1}`)
			p.sendsAnyway(`{"more":1}`)
		}},
	}
}

// pick chooses an option from the keyboard.
func (p *toolPage) pick(path, start string) {
	p.t.Helper()
	p.there(inside(path, "select"))
	p.do(chromedp.Focus(chromedp.CSS(inside(path, "select"))))
	p.typed(start)
}
