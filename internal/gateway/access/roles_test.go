package access

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const rolesJSON = `[
	{"name": "eng", "claims": {"groups": ["engineering", "platform"]}, "allow": ["files", "notes/read*"], "rate": 5},
	{"name": "admin", "claims": {"realm_access.roles": "admin", "scope": "tools:admin"}, "allow": ["*"], "manage": true,
	 "rate": 50},
	{"name": "contractor", "claims": {"https://example.com/contractor": "true"}, "deny": ["files/delete*"]}
]`

func withRoles(t *testing.T, i *issuer, text string, callers ...CallerConfig) (*Policy, error) {
	t.Helper()
	var list []RoleConfig
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	return New(Config{Callers: callers, JWT: &JWTConfig{Issuer: i.url, Audience: "https://gateway.example.com/mcp",
		JWKS: i.url + "/keys", Roles: list}})
}

// admitted sends a request with claims, and returns its status and the caller.
func admitted(p *Policy, i *issuer, claims map[string]any) (int, *Caller) {
	all := map[string]any{"iss": i.url, "aud": "https://gateway.example.com/mcp", "sub": "ada",
		"exp": time.Now().Add(time.Hour).Unix()}
	for name, value := range claims {
		all[name] = value
	}
	r := httptest.NewRequest(http.MethodGet, "/mcp", nil)
	r.Header.Set("Authorization", "Bearer "+i.token("ES256", "e", all))
	w, name := httptest.NewRecorder(), ""
	next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { name = CallerOf(r.Context()) })
	p.Require(next).ServeHTTP(w, r)
	return w.Code, p.Find(name)
}

// The claims of a token decide about its rights; without a role it has none.
func TestRoles(t *testing.T) {
	i := newIssuer(t)
	p, err := withRoles(t, i, rolesJSON, CallerConfig{Name: "root", Subject: "root-subject"})
	if err != nil {
		t.Fatal(err)
	}
	admin := map[string]any{"roles": []string{"user", "admin"}}
	for _, c := range []struct {
		claims    map[string]any
		status    int
		name      string
		may, must string // not: server/tool
	}{
		{nil, 403, "", "", ""},
		{map[string]any{"groups": "sales"}, 403, "", "", ""},
		{map[string]any{"groups": []any{"sales", "platform"}}, 200, "ada [eng]", "files/write notes/read_all",
			"notes/write other/x"},
		{map[string]any{"groups": "engineering engineering2"}, 403, "", "", ""}, // not a list of words
		{map[string]any{"realm_access": admin}, 403, "", "", ""},                // both claims are required
		{map[string]any{"realm_access": admin, "scope": "x tools:admin"}, 200, "ada [admin]", "other/x /tool", ""},
		{map[string]any{"realm_access": admin, "scope": "tools:administrator"}, 403, "", "", ""},
		{map[string]any{"groups": "platform", "https://example.com/contractor": true}, 200, "ada [eng contractor]",
			"files/write", "files/delete_all notes/write"},
		{map[string]any{"https://example.com/contractor": true}, 200, "ada [contractor]", "", "files/read"},
		{map[string]any{"sub": "root-subject", "groups": "platform"}, 200, "root", "other/x", ""},
		{map[string]any{"sub": strings.Repeat("x", maxSubject+1), "groups": "platform"}, 403, "", "", ""},
	} {
		status, caller := admitted(p, i, c.claims)
		if status != c.status || (caller != nil) != (status == 200) || caller != nil && caller.Name != c.name {
			t.Errorf("%v: %d %+v, want %d %s", c.claims, status, caller, c.status, c.name)
			continue
		}
		for want, list := range map[bool]string{true: c.may, false: c.must} {
			for _, tool := range strings.Fields(list) {
				if server, name, _ := strings.Cut(tool, "/"); caller.May(server, name) != want {
					t.Errorf("%s: may use %s: %v, want %v", c.name, tool, !want, want)
				}
			}
		}
		if caller != nil && caller.Manage != strings.Contains("root ada [admin]", c.name) && c.name != "root" {
			t.Errorf("%s: manage %v", c.name, caller.Manage)
		}
	}
	if about := string(p.Metadata()); !strings.Contains(about, `"scopes_supported":["tools:admin"]`) {
		t.Errorf("metadata %s, want the scope of a role", about)
	}
}

// Two tokens of one subject with different rights are two callers: one does not get the rights of the other.
func TestRolesOfOneSubject(t *testing.T) {
	i := newIssuer(t)
	p, err := withRoles(t, i, rolesJSON)
	if err != nil {
		t.Fatal(err)
	}
	_, narrow := admitted(p, i, map[string]any{"groups": "platform"})
	_, wide := admitted(p, i, map[string]any{"groups": "platform", "scp": []string{"x"}, "scope": "tools:admin",
		"realm_access": map[string]any{"roles": "admin"}})
	if narrow.Name == wide.Name || narrow.May("other", "x") || !wide.May("other", "x") || p.Find(narrow.Name) != narrow {
		t.Errorf("%+v and %+v", narrow, wide)
	}
	if narrow.limit == nil || wide.limit.Limit() != 50 {
		t.Errorf("limits %v and %v, want 5 and 50", narrow.limit, wide.limit)
	}
}

// After a reload, the roles of the new config apply, and a caller of a role that is gone has no access.
func TestRolesReload(t *testing.T) {
	i := newIssuer(t)
	p, err := withRoles(t, i, rolesJSON)
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]any{"groups": "platform"}
	_, before := admitted(p, i, claims)
	config := Config{JWT: &JWTConfig{Issuer: i.url, Audience: "https://gateway.example.com/mcp", JWKS: i.url + "/keys"}}
	if err := json.Unmarshal([]byte(rolesJSON), &config.JWT.Roles); err != nil {
		t.Fatal(err)
	}
	if err := p.Replace(config); err != nil || p.Find(before.Name) != before {
		t.Errorf("%v; the same config changed the caller", err)
	}
	config.JWT.Roles = config.JWT.Roles[1:]
	if err := p.Replace(config); err != nil {
		t.Fatal(err)
	}
	if status, _ := admitted(p, i, claims); status != 403 || p.Find(before.Name) != nil {
		t.Errorf("%d, want no access without the role", status)
	}
}

func TestInvalidRoles(t *testing.T) {
	i := newIssuer(t)
	for text, want := range map[string]string{
		`[{"name":"a b","claims":{"x":"y"}}]`:                               "invalid name",
		`[{"name":"a"}]`:                                                    "has no claims",
		`[{"name":"a","claims":{"x":[]}}]`:                                  "has no value",
		`[{"name":"a","claims":{"x":"y"}},{"name":"a","claims":{"x":"z"}}]`: "duplicate name",
		`[{"name":"a","claims":{"x":"y"},"allow":["files//x"]}]`:            "invalid pattern",
	} {
		if _, err := withRoles(t, i, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := withRoles(t, i, rolesJSON, CallerConfig{Name: "ada [eng]", Subject: "x"}); err == nil {
		t.Error("a caller has the name of a caller with roles")
	}
	var list []RoleConfig
	if err := json.Unmarshal([]byte(`[{"claims":{"x":5}}]`), &list); err == nil ||
		!strings.Contains(err.Error(), "a string or a list of strings") {
		t.Errorf("a number as a claim: %v", err)
	}
}

// Callers with roles are forgotten before there are too many.
func TestRolesAreBounded(t *testing.T) {
	r := &roles{config: []RoleConfig{{Name: "a", Claims: map[string]ClaimValues{"x": {"y"}}}},
		holders: map[string]*Caller{}}
	for n := range maxHolders + 10 {
		r.holder(strings.Repeat("s", n%200)+string(rune('0'+n)), map[string]any{"x": "y"})
	}
	if len(r.holders) > maxHolders {
		t.Errorf("%d callers, want at most %d", len(r.holders), maxHolders)
	}
}
