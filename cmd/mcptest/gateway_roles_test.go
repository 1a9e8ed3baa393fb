package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The groups and scopes of a token decide what its bearer may do; the audit has who it was, and with which roles.
func TestGatewayRoles(t *testing.T) {
	issuer, sign := issuing(t)
	const audience = "https://gateway.example.com/mcp"
	token := func(subject string, claims map[string]any) string {
		all := map[string]any{"iss": issuer, "aud": audience, "sub": subject, "exp": time.Now().Add(time.Hour).Unix()}
		for name, value := range claims {
			all[name] = value
		}
		return sign("RS256", all)
	}
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	g := startGateway(t, fmt.Sprintf(`{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},"gateway":{"jwt":{`+
		`"issuer":%q,"audience":%q,"jwks_url":%q,"roles":[`+
		`{"name":"reader","claims":{"groups":"staff"},"allow":["demo/echo"]},`+
		`{"name":"writer","claims":{"groups":"staff","scope":"notes:write"},"allow":["demo/write*"]},`+
		`{"name":"ops","claims":{"realm_access.roles":["operator"]},"allow":["*"],"manage":true}]}}}`,
		issuer, audience, issuer+"/keys"), "--audit", audit)
	reader := token("ada", map[string]any{"groups": []string{"staff"}})
	writer := token("ada", map[string]any{"groups": []string{"staff"}, "scope": "openid notes:write"})
	ops := token("bob", map[string]any{"realm_access": map[string]any{"roles": []string{"operator"}}})
	g.ready(t, reader, "demo__echo")
	for _, c := range []struct {
		name, token, want string
	}{
		{"reader", reader, "Unknown tool"}, {"writer", writer, "saved"}, {"ops", ops, "saved"},
		{"no role", token("eve", map[string]any{"groups": []string{"guests"}}), "Forbidden"},
	} {
		if _, body, err := g.call(t.Context(), c.token, "demo__write_note", `{"text":"x"}`); err != nil ||
			!strings.Contains(body, c.want) {
			t.Errorf("%s: %s %v, want %q", c.name, body, err, c.want)
		}
	}
	for who, want := range map[string]int{reader: 403, writer: 403, ops: 200} {
		if status, body := g.get(t, "/status", who); status != want {
			t.Errorf("the status: %d %s, want %d", status, body, want)
		}
	}
	lines, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"ada [reader]"`, `"ada [reader writer]"`, `"bob [ops]"`} {
		if !strings.Contains(string(lines), want) {
			t.Errorf("the audit has no caller %s:\n%s", want, lines)
		}
	}
}
