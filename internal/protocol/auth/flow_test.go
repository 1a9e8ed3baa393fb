package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// browse is a person who agrees at once.
func browse(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 400 && resp.Request.URL.Path != "/callback" {
		err = fmt.Errorf("the page says %d %s", resp.StatusCode, page)
	}
	return err
}

// refusal asks the server without a token.
func refusal(t *testing.T, address string) wire.Frame {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address,
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return wire.Frame{Status: resp.StatusCode, Header: resp.Header, Body: body}
}

// run goes the whole way with a person who agrees.
func run(t *testing.T, o auth.Options) (*auth.Grant, []auth.Step, error) {
	t.Helper()
	if o.Browse == nil {
		o.Browse = browse
	}
	f, err := auth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := f.Run(t.Context(), refusal(t, o.Server), nil)
	return g, f.Steps(), err
}

// Each way to a token, by the steps that it shows.
func TestWays(t *testing.T) {
	s := oauth.Start(t)
	for _, c := range []struct {
		name  string
		fault oauth.Fault
		with  auth.Options
		steps string
	}{
		{"registers itself", "", auth.Options{}, "challenge resource-metadata server-metadata registration " +
			"authorization callback token"},
		{"no WWW-Authenticate", oauth.Silent, auth.Options{},
			"challenge resource-metadata server-metadata registration authorization callback token"},
		{"OpenID discovery", oauth.OpenID, auth.Options{},
			"challenge resource-metadata server-metadata server-metadata server-metadata registration authorization " +
				"callback token"},
		{"gets a secret", oauth.Confidential, auth.Options{},
			"challenge resource-metadata server-metadata registration authorization callback token"},
		{"given client", oauth.RegistrationNone, auth.Options{Identity: auth.Identity{ID: oauth.KnownID,
			Secret: oauth.KnownSecret}}, "challenge resource-metadata server-metadata registration authorization " +
			"callback token"},
		{"client credentials", oauth.ServerNoPKCE,
			auth.Options{Grant: auth.ClientCredentials,
				Identity: auth.Identity{ID: oauth.KnownID, Secret: oauth.KnownSecret}},
			"challenge resource-metadata server-metadata registration token"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.with.Server = s.URL(c.fault)
			g, steps, err := run(t, c.with)
			if err != nil {
				t.Fatalf("%v\n%+v", err, steps)
			}
			var names []string
			for _, step := range steps {
				names = append(names, string(step.Name))
			}
			if got := strings.Join(names, " "); got != c.steps {
				t.Errorf("steps %s\nwant  %s", got, c.steps)
			}
			if g.AccessToken == "" || g.Issuer != s.Issuer(c.fault) || g.Resource != s.URL(c.fault) ||
				!slices.Contains(g.Granted(), "tools:read") {
				t.Errorf("grant %+v", g)
			}
			mustHide(t, steps, g.AccessToken, g.RefreshToken, g.Client.Secret)
		})
	}
}

// mustHide wants no secret in what is shown.
func mustHide(t *testing.T, steps []auth.Step, secrets ...string) {
	t.Helper()
	text, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range append(secrets, "canary-") {
		if secret != "" && strings.Contains(string(text), secret) {
			t.Errorf("the steps show %q:\n%s", secret, text)
		}
	}
}

// Each fault ends the way at its step, which says what is wrong and what to do.
func TestFaults(t *testing.T) {
	s := oauth.Start(t)
	for _, c := range []struct {
		fault   oauth.Fault
		step    auth.Name
		problem string
	}{
		{oauth.ResourceMissing, auth.ResourceMetadata, "HTTP 404"},
		{oauth.ResourceClosed, auth.ResourceMetadata, "HTTP 401"},
		{oauth.ResourceFails, auth.ResourceMetadata, "HTTP 500"},
		{oauth.ResourceHTML, auth.ResourceMetadata, "not a JSON object"},
		{oauth.ResourceMismatch, auth.ResourceMetadata, `resource: got "https://other.example/mcp"`},
		{oauth.ResourceNobody, auth.ResourceMetadata, "no authorization_servers"},
		{oauth.ResourcePlain, auth.ResourceMetadata, "is neither https nor a loopback URL"},
		{oauth.ResourceHuge, auth.ResourceMetadata, "longer than"},
		{oauth.ResourceDouble, auth.ResourceMetadata, "duplicate"},
		{oauth.ResourceLoop, auth.ResourceMetadata, "redirects"},
		{oauth.ResourceScript, auth.ResourceMetadata, "not an https URL"},
		{oauth.ResourceElsewhere, auth.ResourceMetadata, "is neither https nor a loopback URL"},
		{oauth.ServerLinkLocal, auth.ServerMetadata, "169.254.0.0/16"},
		{oauth.ServerMissing, auth.ServerMetadata, "no metadata at any well-known URL"},
		{oauth.ServerFails, auth.ServerMetadata, "HTTP 502"},
		{oauth.ServerText, auth.ServerMetadata, "not a JSON object"},
		{oauth.ServerIssuer, auth.ServerMetadata, `issuer: got "https://attacker.example"`},
		{oauth.ServerSlash, auth.ServerMetadata, "/as/\", expected"},
		{oauth.ServerNoPKCE, auth.ServerMetadata, "code_challenge_methods_supported: got none"},
		{oauth.ServerNoToken, auth.ServerMetadata, "token_endpoint: missing URL"},
		{oauth.ServerPlain, auth.ServerMetadata, "token_endpoint: "},
		{oauth.ServerJavascript, auth.ServerMetadata, "authorization_endpoint: "},
		{oauth.RegistrationNone, auth.Registration, "no registration_endpoint"},
		{oauth.RegistrationClosed, auth.Registration, "HTTP 403"},
		{oauth.RegistrationInvalid, auth.Registration, "invalid_redirect_uri: loopback URIs are not allowed"},
		{oauth.RegistrationNoID, auth.Registration, "no client_id"},
		{oauth.Denied, auth.Callback, "access_denied: the user denied access"},
		{oauth.WrongState, auth.Callback, `state: got "somebody-elses"`},
		{oauth.WrongIssuer, auth.Callback, `iss: got "https://attacker.example"`},
		{oauth.NoIssuer, auth.Callback, "missing iss"},
		{oauth.NoCode, auth.Callback, "no code"},
		{oauth.TwoCodes, auth.Callback, "code appears 2 times"},
		{oauth.TokenInvalid, auth.Token, "invalid_grant: the code has expired"},
		{oauth.TokenFails, auth.Token, "HTTP 500"},
		{oauth.TokenText, auth.Token, "not a JSON object"},
		{oauth.TokenEmpty, auth.Token, "no access_token"},
		{oauth.TokenType, auth.Token, `token_type: got "mac"`},
		{oauth.TokenRedirect, auth.Token, "HTTP 307"},
		{oauth.TokenGarbage, auth.Token, "contains characters that are not allowed"},
	} {
		t.Run(string(c.fault), func(t *testing.T) {
			g, steps, err := run(t, auth.Options{Server: s.URL(c.fault)})
			var stopped *auth.Error
			if g != nil || !errors.As(err, &stopped) {
				t.Fatalf("got %v, %v; want an *auth.Error", g, err)
			}
			if stopped.Step != c.step || !strings.Contains(stopped.Problem, c.problem) {
				t.Errorf("stopped at %s: %s\nwant %s: …%s…", stopped.Step, stopped.Problem, c.step, c.problem)
			}
			last := failed(steps)
			if last.Name != c.step || last.Problem == "" || last.Hint == "" {
				t.Errorf("the step that failed is %+v; want %s with a problem and a hint", last, c.step)
			}
			if last.Answer != nil && len(last.Answer.Body) > 64<<10 {
				t.Errorf("%d bytes of the answer are shown", len(last.Answer.Body))
			}
			mustHide(t, steps)
		})
	}
}

// failed is the step that failed first.
func failed(steps []auth.Step) auth.Step {
	for _, s := range steps {
		if s.State == auth.Failed {
			return s
		}
	}
	return auth.Step{}
}

// After a fault nothing of a later step may have been sent.
func TestNothingIsSentPastAFault(t *testing.T) {
	for fault, forbidden := range map[oauth.Fault]string{
		oauth.ResourceMismatch: "/as",
		oauth.ServerIssuer:     "/as/register",
		oauth.ServerNoPKCE:     "/as/register",
		oauth.WrongState:       "/as/token",
		oauth.WrongIssuer:      "/as/token",
		oauth.NoIssuer:         "/as/token",
		oauth.TwoCodes:         "/as/token",
	} {
		s := oauth.Start(t)
		_, _, err := run(t, auth.Options{Server: s.URL(fault)})
		if err == nil {
			t.Errorf("%s: no error", fault)
		}
		for _, seen := range s.Seen() {
			if strings.HasSuffix(seen, forbidden) || forbidden == "/as" && strings.Contains(seen, "/as/") {
				t.Errorf("%s: %s was asked", fault, seen)
			}
		}
	}
}

// A token endpoint that redirects gets no credentials carried on.
func TestTokenRequestIsNotRedirected(t *testing.T) {
	s := oauth.Start(t)
	_, _, err := run(t, auth.Options{Server: s.URL(oauth.TokenRedirect)})
	if err == nil || slices.Contains(s.Seen(), "POST /fine/as/token") {
		t.Errorf("%v; requests %q; want the redirect not followed", err, s.Seen())
	}
}

// The exact answer of the step that failed can be seen.
func TestFailedStepShowsTheAnswer(t *testing.T) {
	s := oauth.Start(t)
	_, steps, _ := run(t, auth.Options{Server: s.URL(oauth.TokenInvalid)})
	step := failed(steps)
	if step.Answer == nil ||
		step.Answer.Body != `{"error":"invalid_grant","error_description":"the code has expired"}` ||
		step.Answer.Status != 400 {
		t.Errorf("answer %+v", step.Answer)
	}
	if step.Request == nil || !strings.Contains(step.Request.Body, "code_verifier=[redacted]") ||
		!strings.Contains(step.Request.Body, "grant_type=authorization_code") {
		t.Errorf("request %+v", step.Request)
	}
}

// A person who reveals secrets sees them.
func TestReveal(t *testing.T) {
	s := oauth.Start(t)
	g, steps, err := run(t, auth.Options{Server: s.URL(""), Reveal: true})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := json.Marshal(steps); !strings.Contains(string(text), g.AccessToken) {
		t.Error("the token is hidden, though it was asked for")
	}
}

// The authorization request has all that it needs, and the step waits under the number that it later ends with.
func TestAuthorizationRequest(t *testing.T) {
	s := oauth.Start(t)
	var asked string
	var seen []auth.Step
	_, _, err := run(t, auth.Options{Server: s.URL(""), Scopes: []string{"a", "b"},
		OnStep: func(s auth.Step) { seen = append(seen, s) },
		Browse: func(ctx context.Context, address string) error { asked = address; return browse(ctx, address) }})
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(asked)
	q := u.Query()
	if q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" ||
		len(q.Get("code_challenge")) != 43 || q.Get("scope") != "a b" ||
		q.Get("resource") != s.URL("") || len(q.Get("state")) < 20 ||
		!strings.HasPrefix(q.Get("redirect_uri"), "http://127.0.0.1:") {
		t.Errorf("authorization request %s", asked)
	}
	var waiting, done int
	for _, step := range seen {
		if step.Name == auth.Authorization && step.State == auth.Waiting && step.Open == asked {
			waiting = step.Seq
		}
		if step.Name == auth.Authorization && step.State == auth.OK {
			done = step.Seq
		}
	}
	if waiting == 0 || waiting != done {
		t.Errorf("waited under %d, ended under %d", waiting, done)
	}
}

// A person who never answers is not waited for after the end of the context.
func TestPersonGoesAway(t *testing.T) {
	s := oauth.Start(t)
	asked := make(chan struct{})
	f, err := auth.New(auth.Options{Server: s.URL(""),
		Browse: func(context.Context, string) error { close(asked); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	refused := refusal(t, s.URL(""))
	done := make(chan error, 1)
	go func() { _, err := f.Run(ctx, refused, nil); done <- err }()
	<-asked
	cancel()
	err = <-done
	var stopped *auth.Error
	if !errors.As(err, &stopped) || stopped.Step != auth.Authorization || !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v; want authorization, cancelled", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []auth.Options{
		{Server: "http://example.com/mcp"},
		{Server: "ftp://example.com/"},
		{Server: "no url"},
		{Server: "https://example.com/mcp", Identity: auth.Identity{Document: "http://example.com/client.json"}},
		{Server: "https://example.com/mcp", Identity: auth.Identity{Document: "https://example.com/"}},
	} {
		if _, err := auth.New(o); err == nil {
			t.Errorf("New(%+v) worked", o)
		}
	}
}
