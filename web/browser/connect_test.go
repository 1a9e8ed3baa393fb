package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// A caller of a gateway signs in to its page, connects an account at a server, and disconnects it.
func TestConnectAccount(t *testing.T) {
	const token = "token-of-ann-at-the-gateway"
	sum := sha256.Sum256([]byte(token))
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(strings.Repeat("5c", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	mail := oauth.Start(t)
	address := startGatewayAt(t, `{"mcpServers":{"mail":{"url":`+quote(mail.URL(""))+`}},"gateway":{`+
		`"callers":[{"name":"ann <b>","token_sha256":"`+hex.EncodeToString(sum[:])+`"}],`+
		`"servers":{"mail":{"oauth":{}}},"accounts":{"keys":[{"file":`+quote(key)+`}]}}}`)
	p := open(t, strings.TrimSuffix(address, "/mcp")+"/connect?server=mail&scope=tools:write")
	p.expected = "401" // of the wrong token
	p.fill(`input[name=token]`, "wrong")
	p.click(`#signin button`)
	p.says(`#problem`, "does not accept this token")
	p.fill(`input[name=token]`, token)
	p.click(`#signin button`)
	p.says(`main`, "Signed in as ann <b>")
	p.says(`li.marked`, "Not connected")
	p.says(`li.marked`, "tools:write")
	p.click(`button[data-do=start]`)
	p.says(`li.marked p.ok`, "Connected through "+mail.Issuer(""))
	p.says(`li.marked`, "tools:write")
	p.click(`button[data-do=remove]`)
	p.says(`li.marked`, "Not connected")
	p.click(`#signout`)
	p.says(`main`, "Sign in to the gateway")
}
