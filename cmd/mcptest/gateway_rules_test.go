package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

// Rules of the config apply to the tools of servers, from the moment on when the file has them.
func TestGatewayRules(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	config, err := os.ReadFile(g.config)
	if err != nil {
		t.Fatal(err)
	}
	g.write(t, strings.Replace(string(config), "{", `{"gateway":{"tools":[{"match":["demo/echo"],"validators":[`+
		`{"name":"short","expression":"if (.message | length) > 5 then \"the message is too long\" else true end"}]}]},`, 1))
	g.await(t, "config reloaded")
	g.ready(t, g.token, "demo__echo")
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, body, err := g.call(t.Context(), g.token, "demo__echo", `{"message":"hello world"}`)
		if err == nil && strings.Contains(body, "ValidationError") && strings.Contains(body, "the message is too long") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s %v, want the message of the validator", body, err)
		}
	}
}
