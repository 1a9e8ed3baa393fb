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

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

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
	"url": "demo", "name": "echo", "uri": "demo://welcome", "arguments": map[string]any{"message": "hi"},
	"arguments_json": `{"message":"hi"}`,
	"message":        `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "argument": "tone",
	"suite": "tools: [{tool: echo, args: {message: hi}}]",
	"tool":  "echo", "duration": "20ms", "rate": "50/s", "cases": 2, "within_ms": 300, "wait_ms": 1,
	"rules": []string{"TOOL-001"},
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

// An inputCase is a call of a tool with a hostile value in one string of its input.
type inputCase struct {
	tool   string
	with   func(value string) string // the arguments
	number int                       // of the value; see watched.values
}

// inputCases are the calls with every hostile value in every string of every tool, and in texts of suites.
func inputCases(t *testing.T, tools []*sdk.Tool) []inputCase {
	t.Helper()
	var all []inputCase
	add := func(tool string, with func(string) string) {
		for number := range (&watched{}).values(0) {
			all = append(all, inputCase{tool, with, number})
		}
	}
	for _, tool := range tools {
		raw, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var schema map[string]any
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		for _, at := range positions(schema) {
			add(tool.Name, func(value string) string {
				text, err := json.Marshal(put(base(schema), at, value, schema))
				if err != nil {
					panic(err) // the values are text
				}
				return string(text)
			})
		}
	}
	for _, suite := range hostileSuites {
		for _, tool := range []string{"run_suite", "validate_suite"} {
			add(tool, func(value string) string { return suiteOf(t, fmt.Sprintf(suite, value)) })
		}
	}
	return all
}

// A watched is a process of serve whose system calls are recorded.
type watched struct {
	*client
	home    string
	private string // an address that is not granted
	reached atomic.Int32
	made    []string // the number of a call is part of each path in it
}

// values are whatever could name a file, a variable, the standard input or an address. Each path contains the number.
func (w *watched) values(number int) []string {
	name := fmt.Sprintf("canary-path-%d-", number)
	path := filepath.Join(w.home, "elsewhere", name)
	return []string{"@" + path, path, "~/" + name, name, "../" + filepath.Base(w.home) + "/" + name, "-", "@-",
		"file://" + path,
		"$CANARY_VARIABLE", "${CANARY_VARIABLE}", w.private + "/mcp", "message=@" + path, "message=$CANARY_VARIABLE"}
}

// try makes the call of a case, and expects nothing of the user in the answer.
func (w *watched) try(one inputCase) {
	w.t.Helper()
	for _, dir := range []string{w.home, filepath.Join(w.home, "elsewhere")} {
		file := filepath.Join(dir, fmt.Sprintf("canary-path-%d-", len(w.made)))
		if err := os.WriteFile(file, []byte(`{"message":"canary-content"}`), 0o700); err != nil {
			w.t.Fatal(err)
		}
	}
	arguments := one.with(w.values(len(w.made))[one.number])
	w.made = append(w.made, one.tool+" "+arguments)
	if one.tool == "connect_to_server" {
		w.call("disconnect", `{}`).ok() // a name that is taken would be the reason of the refusal
	}
	a := w.call(one.tool, arguments)
	if one.tool == "connect_to_server" || one.tool == "disconnect" {
		w.call("connect_to_server", `{"url":"demo"}`)
	}
	if hasCanary(a) {
		w.t.Errorf("%s %s: the file or the variable is in the answer: %.500s", one.tool, arguments, a.raw)
	}
	if w.reached.Swap(0) > 0 {
		w.t.Errorf("%s %s: a private address was reached", one.tool, arguments)
	}
}

func hasCanary(a answer) bool {
	return strings.Contains(string(a.raw), "canary-content") || strings.Contains(string(a.raw), "canary-value")
}

// untouched expects that the process opened no file of the cases, started nothing and reached nothing.
func (w *watched) untouched(trace *systrace.Trace) {
	w.t.Helper()
	starts := 0
	for _, call := range trace.Calls() {
		if _, rest, found := strings.Cut(call.Text, "canary-path-"); found {
			var number int
			_, _ = fmt.Sscanf(rest, "%d", &number)
			w.t.Errorf("%s%s: by %s", call.Name, call.Text, w.made[number])
		}
		if call.Starts() {
			starts++
		}
		if call.Reaches() {
			w.t.Errorf("an address was reached: %s%s", call.Name, call.Text)
		}
	}
	if starts != 1 {
		w.t.Errorf("%d programs were started; expected mcptest alone", starts)
	}
}

// TestStringInputs puts whatever could name a file, a variable, the standard input or an address into every string
// input of every tool, and watches the system calls: no file is touched, nothing is started, nothing is reached, no
// variable is read. Several processes share the calls.
func TestStringInputs(t *testing.T) {
	listed, err := newUser(t).stdio(eras["legacy"]).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cases := inputCases(t, listed.Tools)
	if len(cases) < 1400 {
		t.Errorf("there are %d cases; expected every string of every tool", len(cases))
	}
	var next atomic.Int32
	for process := range 4 {
		t.Run(fmt.Sprint(process), func(t *testing.T) {
			t.Parallel()
			u := newUser(t).withEnv("CANARY_VARIABLE=canary-value")
			w := &watched{home: u.home}
			private := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter,
				*http.Request) {
				w.reached.Add(1)
			}))
			defer private.Close()
			w.private = private.URL
			if err := os.Mkdir(filepath.Join(u.home, "elsewhere"), 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := u.command("serve")
			trace := systrace.Wrap(t, cmd)
			w.client = u.overCommand(cmd, eras["legacy"])
			w.call("connect_to_server", `{"url":"demo"}`).ok()
			for {
				n := int(next.Add(1)) - 1
				if n >= len(cases) {
					break
				}
				w.try(cases[n])
			}
			w.call("list_tools", `{}`).ok() // the connection was open, so that the tools got far enough
			if a := w.call("get_transcript", `{"since":0}`); hasCanary(a) {
				t.Errorf("the file or the variable was sent to the server: %.500s", a.raw)
			}
			_ = w.Close()
			w.untouched(trace)
			t.Logf("%d calls", len(w.made))
		})
	}
}
