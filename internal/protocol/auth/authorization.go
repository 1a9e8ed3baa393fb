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
)

// browserPatience is how long the person may take.
const browserPatience = 5 * time.Minute

// A permission is what the person agreed to: a code and what is needed to redeem it.
type permission struct{ code, verifier, redirect string }

// authorize asks the person for permission in a browser and takes the answer.
func (f *Flow) authorize(ctx context.Context, as *server, c *Client, back *callback, scopes []string, resource string) (*permission, error) {
	verifier := oauth2.GenerateVerifier()
	f.call.secrets.Add(verifier)
	config := oauth2.Config{ClientID: c.ID, Endpoint: oauth2.Endpoint{AuthURL: as.AuthorizationEndpoint}, RedirectURL: back.uri(), Scopes: scopes}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", resource)}
	if slices.Contains(scopes, "offline_access") {
		options = append(options, oauth2.SetAuthURLParam("prompt", "consent")) // without it OpenID servers give no refresh token
	}
	address := config.AuthCodeURL(back.state, options...)

	s := f.begin(Authorization)
	s.State, s.Open, s.Request = Waiting, address, &Request{Method: http.MethodGet, URL: address}
	s.Result = "scopes: " + list(scopes) + "; resource: " + resource
	if host := hostOf(address); disguised(host) {
		s.note("the host %s has letters in it that can look like others: look twice before you sign in", host)
	}
	f.emit(s)
	start := time.Now()
	answer, err := f.ask(ctx, back, address)
	s.Elapsed = time.Since(start)
	if err != nil {
		failure := s.fail(browserHint(err), "no answer from the browser: %v", err)
		failure.Cause = err
		f.emit(s)
		return nil, failure
	}
	s.State = OK
	f.emit(s)
	code, err := f.answered(as, back, answer)
	if err != nil {
		return nil, err
	}
	return &permission{code: code, verifier: verifier, redirect: back.uri()}, nil
}

// disguised reports names with letters beyond ASCII, written as they are or in the disguise of domain names.
func disguised(host string) bool {
	return strings.Contains(strings.ToLower(host), "xn--") || strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789-.:") != ""
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// errSlow is why a browser is no longer waited for.
var errSlow = errors.New("nothing came back in five minutes")

// ask shows the address to the person and waits for the browser.
func (f *Flow) ask(ctx context.Context, back *callback, address string) (url.Values, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, browserPatience, errSlow)
	defer cancel()
	if f.opts.Browse != nil {
		if err := f.opts.Browse(ctx, address); err != nil {
			return nil, err
		}
	}
	return back.wait(ctx)
}

func browserHint(err error) string {
	if errors.Is(err, context.Canceled) {
		return ""
	}
	return "open the address in a browser on this machine, sign in and agree; a page that shows an error there says what the authorization server dislikes"
}

// answered checks what the browser brought: that it is the answer to our question, from the server that we asked.
func (f *Flow) answered(as *server, back *callback, answer url.Values) (string, error) {
	f.call.secrets.Add(answer.Get("code"))
	s := f.begin(Callback)
	defer func() { f.emit(s) }()
	s.Request = &Request{Method: http.MethodGet, URL: f.shownCallback(back, answer)}
	for _, name := range []string{"code", "state", "iss", "error"} {
		if len(answer[name]) > 1 {
			return "", s.fail("the authorization server should send each parameter once", "%s stands there %d times", name, len(answer[name]))
		}
	}
	if !back.ours(answer) {
		return "", s.fail("the answer does not belong to our request: start again; if it comes again, the authorization server has to send state back as it got it",
			"state is %q; want the one that was sent", answer.Get("state"))
	}
	if problem := issProblem(as, answer); problem != "" {
		return "", s.fail("the answer may come from another authorization server (RFC 9207); it is not used", "%s", problem)
	}
	if code := answer.Get("error"); code != "" {
		return "", s.fail(adviceFor(code), "the authorization server says %s%s", code, described(answer.Get("error_description")))
	}
	if answer.Get("code") == "" {
		return "", s.fail("the authorization server should send a code", "the answer has no code")
	}
	s.State, s.Result = OK, "a code came; state fits"
	if answer.Get("iss") != "" {
		s.Result += ", iss fits"
	}
	return answer.Get("code"), nil
}

// issProblem compares who answers with whom we asked, letter by letter.
func issProblem(as *server, answer url.Values) string {
	iss := answer.Get("iss")
	switch {
	case iss == "" && as.IssParameter:
		return "iss is missing, though the server announces it"
	case iss != "" && iss != as.Issuer:
		return fmt.Sprintf("iss is %q; want %q", iss, as.Issuer)
	}
	return ""
}

// shownCallback is the address that the browser came to.
func (f *Flow) shownCallback(back *callback, answer url.Values) string {
	if f.call.reveal {
		return back.uri() + "?" + answer.Encode()
	}
	return back.uri() + "?" + shownForm(answer)
}

func described(text string) string {
	if text == "" {
		return ""
	}
	return ": " + strings.Join(strings.Fields(text), " ")
}

// adviceFor tells what an error code of OAuth asks of people.
func adviceFor(code string) string {
	switch code {
	case "access_denied":
		return "the person or the server said no: agree on the page, or ask for fewer scopes with --scope"
	case "invalid_scope":
		return "the server does not know the scopes that were asked for: choose with --scope"
	case "invalid_client", "unauthorized_client":
		return "the server does not accept the client: check --client-id and --client-secret, and which grants it is registered for"
	case "invalid_target":
		return "the server does not accept the resource (RFC 8707): it has to know the MCP server's URL"
	case "invalid_grant":
		return "the code or token is used up, too old, or was given to another client or redirect URI: start again"
	case "unsupported_grant_type", "unsupported_response_type":
		return "the server does not offer this way to a token"
	case "invalid_request":
		return "the server misses something in the request, or dislikes it: its description says what"
	case "server_error", "temporarily_unavailable":
		return "the authorization server failed: try again later, or look at its log"
	}
	return "the authorization server's log may say more"
}
