package browser

// guideAsJSON types the arguments of the rows that have a form as JSON: they arrive as typed, and the form then has the
// same values. What the schema rejects is held back and can be sent anyway.
func guideAsJSON() []guideCase {
	rows := []struct {
		tool  string
		valid []string
		held  string // empty if the row accepts everything
	}{
		{"basic_integer", []string{`{"v":42}`}, `{"v":1.5}`},
		{"basic_number", []string{`{"v":42.5}`}, `{"v":"x"}`},
		{"basic_string", []string{`{"v":"hello"}`}, `{"v":1}`},
		{"basic_boolean", []string{`{"v":true}`, `{"v":false}`}, `{"v":0}`},
		{"basic_null", []string{`{"v":null}`}, `{}`},
		{"array_simple", []string{`{"v":["item1","item2"]}`, `{"v":[]}`}, `{"v":[1,2]}`},
		{"array_object", []string{`{"v":[{"name":"item1"},{"name":"item2"}]}`}, `{"v":[{}]}`},
		{"array_optional", []string{`{}`, `{"v":[]}`}, `{"v":null}`},
		{"optional_field", []string{`{}`, `{"v":"x"}`}, `{"v":null}`},
		{"optional_nullable", []string{`{}`, `{"v":null}`}, ``},
		{"optional_empty_array", []string{`{}`, `{"v":[]}`}, ``},
		{"optional_empty_object", []string{`{}`, `{"v":{}}`}, ``},
		{"scenario_array_manipulation", []string{`{"v":["c","b"]}`, `{"v":[]}`}, ``},
		{"scenario_optional_nested", []string{`{}`, `{"o":{"x":"1"}}`}, `{"o":null}`},
		{"scenario_nullable_vs_optional", []string{`{"nullable":null}`, `{}`}, `{"optional":null}`},
		{"scenario_empty_collections", []string{`{}`, `{"arr":[],"obj":{}}`}, ``},
		{"parameter_unset", []string{`{}`}, `{"name":null}`},
		{"parameter_null", []string{`{"name":null}`}, ``},
		{"parameter_empty_string", []string{`{"name":""}`}, ``},
	}
	var cases []guideCase
	for _, row := range rows {
		cases = append(cases, guideCase{row.tool, "as JSON", func(p *toolPage) {
			for _, text := range row.valid {
				p.json(text)
				p.sends(text)
			}
			p.form()
			p.willBeSent(row.valid[len(row.valid)-1])
			if row.held != "" {
				p.json(row.held)
				p.willBeSent(row.held)
				p.sendsAnyway(row.held)
			}
		}})
	}
	return append(cases, guideCase{"convert_string_to_integer", "text as JSON", func(p *toolPage) {
		p.json(`{"v":"42"}`)
		p.sends(`{"v":42}`)
		p.json(`{"v":"1.5"}`)
		p.sendsAnyway(`{"v":"1.5"}`)
	}})
}
