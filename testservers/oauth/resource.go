package oauth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// mcp serves the tools for requests with a valid token.
func (v *visit) mcp() {
	body, err := io.ReadAll(io.LimitReader(v.r.Body, 1<<20))
	if err != nil {
		return
	}
	v.r.Body = io.NopCloser(bytes.NewReader(body))
	if v.misled() {
		return
	}
	scopes, good := v.allowed()
	switch {
	case v.is(Open, Optional):
	case !good || v.is(Refused):
		v.challenge(http.StatusUnauthorized, "invalid_token", "tools:read")
		return
	case v.is(Forbidden):
		v.challenge(http.StatusForbidden, "", "")
		return
	case v.is(Greedy):
		v.challenge(http.StatusForbidden, "insufficient_scope", "tools:read")
		return
	case v.is(StepUp, ScopeUnnamed) && bytes.Contains(body, []byte(`"tools/list"`)) && !strings.Contains(scopes, "tools:list"):
		v.challenge(http.StatusForbidden, "insufficient_scope", "tools:list")
		return
	}
	v.useUpstream()
	v.tools.ServeHTTP(v.w, v.r)
}

// useUpstream sends a request to another service.
func (v *visit) useUpstream() {
	if v.Upstream == "" || !v.is(PassesToken, OwnUpstream) {
		return
	}
	req, err := http.NewRequestWithContext(v.r.Context(), http.MethodGet, v.Upstream, nil)
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer token-of-the-server")
	if v.is(PassesToken) {
		req.Header.Set("Authorization", v.r.Header.Get("Authorization"))
	}
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
	}
}

// allowed finds the token of a request, and its scopes.
func (v *visit) allowed() (scopes string, good bool) {
	scheme, token, _ := strings.Cut(v.r.Header.Get("Authorization"), " ")
	if v.fooled(scheme, token) {
		return "tools:read", true
	}
	g, good := v.lookup(token)
	if v.is(QueryToken) && scheme == "" {
		g, good = v.lookup(v.r.URL.Query().Get("access_token"))
		return g.scopes, good
	}
	if v.is(SessionToken) && scheme == "" && v.r.Header.Get("Mcp-Session-Id") != "" {
		return "tools:read", true
	}
	return g.scopes, good && strings.EqualFold(scheme, "Bearer")
}

// lookup finds a token that was issued for this server and has not expired.
func (v *visit) lookup(token string) (g grant, good bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	g, good = v.tokens[token]
	if v.is(PrefixToken) && len(token) > 20 {
		for known, other := range v.tokens {
			if known[:20] == token[:20] {
				g, good = other, true
			}
		}
	}
	if other, found := v.refresh[token]; found && v.is(RefreshAccess) {
		return other, true
	}
	good = good && (g.resource == v.URL(v.fault) || v.is(AnyAudience))
	return g, good && (g.expires.IsZero() || v.now().Before(g.expires) || v.is(NeverExpires))
}

func (v *visit) challenge(status int, code, scope string) {
	value := fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/%s/mcp"`, v.origin,
		v.fault.name())
	if v.is(TwoDocuments) {
		value = strings.TrimSuffix(value, `"`) + `?copy"`
	}
	if v.is(OfflineChallenge) {
		scope += " offline_access"
	}
	if v.is(ScopeUnnamed) {
		scope = ""
	}
	if code != "" && !v.is(NoErrorCode) && v.r.Header.Get("Authorization") != "" {
		value += fmt.Sprintf(`, error=%q`, code)
	}
	if scope != "" {
		value += fmt.Sprintf(`, scope=%q`, scope)
	}
	if v.is(ResourceScript) {
		value = `Bearer resource_metadata="javascript:alert(1)"`
	}
	if v.is(ResourceElsewhere) {
		value = `Bearer resource_metadata="http://internal.example/metadata"`
	}
	if v.is(CORSHidden) {
		v.w.Header().Set("Access-Control-Allow-Origin", "*")
	}
	if !v.is(Silent, FixedToken) {
		v.w.Header().Set("WWW-Authenticate", value)
	}
	v.say(status, "application/json", `{"error":"`+code+`"}`)
}

// resource returns the metadata of the MCP server.
func (v *visit) resource() {
	good := map[string]any{"resource": v.URL(v.fault), "authorization_servers": []string{v.Issuer(v.fault)},
		"scopes_supported": []string{"tools:read"}}
	switch v.fault {
	case ResourceMissing, NoDefaults, Open, FixedToken:
		http.NotFound(v.w, v.r)
		return
	case ResourceClosed:
		v.say(http.StatusUnauthorized, "application/json", `{"error":"invalid_token"}`)
		return
	case ResourceFails:
		v.say(http.StatusInternalServerError, "text/plain", "database unavailable")
		return
	case ResourceHTML:
		v.say(http.StatusOK, "text/html", "<!doctype html><title>Welcome</title>")
		return
	case ResourceHuge:
		v.say(http.StatusOK, "application/json", `{"resource":"`+strings.Repeat("x", 2<<20)+`"}`)
		return
	case ResourceDouble:
		v.say(http.StatusOK, "application/json", `{"resource":"`+v.URL(v.fault)+`","authorization_servers":["`+
			v.Issuer("")+`"],"authorization_servers":["`+v.Issuer(v.fault)+`"]}`)
		return
	case ResourceLoop:
		http.Redirect(v.w, v.r, v.r.URL.Path+"?again", http.StatusFound)
		return
	case TwoDocuments:
		if v.r.URL.RawQuery == "copy" {
			good["authorization_servers"] = []string{v.Issuer("")}
		}
	case ResourceParent:
		good["resource"] = strings.TrimSuffix(v.URL(v.fault), "/mcp")
	case OfflineResource:
		good["scopes_supported"] = []string{"tools:read", "offline_access"}
	case ResourceMismatch:
		good["resource"] = "https://other.example/mcp"
	case ResourceNobody:
		delete(good, "authorization_servers")
	case ResourcePlain:
		good["authorization_servers"] = []string{"http://issuer.example"}
	case ServerLinkLocal:
		good["authorization_servers"] = []string{"https://169.254.169.254"}
	}
	v.json(http.StatusOK, good)
}

func (v *visit) json(status int, value any) {
	text, _ := json.Marshal(value)
	v.say(status, "application/json", string(text))
}
