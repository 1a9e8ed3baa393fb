package conform

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// guarded puts authorization before the server, with an authorization server at the same place. Each hook may change
// one thing about it.
func guarded(change func(*guard)) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Web = func(next http.Handler) http.Handler {
			g := &guard{next: next}
			if change != nil {
				change(g)
			}
			return g
		}
	}
}

// A guard serves those who bring the token, and everybody the documents that lead to it.
type guard struct {
	next      http.Handler
	status    int                           // of a refusal; 0 for 401
	challenge string                        // empty for the right one
	allow     func(r *http.Request) bool    // whom to let in without the right token
	documents func(path, doc string) string // changes a document; empty takes it away
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	base := "http://" + r.Host
	docs := map[string]string{
		"/.well-known/oauth-protected-resource": `{"resource":"` + base + `","authorization_servers":["` +
			base + `/issuer"]}`,
		"/.well-known/oauth-authorization-server/issuer": `{"issuer":"` + base + `/issuer","authorization_endpoint":"` +
			base + `/authorize","token_endpoint":"` + base + `/token","code_challenge_methods_supported":["S256"]}`,
	}
	doc, found := docs[r.URL.Path]
	if found && g.documents != nil {
		doc = g.documents(r.URL.Path, doc)
	}
	switch {
	case found && doc != "":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(doc))
	case strings.HasPrefix(r.URL.Path, "/.well-known/"):
		http.NotFound(w, r)
	case r.Header.Get("Authorization") == "Bearer right" || g.allow != nil && g.allow(r):
		g.next.ServeHTTP(w, r)
	default:
		challenge := g.challenge
		if challenge == "" {
			challenge = `Bearer resource_metadata="` + base + `/.well-known/oauth-protected-resource"`
		}
		w.Header().Set("Www-Authenticate", challenge)
		status := g.status
		if status == 0 {
			status = http.StatusUnauthorized
		}
		http.Error(w, "who are you?", status)
	}
}

// document changes one of the documents.
func document(path string, change func(doc string) string) func(*exemplar.Server) {
	return guarded(func(g *guard) {
		g.documents = func(at, doc string) string {
			if strings.Contains(at, path) {
				return change(doc)
			}
			return doc
		}
	})
}

func authMutants() map[string][]mutant {
	gone := func(string) string { return "" }
	replace := func(from, to string) func(string) string {
		return func(doc string) string { return strings.Replace(doc, from, to, 1) }
	}
	return map[string][]mutant{
		"AUTH-001": {{name: "403", token: true, also: []string{"AUTH-009"},
			defect: guarded(func(g *guard) { g.status = http.StatusForbidden })}},
		"AUTH-002": {{name: "basic", token: true, defect: guarded(func(g *guard) { g.challenge = `Basic realm="x"` })}},
		"AUTH-003": {{name: "no metadata", token: true, also: []string{"RUN-001"},
			defect: document("protected-resource", gone)}},
		"AUTH-004": {{name: "somebody else", token: true,
			defect: document("protected-resource", replace(`"resource":"http`,
				`"resource":"https://other.example/http`))}},
		"AUTH-005": {{name: "none", token: true, also: []string{"RUN-001"},
			defect: document("protected-resource", replace("authorization_servers", "auth_servers"))}},
		"AUTH-006": {{name: "no metadata", token: true, also: []string{"RUN-001"},
			defect: document("authorization-server", gone)}},
		"AUTH-007": {{name: "another name", token: true,
			defect: document("authorization-server", replace(`/issuer",`, `/issuer/",`))}},
		"AUTH-008": {
			{name: "no PKCE", token: true, defect: document("authorization-server", replace(`"S256"`, `"plain"`))},
			{name: "no token", token: true, defect: document("authorization-server",
				replace(`token_endpoint`, `token_place`))},
		},
		"AUTH-009": {{name: "any token", token: true, defect: guarded(func(g *guard) {
			g.allow = func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") }
		})}},
		"AUTH-010": {{name: "lists", token: true, only: []string{"2026-07-28"}, defect: guarded(func(g *guard) {
			g.allow = func(r *http.Request) bool { return r.Header.Get("Mcp-Method") == "tools/list" }
		})}},
	}
}

// TestGuarded runs the checks of authorization on a server that is guarded as it should be, with a token and without
// one: without one they are all that runs.
func TestGuarded(t *testing.T) {
	t.Parallel()
	server := mutant{defect: guarded(nil)}.server()
	web := httptest.NewServer(server.Handler())
	defer web.Close()
	for _, token := range []string{"", "Bearer right"} {
		target := wire.Target{URL: web.URL}
		if token != "" {
			target.Header = http.Header{"Authorization": {token}}
		}
		out, err := Run(context.Background(), target, calm("2026-07-28"))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Report.Results {
			ofAuth := finding.Family(r.Rule) == "AUTH"
			switch status := r.Status(); {
			case ofAuth && status != finding.Passed, status == finding.Failed || status == finding.Broken:
				t.Errorf("with the token %q %s: %s %s%s", token, r.Rule, status, r.Skipped+r.Broken, shown(r.Findings))
			case !ofAuth && token == "" && status == finding.Passed && !lastOf(r.Rule):
				t.Errorf("without a token %s passed; want it skipped", r.Rule)
			}
		}
	}
}

func lastOf(id string) bool {
	c, ok := Find(id)
	return ok && c.Last
}
