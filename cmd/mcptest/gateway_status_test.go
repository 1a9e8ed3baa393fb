package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
)

// The status tells of servers that work and of those that do not, of calls and of errors, and shows no value of an
// argument.
func TestGatewayStatus(t *testing.T) {
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]},`+
		`"gone":{"command":"/nonexistent/server"}}}`)
	g.ready(t, g.token, "demo__echo")
	if _, _, err := g.call(t.Context(), g.token, "demo__echo", `{"message":7}`); err != nil {
		t.Fatal(err)
	}
	var s status.Status
	for deadline := time.Now().Add(15 * time.Second); len(s.Servers) != 2 ||
		s.Servers[1].State != "down"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("status %+v, want the server that does not exist to be down", s)
		}
		code, body := g.get(t, "/status", g.token)
		if err := json.Unmarshal([]byte(body), &s); err != nil || code != 200 {
			t.Fatalf("/status: %d %s (%v)", code, body, err)
		}
		if strings.Contains(body, `"hi"`) {
			t.Fatalf("the status holds an argument: %s", body)
		}
	}
	demo, gone := s.Servers[0], s.Servers[1]
	if demo.Name != "demo" || demo.State != "ready" || demo.Tools == 0 || demo.Since.Before(s.Started) ||
		demo.Since.After(s.Time) || demo.Error != "" {
		t.Errorf("the demo: %+v, want it ready since the start, with tools", demo)
	}
	if !strings.Contains(gone.Error, "/nonexistent/server") || gone.Since.Before(s.Started) {
		t.Errorf("the server that does not exist: %+v, want to be told which", gone)
	}
	if s.Calls.Total < 2 || s.Calls.Errors != 1 || s.Calls.P50 <= 0 || s.Calls.P99 < s.Calls.P50 {
		t.Errorf("calls: %+v, want two and one error", s.Calls)
	}
	if len(s.Recent) < 2 || s.Recent[0].Outcome != "TypeError" || s.Recent[1].Outcome != "SUCCESS" ||
		s.Recent[0].Tool != "echo" || s.Recent[0].Caller != "local" {
		t.Errorf("recent: %+v, want a type error after a success", s.Recent)
	}
	if s.ToolCount != demo.Tools || len(s.Tools) != s.ToolCount || s.Tools[0].Name != "demo__echo" ||
		s.Tools[0].Errors != 1 {
		t.Errorf("%d tools, first %+v; want the demo's, echo first", s.ToolCount, s.Tools[0])
	}
	_, body := g.get(t, "/status?q=sum+of+numbers", g.token)
	if err := json.Unmarshal([]byte(body), &s); err != nil || len(s.Tools) == 0 || s.Tools[0].Name != "demo__add" ||
		s.Tools[0].About == "" {
		t.Errorf("a search: %s (%v), want add first, with what it does", body, err)
	}
	for query, want := range map[string]int{"?tools=2": 200, "?tools=x": 400, "?tools=-1": 400} {
		if code, body := g.get(t, "/status"+query, g.token); code != want {
			t.Errorf("/status%s: %d %s, want %d", query, code, body, want)
		}
	}
}

// Only who may manage the gateway sees its status.
func TestGatewayStatusIsForManagers(t *testing.T) {
	sum := func(token string) string { s := sha256.Sum256([]byte(token)); return hex.EncodeToString(s[:]) }
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},`+
		`"gateway":{"callers":[{"name":"ada","token_sha256":"`+sum("token-of-ada")+
		`"},{"name":"ops","token_sha256":"`+sum("token-of-ops")+`","manage":true}]}}`)
	for token, want := range map[string]int{"": 401, "wrong": 401, "token-of-ada": 403, "token-of-ops": 200} {
		if code, body := g.get(t, "/status", token); code != want ||
			strings.Contains(body, `"servers"`) != (want == 200) {
			t.Errorf("with the token %q: %d %s, want %d", token, code, body, want)
		}
	}
}

// A transparent gateway counts and logs the calls that it passes on; of a name that a client made up it keeps no more
// than a part.
func TestTransparentGatewayStatus(t *testing.T) {
	g := startGateway(t, oneDemo, "--transparent", "--open")
	g.ready(t, "", "echo")
	var s status.Status
	code, body := g.get(t, "/status", "")
	if err := json.Unmarshal([]byte(body), &s); err != nil || code != 200 {
		t.Fatalf("/status: %d %s (%v)", code, body, err)
	}
	if s.Calls.Total == 0 || len(s.Servers) != 1 || s.Servers[0].Calls.Total == 0 || s.Recent[0].Tool != "echo" ||
		s.Recent[0].Server != "demo" {
		t.Errorf("status %s, want a call of echo of the server demo", body)
	}
	g.await(t, `"msg":"tool call","tool":"demo/echo","caller":"local","arguments":"message:string(4)"`)
	if _, _, err := g.call(t.Context(), "", strings.Repeat("x", 1000), `{}`); err != nil {
		t.Fatal(err)
	}
	g.await(t, `"tool":"demo/x`)
	if _, body := g.get(t, "/status", ""); !strings.Contains(body, "xxx") ||
		strings.Contains(body, strings.Repeat("x", 200)) {
		t.Errorf("status %s, want the name with its beginning alone", body)
	}
}
