package oauth

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The faults of an authorization server that protects codes and tokens too little.
const (
	NoChallenge     Fault = "no-challenge" // PKCE is optional
	PlainChallenge  Fault = "plain-challenge"
	AnyVerifier     Fault = "any-verifier"
	CodeTwice       Fault = "code-twice"
	RedirectPath    Fault = "redirect-path" // any path below the registered one
	RedirectHost    Fault = "redirect-host" // hosts that begin like the registered one
	RedirectQuery   Fault = "redirect-query"
	RedirectAny     Fault = "redirect-any"  // any https URL
	RedirectPage    Fault = "redirect-page" // any https URL, after a page that asks for consent
	RegisterHTTP    Fault = "register-http"
	RegisterSecret  Fault = "register-secret"
	RefreshReused   Fault = "refresh-reused"
	FamilyKept      Fault = "family-kept"
	IssUnannounced  Fault = "iss-unannounced"
	IssNotInErrors  Fault = "iss-not-in-errors"
	Deputy          Fault = "deputy"         // a proxy without consent
	FetchesClient   Fault = "fetches-client" // metadata documents of clients, from anywhere
	ClientDocuments Fault = "client-documents"
	ShortLived      Fault = "short-lived" // tokens live for a minute
)

// knowsClient reports whether the client and its redirect URI are registered.
func (v *visit) knowsClient(q url.Values) bool {
	id, uri := q.Get("client_id"), q.Get("redirect_uri")
	if v.is(FetchesClient) && strings.HasPrefix(id, "http") {
		resp, err := http.Get(id)
		if err == nil {
			resp.Body.Close()
		}
		return false
	}
	v.mu.Lock()
	_, known := v.clients[id]
	registered := slices.Clone(v.back[id])
	v.mu.Unlock()
	u, err := url.Parse(uri)
	if !known || err != nil {
		return false
	}
	if len(registered) == 0 { // a preregistered client on the same machine
		return u.Hostname() == "127.0.0.1"
	}
	return slices.ContainsFunc(registered, func(r string) bool {
		host, path, _ := strings.Cut(strings.TrimPrefix(r, "http://127.0.0.1"), "/")
		switch {
		case uri == r:
			return true
		case v.is(RedirectPath):
			return strings.HasPrefix(uri, r+"/")
		case v.is(RedirectQuery):
			return strings.HasPrefix(uri, r+"?")
		case v.is(RedirectHost):
			return strings.HasPrefix(u.Host, "127.0.0.1") && strings.HasSuffix(u.Host, host) && u.Path == "/"+path
		}
		return v.is(RedirectAny, RedirectPage) && u.Scheme == "https"
	})
}

// refusedRequest returns why an authorization request of a known client is rejected; empty if it is not.
func (v *visit) refusedRequest(q url.Values) string {
	method := q.Get("code_challenge_method")
	switch {
	case q.Get("response_type") != "code":
		return "unsupported_response_type"
	case q.Get("code_challenge") == "" && !v.is(NoChallenge),
		q.Get("code_challenge") != "" && method != "S256" && (method != "plain" || !v.is(PlainChallenge)):
		return "invalid_request"
	}
	return ""
}

// delegate sends the user to another authorization server, with the one client ID that the proxy has there.
func (v *visit) delegate() {
	q := url.Values{"response_type": {"code"}, "client_id": {"proxy"}, "state": {v.r.URL.RawQuery}}
	http.Redirect(v.w, v.r, strings.Replace(v.Issuer(v.fault), "127.0.0.1", "localhost", 1)+"/upstream?"+q.Encode(),
		http.StatusFound)
}

// upstream is that other server: its user has consented before.
func (v *visit) upstream() {
	http.Redirect(v.w, v.r, v.Issuer(v.fault)+"/authorize?upstream=yes&"+v.r.URL.Query().Get("state"), http.StatusFound)
}

// redirects returns the redirect URIs of a registration.
func redirects(asked map[string]any) []string {
	var uris []string
	list, _ := asked["redirect_uris"].([]any)
	for _, one := range list {
		if uri, ok := one.(string); ok {
			uris = append(uris, uri)
		}
	}
	return uris
}
