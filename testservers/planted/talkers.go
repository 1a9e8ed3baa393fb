package planted

import (
	"encoding/json"
	"strings"
)

// talkers lists servers whose results are data about failures, or say what is wrong with a value.
func talkers() []Creature {
	const log = "panic: runtime error: slice bounds out of range\nException in thread \"main\" java.lang.OutOfMemoryError\nINFO stop"
	says := func(text string) func(*server, json.RawMessage) string {
		return func(*server, json.RawMessage) string { return said(text) }
	}
	return []Creature{
		{Name: "says what is no JSON", input: free,
			work: when(func(a json.RawMessage) bool { return !json.Valid([]byte(text(a, "name"))) },
				func(s *server) string { return s.failed("name is not valid JSON: Unexpected end of JSON input") })},
		{Name: "takes a statement", input: object(`"sql":{"type":"string"}`, `"sql"`),
			work: when(func(a json.RawMessage) bool { return text(a, "sql") == "" || !strings.Contains(text(a, "sql"), " ") },
				func(s *server) string { return s.failed(`near "a": syntax error`) })},
		{Name: "lists failures", input: free, work: says(`[{"id":1,"title":"Server returns 500 Internal Server Error"},` +
			`{"id":2,"title":"undefined is not a function"}]`)},
		{Name: "finds titles about panics", input: free, work: says(`{"hits":[{"line":0,"title":"panic: index out of range"}]}`)},
		{Name: "quotes people", input: free, work: says("Error is the price of progress.")},
		{Name: "shows the end of a log", input: free, work: says(log)},
		{Name: "shows a message of each kind", input: object(`"kind":{"type":"string","enum":["success","error"]}`, `"kind"`),
			work: when(func(a json.RawMessage) bool { return text(a, "kind") == "error" },
				func(*server) string { return said("Error: operation failed") })},
		{Name: "explains what a page is for", input: free, work: says("Error 404: no such book is shown to visitors")},
	}
}
