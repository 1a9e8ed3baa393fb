package conform

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// TestAuthEndpoints expects that nobody is asked to open an endpoint that is no https URL, and that no code is sent if
// there is none to send it to.
func TestAuthEndpoints(t *testing.T) {
	t.Parallel()
	s := oauth.Start(t)
	for _, fault := range []oauth.Fault{oauth.ServerJavascript, oauth.ServerNoToken, oauth.ServerPlain} {
		browse := func(_ context.Context, address string) error {
			t.Errorf("%s: the user was asked to open %s", fault, address)
			return context.Canceled
		}
		out := authRun(t, s, fault, AuthOptions{As: []Identity{{SignIn: true}}, Browse: browse}, "AUTH-027", "AUTH-029")
		for _, r := range out.Report.Results {
			if r.Status() != finding.Skipped {
				t.Errorf("%s: %s %s, expected skipped: %s", fault, r.Rule, r.Status(), shown(r.Findings))
			}
		}
	}
}

// TestAuthUnregister expects that the client of a run is deleted, but only at the server that registered it.
func TestAuthUnregister(t *testing.T) {
	t.Parallel()
	for fault, want := range map[oauth.Fault]bool{oauth.ManagedClient: true, oauth.ManagedElsewhere: false} {
		s := oauth.Start(t)
		authRun(t, s, fault, AuthOptions{As: []Identity{{SignIn: true}}}, "AUTH-027")
		deleted := slices.ContainsFunc(s.Seen(), func(seen string) bool { return strings.HasPrefix(seen, http.MethodDelete) })
		if deleted != want {
			t.Errorf("%s: DELETE sent: %v, expected %v", fault, deleted, want)
		}
	}
}

// TestAuthSecrets expects that everything secret that a run gets is named, so that no report contains it.
func TestAuthSecrets(t *testing.T) {
	t.Parallel()
	s := oauth.Start(t)
	var mu sync.Mutex
	kept := ""
	authRun(t, s, oauth.ManagedClient, AuthOptions{As: []Identity{{SignIn: true}}, Secret: func(values ...string) {
		mu.Lock()
		defer mu.Unlock()
		kept += strings.Join(values, " ") + " "
	}}, "AUTH-027")
	for _, kind := range []string{"registration", "code", "access", "refresh"} {
		if !strings.Contains(kept, "canary-"+kind+"-") {
			t.Errorf("the %s was not named as a secret: %s", kind, kept)
		}
	}
}
