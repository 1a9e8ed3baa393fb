package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/status"
)

// The config sets the protocol revision of a server; a change restarts the server with the new one.
func TestGatewayProtocol(t *testing.T) {
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},`+
		`"gateway":{"servers":{"demo":{"protocol":"2025-06-18"}}}}`)
	g.awaitServer(t, "demo", func(s status.Server) bool { return s.Revision == "2025-06-18" })
	g.ready(t, g.token, "demo__echo")
	config, err := os.ReadFile(g.config)
	if err != nil {
		t.Fatal(err)
	}
	g.write(t, strings.Replace(string(config), `"demo":{"protocol":"2025-06-18"}`, `"*":{"protocol":"2026-07-28"}`, 1))
	g.awaitServer(t, "demo", func(s status.Server) bool { return s.Revision == "2026-07-28" })
	g.ready(t, g.token, "demo__echo")
}

// awaitServer waits until the status of a server is as it should be.
func (g *gateway) awaitServer(t *testing.T, name string, is func(status.Server) bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, body := g.get(t, "/status", g.token)
		var s status.Status
		if err := json.Unmarshal([]byte(body), &s); err != nil {
			t.Fatalf("/status: %s (%v)", body, err)
		}
		for _, server := range s.Servers {
			if server.Name == name && is(server) {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("servers %+v\n%s", s.Servers, g.log)
		}
	}
}
