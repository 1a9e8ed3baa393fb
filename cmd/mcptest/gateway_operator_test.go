package main

import (
	"strings"
	"testing"
)

// Of a server that does not come up the log tells what it said last, without the secrets in it; clients are not told.
func TestGatewayTellsLastWords(t *testing.T) {
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]},
		"broken":{"command":"sh","args":["-c","echo \"the key $API_KEY is not known\" >&2; exit 3"],"env":{"API_KEY":"canary-of-the-config"}}}}`)
	g.await(t, `"server":"broken","error":"talk to broken: the server exited with status 3","stderr":"the key `)
	if strings.Contains(g.log.String(), "canary-of-the-config") {
		t.Errorf("the log holds a secret of the config:\n%s", g.log)
	}
	var status string
	await(t, "why the server is down", func() bool {
		_, status = g.get(t, "/status", g.token)
		return strings.Contains(status, "exited with status 3")
	})
	if strings.Contains(status, "is not known") {
		t.Errorf("status: %s, want it without the words of the server", status)
	}
}
