package mcpserver_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

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
	url := listening(t, in, "streamableHttp")
	for era, revision := range eras {
		t.Run("stdio/"+era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			file := u.configure(map[string]any{"everything": map[string]any{"command": in.Node, "args": []string{in.Script("server-everything"), "stdio"}}})
			u.approve(file, "everything")
			walk(t, u.stdio(revision, "--config", file, "--agent-may-spawn", "everything"), everythingSubject("everything", "stdio"))
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
	url := listening(t, npm.Require(t), "sse") + "/sse"
	c := newUser(t).stdio(eras["modern"], "--allow-private")
	c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, url)).ok().has("/connection/transport", "streaming-http").has("/connection/raw/transport", "sse")
	c.call("call_tool", `{"name":"echo","arguments":{"message":"x"}}`).ok()
}

// listening runs server-everything over HTTP.
func listening(t *testing.T, in npm.Install, mode string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	cmd := exec.Command(in.Node, in.Script("server-everything"), mode)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "PORT=" + strconv.Itoa(l.Addr().(*net.TCPAddr).Port)}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			_ = conn.Close()
			return "http://" + address
		}
		if time.Now().After(end) {
			t.Fatal("server-everything does not listen")
		}
	}
}
