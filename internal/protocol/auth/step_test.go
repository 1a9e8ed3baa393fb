package auth_test

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// TestClauses checks that every step names the part of the specification that it follows.
func TestClauses(t *testing.T) {
	for _, step := range auth.Titles {
		if c := step.Name.Clause(); c.Title == "" || !strings.HasPrefix(c.URL, "https://") {
			t.Errorf("%s: clause %+v", step.Name, c)
		}
	}
}

// TestAdviceAboutRegistration checks that the advice is about the client, whatever the server returns.
func TestAdviceAboutRegistration(t *testing.T) {
	server := oauth.Start(t)
	for _, fault := range []oauth.Fault{oauth.RegistrationInvalid, oauth.RegistrationClosed, oauth.RegistrationNone} {
		_, steps, err := run(t, auth.Options{Server: server.URL(fault)})
		last := steps[len(steps)-1]
		if err == nil || last.Name != auth.Registration || !strings.Contains(string(last.Hint), "{--client-id}") ||
			strings.Contains(string(last.Hint), "scope") {
			t.Errorf("%s: step %s, hint %q, error %v", fault, last.Name, last.Hint, err)
		}
	}
}
