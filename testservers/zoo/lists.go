package zoo

import "time"

// lists are servers whose list of tools is broken.
func lists() []Server {
	const tool = `{"name":"t","inputSchema":{"type":"object"}}`
	return []Server{
		{Name: "cursor-cycle", Defect: "leads from page A to B to A", Script: listed(
			`{"tools":[`+tool+`],"nextCursor":"A"}`, `{"tools":[`+tool+`],"nextCursor":"B"}`, `{"tools":[`+tool+`],"nextCursor":"A"}`),
			Sight: Sight{Items: 3, Usable: 3, Problem: `the cursor "A" came twice`}},
		{Name: "cursor-same", Defect: "gives the same cursor for ever", Script: listed(`{"tools":[` + tool + `],"nextCursor":"A"}`),
			Sight: Sight{Items: 2, Usable: 2, Problem: `the cursor "A" came twice`}},
		{Name: "cursor-empty", Defect: "uses the empty string as a cursor, which is allowed", Script: listed(
			`{"tools":[`+tool+`],"nextCursor":""}`, `{"tools":[`+tool+`]}`), Sight: Sight{Items: 2, Usable: 2}},
		{Name: "cursor-number", Defect: "gives a number as a cursor", Script: listed(`{"tools":[` + tool + `],"nextCursor":2}`),
			Sight: Sight{Problem: "nextCursor is 2; want a string"}},
		{Name: "cursor-null", Defect: "says that there is no cursor with null", Script: listed(`{"tools":[` + tool + `],"nextCursor":null}`), Sight: Sight{}},
		{Name: "endless-pages", Defect: "has a next page for ever", Script: listed(`{"tools":[` + tool + `],"nextCursor":"$n"}`),
			Sight: Sight{Items: 1000, Usable: 1000, Problem: "more than 1000 pages", Within: 10 * time.Second}},
		{Name: "null-tool", Defect: "has null among its tools", Script: listed(`{"tools":[null,` + tool + `]}`), Sight: Sight{Items: 2}},
		{Name: "numeric-name", Defect: "has a tool whose name is a number", Script: listed(`{"tools":[{"name":7},` + tool + `]}`), Sight: Sight{Items: 2}},
		{Name: "nameless-tool", Defect: "has a tool without a name", Script: listed(`{"tools":[{},` + tool + `]}`), Sight: Sight{Items: 2}},
		{Name: "tools-object", Defect: "gives its tools as an object", Script: listed(`{"tools":{"t":` + tool + `}}`),
			Sight: Sight{Items: -1, Usable: -1, Problem: "found an object; want an array"}},
		{Name: "tools-missing", Defect: "answers tools/list without tools", Script: listed(`{}`),
			Sight: Sight{Items: -1, Usable: -1, Problem: `the result has no "tools"`}},
		{Name: "bad-annotations", Defect: "has annotations that are text", Script: listed(`{"tools":[{"name":"t","inputSchema":{"type":"object"},"annotations":"yes"}]}`),
			Sight: Sight{Frame: `"annotations":"yes"`}},
		{Name: "broken-item", Defect: "breaks off in the middle of its list", Script: listed(`{"tools":[` + tool + `,{"name":]}`),
			Sight: Sight{List: "the response cannot be read"}},
	}
}
