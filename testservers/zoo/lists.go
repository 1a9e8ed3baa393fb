package zoo

import "time"

// lists are servers with an invalid list of tools.
func lists() []Server {
	const tool = `{"name":"t","inputSchema":{"type":"object"}}`
	return []Server{
		{Name: "cursor-cycle", Defect: "has a cursor cycle from A to B to A", Script: listed(
			`{"tools":[`+tool+`],"nextCursor":"A"}`, `{"tools":[`+tool+`],"nextCursor":"B"}`,
			`{"tools":[`+tool+`],"nextCursor":"A"}`),
			Sight: Sight{Items: 3, Usable: 3, Problem: `cursor "A" was returned twice`}},
		{Name: "cursor-same", Defect: "always returns the same cursor",
			Script: listed(`{"tools":[` + tool + `],"nextCursor":"A"}`),
			Sight:  Sight{Items: 2, Usable: 2, Problem: `cursor "A" was returned twice`}},
		{Name: "cursor-empty", Defect: "uses the empty string as a cursor, which is allowed", Script: listed(
			`{"tools":[`+tool+`],"nextCursor":""}`, `{"tools":[`+tool+`]}`), Sight: Sight{Items: 2, Usable: 2}},
		{Name: "cursor-number", Defect: "returns a number as a cursor",
			Script: listed(`{"tools":[` + tool + `],"nextCursor":2}`),
			Sight:  Sight{Problem: "nextCursor is 2, expected a string"}},
		{Name: "cursor-null", Defect: "returns null as the cursor",
			Script: listed(`{"tools":[` + tool + `],"nextCursor":null}`), Sight: Sight{}},
		{Name: "endless-pages", Defect: "has endless pages",
			Script: listed(`{"tools":[` + tool + `],"nextCursor":"$n"}`),
			Sight:  Sight{Items: 1000, Usable: 1000, Problem: "more than 1000 pages", Within: 10 * time.Second}},
		{Name: "null-tool", Defect: "has null among its tools", Script: listed(`{"tools":[null,` + tool + `]}`),
			Sight: Sight{Items: 2}},
		{Name: "numeric-name", Defect: "has a tool whose name is a number",
			Script: listed(`{"tools":[{"name":7},` + tool + `]}`), Sight: Sight{Items: 2}},
		{Name: "nameless-tool", Defect: "has a tool without a name", Script: listed(`{"tools":[{},` + tool + `]}`),
			Sight: Sight{Items: 2}},
		{Name: "tools-object", Defect: "returns its tools as an object", Script: listed(`{"tools":{"t":` + tool + `}}`),
			Sight: Sight{Items: -1, Usable: -1, Problem: "found an object, expected an array"}},
		{Name: "tools-missing", Defect: "responds to tools/list without tools", Script: listed(`{}`),
			Sight: Sight{Items: -1, Usable: -1, Problem: `the result has no "tools"`}},
		{Name: "bad-annotations", Defect: "has annotations that are a string",
			Script: listed(`{"tools":[{"name":"t","inputSchema":{"type":"object"},"annotations":"yes"}]}`),
			Sight:  Sight{Frame: `"annotations":"yes"`}},
		{Name: "broken-item", Defect: "truncates its list", Script: listed(`{"tools":[` + tool + `,{"name":]}`),
			Sight: Sight{List: "invalid response: invalid character"}},
	}
}
