package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/exemplar"
	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

// replicaConfig has two callers and the demo server in both eras.
const replicaConfig = `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]},
"old":{"command":"MCPTEST","args":["demo"]}},
"gateway":{"callers":[
 {"name":"ada","token_sha256":"3b9caeb74f1cb497565b625e0b17a6172a2004a64d0397669c2c4117a20059a8"},
 {"name":"bob","token_sha256":"104c59b948bebc104af8603d87a30379fe1e5e8dd6b52cd4a48a7bb6a42a18b8"}],
"servers":{"old":{"protocol":"2025-11-25"}}}}`

// shareSessions starts gateways that share their sessions.
func shareSessions(t *testing.T, n int, config string, args ...string) []*gateway {
	t.Helper()
	database := postgres.Fresh(t)
	var all []*gateway
	for range n {
		address := freeAddress(t)
		all = append(all, startGateway(t, config, append([]string{"--store", database, "--listen", address,
			"--replica-url", "http://" + address}, args...)...))
	}
	for _, g := range all {
		g.ready(t, exampleToken, "demo__echo")
		g.ready(t, exampleToken, "old__echo")
	}
	return all
}

// A legacyClient is a client of 2025-11-25 that sends each request to the replica that a test chooses.
type legacyClient struct {
	t       *testing.T
	token   string
	session string
	last    int
}

// open sends initialize.
func (c *legacyClient) open(g *gateway) {
	c.t.Helper()
	resp := c.send(c.t.Context(), g, http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{`+
		`"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"sampling":{}},"clientInfo":{"name":"test","version":"1"}}}`)
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if c.session = resp.Header.Get("Mcp-Session-Id"); c.session == "" {
		c.t.Fatalf("no session: %s", body)
	}
	c.notify(g, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

func (c *legacyClient) send(ctx context.Context, g *gateway, method, body string) *http.Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, g.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization": {"Bearer " + c.token}}
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp
}

// notify sends a message that gets no response.
func (c *legacyClient) notify(g *gateway, body string) {
	c.t.Helper()
	resp := c.send(c.t.Context(), g, http.MethodPost, body)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(resp.Body)
		c.t.Errorf("%s: %d %s", body, resp.StatusCode, text)
	}
}

// start sends a request, and returns its messages as they arrive.
func (c *legacyClient) start(g *gateway, method, params string) (id int, next func() map[string]json.RawMessage) {
	c.t.Helper()
	c.last++
	resp := c.send(c.t.Context(), g, http.MethodPost,
		fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.last, method, params))
	c.t.Cleanup(func() { resp.Body.Close() })
	return c.last, messages(c.t, resp)
}

// messages reads the messages of a response: events, or one document. It returns nil at the end.
func messages(t *testing.T, resp *http.Response) func() map[string]json.RawMessage {
	read := bufio.NewReader(resp.Body)
	events := resp.Header.Get("Content-Type") == "text/event-stream"
	return func() map[string]json.RawMessage {
		t.Helper()
		for {
			line, err := read.ReadString('\n')
			text, ok := strings.CutPrefix(line, "data: ")
			if events && !ok && err == nil {
				continue
			}
			var m map[string]json.RawMessage
			if json.Unmarshal([]byte(text), &m) == nil {
				return m
			}
			if err != nil {
				return nil
			}
			t.Fatalf("not a message: %q", line)
		}
	}
}

// call calls a tool and returns the text of the response.
func (c *legacyClient) call(g *gateway, method, params string) string {
	c.t.Helper()
	id, next := c.start(g, method, params)
	for m := next(); m != nil; m = next() {
		if string(m["id"]) == fmt.Sprint(id) {
			return string(m["result"]) + string(m["error"])
		}
	}
	c.t.Errorf("%s %s got no response", method, params)
	return ""
}

func (c *legacyClient) echoes(g *gateway, text string) {
	c.t.Helper()
	got := c.call(g, "tools/call", `{"name":"demo__echo","arguments":{"message":"`+text+`"}}`)
	if !strings.Contains(got, `"text":"`+text+`"`) {
		c.t.Errorf("echo of %s: %s", text, got)
	}
}

// status sends ping and returns the HTTP status.
func (c *legacyClient) status(g *gateway) int {
	c.t.Helper()
	resp := c.send(c.t.Context(), g, http.MethodPost, `{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
	resp.Body.Close()
	return resp.StatusCode
}

func (g *gateway) kill(t *testing.T) {
	t.Helper()
	_ = g.cmd.Process.Kill()
	<-g.gone
}

// A session works at every replica, only for its caller, until it ends for all of them.
func TestReplicasShareSessions(t *testing.T) {
	all := shareSessions(t, 3, replicaConfig)
	ada, bob := &legacyClient{t: t, token: exampleToken}, &legacyClient{t: t, token: prometheusToken}
	ada.open(all[0])
	for i := range 6 {
		ada.echoes(all[i%3], fmt.Sprint("message ", i))
	}
	bob.session = ada.session
	for i, g := range all {
		if status := bob.status(g); status != http.StatusNotFound {
			t.Errorf("replica %d: another caller got %d for the session", i, status)
		}
	}
	resp := ada.send(t.Context(), all[1], http.MethodDelete, "")
	resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		t.Errorf("DELETE: %d", resp.StatusCode)
	}
	for i, g := range all {
		if status := ada.status(g); status != http.StatusNotFound {
			t.Errorf("replica %d: the ended session got %d", i, status)
		}
	}
}

const answerOfUser = `{"action":"accept","content":{"name":"Ada","color":"green"}}`

// A request of a server reaches the client, and the response reaches the server, whichever replica gets it.
func TestReplicasForwardAnswers(t *testing.T) {
	all := shareSessions(t, 3, replicaConfig)
	c := &legacyClient{t: t, token: exampleToken}
	c.open(all[0])
	for _, server := range []string{"demo", "old"} {
		for i := range all {
			id, next := c.start(all[i], "tools/call", `{"name":"`+server+`__ask_user","arguments":{"question":"Who?"}}`)
			asked := next()
			if string(asked["method"]) != `"elicitation/create"` {
				t.Fatalf("%s, replica %d: %s, want a request", server, i, asked)
			}
			c.notify(all[(i+1)%3], fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, asked["id"], answerOfUser))
			if m := next(); string(m["id"]) != fmt.Sprint(id) || !strings.Contains(string(m["result"]), "Ada") {
				t.Errorf("%s, replica %d: %s", server, i, m)
			}
		}
	}
}

// When the replica of a session is killed, the session goes on at the others with its settings. A call that was in
// flight fails and is not repeated.
func TestReplicasSurviveOwner(t *testing.T) {
	all := shareSessions(t, 3, replicaConfig)
	c := &legacyClient{t: t, token: exampleToken}
	c.open(all[0])
	c.call(all[1], "logging/setLevel", `{"level":"error"}`)
	if got := c.call(all[2], "resources/subscribe", `{"uri":"demo://note#gateway=demo"}`); got != "{}" {
		t.Fatalf("subscribe: %s", got)
	}
	id, next := c.start(all[1], "tools/call",
		`{"name":"demo__wait","arguments":{"milliseconds":5000,"steps":100},"_meta":{"progressToken":1}}`)
	if m := next(); string(m["method"]) != `"notifications/progress"` {
		t.Fatalf("%s, want progress", m)
	}
	all[0].kill(t)
	for m := next(); ; m = next() {
		if string(m["method"]) == `"notifications/progress"` {
			continue
		}
		if string(m["id"]) != fmt.Sprint(id) || !strings.Contains(string(m["error"]), "whether it was executed is unknown") {
			t.Errorf("the call in flight: %s", m)
		}
		break
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stream := c.send(ctx, all[2], http.MethodGet, "")
	defer stream.Body.Close()
	changes := messages(t, stream)
	if m := changes(); !strings.Contains(string(m["method"]), "tools/list_changed") {
		t.Errorf("%s, want what it may have missed", m)
	}
	for i := range 4 {
		c.echoes(all[1+i%2], "still here")
	}
	c.call(all[1], "tools/call", `{"name":"demo__write_note","arguments":{"text":"new"}}`)
	for m := changes(); ; m = changes() {
		if m == nil {
			t.Fatal("no notification about the resource")
		}
		if strings.Contains(string(m["params"]), "demo://note#gateway=demo") {
			break
		}
	}
	_, next = c.start(all[2], "tools/call", `{"name":"demo__log","arguments":{"level":"info","text":"quiet"}}`)
	if m := next(); m["result"] == nil {
		t.Errorf("%s, want no log message below error", m)
	}
}

// A request of 2026-07-28 that waits for input continues at any replica, and not for another caller.
func TestReplicasContinueRounds(t *testing.T) {
	all := shareSessions(t, 3, replicaConfig)
	for _, server := range []string{"demo", "old"} {
		for i := range all {
			asked := modern(t, all[i], exampleToken, server+"__ask_user", `{"question":"Who?"}`, "")
			more := inputFor(t, asked)
			if server == "old" {
				stolen := modern(t, all[(i+1)%3], prometheusToken, "old__ask_user", `{"question":"Who?"}`, more)
				if !strings.Contains(string(stolen["error"]), "requestState") {
					t.Errorf("another caller got %s", stolen)
				}
			}
			done := modern(t, all[(i+1)%3], exampleToken, server+"__ask_user", `{"question":"Who?"}`, more)
			if !strings.Contains(string(done["result"]), "Ada") {
				t.Errorf("%s, replica %d: %s", server, i, done)
			}
		}
	}
}

// inputFor is what a client adds to a call to continue it.
func inputFor(t *testing.T, asked map[string]json.RawMessage) string {
	t.Helper()
	var result struct {
		RequestState  string
		InputRequests map[string]any
	}
	if err := json.Unmarshal(asked["result"], &result); err != nil || result.RequestState == "" {
		t.Fatalf("%s, want input_required", asked)
	}
	more := ""
	for key := range result.InputRequests {
		more = fmt.Sprintf(`,"requestState":%q,"inputResponses":{%q:%s}`, result.RequestState, key, answerOfUser)
	}
	return more
}

// modern calls a tool as a client of 2026-07-28.
func modern(t *testing.T, g *gateway, token, tool, arguments, more string) map[string]json.RawMessage {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + more +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization":        {"Bearer " + token},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {tool}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return messages(t, resp)()
}

// A replica that shuts down finishes its calls, also those whose client must respond first, while its sessions move to
// the others.
func TestReplicasDrain(t *testing.T) {
	all := shareSessions(t, 3, replicaConfig, "--drain-delay", "50ms", "--drain-timeout", "20s")
	c := &legacyClient{t: t, token: exampleToken}
	c.open(all[0])
	id, next := c.start(all[1], "tools/call", `{"name":"old__ask_user","arguments":{"question":"Who?"}}`)
	asked := next()
	rounds := map[string]string{}
	for _, server := range []string{"demo", "old"} {
		rounds[server] = inputFor(t, modern(t, all[0], exampleToken, server+"__ask_user", `{"question":"Who?"}`, ""))
	}
	other := &legacyClient{t: t, token: exampleToken}
	other.open(all[1])
	stream := other.send(t.Context(), all[0], http.MethodGet, "") // forwarded by the replica that stops
	defer stream.Body.Close()
	stopped := make(chan struct{})
	go func() { defer close(stopped); all[0].stops(t) }()
	all[0].until(t, "it rejects new calls", func() bool {
		status, _, _ := all[0].call(t.Context(), exampleToken, "demo__echo", `{"message":"hi"}`)
		return status == http.StatusServiceUnavailable
	})
	for i := range 6 {
		c.echoes(all[1+i%2], "moved")
	}
	for server, more := range rounds {
		done := modern(t, all[2], exampleToken, server+"__ask_user", `{"question":"Who?"}`, more)
		if !strings.Contains(string(done["result"]), "Ada") {
			t.Errorf("%s: %s", server, done)
		}
	}
	select {
	case <-stopped:
		t.Error("it did not wait for the response of the client")
	default:
	}
	c.notify(all[2], fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, asked["id"], answerOfUser))
	if m := next(); string(m["id"]) != fmt.Sprint(id) || !strings.Contains(string(m["result"]), "Ada") {
		t.Errorf("the call in flight: %s", m)
	}
	if m := messages(t, stream)(); m != nil {
		t.Errorf("%s, want the end of the stream", m)
	}
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Error("it waits for a stream")
	}
	c.echoes(all[1], "alone")
}

// A task is known at every replica, also in other sessions of its caller, as long as the replica runs that has it.
func TestReplicasShareTasks(t *testing.T) {
	tasks := &exemplar.Server{}
	web := httptest.NewServer(tasks.Handler())
	t.Cleanup(func() { tasks.Close(); web.Close() })
	all := shareSessions(t, 3, strings.Replace(replicaConfig, `"old":`, `"tasks":{"url":"`+web.URL+`"},"old":`, 1))
	for _, g := range all {
		g.until(t, "the tool with tasks", func() bool {
			_, body, _ := g.call(t.Context(), exampleToken, "tasks__research", `{}`)
			return strings.Contains(body, "found")
		})
	}
	ada := &legacyClient{t: t, token: exampleToken}
	ada.open(all[0])
	made := struct{ Task struct{ TaskID string } }{}
	text := ada.call(all[1], "tools/call", `{"name":"tasks__research","arguments":{},"task":{"ttl":60000}}`)
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Task.TaskID == "" {
		t.Fatalf("no task: %s", text)
	}
	task := `{"taskId":"` + made.Task.TaskID + `"}`
	other, bob := &legacyClient{t: t, token: exampleToken}, &legacyClient{t: t, token: prometheusToken}
	other.open(all[1])
	bob.open(all[2])
	for i, g := range all {
		for name, c := range map[string]*legacyClient{"its session": ada, "another session": other} {
			if got := c.call(g, "tasks/get", task); !strings.Contains(got, made.Task.TaskID) || strings.Contains(got, "error") {
				t.Errorf("replica %d, %s: %s", i, name, got)
			}
		}
		if got := bob.call(g, "tasks/get", task); !strings.Contains(got, "Task not found") {
			t.Errorf("replica %d: another caller got %s", i, got)
		}
	}
	if got := other.call(all[2], "tasks/result", task); !strings.Contains(got, "found") || strings.Contains(got, "not found") {
		t.Errorf("the result: %s", got)
	}
	all[0].kill(t)
	if got := ada.call(all[1], "tasks/get", task); !strings.Contains(got, "Task not found") {
		t.Errorf("the task of a killed replica: %s", got)
	}
}
