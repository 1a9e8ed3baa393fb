package mcpserver_test

import (
	"fmt"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

func everythingSubject(address, transport string) subject {
	return subject{address: address, transport: transport, server: "mcp-servers/everything",
		tool: "echo", arguments: `{"message":"grüß <b>&"}`, result: "grüß <b>&", wrong: `{"message":7}`,
		failing: `{"name":"get-sum","arguments":{"a":"two","b":3},"skip_validation":true}`,
		slow:    `{"name":"trigger-long-running-operation","arguments":{"duration":5,"steps":1},"timeout_ms":150}`,
		prompt:  "args-prompt", given: `{"city":"Oslo"}`, message: "Oslo", needy: "args-prompt",
		resource: "demo://resource/dynamic/text/1", content: "1",
		asking: `{"name":"trigger-elicitation-request","arguments":{}}`, accept: `{"name":"Ada"}`, accepted: "Ada",
		sampling: `{"name":"trigger-sampling-request","arguments":{"prompt":"six times seven"}}`}
}

// TestEverything walks the same scenarios with the reference server of the protocol: started by name, and by its URL.
func TestEverything(t *testing.T) {
	in := npm.Require(t)
	url := in.Everything(t, "streamableHttp")
	for era, revision := range eras {
		t.Run("stdio/"+era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			file := u.configure(map[string]any{"everything": map[string]any{"command": in.Node,
				"args": []string{in.Script("server-everything"), "stdio"}}})
			u.approve(file, "everything")
			walk(t, u.stdio(revision, "--config", file, "--agent-may-spawn", "everything"),
				everythingSubject("everything", "stdio"))
		})
		t.Run("http/"+era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			e := u.listen("--allow-private")
			walk(t, u.http(e, e.tokens[0], revision), everythingSubject(url+"/mcp", "streaming-http"))
		})
	}
}

// TestSSE reaches a server of the oldest HTTP transport: it counts as streaming-http, and raw says what it is.
func TestSSE(t *testing.T) {
	url := npm.Require(t).Everything(t, "sse") + "/sse"
	c := newUser(t).stdio(eras["modern"], "--allow-private")
	c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, url)).ok().has("/connection/transport",
		"streaming-http").has("/connection/raw/transport", "sse")
	c.call("call_tool", `{"name":"echo","arguments":{"message":"x"}}`).ok()
}
