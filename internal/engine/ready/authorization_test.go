package ready

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestAuthorization has the kinds of authorization that a directory rejects, and those that it accepts.
func TestAuthorization(t *testing.T) {
	good := Authorization{Server: "https://host.example/mcp", Required: true, Metadata: true, Registers: true, Users: true}
	for _, c := range []struct {
		name            string
		change          func(*Authorization)
		claude, chatgpt string // a part of the message; empty for none
	}{
		{"OAuth with registration", func(*Authorization) {}, "", ""},
		{"none", func(a *Authorization) { *a = Authorization{Server: a.Server} }, "", ""},
		{"fixed token", func(a *Authorization) { a.Metadata = false }, "only a fixed token", "only a fixed token"},
		{"unusable metadata", func(a *Authorization) { a.Problem = "no S256" }, "sign in: no S256", "sign in: no S256"},
		{"only for programs", func(a *Authorization) { a.Users = false }, "authorization_code", "authorization_code"},
		{"no registration", func(a *Authorization) { a.Registers = false }, "registration_endpoint", ""},
		{"token in the URL", func(a *Authorization) { *a = Authorization{Server: a.Server + "?x=1&api_key=REDACTED"} },
			"the parameter api_key", "the parameter api_key"},
		{"another parameter", func(a *Authorization) { *a = Authorization{Server: a.Server + "?keyboard=de"} }, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := good
			c.change(&a)
			tool := json.RawMessage(`{"name": "a", "title": "A", "securitySchemes": [{"type": "oauth2"}],
				"annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}`)
			out := runOn(t, Options{Tools: []json.RawMessage{tool}, Authorizations: []*Authorization{&a}})
			for rule, want := range map[string]string{"CLAUDE-004": c.claude, "CHATGPT-002": c.chatgpt} {
				var got []string
				for _, f := range out.Report.Findings() {
					if f.Rule == rule {
						got = append(got, f.Message)
					}
				}
				if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || !strings.Contains(got[0], want)) {
					t.Errorf("%s: found %q, want %q", rule, got, want)
				}
			}
			if others := len(out.Report.Findings()); (c.claude == "") && others > 0 {
				t.Errorf("found %v", out.Report.Findings())
			}
		})
	}
}

// TestRemoteCredentials judges remotes that server.json declares with a credential, although nothing was started.
func TestRemoteCredentials(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(fstest.MapFS)
		want   string
	}{
		{"secret header", server("/remotes/0/headers", `[{"name": "X-Weather", "isRequired": true, "isSecret": true}]`), "X-Weather"},
		{"authorization", server("/remotes/0/headers", `[{"name": "Authorization", "isRequired": true}]`), "Authorization"},
		{"secret in the URL", server("/remotes/0/variables/tenant/isSecret", `true`), "{tenant}"},
		{"optional header", server("/remotes/0/headers", `[{"name": "Authorization", "isSecret": true}]`), ""},
		{"another header", server("/remotes/0/headers", `[{"name": "X-Region", "isRequired": true}]`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := folder()
			c.change(files)
			out := runOn(t, Options{Folder: files})
			var rules []string
			for _, f := range out.Report.Findings() {
				if rules = append(rules, f.Rule); !strings.Contains(f.Message, c.want) || f.Where.Line == 0 {
					t.Errorf("found %+v, want %q with a line", f, c.want)
				}
			}
			want := []string{"CLAUDE-004", "CHATGPT-002"}
			if c.want == "" {
				want = nil
			}
			if !slices.Equal(rules, want) {
				t.Errorf("found %v, want %v", rules, want)
			}
			for _, result := range out.Report.Results {
				if result.Rule == "CLAUDE-001" && result.Skipped == "" {
					t.Errorf("%+v: the tools are not known, but the rule is said to pass", result)
				}
			}
			for _, p := range out.Places[2:] {
				if skipped := p.Skipped != ""; skipped != (c.want == "") || !skipped && p.Unchecked == "" {
					t.Errorf("%+v: skipped is %v", p, skipped)
				}
			}
		})
	}
}

// TestSecuritySchemes has tools that say, and do not say, which authorization they need.
func TestSecuritySchemes(t *testing.T) {
	for _, c := range []struct {
		schemes string
		found   bool
	}{
		{``, true}, {`"securitySchemes": [{"type": "noauth"}],`, false}, {`"securitySchemes": [{"type": "basic"}],`, true},
		{`"securitySchemes": [],`, true}, {`"_meta": {"securitySchemes": [{"type": "oauth2"}]},`, false},
	} {
		tool := json.RawMessage(`{"name": "a", "title": "A", ` + c.schemes +
			`"annotations": {"readOnlyHint": true, "destructiveHint": false, "openWorldHint": false}}`)
		for _, required := range []bool{true, false} {
			a := &Authorization{Required: required, Metadata: true, Registers: true, Users: true}
			found := runOn(t, Options{Tools: []json.RawMessage{tool}, Authorizations: []*Authorization{a}}).Report.Findings()
			want := c.found && (required || c.schemes != "")
			if (len(found) > 0) != want || want && found[0].Rule != "CHATGPT-003" {
				t.Errorf("%s, sign-in required %v: found %v, want %v", tool, required, found, want)
			}
		}
	}
}
