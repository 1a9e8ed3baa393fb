package auth_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// TestPredictionStopsBeforeConsent checks that no token is requested, no code is shown, and the client is deleted.
func TestPredictionStopsBeforeConsent(t *testing.T) {
	server, stop := oauth.Run()
	defer stop()
	var mu sync.Mutex
	var deleted string
	server.OnRequest = func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodDelete {
			deleted = r.URL.Path
		}
	}
	p, steps := predict(t, server, oauth.ManagedClient, "codex")
	if p.Outcome != auth.ReachesConsent || !slices.Equal(p.NotTried, []auth.Name{auth.Callback, auth.Token, auth.Call}) {
		t.Errorf("%+v", p)
	}
	if shown := fmt.Sprintf("%+v %+v", steps[len(steps)-1].Answer, steps[len(steps)-1].Request); strings.Contains(shown,
		"canary-") {
		t.Errorf("a secret is shown: %s", shown)
	}
	for _, seen := range server.Seen() {
		if strings.HasSuffix(seen, "/token") || strings.HasSuffix(seen, "/callback") {
			t.Errorf("request after the consent: %s", seen)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.HasPrefix(deleted, "/managed-client/as/register/client-") {
		t.Errorf("the registered client was not deleted: %q", deleted)
	}
}

// TestPredictionDeletesOnlyThere checks that the registration token goes to no other origin.
func TestPredictionDeletesOnlyThere(t *testing.T) {
	server := oauth.Start(t)
	predict(t, server, oauth.ManagedElsewhere, "codex")
	for _, seen := range server.Seen() {
		if strings.HasPrefix(seen, http.MethodDelete) {
			t.Errorf("unexpected %s", seen)
		}
	}
}

// TestPredictionNamesTheCause checks that the change is about the first fault, not about where the client ends up.
func TestPredictionNamesTheCause(t *testing.T) {
	server := oauth.Start(t)
	for _, test := range []struct {
		fault        oauth.Fault
		client, want string
	}{
		{oauth.ResourceParent, "vscode", "set resource in the protected resource metadata"},
		{oauth.ResourceMissing, "codex", "publish protected resource metadata"},
		{oauth.ServerMissing, "python-sdk", "publish the metadata of the authorization server"},
		{oauth.RegistrationClosed, "codex", "allow dynamic client registration"},
	} {
		p, _ := predict(t, server, test.fault, test.client)
		if p.Step != auth.Registration || !strings.Contains(string(p.Change), test.want) {
			t.Errorf("%s with %q: step %s, change %q, expected %q", test.client, test.fault, p.Step, p.Change, test.want)
		}
	}
}

// TestPredictionAtTheRoot checks that Visual Studio Code accepts the metadata of the origin at the root, and nowhere else.
func TestPredictionAtTheRoot(t *testing.T) {
	issuer := oauth.Start(t)
	for _, path := range []string{"", "/mcp"} {
		var origin string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/mcp":
				w.WriteHeader(http.StatusUnauthorized)
			case "/.well-known/oauth-protected-resource" + path:
				fmt.Fprintf(w, `{"resource":%q,"authorization_servers":[%q]}`, origin, issuer.Issuer(""))
			default:
				http.NotFound(w, r)
			}
		}))
		t.Cleanup(server.Close)
		origin = server.URL
		flow, err := auth.New(auth.Options{Server: origin + "/mcp"})
		if err != nil {
			t.Fatal(err)
		}
		defer flow.Close()
		ladder, err := auth.LadderOf("vscode")
		if err != nil {
			t.Fatal(err)
		}
		p, err := flow.Predict(t.Context(), refusal(t, origin+"/mcp"), ladder)
		if err != nil {
			t.Fatal(err)
		}
		// the authorization server knows only resources of its own
		if want := map[string]auth.Name{"": auth.Authorization, "/mcp": auth.Registration}[path]; p.Step != want {
			t.Errorf("metadata at %q: stops at %q, expected %q: %+v", path, p.Step, want, p)
		}
	}
}
