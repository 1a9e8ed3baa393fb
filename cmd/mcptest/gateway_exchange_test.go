package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// The token of a caller is exchanged for one of the server, which never gets the first one.
func TestGatewayExchangesTokens(t *testing.T) {
	const audience = "https://gateway.example.com/mcp"
	issuer := npm.Require(t).Authority(t, time.Minute)
	mail := startMail(t, issuer)
	t.Setenv("GATEWAY_SECRET", "gateway-secret-of-the-test")
	g := startGateway(t, fmt.Sprintf(`{"mcpServers":{"mail":{"url":%q}},"gateway":{"jwt":{"issuer":%q,"audience":%q,`+
		`"jwks_url":%q,"roles":[{"name":"user","claims":{"scope":"mail:read"},"allow":["*"]}]},`+
		`"servers":{"mail":{"oauth":{"grant":"token_exchange","client_id":"gateway","client_secret":{"env":"GATEWAY_SECRET"}}}}}}`,
		mail.url, issuer, audience, issuer+"/jwks"), "--store", "memory")
	person := newBrowser(t, "", issuer, "")
	token := func(user string) string {
		_, text := person.open(t, issuer+"/test/token?"+url.Values{"user": {user}, "resource": {audience}}.Encode())
		return text
	}
	tokens := map[string]string{"ann": token("ann"), "bob": token("bob")}
	for _, user := range []string{"ann", "bob", "ann"} {
		g.until(t, "the call of "+user, func() bool {
			_, body, _ := g.call(t.Context(), tokens[user], "mail__whoami", `{"from":"`+user+`"}`)
			return strings.Contains(body, "you are "+user)
		})
	}
	mail.mu.Lock()
	defer mail.mu.Unlock()
	for user, one := range tokens {
		if mail.tokens["Bearer "+one] {
			t.Errorf("the token of %s for the gateway was sent to the server", user)
		}
	}
	if len(mail.crossed) > 0 || len(mail.tokens) != 4 { // of two users and of the gateway, and none before that
		t.Errorf("%d tokens, crossed: %v", len(mail.tokens), mail.crossed)
	}
}

// A person signs in to the page at the issuer of the gateway, and then connects an account.
func TestConnectPageSignsInAtTheIssuer(t *testing.T) {
	t.Parallel()
	const audience = "https://gateway.example.com/mcp"
	issuer := npm.Require(t).Authority(t, time.Minute)
	mail := startMail(t, issuer)
	key := filepath.Join(t.TempDir(), "page")
	if err := os.WriteFile(key, []byte("page-secret-of-the-test"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := startGateway(t, fmt.Sprintf(`{"mcpServers":{"mail":{"url":%q}},"gateway":{"jwt":{"issuer":%q,"audience":%q,`+
		`"jwks_url":%q,"roles":[{"name":"user","claims":{"scope":"mail:read"},"allow":["*"],"manage":true}]},`+
		`"servers":{"mail":{"oauth":{}}},"accounts":{"sign_in":{"client_id":"page","client_secret":{"file":%q}}}}}`,
		mail.url, issuer, audience, issuer+"/jwks", key), "--store", "memory")
	base := strings.TrimSuffix(g.url, "/mcp")
	begin := func(b *webBrowser) string {
		status, body := b.post(t, "issuer", `{"return":"?server=mail&scope=mail:write&other=x"}`)
		var answer struct{ URL string }
		if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 {
			t.Fatalf("sign in: %d %s", status, body)
		}
		return answer.URL
	}
	ann, eve := newBrowser(t, "ann", issuer, base), newBrowser(t, "eve", issuer, base)
	// nobody can sign in the browser of another person as themselves
	if status, body := ann.open(t, begin(eve)); status != http.StatusForbidden || strings.Contains(body, "Signed in") {
		t.Errorf("a link of eve: %d %s", status, body)
	}
	if status, body := ann.open(t, begin(ann)); status != 200 ||
		!strings.Contains(body, "Signed in as <strong>ann [user]") || !strings.Contains(body, "<code>mail:write</code>") {
		t.Errorf("signed in: %d %s", status, body)
	}
	for _, form := range []string{`{"server":"mail","gateway":true}`, mailForm} {
		status, body := ann.post(t, "start", form)
		var answer struct{ URL string }
		if err := json.Unmarshal([]byte(body), &answer); err != nil || status != 200 {
			t.Fatalf("start: %d %s", status, body)
		}
		if status, body := ann.open(t, answer.URL); status != 200 || !strings.Contains(body, "Connected through") {
			t.Fatalf("connect: %d %s", status, body)
		}
	}
	_, token := ann.open(t, issuer+"/test/token?"+url.Values{"user": {"ann"}, "resource": {audience}}.Encode())
	g.until(t, "the call of ann", func() bool {
		_, body, _ := g.call(t.Context(), token, "mail__whoami", `{"from":"ann"}`)
		return strings.Contains(body, "you are ann")
	})
}
