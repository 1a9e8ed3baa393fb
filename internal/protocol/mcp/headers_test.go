package mcp

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A modern request repeats in its header what stands in its body.
func TestModernHeader(t *testing.T) {
	const tools = `{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object",` +
		`"properties":{"n":{"type":"integer","x-mcp-header":"N"},"o":{"type":"object",` +
		`"properties":{"s":{"type":"string","x-mcp-header":"S"}}}}}}]}`
	s, server := playHTTP(t, spec.NewestModern, "on tools/list\n\tresult "+tools+"\non tools/call\n\tresult {}\n",
		Options{Header: map[string]string{"X-Mine": "1"}})
	result(t, s, "tools/list", nil)
	result(t, s, "tools/call", raw(`{"name":"t","arguments":{"n":9007199254740993,"o":{"s":"é"}}}`))
	got := server.Received()[len(server.Received())-1].Header
	for name, want := range map[string]string{"Mcp-Protocol-Version": spec.NewestModern, "Mcp-Method": "tools/call",
		"Mcp-Name":    "t",
		"Mcp-Param-N": "9007199254740993", "Mcp-Param-S": "=?base64?w6k=?=", "X-Mine": "1", "Mcp-Session-Id": ""} {
		if got.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, got.Get(name), want)
		}
	}
}

func TestLegacyHeader(t *testing.T) {
	for _, revision := range spec.IDs()[:4] {
		rules := "on tools/list\n\tresult {\"tools\":[]}\non GET\n\tsse\n\thang\n"
		server := strings.Replace(legacyGreeting, "on initialize\n\t",
			"on initialize\n\theader Mcp-Session-Id: abc\n\t", 1)
		s, played := playAt(t, strings.ReplaceAll(server, "2025-11-25", revision)+rules, Options{Protocol: revision})
		result(t, s, "tools/list", nil)
		got := http.Header{}
		for _, m := range played.Received() {
			if m.Method == "tools/list" {
				got = m.Header
			}
		}
		version := ""
		if revision >= "2025-06-18" {
			version = revision
		}
		if got.Get("Mcp-Session-Id") != "abc" || got.Get("Mcp-Protocol-Version") != version ||
			got.Get("Mcp-Method") != "" {
			t.Errorf("%s: header %v", revision, got)
		}
		_ = s.Close()
		if len(played.Got("DELETE")) != 1 {
			t.Errorf("%s: the session was not deleted", revision)
		}
	}
}

func TestHeaderFault(t *testing.T) {
	for schema, want := range map[string]string{
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`:                                          "",
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                          "expected string, integer or boolean",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A B"}}}`:                                        "not an HTTP header name",
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                           "not a header name",
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}`: "duplicate x-mcp-header",
		`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`:                 "not reachable through properties alone",
		`{"type":"string","x-mcp-header":"A"}`:                                                               "the root is not a parameter",
		`{"properties":` + strings.Repeat(`{"p":{"properties":`, 100) + `{"a":{"type":"string","x-mcp-header":"A"}}` +
			strings.Repeat(`}}`, 100) + `}`: "levels deep",
	} {
		err := HeaderFault(raw(`{"name":"t","inputSchema":` + schema + `}`))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("HeaderFault(%.100s) = %v, want %q", schema, err, want)
		}
	}
}
