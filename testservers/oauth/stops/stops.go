// Package stops compares where real clients stop with faulty servers with what mcptest auth --as predicts.
package stops

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// Servers are servers with which clients stop at different steps.
var Servers = []oauth.Fault{"", oauth.Silent, oauth.ResourceMissing, oauth.ResourceClosed, oauth.ResourceFails,
	oauth.ResourceHTML, oauth.ResourceMismatch, oauth.ResourceParent, oauth.ResourceNobody, oauth.ServerMissing,
	oauth.ServerFails, oauth.ServerText, oauth.ServerNoToken, oauth.ServerJavascript, oauth.OpenID, oauth.ServerIssuer,
	oauth.ServerSlash, oauth.ServerNoPKCE, oauth.ServerWeakPKCE, oauth.RegistrationNone, oauth.RegistrationClosed,
	oauth.RegistrationInvalid, oauth.LocalhostRefused, oauth.RegistrationNoID, oauth.RegistrationBare,
	oauth.ClientDocuments}

// A Result is what a client did: it opened a page, or asked the user for a client ID, or reported an error.
type Result struct {
	URL, Error string
	Asks       bool
}

// consent and asks stand for clients that do not stop at a step.
const (
	consent auth.Name = "consent"
	asks    auth.Name = "asks for a client ID"
)

// Check compares the result of a client with the prediction. The server must have seen no other client with this fault.
func Check(t *testing.T, server *oauth.Server, fault oauth.Fault, client string, result Result) {
	t.Helper()
	got := observed(t, result, fault, server.Seen())
	if want := predicted(t, server, fault, client); got != want {
		t.Errorf("%s with %q stops at %q (%s), predicted %q", client, fault, got, result.Error, want)
	}
}

// Parse reads a result that a program has printed.
func Parse(t *testing.T, line string) (result Result) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &result); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return result
}

// stepsByError are the steps that errors of clients are about.
var stepsByError = []struct {
	text *regexp.Regexp
	step auth.Name
}{
	{regexp.MustCompile(`(?i)protected resource .*(does not match|mismatch)|oauth-protected-resource\S*\s+Caused by`),
		auth.ResourceMetadata},
	{regexp.MustCompile(`(?i)protected resource metadata (at|resource)|issuer mismatch|PKCE`),
		auth.ServerMetadata},
	{regexp.MustCompile(`(?i)protected resource`), auth.ResourceMetadata},
	{regexp.MustCompile(`(?i)code challenge method|create authentication token`), auth.Authorization},
	{regexp.MustCompile(`(?i)registration`), auth.Registration},
}

// observed returns the step at which a client stopped.
func observed(t *testing.T, result Result, fault oauth.Fault, seen []string) auth.Name {
	t.Helper()
	switch {
	case result.Asks:
		return asks
	case result.URL != "":
		return opened(t, result.URL)
	}
	text := result.Error
	if fault != "" { // it is in the URLs
		text = strings.ReplaceAll(text, string(fault), "")
	}
	for _, known := range stepsByError {
		if known.text.MatchString(text) {
			return known.step
		}
	}
	// a document that the client cannot parse: the last one that it requested from this server
	last := ""
	for _, request := range seen {
		if strings.Contains(request, "/"+string(fault)+"/") {
			last = request
		}
	}
	if strings.HasSuffix(last, "/as/register") {
		return auth.Registration
	}
	return auth.ServerMetadata
}

// opened requests the page that a client has opened, as a browser without a session.
func opened(t *testing.T, page string) auth.Name {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 || strings.Contains(resp.Header.Get("Location"), "error=") {
		return auth.Authorization
	}
	return consent
}

// predicted returns the step at which mcptest auth --as stops.
func predicted(t *testing.T, server *oauth.Server, fault oauth.Fault, client string) auth.Name {
	t.Helper()
	flow, err := auth.New(auth.Options{Server: server.URL(fault)})
	if err != nil {
		t.Fatal(err)
	}
	defer flow.Close()
	ladder, err := auth.LadderOf(client)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(server.URL(fault), "application/json", strings.NewReader(`{"jsonrpc":"2.0"}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	p, err := flow.Predict(t.Context(), wire.Frame{Status: resp.StatusCode, Header: resp.Header}, ladder)
	if err != nil {
		t.Fatal(err)
	}
	switch p.Outcome {
	case auth.ReachesConsent:
		return consent
	case auth.AsksUser:
		return asks
	}
	return p.Step
}
