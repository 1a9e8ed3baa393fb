package mcpserver_test

import (
	"testing"
)

// TestProblems expects what a server wrote to stderr during a call, and a broken result, in one list; and no list for a
// server without problems.
func TestProblems(t *testing.T) {
	u := newUser(t)
	talker := misbehaving("talks")
	talker["env"] = map[string]string{"CANARY": "a-warning"}
	file := u.configure(map[string]any{"talker": talker})
	u.approve(file, "talker")
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			c := u.in(t).stdio(revision, "--config", file, "--agent-may-spawn", "talker")
			c.call("connect_to_server", `{"url":"demo"}`).ok().has("/problems", "")
			for _, call := range [][2]string{
				{"list_tools", `{}`}, {"call_tool", `{"name":"echo","arguments":{"message":"x"}}`},
				{"read_resource", `{"uri":"demo://welcome"}`}, {"get_prompt", `{"name":"greet","arguments":{"name":"A"}}`},
			} {
				c.call(call[0], call[1]).ok().has("/problems", "")
			}
			c.call("disconnect", `{}`).ok()
			c.call("connect_to_server", `{"url":"talker"}`).ok().contains("/problems", "a-warning")
			c.call("call_tool", `{"name":"go","arguments":{}}`).ok().contains("/problems", `"kind":"stderr"`).
				contains("/problems", "a-warning")
			c.call("get_prompt", `{"name":"x"}`).fails("execution_error").contains("/problems", `"kind":"error"`)
			c.call("disconnect", `{}`).ok()
			c.call("connect_to_server", `{"url":"demo-flawed"}`).ok()
			c.call("list_tools", `{}`).ok().contains("/problems", "not JSON")
			c.call("call_tool", `{"name":"get_logo","arguments":{}}`).fails("execution_error").
				contains("/problems", "not valid base64")
		})
	}
}
