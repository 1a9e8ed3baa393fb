package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// metadata returns the metadata of the authorization server.
func (v *visit) metadata() {
	issuer := v.Issuer(v.fault)
	good := map[string]any{"issuer": issuer, "authorization_endpoint": issuer + "/authorize",
		"token_endpoint":        issuer + "/token",
		"jwks_uri":              issuer + "/keys",
		"registration_endpoint": issuer + "/register", "response_types_supported": []string{"code"},
		"grant_types_supported": []string{"authorization_code", "refresh_token",
			"client_credentials"},
		"token_endpoint_auth_methods_supported":          []string{"none", "client_secret_basic", "client_secret_post"},
		"code_challenge_methods_supported":               []string{"S256"},
		"authorization_response_iss_parameter_supported": true,
		"client_id_metadata_document_supported":          v.is(FetchesClient, ClientDocuments)}
	switch v.fault {
	case ServerMissing:
		http.NotFound(v.w, v.r)
		return
	case ServerFails:
		v.say(http.StatusBadGateway, "text/html", "<h1>502</h1>")
		return
	case ServerText:
		v.say(http.StatusOK, "text/plain", "issuer: me")
		return
	case ServerIssuer:
		good["issuer"] = "https://attacker.example"
	case ServerSlash:
		good["issuer"] = issuer + "/"
	case ServerNoPKCE:
		delete(good, "code_challenge_methods_supported")
	case ServerWeakPKCE:
		good["code_challenge_methods_supported"] = []string{"plain"}
	case ServerMachines:
		good["grant_types_supported"] = []string{"client_credentials"}
	case ServerNoToken:
		delete(good, "token_endpoint")
	case ServerPlain:
		good["token_endpoint"] = "http://issuer.example/token"
	case ServerJavascript:
		good["authorization_endpoint"] = "javascript:alert(document.domain)"
	case IssUnannounced:
		delete(good, "authorization_response_iss_parameter_supported")
	case RegistrationNone:
		delete(good, "registration_endpoint")
	case Confidential:
		good["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"}
	}
	v.json(http.StatusOK, good)
}

// register issues a client ID.
func (v *visit) register() {
	switch v.fault {
	case RegistrationClosed:
		v.say(http.StatusForbidden, "text/plain", "ask the administrator")
		return
	case RegistrationInvalid:
		v.json(http.StatusBadRequest, map[string]string{"error": "invalid_redirect_uri",
			"error_description": "loopback URIs are not allowed"})
		return
	case RegistrationNoID:
		v.json(http.StatusCreated, map[string]string{"client_name": "mcptest"})
		return
	}
	var asked map[string]any
	if err := json.NewDecoder(v.r.Body).Decode(&asked); err != nil {
		v.json(http.StatusBadRequest, map[string]string{"error": "invalid_client_metadata"})
		return
	}
	uris := redirects(asked)
	for _, uri := range uris {
		if u, err := url.Parse(uri); err != nil || u.Scheme == "http" && !v.local(u.Hostname()) && !v.is(RegisterHTTP) {
			v.json(http.StatusBadRequest, map[string]string{"error": "invalid_redirect_uri"})
			return
		}
	}
	id, key := "client-"+secret("id")[10:20], ""
	asked["client_id"] = id
	if asked["token_endpoint_auth_method"] != "none" {
		key = secret("client-secret")
		asked["client_secret"] = key
	}
	if v.is(RegisterSecret) {
		asked["client_secret"] = secret("client-secret")
	}
	if v.is(ManagedClient, ManagedElsewhere) {
		asked["registration_access_token"] = secret("registration")
		asked["registration_client_uri"] = v.Issuer(v.fault) + "/register/" + id
	}
	if v.is(ManagedElsewhere) {
		asked["registration_client_uri"] = strings.Replace(v.Issuer(v.fault), "127.0.0.1", "localhost", 1) + "/register/" + id
	}
	v.mu.Lock()
	v.clients[id], v.back[id] = key, uris
	v.mu.Unlock()
	if v.is(RegistrationBare) {
		asked = map[string]any{"client_id": id}
	}
	v.json(http.StatusCreated, asked)
}

// local reports whether a host is one to which a program on the machine of the user can listen.
func (v *visit) local(host string) bool {
	return host == "127.0.0.1" || host == "localhost" && !v.is(LocalhostRefused)
}

// authorize is the consent page; it consents immediately.
func (v *visit) authorize() {
	q := v.r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || !v.knowsClient(q) || q.Get("resource") != v.URL(v.fault) {
		v.say(http.StatusBadRequest, "text/plain", "invalid request: "+q.Encode())
		return
	}
	answer := url.Values{"state": {q.Get("state")}, "iss": {v.Issuer(v.fault)}}
	if problem := v.refusedRequest(q); problem != "" {
		answer.Set("error", problem)
		if v.is(IssNotInErrors) {
			answer.Del("iss")
		}
		back.RawQuery = answer.Encode()
		http.Redirect(v.w, v.r, back.String(), http.StatusFound)
		return
	}
	if v.is(RedirectPage) && back.Scheme == "https" {
		v.say(http.StatusOK, "text/html", `<a href="`+html.EscapeString(back.String())+`?code=1">Approve</a>`)
		return
	}
	if v.is(Deputy) && !q.Has("upstream") {
		v.delegate()
		return
	}
	switch v.fault {
	case Denied:
		answer.Set("error", "access_denied")
		answer.Set("error_description", "the user denied access")
	case NoCode:
	default:
		answer.Set("code", v.remember(q))
	}
	switch v.fault {
	case WrongState:
		answer.Set("state", "somebody-elses")
	case WrongIssuer:
		answer.Set("iss", "https://attacker.example")
	case NoIssuer:
		answer.Del("iss")
	case TwoCodes:
		answer.Add("code", "another")
	}
	back.RawQuery = answer.Encode()
	http.Redirect(v.w, v.r, back.String(), http.StatusFound)
}

func (v *visit) remember(q url.Values) string {
	key := secret("code")
	v.mu.Lock()
	defer v.mu.Unlock()
	v.codes[key] = code{client: q.Get("client_id"), redirect: q.Get("redirect_uri"), challenge: q.Get("code_challenge"),
		resource: q.Get("resource"), scopes: q.Get("scope")}
	return key
}

// token exchanges a grant for a token.
func (v *visit) token() {
	_ = v.r.ParseForm()
	form := v.r.PostForm
	switch v.fault {
	case TokenInvalid:
		v.json(http.StatusBadRequest, map[string]string{"error": "invalid_grant",
			"error_description": "the code has expired"})
		return
	case TokenFails:
		v.say(http.StatusInternalServerError, "text/html", "<h1>oops</h1>")
		return
	case TokenText:
		v.say(http.StatusOK, "text/plain", "access_token=plain")
		return
	case TokenEmpty:
		v.json(http.StatusOK, map[string]string{"token_type": "Bearer"})
		return
	case TokenRedirect:
		http.Redirect(v.w, v.r, v.Issuer("")+"/token", http.StatusTemporaryRedirect)
		return
	case TokenGarbage:
		v.json(http.StatusOK, map[string]string{"token_type": "Bearer", "access_token": "two words\r\nX: y"})
		return
	}
	if !v.proved(form) {
		v.json(http.StatusUnauthorized, map[string]string{"error": "invalid_client"})
		return
	}
	g, ok := v.redeem(form)
	if !ok || form.Get("resource") == "" {
		v.json(http.StatusBadRequest, map[string]string{"error": "invalid_grant"})
		return
	}
	g.resource = form.Get("resource")
	v.issue(form.Get("grant_type"), g)
}

// proved checks the client authentication.
func (v *visit) proved(form url.Values) bool {
	id, key, basic := v.r.BasicAuth()
	if !basic {
		id, key = form.Get("client_id"), form.Get("client_secret")
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	want, known := v.clients[id]
	return known && key == want
}

func (v *visit) redeem(form url.Values) (g grant, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch form.Get("grant_type") {
	case "client_credentials":
		return grant{scopes: form.Get("scope")}, true
	case "urn:ietf:params:oauth:grant-type:token-exchange":
		v.exchanged = append(v.exchanged, form.Get("subject_token"))
		return grant{scopes: form.Get("scope")}, strings.HasPrefix(form.Get("subject_token"), "subject-")
	case "refresh_token":
		return v.rotate(form.Get("refresh_token"))
	case "authorization_code":
		c, found := v.codes[form.Get("code")]
		found = found && (!c.used || v.is(CodeTwice))
		c.used = true
		v.codes[form.Get("code")] = c
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		fits := c.redirect == form.Get("redirect_uri") &&
			(c.challenge == base64.RawURLEncoding.EncodeToString(sum[:]) || v.is(AnyVerifier))
		return grant{scopes: c.scopes, family: new(true)}, found && fits
	}
	return grant{}, false
}

// rotate uses a refresh token. A second use ends all tokens of the sign-in.
func (v *visit) rotate(token string) (g grant, ok bool) {
	g, ok = v.refresh[token]
	if !ok || v.is(RefreshInvalid) {
		return g, false
	}
	if g.used && !v.is(RefreshReused) {
		*g.family = v.is(FamilyKept)
		return g, false
	}
	g.used = true
	v.refresh[token] = g
	return g, *g.family
}

func (v *visit) issue(kind string, g grant) {
	answer := map[string]any{"access_token": secret("access"), "token_type": "Bearer", "expires_in": 3600}
	if v.is(Expiring) {
		answer["expires_in"] = 1
	}
	if v.is(ShortLived, NeverExpires) {
		answer["expires_in"] = 60
		g.expires = v.now().Add(time.Minute)
	}
	if v.is(TokenType) {
		answer["token_type"] = "mac"
	}
	if g.scopes != "" {
		answer["scope"] = g.scopes
	}
	g.used = false
	v.mu.Lock()
	v.tokens[answer["access_token"].(string)] = g
	if kind == "authorization_code" || kind == "refresh_token" {
		answer["refresh_token"] = secret("refresh")
		v.refresh[answer["refresh_token"].(string)] = g
	}
	v.mu.Unlock()
	v.json(http.StatusOK, answer)
}
