package main

import (
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	sdkauth "github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// A tokenedMail is an MCP server of the Go SDK that accepts tokens of an authorization server for itself only. It records
// who called, by the token of each request.
type tokenedMail struct {
	url, issuer string
	keys        jwt.Keyfunc

	mu      sync.Mutex
	servers map[string]*mcp.Server // by user
	tokens  map[string]bool        // all values of Authorization that were sent
	crossed []string               // calls with the token of another user than their argument names
	calls   atomic.Int64
}

type whoami struct {
	From string `json:"from"`
}

func startMail(t *testing.T, issuer string) *tokenedMail {
	t.Helper()
	m := &tokenedMail{issuer: issuer, keys: keysOf(t, issuer), tokens: map[string]bool{},
		servers: map[string]*mcp.Server{}}
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	m.url = web.URL + "/mcp"
	metadata := web.URL + "/.well-known/oauth-protected-resource/mcp"
	guard := sdkauth.RequireBearerToken(m.verify, &sdkauth.RequireBearerTokenOptions{ResourceMetadataURL: metadata})
	handler := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		return m.serverFor(sdkauth.TokenInfoFromContext(r.Context()).UserID)
	}, nil)
	mux.Handle("/mcp", m.observed(metadata, guard(handler)))
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"resource":%q,"authorization_servers":[%q],"scopes_supported":["mail:read"]}`, m.url, issuer)
	})
	return m
}

// serverFor returns the server of a user, which has a tool that only this user sees.
func (m *tokenedMail) serverFor(user string) *mcp.Server {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.servers[user] == nil {
		server := mcp.NewServer(&mcp.Implementation{Name: "mail", Version: "1"}, nil)
		for _, name := range []string{"whoami", "send", "only_" + user} {
			mcp.AddTool(server, &mcp.Tool{Name: name, Description: "Returns who calls"}, m.whoami)
		}
		m.servers[user] = server
	}
	return m.servers[user]
}

// observed records the token of each request; the tool send needs a scope of its own.
func (m *tokenedMail) observed(metadata string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.tokens[r.Header.Get("Authorization")] = true
		m.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"name":"send"`)) {
			info, err := m.verify(r.Context(), strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r)
			if err == nil && !strings.Contains(strings.Join(info.Scopes, " "), "mail:write") {
				w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="mail:write", resource_metadata="`+
					metadata+`"`)
				w.WriteHeader(http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (m *tokenedMail) verify(_ context.Context, token string, _ *http.Request) (*sdkauth.TokenInfo, error) {
	var claims struct {
		jwt.RegisteredClaims
		Scope string `json:"scope"`
	}
	_, err := jwt.ParseWithClaims(token, &claims, m.keys, jwt.WithIssuer(m.issuer), jwt.WithAudience(m.url),
		jwt.WithExpirationRequired(), jwt.WithValidMethods([]string{"RS256"}))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", sdkauth.ErrInvalidToken, err)
	}
	return &sdkauth.TokenInfo{UserID: claims.Subject, Scopes: strings.Fields(claims.Scope),
		Expiration: claims.ExpiresAt.Time}, nil
}

func (m *tokenedMail) whoami(_ context.Context, r *mcp.CallToolRequest, in whoami) (*mcp.CallToolResult, any, error) {
	m.calls.Add(1)
	user := r.Extra.TokenInfo.UserID
	if user != in.From {
		m.mu.Lock()
		m.crossed = append(m.crossed, user+" for "+in.From)
		m.mu.Unlock()
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "you are " + user}}}, nil, nil
}

// keysOf returns the key of an issuer.
func keysOf(t *testing.T, issuer string) jwt.Keyfunc {
	t.Helper()
	resp, err := http.Get(issuer + "/jwks")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var set struct{ Keys []struct{ N, E string } }
	if err := json.NewDecoder(resp.Body).Decode(&set); err != nil || len(set.Keys) != 1 {
		t.Fatalf("keys: %v %v", set, err)
	}
	n, _ := base64.RawURLEncoding.DecodeString(set.Keys[0].N)
	e, _ := base64.RawURLEncoding.DecodeString(set.Keys[0].E)
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	return func(*jwt.Token) (any, error) { return key, nil }
}

// A webBrowser is the browser of a person: who it is for the authorization server, and its cookies.
type webBrowser struct {
	*http.Client
	base string // of the gateway
}

func newBrowser(t *testing.T, user, issuer, base string) *webBrowser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(issuer)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(u, []*http.Cookie{{Name: "as", Value: user}})
	return &webBrowser{&http.Client{Jar: jar}, base}
}

func (b *webBrowser) open(t *testing.T, address string) (int, string) {
	t.Helper()
	resp, err := b.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body)
}

func (b *webBrowser) post(t *testing.T, what, body string) (int, string) {
	t.Helper()
	resp, err := b.Post(b.base+"/connect/"+what, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// start signs in to the page, and returns the URL to connect an account at.
func (b *webBrowser) start(t *testing.T, token, form string) string {
	t.Helper()
	if status, body := b.post(t, "signin", `{"token":"`+token+`"}`); status != 200 {
		t.Fatalf("sign in: %d %s", status, body)
	}
	status, body := b.post(t, "start", form)
	var answer struct{ URL string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 {
		t.Fatalf("start: %d %s", status, body)
	}
	return answer.URL
}

// connect connects an account in the page.
func (b *webBrowser) connect(t *testing.T, token, form string) {
	t.Helper()
	if status, body := b.open(t, b.start(t, token, form)); status != 200 || !strings.Contains(body, "Connected through") {
		t.Fatalf("connect: %d %s", status, body)
	}
}

func sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// An oauthGateway is a gateway whose users have accounts at a mail server.
type oauthGateway struct {
	*gateway
	mail         *tokenedMail
	issuer       string
	audit, store string
}

const mailForm = `{"server":"mail"}`

func startOAuthGateway(t *testing.T, life time.Duration) *oauthGateway {
	t.Helper()
	in := npm.Require(t)
	issuer := in.Authority(t, life)
	dir := t.TempDir()
	g := &oauthGateway{mail: startMail(t, issuer), issuer: issuer, audit: filepath.Join(dir, "audit.jsonl"),
		store: filepath.Join(dir, "catalog.db")}
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("5c", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf(`{"mcpServers":{"mail":{"url":%q}},"gateway":{
		"callers":[{"name":"ann","token_sha256":%q},{"name":"bob","token_sha256":%q},
			{"name":"ops","token_sha256":%q,"manage":true}],
		"servers":{"mail":{"oauth":{}}},"accounts":{"keys":[{"file":%q}]}}}`,
		g.mail.url, sha256Hex(annToken), sha256Hex(bobToken), sha256Hex(opsToken), key)
	g.gateway = startGateway(t, config, "--audit", g.audit, "--store", g.store)
	return g
}

const (
	annToken = "token-of-ann-at-the-gateway"
	bobToken = "token-of-bob-at-the-gateway"
	opsToken = "token-of-ops-at-the-gateway"
)

// login runs mcptest gateway login, and consents in the browser of the operator.
func (g *oauthGateway) login(t *testing.T) {
	t.Helper()
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "gateway", "login", "mail", "--config", g.config, "--store", g.store)
	log := &syncBuffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`http://\S+/auth\?\S+`)
	g.until(t, "the URL to open", func() bool { return address.MatchString(log.String()) })
	if status, body := newBrowser(t, "ops", g.issuer, "").open(t, address.FindString(log.String())); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("login: %v\n%s", err, log)
	}
	if !strings.Contains(log.String(), "connected to mail through "+g.issuer) {
		t.Errorf("login printed %s", log)
	}
}

// Each call carries the token of its own user, while tokens expire and are refreshed.
func TestEachCallCarriesTheTokenOfItsUser(t *testing.T) {
	t.Parallel()
	g := startOAuthGateway(t, 2*time.Second)
	base := strings.TrimSuffix(g.url, "/mcp")
	g.until(t, "the reason in the status", func() bool {
		_, body := g.get(t, "/status", opsToken)
		return strings.Contains(body, "no account is connected") && strings.Contains(body, "mcptest gateway login mail")
	})
	g.login(t)
	g.until(t, "the tool is listed", func() bool {
		_, body, _ := g.call(t.Context(), annToken, "mail__whoami", `{"from":"ann"}`)
		return strings.Contains(body, `"connect_url":"`+base+`/connect?server=mail"`)
	})
	if n := g.mail.calls.Load(); n != 0 {
		t.Fatalf("%d calls without an account of the caller", n)
	}
	ann, bob := newBrowser(t, "ann", g.issuer, base), newBrowser(t, "bob", g.issuer, base)
	ann.connect(t, annToken, mailForm)
	bob.connect(t, bobToken, mailForm)
	g.checkLists(t)
	g.load(t, 3*time.Second, 30*time.Second)

	// the token lacks a scope: the caller is told which, and where to grant it
	_, body, _ := g.call(t.Context(), annToken, "mail__send", `{"from":"ann"}`)
	more := base + "/connect?scope=mail%3Awrite&server=mail"
	if !strings.Contains(body, "requires more scopes: mail:write") || !strings.Contains(body, "AuthorizationError") {
		t.Errorf("too few scopes: %s", body)
	}
	if _, page := ann.open(t, more); !strings.Contains(page, "Grant more") {
		t.Errorf("page: %s", page)
	}
	ann.connect(t, annToken, `{"server":"mail","scopes":["mail:write"]}`)
	g.says(t, annToken, "mail__send", "ann", "you are ann")

	// a gateway that starts again has the accounts
	g.stop(t)
	g.gateway = g.again(t)
	g.until(t, "the accounts after a restart", func() bool {
		_, body, _ := g.call(t.Context(), bobToken, "mail__whoami", `{"from":"bob"}`)
		return strings.Contains(body, "you are bob")
	})

	// what the authorization server ends is ended for this user only
	if status, body := ann.open(t, g.issuer+"/test/revoke?user=ann"); status != 200 {
		t.Fatal(status, body)
	}
	g.until(t, "the account of ann has ended", func() bool {
		_, body, _ := g.call(t.Context(), annToken, "mail__whoami", `{"from":"ann"}`)
		return strings.Contains(body, "no longer accepts the refresh token") && strings.Contains(body, "connect_url")
	})
	g.says(t, bobToken, "mail__whoami", "bob", "you are bob")
	g.checkRecords(t)
}

// checkLists checks that each user sees what the server lists for its own account: in the list of tools, in the catalog
// and in searches.
func (g *oauthGateway) checkLists(t *testing.T) {
	t.Helper()
	for user, token := range map[string]string{"ann": annToken, "bob": bobToken, "": opsToken} {
		seen := g.list(t, token)
		for _, path := range []string{"/catalog/tools", "/catalog/search?query=whoami", "/catalog/search?query=only"} {
			_, body := g.get(t, path, token)
			seen += body
		}
		for _, other := range []string{"ann", "bob", "ops"} {
			if strings.Contains(seen, "only_"+other) != (user == other) {
				t.Errorf("%q sees the tool of %s: %v\n%s", user, other, user != other, seen)
			}
		}
	}
}

// list returns the list of tools of a caller.
func (g *gateway) list(t *testing.T, token string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, g.url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list",`+
		`"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization": {"Bearer " + token}, "Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/list"}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return string(body)
}

// load calls as both users until several tokens have expired.
func (g *oauthGateway) load(t *testing.T, short, long time.Duration) {
	t.Helper()
	if os.Getenv("MCPTEST_FULL") != "" {
		short = long
	}
	var wg sync.WaitGroup
	var done atomic.Int64
	end := time.Now().Add(short)
	for i := range 8 {
		user, token := "ann", annToken
		if i%2 == 1 {
			user, token = "bob", bobToken
		}
		wg.Go(func() {
			for time.Now().Before(end) {
				status, body, err := g.call(t.Context(), token, "mail__whoami", `{"from":"`+user+`"}`)
				if err != nil || !strings.Contains(body, "you are "+user) {
					t.Errorf("%s: %d %s %v", user, status, body, err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	g.mail.mu.Lock()
	defer g.mail.mu.Unlock()
	if len(g.mail.crossed) > 0 || done.Load() == 0 || len(g.mail.tokens) < 5 {
		t.Errorf("%d calls with %d tokens, crossed: %v", done.Load(), len(g.mail.tokens), g.mail.crossed)
	}
	t.Logf("%d calls in %v with %d tokens", done.Load(), short, len(g.mail.tokens))
}

func (g *oauthGateway) says(t *testing.T, token, tool, from, want string) {
	t.Helper()
	if status, body, err := g.call(t.Context(), token, tool, `{"from":"`+from+`"}`); err != nil ||
		!strings.Contains(body, want) {
		t.Errorf("%s: %d %s %v, want %q", tool, status, body, err, want)
	}
}

// checkRecords checks what was recorded: no token of a caller reached the server, no token is in the log, the audit log
// and the store, and the audit log has who did what.
func (g *oauthGateway) checkRecords(t *testing.T) {
	t.Helper()
	g.mail.mu.Lock()
	defer g.mail.mu.Unlock()
	files := g.log.String()
	for _, name := range []string{g.audit, g.store, g.store + "-wal"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files += string(text)
	}
	for value := range g.mail.tokens {
		token := strings.TrimPrefix(value, "Bearer ")
		for _, own := range []string{annToken, bobToken, opsToken} {
			if token == own {
				t.Errorf("the token of a caller was sent to the server")
			}
		}
		if token != "" && strings.Contains(files, token) {
			t.Errorf("a token is in the log, the audit log or the store: %s", token)
		}
	}
	audit, _ := os.ReadFile(g.audit)
	for _, want := range []string{`"action":"connect","caller":"ann","server":"mail"`,
		`"action":"connect","caller":"bob","server":"mail"`, `"caller":"ann","server":"mail","tool":"whoami"`,
		`"caller":"bob","server":"mail","tool":"whoami"`, `"outcome":"AuthorizationError"`} {
		if !strings.Contains(string(audit), want) {
			t.Errorf("the audit log lacks %s", want)
		}
	}
}

// Nobody can make another user connect an account for them, and the page obeys no other site.
func TestAccountsOfOthersCannotBeConnected(t *testing.T) {
	t.Parallel()
	g := startOAuthGateway(t, time.Minute)
	base := strings.TrimSuffix(g.url, "/mcp")
	ann, bob := newBrowser(t, "ann", g.issuer, base), newBrowser(t, "bob", g.issuer, base)

	// bob sends ann a link to connect her account for him
	link := bob.start(t, bobToken, mailForm)
	if u, err := url.Parse(link); err != nil || u.Query().Get("redirect_uri") != base+"/connect/callback" ||
		u.Query().Get("resource") != g.mail.url || u.Query().Get("code_challenge_method") != "S256" {
		t.Errorf("authorization request %s", link)
	}
	if status, body := ann.open(t, link); status != http.StatusForbidden || !strings.Contains(body, "did not start") {
		t.Errorf("without being signed in: %d %s", status, body)
	}
	ann.start(t, annToken, mailForm)
	if status, body := ann.open(t, link); status != http.StatusForbidden || !strings.Contains(body, "did not start") {
		t.Errorf("signed in: %d %s", status, body)
	}
	// another user signs in in the browser that started it
	link = ann.start(t, annToken, mailForm)
	ann.start(t, bobToken, mailForm)
	if status, body := ann.open(t, link); status != http.StatusForbidden {
		t.Errorf("as another user: %d %s", status, body)
	}
	for _, b := range []*webBrowser{ann, bob} {
		if _, body := b.open(t, base+"/connect"); strings.Contains(body, "Connected through") {
			t.Errorf("an account is connected: %s", body)
		}
	}

	if status, body := bob.post(t, "start", `{"server":"mail","gateway":true}`); status != http.StatusNotFound {
		t.Errorf("the account of the gateway, without manage: %d %s", status, body)
	}
	eve := newBrowser(t, "eve", g.issuer, base)
	if status, _ := eve.post(t, "signin", `{"token":"wrong"}`); status != http.StatusUnauthorized {
		t.Errorf("a wrong token signs in: %d", status)
	}
	if status, _ := eve.post(t, "start", mailForm); status != http.StatusUnauthorized {
		t.Errorf("start without signing in: %d", status)
	}
	for name, set := range map[string]func(*http.Request){
		"another origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"another site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"a form":         func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
	} {
		r, err := http.NewRequest(http.MethodPost, base+"/connect/start", strings.NewReader(mailForm))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		set(r)
		resp, err := bob.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			t.Errorf("%s: accepted", name)
		}
	}
}
