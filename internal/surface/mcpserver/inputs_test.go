package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/systrace"
)

// A position is one string of a tool's input, as the keys that lead to it.
type position []string

// positions walks a schema to every string of the input that it describes.
func positions(s map[string]any) []position {
	var all []position
	switch s["type"] {
	case "string":
		return []position{{}}
	case "array":
		items, _ := s["items"].(map[string]any)
		for _, p := range positions(items) {
			all = append(all, append(position{"[]"}, p...))
		}
	case "object":
		properties, _ := s["properties"].(map[string]any)
		for name, schema := range properties {
			for _, p := range positions(schema.(map[string]any)) {
				all = append(all, append(position{name}, p...))
			}
		}
		if s["additionalProperties"] == true {
			all = append(all, position{"message"})
		}
	}
	return all
}

// companions are values that let an operation come far enough to use its other inputs.
var companions = map[string]any{
	"url": "demo", "name": "echo", "uri": "demo://welcome", "arguments": map[string]any{"message": "hi"}, "arguments_json": `{"message":"hi"}`,
	"message": `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "argument": "tone", "suite": "tools: [{tool: echo, args: {message: hi}}]",
	"tool": "echo", "duration": "20ms", "rate": "50/s", "cases": 2, "within_ms": 300, "wait_ms": 1, "rules": []string{"TOOL-001"},
}

// base is an input of the schema: what is required, and the companions.
func base(s map[string]any) any {
	switch s["type"] {
	case "object":
		out := map[string]any{}
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for name, schema := range properties {
			property := schema.(map[string]any)
			value, known := companions[name]
			if known && property["type"] == "array" {
				if _, list := value.([]string); !list {
					value = []any{value}
				}
			}
			if known {
				out[name] = value
			} else if slices.Contains(required, any(name)) {
				out[name] = base(property)
			}
		}
		return out
	case "array":
		return []any{}
	case "integer":
		return 1
	case "boolean":
		return false
	}
	if values, ok := s["enum"].([]any); ok {
		return values[0]
	}
	return "x"
}

// put replaces the string at a position.
func put(in any, at position, value string, s map[string]any) any {
	if len(at) == 0 {
		return value
	}
	if at[0] == "[]" {
		items, _ := s["items"].(map[string]any)
		return []any{put(base(items), at[1:], value, items)}
	}
	out, _ := in.(map[string]any)
	properties, _ := s["properties"].(map[string]any)
	property, _ := properties[at[0]].(map[string]any)
	if property == nil {
		property = map[string]any{"type": "string"}
	}
	inner := out[at[0]]
	if inner == nil {
		inner = base(property)
	}
	out[at[0]] = put(inner, at[1:], value, property)
	return out
}

// hostileSuites are texts of a suite with a value in different places.
var hostileSuites = []string{
	"servers: {a: %[1]q}\ntools: [{tool: echo, args: {message: hi}}]",
	"servers: {a: {command: [%[1]q]}}\ntools: [{tool: echo, args: {message: hi}}]",
	"servers: {a: {url: %[1]q}}\ntools: [{tool: echo, server: a, args: {message: hi}}]",
	"include: [%[1]q]\ntools: [{tool: echo, args: {message: hi}}]",
	"tools: [{tool: %[1]q}]",
	"tools: [{tool: echo, args: {message: %[1]q}}]",
	"tools: [{tool: echo, args: %[1]q}]",
	"tools: [{tool: echo, args: {message: hi}, expect: {equals: %[1]q}}]",
	"tools: [{tool: echo, args: {message: hi}, expect: {snapshot: %[1]q}}]",
	"tools: [{tool: echo, args: {message: hi}, expect: {schema: %[1]q}}]",
	"tools: [{tool: echo, args: {message: hi}, expect: {schema: {$ref: %[1]q}}}]",
	"fuzz: [{name: a, with: {tool: [echo], cases: 2, corpus: %[1]q}}]",
	"performance: [{name: a, with: {tool: echo, duration: 20ms, args: %[1]q}}]",
	"performance: [{name: a, with: {tool: echo, duration: 20ms, requests: %[1]q}}]",
	"performance: [{name: a, with: {tool: echo, duration: 20ms, arg: [\"message=%[1]s\"]}}]",
	"tool_quality: [{name: a, with: {baseline: %[1]q, config: %[1]q, file: %[1]q}}]",
	"conform: [{name: a, with: {rules: [TOOL-001], header: [\"X: %[1]s\"], config: %[1]q}}]",
}

// TestStringInputs puts whatever could name a file, a variable, the standard input or an address into every string input of
// every tool, and watches the system calls: no file is touched, nothing is started, nothing is reached, no variable is read.
func TestStringInputs(t *testing.T) {
	var reached atomic.Int32
	private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer private.Close()
	u := newUser(t).withEnv("CANARY_VARIABLE=canary-value")
	cmd := u.command("serve")
	trace := systrace.Wrap(t, cmd)
	c := u.overCommand(cmd, eras["legacy"])
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	made := []string{} // the number of a call is part of each path in it
	try := func(tool, arguments string) {
		t.Helper()
		made = append(made, tool+" "+arguments)
		if tool == "connect_to_server" {
			c.call("disconnect", `{}`).ok() // a name that is taken would be the reason of the refusal
		}
		a := c.call(tool, arguments)
		if tool == "connect_to_server" || tool == "disconnect" {
			c.call("connect_to_server", `{"url":"demo"}`)
		}
		if strings.Contains(string(a.raw), "canary-content") || strings.Contains(string(a.raw), "canary-value") {
			t.Errorf("%s: the file or the variable is in the answer: %.500s", made[len(made)-1], a.raw)
		}
		if reached.Swap(0) > 0 {
			t.Errorf("%s: a private address was reached", made[len(made)-1])
		}
	}
	values := func() []string {
		name := fmt.Sprintf("canary-path-%d-", len(made))
		for _, dir := range []string{u.home, filepath.Join(u.home, "elsewhere")} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(`{"message":"canary-content"}`), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(u.home, "elsewhere", name)
		return []string{"@" + path, path, "~/" + name, name, "../" + filepath.Base(u.home) + "/" + name, "-", "@-", "file://" + path,
			"$CANARY_VARIABLE", "${CANARY_VARIABLE}", private.URL + "/mcp", "message=@" + path, "message=$CANARY_VARIABLE"}
	}
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	for _, tool := range tools.Tools {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]any
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		c.call("list_tools", `{}`).ok() // the connection is open, so that a tool gets far enough
		for _, at := range positions(schema) {
			for n := range values() {
				text, err := json.Marshal(put(base(schema), at, values()[n], schema))
				if err != nil {
					t.Fatal(err)
				}
				try(tool.Name, string(text))
			}
		}
	}
	for _, suite := range hostileSuites {
		for n := range values() {
			for _, tool := range []string{"run_suite", "validate_suite"} {
				try(tool, suiteOf(t, fmt.Sprintf(suite, values()[n])))
			}
		}
	}
	if len(made) < 600 {
		t.Errorf("%d calls were made; expected every string of every tool", len(made))
	}
	if a := c.call("get_transcript", `{"since":0}`); strings.Contains(string(a.raw), "canary-content") || strings.Contains(string(a.raw), "canary-value") {
		t.Errorf("the file or the variable was sent to the server: %.500s", a.raw)
	}
	_ = c.Close()
	starts := 0
	for _, call := range trace.Calls() {
		if _, rest, found := strings.Cut(call.Text, "canary-path-"); found {
			var number int
			_, _ = fmt.Sscanf(rest, "%d", &number)
			t.Errorf("%s%s: by %s", call.Name, call.Text, made[number])
		}
		if call.Starts() {
			starts++
		}
		if call.Reaches() {
			t.Errorf("an address was reached: %s%s", call.Name, call.Text)
		}
	}
	if starts != 1 {
		t.Errorf("%d programs were started; expected mcptest alone", starts)
	}
	t.Logf("%d calls", len(made))
}
