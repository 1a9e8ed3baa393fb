package main

import (
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// audited starts a gateway whose audit log tells which calls were carried out.
func audited(t *testing.T, config string, args ...string) (g *gateway, carriedOut func() int) {
	t.Helper()
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	g = startGateway(t, config, append(args, "--audit", audit)...)
	return g, func() int {
		lines, err := os.ReadFile(audit)
		if err != nil {
			t.Fatal(err)
		}
		// which are none
		return bytes.Count(lines, []byte("\n")) - bytes.Count(lines, []byte(`"outcome":"NotFoundError"`))
	}
}

// send posts a body as a client of an era would, with more header pairs.
func (g *gateway) send(t *testing.T, body io.Reader, header ...string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err.Error()
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(answer)
}

// eras returns the headers of a call of a tool for each era; the older one gets a session.
func (g *gateway) eras(t *testing.T, tool string) map[string][]string {
	t.Helper()
	opening := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	status, header, body := g.send(t, strings.NewReader(opening))
	if status != 200 {
		t.Fatalf("initialize: %d %s", status, body)
	}
	return map[string][]string{
		"2025-11-25": {"Mcp-Session-Id", header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", "2025-11-25"},
		"2026-07-28": {"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool},
	}
}

const selfDescribed = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`

// echoCall is a call of demo__echo with params of its own, in either era.
func echoCall(protocol, params string) string {
	if protocol == "2026-07-28" {
		params += "," + selfDescribed
	}
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{` + params + `}}`
}

// What three readers of JSON take for different calls is carried out as none of them.
func TestC2GatewaySmuggling(t *testing.T) {
	g, carriedOut := audited(t, oneDemo, "--open")
	g.ready(t, "", "demo__echo")
	const plain = `"name":"demo__echo","arguments":{"message":"hi"}`
	before := carriedOut()
	for protocol, header := range g.eras(t, "demo__echo") {
		for name, body := range map[string]string{
			"a name twice":          echoCall(protocol, plain+`,"name":"demo__write_note"`),
			"a name twice, escaped": echoCall(protocol, plain+`,"n\u0061me":"demo__write_note"`),
			"another case":          echoCall(protocol, plain+`,"Name":"demo__write_note"`),
			"another case of all":   echoCall(protocol, plain+`,"ARGUMENTS":{"message":"other"}`),
			"an argument twice": echoCall(protocol,
				`"name":"demo__echo","arguments":{"message":"hi","message":"other"}`),
			"a long s": strings.TrimSuffix(echoCall(protocol, plain), "}") +
				`,"paramſ":{"name":"demo__write_note"}}`,
			"a method twice": strings.Replace(echoCall(protocol, plain), `"id":7`, `"id":7,"method":"ping"`, 1),
			"two messages":   echoCall(protocol, plain) + echoCall(protocol, plain),
		} {
			if readings := readThreeWays(body); len(readings) < 2 {
				t.Errorf("%s: all readers read %v; that is no smuggling", name, readings)
			}
			g.refuses(t, protocol+": "+name, body, header, carriedOut, before)
		}
		g.refuses(t, protocol+": a NUL", echoCall(protocol, `"name":"demo__echo\u0000","arguments":{"message":"hi"}`),
			header, carriedOut, before)
		g.refuses(t, protocol+": invalid UTF-8", echoCall(protocol,
			"\"name\":\"demo__echo\",\"arguments\":{\"message\":\"\xff\"}"), header, carriedOut, before)
		g.refuses(t, protocol+": a byte order mark", "\ufeff"+echoCall(protocol, plain), header, carriedOut, before)
	}
	modern := g.eras(t, "")["2026-07-28"]
	for name, header := range map[string][]string{
		"another name": {"Mcp-Name", "demo__write_note"},
		"another name, encoded": {"Mcp-Name", "=?base64?" +
			base64.StdEncoding.EncodeToString([]byte("demo__write_note")) + "?="},
		"the sentinel as a name": {"Mcp-Name", "=?base64?%%%?="},
		"another method":         {"Mcp-Name", "demo__echo", "Mcp-Method", "tools/list"},
		"another version":        {"Mcp-Name", "demo__echo", "Mcp-Protocol-Version", "2025-11-25"},
	} {
		g.refuses(t, "a header with "+name, echoCall("2026-07-28", plain),
			append(modern[:len(modern):len(modern)], header...), carriedOut, before)
	}
}

// readThreeWays lists what a lenient struct, a map and a strict reader take a text for.
func readThreeWays(body string) map[string]bool {
	readings := map[string]bool{}
	var loose struct {
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	err := json.NewDecoder(strings.NewReader(body)).Decode(&loose)
	readings[fmt.Sprint(loose.Method, loose.Params.Name, string(loose.Params.Arguments), err)] = true
	var exact struct {
		Method json.RawMessage
		Params map[string]json.RawMessage
	}
	whole := map[string]json.RawMessage{}
	err = json.Unmarshal([]byte(body), &whole)
	_ = json.Unmarshal(whole["params"], &exact.Params)
	var method, tool string
	_, _ = json.Unmarshal(whole["method"], &method), json.Unmarshal(exact.Params["name"], &tool)
	readings[fmt.Sprint(method, tool, string(exact.Params["arguments"]), err)] = true
	if !jsontext.Value(body).IsValid() {
		readings["refused"] = true
	}
	return readings
}

// refuses sees that a body is answered with an error and carried out by nobody.
func (g *gateway) refuses(t *testing.T, what, body string, header []string, carriedOut func() int, before int) {
	t.Helper()
	status, _, answer := g.send(t, strings.NewReader(body), header...)
	if !strings.Contains(answer, `"error":{"code":-32`) || status >= 500 {
		t.Errorf("%s: %d %s, want it refused", what, status, answer)
	}
	if n := carriedOut(); n != before {
		t.Errorf("%s was carried out: %d calls, want %d", what, n, before)
	}
}

// A body is at most 4 MiB, however it comes; one byte more is refused before it is read to its end.
func TestC5GatewayBodies(t *testing.T) {
	g, carriedOut := audited(t, oneDemo, "--open")
	g.ready(t, "", "demo__echo")
	for protocol, header := range g.eras(t, "demo__echo") {
		body := func(size int) string {
			text := echoCall(protocol, `"name":"demo__echo","arguments":{"message":"hi"}`)
			return text[:len(text)-1] + strings.Repeat(" ", size-len(text)) + "}"
		}
		for size, want := range map[int]int{netguard.MaxBody: 200, netguard.MaxBody + 1: 413} {
			for _, chunked := range []bool{false, true} {
				var reader io.Reader = strings.NewReader(body(size))
				if chunked {
					reader = io.MultiReader(reader) // hides its length
				}
				if status, _, answer := g.send(t, reader, header...); status != want {
					t.Errorf("%s: %d bytes, chunked %v: %d %.200s, want %d", protocol, size, chunked, status, answer,
						want)
				}
			}
		}
		before := carriedOut()
		var bomb bytes.Buffer
		packed := gzip.NewWriter(&bomb)
		_, _ = packed.Write([]byte(body(3 << 20)))
		_ = packed.Close()
		if status, _, answer := g.send(t, &bomb, append(header[:len(header):len(header)], "Content-Encoding",
			"gzip")...); status < 400 || status >= 500 {
			t.Errorf("%s: a packed body: %d %.200s, want it refused", protocol, status, answer)
		}
		if n := carriedOut(); n != before {
			t.Errorf("%s: a packed body was carried out", protocol)
		}
	}
	endless := &countingReader{}
	status, _, _ := g.send(t, endless, g.eras(t, "demo__echo")["2026-07-28"]...)
	if status == 200 || endless.n > netguard.MaxBody+(16<<20) {
		t.Errorf("an endless body: %d after %d bytes, want it cut off", status, endless.n)
	}
	if status, _, _ := g.send(t, strings.NewReader(`{}`), "X-Large",
		strings.Repeat("x", 64<<10)); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 64 KiB: %d, want 431", status)
	}
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(g.url, "http://"), "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	if answer, _ := io.ReadAll(io.LimitReader(conn, 100)); bytes.Contains(answer, []byte(" 200 ")) {
		t.Errorf("HTTP/2 without TLS is served: %q", answer)
	}
	g.ready(t, "", "demo__echo")
}

// A countingReader is a JSON text that never ends.
type countingReader struct{ n int }

func (r *countingReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	r.n += len(p)
	return len(p), nil
}

// issuing starts an issuer, and returns its URL and what signs tokens.
func issuing(t *testing.T) (url string, sign func(alg string, claims map[string]any) string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	keys := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"keys":[{"kty":"RSA","kid":"k","n":%q,"e":%q}]}`, b64(key.N.Bytes()),
			b64(big.NewInt(int64(key.E)).Bytes()))
	}))
	t.Cleanup(keys.Close)
	return keys.URL, func(alg string, claims map[string]any) string {
		header, _ := json.Marshal(map[string]string{"alg": alg, "kid": "k"})
		body, _ := json.Marshal(claims)
		text := b64(header) + "." + b64(body)
		sum := sha256.Sum256([]byte(text))
		signature, _ := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		if alg == "none" {
			signature = nil
		}
		return text + "." + b64(signature)
	}
}

// A token of an issuer lets in only whom it is for; others are told precisely why, and nothing is carried out.
func TestA10GatewayTokens(t *testing.T) {
	issuer, sign := issuing(t)
	const audience = "https://gateway.example.com/mcp"
	claims := func(name string, value any) map[string]any {
		c := map[string]any{"iss": issuer, "aud": audience, "sub": "user-1", "exp": time.Now().Add(time.Hour).Unix(),
			"scope": "tools"}
		c[name] = value
		return c
	}
	g, carriedOut := audited(t, fmt.Sprintf(`{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},`+
		`"gateway":{"jwt":{"issuer":%q,"audience":%q,"jwks_url":%q,"scope":"tools"},`+
		`"callers":[{"name":"ada","subject":"user-1"}]}}`, issuer, audience, issuer+"/keys"))
	g.ready(t, sign("RS256", claims("", nil)), "demo__echo")
	before := carriedOut()
	for name, test := range map[string]struct {
		token   string
		status  int
		problem string
	}{
		"another audience":  {sign("RS256", claims("aud", "https://other.example.com/mcp")), 401, "invalid_token"},
		"another issuer":    {sign("RS256", claims("iss", "https://evil.example")), 401, "invalid_token"},
		"expired":           {sign("RS256", claims("exp", time.Now().Add(-time.Hour).Unix())), 401, "invalid_token"},
		"no algorithm":      {sign("none", claims("", nil)), 401, "invalid_token"},
		"another algorithm": {sign("HS256", claims("", nil)), 401, "invalid_token"},
		"garbage":           {"opaque-garbage", 401, "invalid_token"},
		"too small a scope": {sign("RS256", claims("scope", "other")), 403, "insufficient_scope"},
		"an unknown caller": {sign("RS256", claims("sub", "user-2")), 403, "insufficient_scope"},
		"no token":          {"", 401, ""},
	} {
		header := g.tokenHeader(test.token)
		status, answer, body := g.send(t, strings.NewReader(echoCall("2026-07-28",
			`"name":"demo__echo","arguments":{"message":"hi"}`)), header...)
		said := answer.Get("WWW-Authenticate")
		if status != test.status || !strings.HasPrefix(said, "Bearer ") ||
			!strings.Contains(said,
				`resource_metadata="https://gateway.example.com/.well-known/oauth-protected-resource`) ||
			test.problem != "" && !strings.Contains(said, `error="`+test.problem+`"`) {
			t.Errorf("%s: %d %q %s, want %d %s", name, status, said, body, test.status, test.problem)
		}
		if test.token != "" && strings.Contains(body+said+g.log.String(), test.token) {
			t.Errorf("%s: the token is told", name)
		}
	}
	if n := carriedOut(); n != before {
		t.Errorf("%d calls were carried out, want none", n-before)
	}
}

// tokenHeader is the header of a call of demo__echo with a token.
func (g *gateway) tokenHeader(token string) []string {
	header := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "demo__echo"}
	if token != "" {
		header = append(header, "Authorization", "Bearer "+token)
	}
	return header
}
