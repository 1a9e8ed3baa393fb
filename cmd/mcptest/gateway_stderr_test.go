package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
)

// The stderr output of a server can be read by the trace of a call, without secrets, by who may manage the gateway.
func TestGatewayStderr(t *testing.T) {
	const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"sh","args":["-c","tee /dev/stderr | MCPTEST demo"]},`+
		`"broken":{"command":"sh","args":["-c","echo no licence >&2; echo token `+secret+` >&2; exit 3"]}}}`)
	g.ready(t, g.token, "demo__echo")
	if _, _, err := g.call(t.Context(), g.token, "demo__echo", `{"message":"with `+secret+`"}`); err != nil {
		t.Fatal(err)
	}
	_, body := g.get(t, "/status", g.token)
	var s status.Status
	if err := json.Unmarshal([]byte(body), &s); err != nil || len(s.Recent) == 0 || s.Recent[0].Trace == "" {
		t.Fatalf("/status: %s (%v)", body, err)
	}
	type answer struct {
		Lines []struct {
			Server, Process, Text string
			Traces                []string
		}
	}
	read := func(query string) (a answer) {
		t.Helper()
		code, body := g.get(t, "/status/stderr"+query, g.token)
		if err := json.Unmarshal([]byte(body), &a); err != nil || code != 200 || strings.Contains(body, secret) {
			t.Fatalf("/status/stderr%s: %d %s (%v)", query, code, body, err)
		}
		return a
	}
	trace := s.Recent[0].Trace
	await := func(query string, lines int) answer {
		t.Helper()
		for deadline := time.Now().Add(15 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if a := read(query); len(a.Lines) >= lines {
				return a
			} else if time.Now().After(deadline) {
				t.Fatalf("%s: %+v, want %d lines of %+v", query, a, lines, read(""))
			}
		}
	}
	a := await("?trace="+trace, 1)
	if l := a.Lines[len(a.Lines)-1]; l.Server != "demo" || l.Process != "demo" || !slices.Contains(l.Traces, trace) ||
		!strings.Contains(l.Text, `"tools/call"`) || !strings.Contains(l.Text, "with ") {
		t.Errorf("the output of the call: %+v", l)
	}
	await("?server=broken", 2)
	if a := read("?server=broken&lines=2"); len(a.Lines) != 2 || a.Lines[0].Text != "no licence" &&
		a.Lines[1].Text != "no licence" {
		t.Errorf("the output of the server that exits: %+v", a)
	}
	_, body = g.get(t, "/status", g.token)
	s = status.Status{}
	if err := json.Unmarshal([]byte(body), &s); err != nil || strings.Contains(body, secret) {
		t.Fatalf("/status: %s (%v)", body, err)
	}
	if broken := s.Servers[0]; broken.Error == "" {
		t.Errorf("servers: %+v, want the reason of the one that is not ready", s.Servers)
	}
	for query, want := range map[string]int{"?server=gone": 404, "?lines=x": 400, "?lines=-1": 400} {
		if code, body := g.get(t, "/status/stderr"+query, g.token); code != want {
			t.Errorf("/status/stderr%s: %d %s, want %d", query, code, body, want)
		}
	}
	if code, _ := g.get(t, "/status/stderr", "wrong"); code != 401 {
		t.Errorf("with a wrong token: %d", code)
	}
}
