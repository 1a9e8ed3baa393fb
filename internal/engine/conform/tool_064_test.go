package conform

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

func TestPromisedOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ description, argument, items, want string }{
		{"Lists the versions, highest version first.", "", `["2.0.0","1.9.0","1.11.2","0.9"]`, "2.0.0, 1.9.0, 1.11.2, 0.9"},
		{"Lists the versions, highest version first.", "", `["2.0.0","1.11.2","1.9.0","0.9"]`, ""},
		{"Lists the versions, newest first.", "", `[{"version":"1.9"},{"version":"1.10"},{"version":"1.8"}]`, "1.9, 1.10, 1.8"},
		{"Lists the versions, newest first.", "", `[{"version":"1.9","date":"2026-03-01"},{"version":"1.10","date":"2026-02-01"},` +
			`{"version":"1.8","date":"2026-01-01"}]`, ""},
		{"Lists the entries. Newest first.", "", `[{"at":"2026-01-01","n":1},{"at":"2026-01-03"},{"at":"2026-01-02"}]`, ""}, // at is no name of a date
		{"Lists the entries. Newest first.", "", `[{"created_at":"2026-01-01"},{"created_at":"2026-01-03"},{"created_at":"2026-01-02"}]`,
			"2026-01-01, 2026-01-03, 2026-01-02"},
		{"Lists the entries, oldest first.", "", `[{"date":"2026-01-01"},{"date":"2026-01-02"},{"date":"2026-01-03"}]`, ""},
		{"Lists the entries, oldest first.", "", `[{"date":"2026-01-01","due":"2025-01-01"},{"date":"2026-01-02T10:00"},{"date":"2026-01-03"}]`, ""},
		{"Lists the tasks, newest first.", "", `[{"due_date":"2026-01-01"},{"due_date":"2026-01-03"},{"due_date":"2026-01-02"}]`, ""},
		{"Lists the notes, newest first.", "", `[{"pinned":true,"date":"2026-01-01"},{"pinned":true,"date":"2025-12-01"},` +
			`{"pinned":false,"date":"2026-01-03"},{"pinned":false,"date":"2026-01-02"}]`, ""},
		{"Lists the files, largest first.", "", `[{"id":3,"size":900},{"id":1,"size":1000},{"id":2,"size":50}]`, "900, 1000, 50"},
		{"Lists the files, largest first.", "", `[{"size":900,"lines":30},{"size":1000,"lines":10},{"size":50,"lines":20}]`, ""},
		{"Lists the files, largest first.", "sort_by", `[{"size":900},{"size":1000},{"size":50}]`, ""},
		{"Lists the files, largest first if sorted.", "", `[{"size":900},{"size":1000},{"size":50}]`, ""},
		{"Lists the tickets, highest priority first.", "", `[{"priority":1,"points":3},{"priority":1,"points":9},{"priority":2,"points":1}]`, ""},
		{"Lists the tickets, highest first.", "", `[{"priority":1},{"priority":3},{"priority":2}]`, ""},
		{"Lists the projects, latest activity first.", "", `[{"created_at":"2026-01-01"},{"created_at":"2026-01-03"},{"created_at":"2026-01-02"}]`, ""},
		{"Lists the entries, newest entries first.", "", `[{"created_at":"2026-01-01"},{"created_at":"2026-01-03"},{"created_at":"2026-01-02"}]`,
			"2026-01-01, 2026-01-03, 2026-01-02"},
		{"Lists the files.", "", `[{"size":900},{"size":1000},{"size":50}]`, ""},
		{"Lists the files, largest first.", "", `[{"size":900},{"size":1000}]`, ""},
	} {
		properties := ""
		if c.argument != "" {
			properties = `"` + c.argument + `":{"type":"string"}`
		}
		tool := json.RawMessage(`{"name":"list","description":"` + c.description + `","inputSchema":{"type":"object","properties":{` + properties + `}}}`)
		items, err := schema.Elements(json.RawMessage(c.items))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if promise := promisedOrder(tool); promise != nil {
			got = promise.broken(items)
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.description, c.items, got, c.want)
		}
	}
	output := json.RawMessage(`{"name":"versions","description":"Lists the versions.","outputSchema":{"properties":{"versions":` +
		`{"description":"The versions, highest first"}}}}`)
	if promise := promisedOrder(output); promise == nil || !strings.Contains(promise.words, "highest first") || promise.direction != -1 {
		t.Errorf("in the output schema: got %+v", promise)
	}
}

// TestKeptOrder checks that TOOL-064 finds nothing in a server that keeps its promise.
func TestKeptOrder(t *testing.T) {
	t.Parallel()
	out, err := judged(t, mutant{defect: releases(`["2.0.0","1.11.2","1.10.0","1.9.0"]`)}.target(t, "TOOL-064", OnPipe), calm("2025-11-25", "TOOL-064"))
	if err != nil {
		t.Fatal(err)
	}
	if found := out.Report.Findings(); len(found) > 0 || out.Report.Results[0].Skipped != "" {
		t.Errorf("got %s%s", shown(found), out.Report.Results[0].Skipped)
	}
}

// releases adds a tool that lists versions and says that the highest is first.
func releases(list string) func(*exemplar.Server) {
	return extraTools(`{"name":"list_versions","description":"Lists the versions, highest version first.","inputSchema":{"type":"object",`+
		`"additionalProperties":false},"annotations":{"readOnlyHint":true}}`, func(string, json.RawMessage) string { return `{"versions":` + list + `}` })
}
