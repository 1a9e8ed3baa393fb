package hosts

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/hostrun"
)

var record = flag.String("record", "", "record the requests of these hosts for player: claude,codex")

func TestRealHosts(t *testing.T) {
	folder := real(t)
	for host := range hostNames {
		for _, server := range cases {
			t.Run(host+" "+server, func(t *testing.T) { checkCase(t, folder, host, server) })
		}
	}
}

// TestRecord writes the requests that player sends.
func TestRecord(t *testing.T) {
	folder := real(t)
	if *record == "" {
		t.Skip("skipped: -record writes the requests of the hosts")
	}
	for _, host := range strings.Split(*record, ",") {
		var lines []byte
		for _, server := range cases {
			run, err := hostrun.Start(t.Context(), options(t, folder, host, "probe", []string{built.probe, server},
				call("echo", `{"text":"xx"}`)))
			if err != nil {
				t.Fatal(err)
			}
			var bodies []any
			for _, body := range run.Bodies {
				if trimmed := trim(body); trimmed != nil {
					bodies = append(bodies, trimmed)
				}
			}
			line, err := json.Marshal(map[string]any{"case": server, "version": run.Version, "bodies": bodies})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, line...), '\n')
		}
		if err := os.WriteFile(filepath.Join("player", "recorded", host+".jsonl"), lines, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// trim keeps the tools of the server and the tool calls of a request to a model; nil if the request has no tools. The
// rest are texts of the host.
func trim(body json.RawMessage) map[string]any {
	var request map[string]any
	if json.Unmarshal(body, &request) != nil || request["tools"] == nil {
		return nil
	}
	kept := map[string]any{"tools": only(request["tools"], `"name":"probe`, `"name":"mcp__probe`,
		`"name":"mcp_probe`, `"ToolSearch"`, `"tool_search"`, `"name":"echo"`,
		`"name":"add.numbers"`, `"name":"report"`, `"name":"merge"`)} // Continue does not add the name of the server
	for _, tool := range containing(kept["tools"], []string{`"ToolSearch"`, `"tool_search"`}) {
		delete(tool.(map[string]any), "description") // a text of the host
	}
	for _, name := range []string{"input", "messages", "contents"} {
		if request[name] != nil {
			kept[name] = only(request[name], `call_a`, `call_b`, `functionCall`, `functionResponse`)
		}
	}
	for _, name := range []string{"model", "stream"} {
		if request[name] != nil {
			kept[name] = request[name]
		}
	}
	return kept
}

// only keeps the entries of a list that contain one of the words. In an entry with a list of functions or parts, it
// keeps those that contain one, unless none does: then the entry itself is the tool result.
func only(list any, words ...string) []any {
	kept := containing(list, words)
	for _, entry := range kept {
		object, _ := entry.(map[string]any)
		for _, name := range []string{"functionDeclarations", "content"} {
			if inner := containing(object[name], words); len(inner) > 0 {
				object[name] = inner
			}
		}
	}
	return kept
}

func containing(list any, words []string) []any {
	kept := []any{}
	entries, _ := list.([]any)
	for _, entry := range entries {
		text, _ := json.Marshal(entry)
		if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(string(text), word) }) {
			kept = append(kept, entry)
		}
	}
	return kept
}
