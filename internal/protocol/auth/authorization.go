package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// browserTimeout is how long the user may take.
const browserTimeout = 5 * time.Minute

// A authorizationCode is the result of the user's consent: a code and what is needed to redeem it.
type authorizationCode struct{ code, verifier, redirect string }

// authorize asks the user for consent in a browser and handles the callback.
func (f *Flow) authorize(ctx context.Context, as *server, c *Client, back *callback, scopes []string,
	resource string) (*authorizationCode, error) {
	verifier, address := f.codeRequest(as, c, back.uri(), back.state, scopes, resource)
	s := f.beginConsent(address, scopes, resource)
	start := time.Now()
	answer, err := f.requestCode(ctx, back, address)
	s.Elapsed = time.Since(start)
	if err != nil {
		failure := s.fail(browserHint(err), "no callback from the browser: %v", err)
		failure.Cause = err
		f.emit(s)
		return nil, failure
	}
	s.State = OK
	f.emit(s)
	code, err := f.checkCode(as, back.uri(), back.state, answer)
	if err != nil {
		return nil, err
	}
	return &authorizationCode{code: code, verifier: verifier, redirect: back.uri()}, nil
}

// codeRequest returns the URL for the user to open, and the verifier with which its code is redeemed.
func (f *Flow) codeRequest(as *server, c *Client, redirect, state string, scopes []string,
	resource string) (verifier, address string) {
	verifier = oauth2.GenerateVerifier()
	f.call.secrets.Add(verifier)
	config := oauth2.Config{ClientID: c.ID, Endpoint: oauth2.Endpoint{AuthURL: as.AuthorizationEndpoint},
		RedirectURL: redirect, Scopes: scopes}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("resource", resource)}
	if slices.Contains(scopes, "offline_access") {
		// without it OpenID servers issue no refresh token
		options = append(options, oauth2.SetAuthURLParam("prompt", "consent"))
	}
	return verifier, config.AuthCodeURL(state, options...)
}

// beginConsent reports the step in which the user consents.
func (f *Flow) beginConsent(address string, scopes []string, resource string) *Step {
	s := f.begin(Authorization)
	s.State, s.Open, s.Request = Waiting, address, &Request{Method: http.MethodGet, URL: address}
	s.Result = "scopes: " + list(scopes) + "; resource: " + resource
	if host := hostOf(address); isIDNHost(host) {
		s.note("the host %s contains characters that resemble others; verify it before you sign in", host)
	}
	f.emit(s)
	return s
}

// isIDNHost reports whether a name has non-ASCII letters, verbatim or in Punycode.
func isIDNHost(host string) bool {
	return strings.Contains(strings.ToLower(host), "xn--") ||
		strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789-.:") != ""
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// errBrowserTimeout is the error if the browser callback times out.
var errBrowserTimeout = errors.New("timed out after 5 minutes waiting for the browser callback")

// requestCode shows the URL to the user and waits for the browser.
func (f *Flow) requestCode(ctx context.Context, back *callback, address string) (url.Values, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, browserTimeout, errBrowserTimeout)
	defer cancel()
	if f.opts.Browse != nil {
		if err := f.opts.Browse(ctx, address); err != nil {
			return nil, err
		}
	}
	return back.wait(ctx)
}

func browserHint(err error) hint.Text {
	if errors.Is(err, context.Canceled) {
		return ""
	}
	return "open the URL in a local browser, sign in and approve the request; an error page there explains why the " +
		"authorization server rejected the request"
}

// checkCode checks the callback: that it belongs to our request, and comes from the server that we used.
func (f *Flow) checkCode(as *server, redirect, state string, answer url.Values) (string, error) {
	f.call.secrets.Add(answer.Get("code"))
	s := f.begin(Callback)
	defer func() { f.emit(s) }()
	s.Request = &Request{Method: http.MethodGet, URL: f.displayCallback(redirect, answer)}
	for _, name := range []string{"code", "state", "iss", "error"} {
		if len(answer[name]) > 1 {
			return "", s.fail("the authorization server should send each parameter once", "%s appears %d times", name,
				len(answer[name]))
		}
	}
	if !sameState(answer, state) {
		return "", s.fail("the callback does not belong to this request: start again; if it happens again, the "+
			"authorization server must return state unchanged",
			"state: got %q, expected the value that was sent", answer.Get("state"))
	}
	if problem := issProblem(as, answer); problem != "" {
		return "", s.fail("the authorization server must return its own issuer as iss: another one may be an attack "+
			"(RFC 9207)", "%s", problem)
	}
	if code := answer.Get("error"); code != "" {
		return "", s.fail(adviceFor(code), "the authorization server returned %s%s", code,
			described(answer.Get("error_description")))
	}
	if answer.Get("code") == "" {
		return "", s.fail("the authorization server should send a code", "no code in the callback")
	}
	s.State, s.Result = OK, "received a code; state matches"
	if answer.Get("iss") != "" {
		s.Result += ", iss matches"
	}
	return answer.Get("code"), nil
}

// issProblem compares the issuer of the callback with the expected one, exactly.
func issProblem(as *server, answer url.Values) string {
	iss := answer.Get("iss")
	switch {
	case iss == "" && as.IssParameter:
		return "missing iss, although the server announces it"
	case iss != "" && iss != as.Issuer:
		return fmt.Sprintf("iss: got %q, expected %q", iss, as.Issuer)
	}
	return ""
}

// displayCallback returns the callback URL for display.
func (f *Flow) displayCallback(redirect string, answer url.Values) string {
	if f.call.reveal {
		return redirect + "?" + answer.Encode()
	}
	return redirect + "?" + displayForm(answer)
}

func described(text string) string {
	if text == "" {
		return ""
	}
	return ": " + strings.Join(strings.Fields(text), " ")
}

// adviceFor returns what to do about an OAuth error code.
func adviceFor(code string) hint.Text {
	switch code {
	case "access_denied":
		return "access was denied: approve the request, or request fewer scopes with {--scope}"
	case "invalid_scope":
		return "the server does not support the requested scopes: choose others with {--scope}"
	case "invalid_client", "unauthorized_client":
		return "the server rejected the client: check {--client-id} and {--client-secret}, and the grants that it is " +
			"registered for"
	case "invalid_target":
		return "the server rejected the resource (RFC 8707): the URL of the MCP server must be registered there"
	case "invalid_grant":
		return "the code or token is used, expired, or was issued to another client or redirect URI: start again"
	case "unsupported_grant_type", "unsupported_response_type":
		return "the server does not support this grant"
	case "invalid_request":
		return "invalid request: see the error description"
	case "server_error", "temporarily_unavailable":
		return "the authorization server failed: try again later, or check its log"
	}
	return "check the log of the authorization server"
}
