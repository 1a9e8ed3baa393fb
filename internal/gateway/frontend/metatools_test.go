package frontend

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An agent sees a dozen tools and reaches all through them; each TC of the catalog's life, over the wire.
func TestMetaTools(t *testing.T) {
	r := newRig(t, Meta, nil,
		map[string]wire.Target{"files": inProcess(&toy{tools: map[string]func(*toyCall) string{"read_file": echoing,
			"list_files": echoing}}),
			"demo": {Serve: builtin(t)}})
	s := r.dial(t, "2026-07-28", "ada", mcp.Options{})
	eventually(t, "the servers", func() bool {
		return strings.Contains(call(t, s, "health", `{}`),
			`"status":"healthy"`)
	})
	want := []string{"catalog_search", "catalog_list", "describe_tool", "invoke_tool", "validate_tool", "register_tool",
		"update_tool", "remove_tool",
		"describe_server", "search_servers", "catalog_resources", "catalog_prompts", "health"}
	if diff := cmp.Diff(names(t, s), want); diff != "" {
		t.Errorf("tools (-got +want):\n%s", diff)
	}
	tool := `{"name":"greet","description":"v1","parameters":{"type":"object","properties":{"n":{"type":"integer"}},` +
		`"required":["n"]},"run":{"upstream":{"server":"files","tool":"read_file"}},"validators":[{"name":"small",` +
		`"expression":".n < 10"}]}`
	newer := strings.Replace(strings.Replace(tool, "v1", "v2", 1), `"n"`, `"m"`, 2)
	for _, step := range []struct{ tool, arguments, want string }{
		{"catalog_search", `{"query":"read file"}`, `"invoke_as":"files__read_file"`},
		{"catalog_list", `{"filter":"FILE","server":"files"}`, `"count":2`},
		{"invoke_tool", `{"name":"files__read_file","arguments":{"x":9007199254740993}}`, `{"x":9007199254740993}`},
		{"invoke_tool", `{"name":"nope"}`, `"type":"NotFoundError"`},
		{"invoke_tool", `{}`, `"type":"ValidationError"`},
		{"register_tool", `{"tool":` + tool + `}`, `"version":1`},
		{"register_tool", `{"tool":` + tool + `}`, `"type":"ConflictError"`},
		{"catalog_list", `{"filter":"greet"}`, `"registered_at"`},
		{"validate_tool", `{"name":"greet","arguments":{"n":50}}`,
			`"status":"FAIL","errors":[],"validators":[{"name":"small","outcome":"FAIL"`},
		{"validate_tool", `{"name":"greet","arguments":{"n":5}}`, `"status":"PASS"`},
		{"invoke_tool", `{"name":"greet","arguments":{"n":5}}`, `{"n":5}`},
		{"update_tool", `{"tool":` + newer + `,"version":1}`, `"version":2`},
		{"update_tool", `{"tool":` + newer + `,"version":1}`, `"type":"ConflictError"`},
		{"invoke_tool", `{"name":"greet","arguments":{"n":5}}`, `missing required: m`},
		{"describe_tool", `{"name":"greet"}`, `"description":"v2"`},
		{"remove_tool", `{"name":"greet"}`, `"removed":"greet"`},
		{"invoke_tool", `{"name":"greet","arguments":{"n":5}}`, `tool greet not found in the catalog`},
		{"remove_tool", `{"name":"files__read_file"}`, `"type":"InvalidError"`},
		{"register_tool", `{"tool":{"name":"x","run":{"http":{"method":"GET","url":"http://169.254.169.254/"}}}}`,
			`is not allowed; add it to \"http_hosts\" under \"gateway\" in the config`},
		{"describe_server", `{"server":"files"}`, `"tool_names":["files__list_files","files__read_file"]`},
		{"search_servers", `{"query":"file"}`, `"name":"files"`},
		{"catalog_resources", `{}`, `"name":"demo://note#gateway=demo"`},
		{"catalog_prompts", `{}`, `"name":"demo__greet"`},
	} {
		if got := callMeta(t, s, step.tool, step.arguments); !strings.Contains(got, step.want) {
			t.Errorf("%s(%s) = %s\nwant %s", step.tool, step.arguments, got, step.want)
		}
	}
	if got := call(t, s, "files__read_file", `{}`); !strings.Contains(got, "Unknown tool") {
		t.Errorf("a hidden tool was called directly: %s", got)
	}
}
