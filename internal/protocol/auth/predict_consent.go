package auth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// requiredScopes returns the scopes that the client requests.
func (w *walk) requiredScopes(d WWWAuthenticate, r *resource, as *clientServer) []string {
	known := map[string][]string{"challenge": d.Scopes, "resource": r.ScopesSupported, "server": as.ScopesSupported}
	for place := range strings.SplitSeq(w.value(ruleScopes), "-") {
		if len(known[place]) > 0 {
			return known[place]
		}
	}
	return nil
}

// requestConsent sends the authorization request that the client opens in a browser, without a user: a request that
// the server rejects is rejected before the sign-in. Redirects are not followed, and a code is not used.
func (w *walk) requestConsent(ctx context.Context, as *clientServer, id string, scopes []string, r *resource) {
	s := w.begin(Authorization)
	defer func() { w.emit(s) }()
	excluded := len(as.ChallengeMethods) > 0 && !slices.Contains(as.ChallengeMethods, "S256")
	if excluded && w.value(rulePKCE) == "not-excluded" {
		w.rule(rulePKCE)
		w.stop(s, pkceChange, "code_challenge_methods_supported: got %s, expected S256", list(as.ChallengeMethods))
		return
	}
	if missing := as.missingEndpoint(); missing != "" {
		w.rule(ruleServerFields)
		w.stop(s, "add "+hint.Text(missing)+" to the metadata of the authorization server", "no %s in the metadata", missing)
		return
	}
	redirect := w.ladder.redirects()[0]
	config := oauth2.Config{ClientID: id, Endpoint: oauth2.Endpoint{AuthURL: as.AuthorizationEndpoint},
		RedirectURL: redirect, Scopes: scopes}
	verifier := oauth2.GenerateVerifier()
	w.call.secrets.Add(verifier)
	address := config.AuthCodeURL("mcptest", oauth2.S256ChallengeOption(verifier),
		oauth2.SetAuthURLParam("resource", r.Resource))
	problem, err := w.call.openUnattended(ctx, s, address, redirect)
	for _, name := range []RuleName{ruleRedirect, ruleScopes, ruleResource} {
		w.rule(name)
	}
	switch {
	case err != nil:
		w.stop(s, "check that it is running and reachable", "%v", err)
	case problem != "":
		w.stop(s, "accept this authorization request: check client_id, redirect_uri, scope and resource in it", "%s",
			problem)
	default:
		s.State, s.Result = OK, "the server does not reject the request; sign-in and consent are left to the user"
		w.clearReasons()
	}
}

// openUnattended requests a page as a browser without a session, and returns why the server rejects the request.
func (c *stepClient) openUnattended(ctx context.Context, s *Step, address, redirect string) (string, error) {
	if _, err := checkURL(address); err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	s.Request = &Request{Method: req.Method, URL: c.url(address)}
	client := *c.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	start := time.Now()
	resp, err := client.Do(req)
	s.Elapsed = time.Since(start)
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return "", err
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxDisplayed))
	location, _ := url.Parse(resp.Header.Get("Location"))
	if location != nil {
		c.secrets.Add(location.Query().Get("code"))
	}
	s.Answer = newResponse(resp.StatusCode, c.header(resp.Header), body)
	return rejection(resp.StatusCode, location, redirect), nil
}

// rejection returns why a response rejects an authorization request; an empty text means that it does not.
func rejection(status int, location *url.URL, redirect string) string {
	switch {
	case status/100 == 3 && location != nil && strings.HasPrefix(location.String(), redirect):
		code := location.Query().Get("error")
		if code == "" || strings.HasSuffix(code, "_required") { // login_required and the like
			return ""
		}
		return "the authorization server returns " + code + described(location.Query().Get("error_description"))
	case status == http.StatusBadRequest, status == http.StatusNotFound, status == http.StatusMethodNotAllowed,
		status >= 500:
		return fmt.Sprintf("the authorization server rejects the request: HTTP %d", status)
	}
	return ""
}
