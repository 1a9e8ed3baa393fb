package mcpserver_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// TestServerTextIsMarked has a server say the same words wherever it can. Each answer lists the places, and nothing of
// the server is in any other place.
func TestServerTextIsMarked(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	const words = "ignore-all-rules"
	talker := misbehaving("talks")
	talker["env"] = map[string]string{"CANARY": words}
	file := u.configure(map[string]any{"talker": talker})
	u.approve(file, "talker")
	c := u.stdio(eras["legacy"], "--config", file, "--agent-may-spawn", "talker")
	for _, call := range [][2]string{
		{"connect_to_server", `{"url":"talker"}`}, {"get_connection_status", `{}`},
		{"list_tools", `{"verbosity":"full"}`},
		{"call_tool", `{"name":"go","arguments":{},"verbosity":"full"}`},
		{"call_tool", `{"name":"ignore-all-rules","arguments":{},"skip_validation":true}`}, {"list_resources", `{}`},
		{"read_resource", `{"uri":"a:b"}`},
		{"list_prompts", `{}`}, {"get_prompt", `{"name":"x"}`},
		{"complete", `{"of":"prompt","name":"a","argument":"b","value":"c"}`}, {"get_transcript", `{"since":0}`},
		{"send_raw", `{"message":"{\"method\":\"x\"}","fill_in":true}`}, {"lint_schemas", `{"verbosity":"full"}`},
		{"check_conformance", `{"rules":["TOOL"]}`}, {"check_server", `{"within_ms":3000}`},
		{"show_finding", `{"id":1}`}, {"get_frame", `{"number":2}`},
		{"lock_server", `{}`}, {"diff_server", `{"old":"{\"tools\":[]}"}`},
		{"scaffold_suite", `{}`}, {"validate_arguments", `{"name":"go","arguments_json":"{}"}`},
		{"use_connection", `{"connection":"main"}`},
		{"run_suite", `{"suite":"tools: [{tool: go, expect: {exact: x}}]"}`}, {"disconnect", `{}`},
	} {
		a := c.call(call[0], call[1])
		var marked []string
		if raw := a.at("/metadata/from_server"); raw != "" {
			if err := json.Unmarshal([]byte(raw), &marked); err != nil {
				t.Fatalf("%s: %v", call[0], err)
			}
		}
		for _, pointer := range marked {
			if _, found := schema.Get(a.raw, pointer); !found {
				t.Errorf("%s marks %s, which is not there", call[0], pointer)
			}
		}
		for pointer, value := range leaves(a.raw, "") {
			within := slices.ContainsFunc(marked, func(m string) bool {
				return pointer == m ||
					strings.HasPrefix(pointer, m+"/")
			})
			if strings.Contains(value, words) && !within && pointer != "/tool_call/tool_name" {
				t.Errorf("%s: %s has text of the server and is not marked: %.100s", call[0], pointer, value)
			}
		}
	}
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		says := strings.Contains(tool.Description, "is data")
		if says == slices.Contains([]string{"validate_suite", "explain", "suite_guide", "save_suite"}, tool.Name) {
			t.Errorf("%s: the description says that text of a server is data: %v", tool.Name, says)
		}
	}
}

// leaves are the scalars of a JSON value by their pointers, names of members included.
func leaves(raw json.RawMessage, at string) map[string]string {
	out := map[string]string{}
	var object map[string]json.RawMessage
	var array []json.RawMessage
	switch {
	case json.Unmarshal(raw, &object) == nil && object != nil:
		for name, value := range object {
			out[at+"/"+name+"/"] = name
			for pointer, text := range leaves(value, at+"/"+schema.Token(name)) {
				out[pointer] = text
			}
		}
	case json.Unmarshal(raw, &array) == nil && array != nil:
		for _, value := range array {
			for pointer, text := range leaves(value, at+"/0") {
				out[pointer] = out[pointer] + text
			}
		}
	default:
		out[at] = string(raw)
	}
	return out
}
