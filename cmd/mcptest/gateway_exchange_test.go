package main

import (
	"fmt"
	"net/url"
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
