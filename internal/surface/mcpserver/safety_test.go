package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// ping is a request that would open a session.
const ping = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`

// knock sends one request and returns status, header and body.
func knock(t *testing.T, method, url string, header map[string]string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(ping))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range header {
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
		if value == "" {
			req.Header.Del(name)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, string(body)
}

// TestCallersAreChecked is A1 to A3 and A5: token, Host, Origin and content type on every route, with constant answers.
func TestCallersAreChecked(t *testing.T) {
	u := newUser(t)
	e := u.listen()
	origin := strings.TrimSuffix(e.url, "/mcp")
	port := origin[strings.LastIndexByte(origin, ':'):]
	token := "Bearer " + e.tokens[0]
	if status, _, body := knock(t, "POST", e.url, map[string]string{"Authorization": token}); status != 200 {
		t.Fatalf("with a token: %d %s", status, body)
	}
	for name, c := range map[string]struct {
		header map[string]string
		want   int
	}{
		"no token":       {map[string]string{}, 401},
		"wrong token":    {map[string]string{"Authorization": "Bearer " + strings.Repeat("x", 44)}, 401},
		"garbage":        {map[string]string{"Authorization": "Bearer"}, 401},
		"basic":          {map[string]string{"Authorization": "Basic " + e.tokens[0]}, 401},
		"half a token":   {map[string]string{"Authorization": token[:30]}, 401},
		"evil host":      {map[string]string{"Authorization": token, "Host": "evil.example"}, 403},
		"rebinding host": {map[string]string{"Authorization": token, "Host": "evil.example" + port}, 403},
		"forged headers": {map[string]string{"X-Forwarded-For": "127.0.0.1", "X-Forwarded-Host": "localhost",
			"X-Principal": "a"}, 401},
		"evil origin": {map[string]string{"Authorization": token, "Origin": "https://evil.example"}, 403},
		"null origin": {map[string]string{"Authorization": token, "Origin": "null"}, 403},
		"https origin": {map[string]string{"Authorization": token,
			"Origin": strings.Replace(origin, "http:", "https:", 1)}, 403},
		"other port": {map[string]string{"Authorization": token, "Origin": "http://127.0.0.1:1"}, 403},
		"suffix":     {map[string]string{"Authorization": token, "Origin": "http://localhost.evil" + port}, 403},
		"cross site": {map[string]string{"Authorization": token, "Sec-Fetch-Site": "cross-site"}, 403},
		"text":       {map[string]string{"Authorization": token, "Content-Type": "text/plain"}, 415},
		"form": {map[string]string{"Authorization": token,
			"Content-Type": "application/x-www-form-urlencoded"}, 415},
		"multipart": {map[string]string{"Authorization": token,
			"Content-Type": "multipart/form-data; boundary=x"}, 415},
		"no content type":  {map[string]string{"Authorization": token, "Content-Type": ""}, 415},
		"type before auth": {map[string]string{"Content-Type": "text/plain"}, 415},
	} {
		for _, path := range []string{"/mcp", "/", "/other"} {
			status, header, body := knock(t, "POST", origin+path, c.header)
			if status != c.want || strings.TrimSpace(body) != http.StatusText(c.want) ||
				header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s at %s: %d %q; want %d and nothing else", name, path, status, body, c.want)
			}
		}
	}
	for _, method := range []string{"GET", "OPTIONS", "DELETE"} {
		status, header, body := knock(t, method, e.url, map[string]string{"Origin": "https://evil.example"})
		if status != 403 || header.Get("Access-Control-Allow-Origin") != "" || strings.Contains(body, e.tokens[0]) {
			t.Errorf("%s from a foreign page: %d %v", method, status, header)
		}
	}
	if said := e.output.String(); strings.Contains(said, e.tokens[0]) || strings.Contains(said, e.tokens[1]) {
		t.Errorf("the token is in the output: %s", said)
	}
}

// TestBind is A4: nothing but loopback without a word of the user's.
func TestBind(t *testing.T) {
	u := newUser(t)
	for _, address := range []string{"0.0.0.0:0", "0:0", "0x0:0", "[::]:0", "[::ffff:0:0]:0", "１２７.0.0.1:0",
		"10.0.0.1:0", "evil:0", "127.1:0", ""} {
		out, err := u.command("serve", "--listen="+address, "--token-file", filepath.Join(u.home, "t")).CombinedOutput()
		if address == "" {
			continue // no address means standard input, which ends at once
		}
		if err == nil || !strings.Contains(string(out), "--listen") {
			t.Errorf("--listen %s: %v\n%s", address, err, out)
		}
	}
	file := filepath.Join(u.home, "open")
	if err := os.WriteFile(file, []byte(strings.Repeat("a", 44)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := u.command("serve", "--listen=127.0.0.1:0", "--token-file", file).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "chmod 600") {
		t.Errorf("a token file that all can read: %v\n%s", err, out)
	}
}

// TestPrincipals gives two callers the same endpoint, and neither sees anything of the other's.
func TestPrincipals(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			u := newUser(t)
			e := u.listen()
			a, b := u.http(e, e.tokens[0], revision), u.http(e, e.tokens[1], revision)
			a.call("connect_to_server", `{"url":"demo","connection":"mine"}`).ok()
			pending := a.call("call_tool",
				`{"name":"ask_user","arguments":{"question":"?"}}`).at("/tool_call/pending/id")
			b.call("get_connection_status", `{}`).fits("get_connection_status (not connected)").has("/connections",
				"[]").has("/pending", "[]")
			b.call("use_connection",
				`{"connection":"mine"}`).fails("not_connected").has("/error/details/open_connections", "[]")
			b.call("call_tool",
				`{"name":"echo","arguments":{"message":"x"},"connection":"mine"}`).fails("not_connected")
			b.call("answer", fmt.Sprintf(`{"id":%q,"answers":[]}`, pending)).fails("invalid_arguments")
			again := u.http(e, e.tokens[0], revision) // the same caller once more: the modern era has no session
			again.call("get_connection_status", `{}`).ok().has("/connection/name", "mine")
		})
	}
	u := newUser(t)
	e := u.listen()
	_, header, _ := knock(t, "POST", e.url, map[string]string{"Authorization": "Bearer " + e.tokens[0]})
	session := header.Get("Mcp-Session-Id")
	if status, _, body := knock(t, "POST", e.url,
		map[string]string{"Authorization": "Bearer " + e.tokens[1], "Mcp-Session-Id": session}); session == "" ||
		status != 404 {
		t.Errorf("another caller's session %q: %d %s", session, status, body)
	}
}

// TestSpawning is A11: an assistant starts only what the user approved, and never over HTTP.
func TestSpawning(t *testing.T) {
	u := newUser(t)
	config := func(mode string) string {
		return u.configure(map[string]any{"files": misbehaving(mode), "other": misbehaving("works")})
	}
	file := config("works")
	start := func() *client {
		return u.stdio(eras["legacy"], "--config", file, "--agent-may-spawn", "files", "--agent-may-spawn", "demo")
	}
	start().call("connect_to_server", `{"url":"files"}`).fails("connection_failed").has("/error/details/reason",
		"not_allowed").
		contains("/error/details/program", self()).contains("/error/suggestion", "--approve")
	u.approve(file, "files")
	c := start()
	c.call("connect_to_server", `{"url":"files"}`).ok().has("/connection/transport",
		"stdio").has("/connection/server_info/name", "works")
	c.call("disconnect", `{}`).ok()
	for _, url := range []string{"other", "npx -c id", "docker run -v /:/h x", "-- sh", "sh", "./x", "files --flag",
		"cursor:files", "file:///bin/sh", "stdio:///bin/sh"} {
		c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, url)).fails("connection_failed")
	}
	for _, more := range []string{`"command":["sh"]`, `"env":{"LD_PRELOAD":"x"}`, `"cwd":"/"`,
		`"headers":{"A":"$HOME"}`, `"args":["x"]`} {
		c.call("connect_to_server", `{"url":"files",`+more+`}`).fails("invalid_arguments")
	}
	config("dies") // the name means another value now
	c.call("connect_to_server", `{"url":"files"}`).fails("connection_failed").has("/error/details/reason",
		"not_allowed")
	config("works")
	e := u.listen("--config", file, "--agent-may-spawn", "files")
	u.http(e, e.tokens[0], eras["modern"]).call("connect_to_server",
		`{"url":"files"}`).fails("connection_failed").has("/error/details/reason", "not_allowed")
}

// TestAddresses is A8: what an assistant names is dialled only if it is global, whatever it resolves to, unless the
// user allows private networks; link-local addresses never.
func TestAddresses(t *testing.T) {
	var reached atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		reached.Add(1)
		w.WriteHeader(404)
	}))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	closed := newUser(t).stdio(eras["modern"])
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "10.0.0.1",
		"192.168.1.1", "[::1]", "169.254.169.254", "[fe80::1]", "0.0.0.0", "100.100.100.200"} {
		a := closed.call("connect_to_server", fmt.Sprintf(`{"url":"http://%s:%s/mcp"}`, host,
			port)).fails("connection_failed")
		if reason := a.at("/error/details/reason"); reason != "address_blocked" && !strings.ContainsAny(host, "x") &&
			host != "2130706433" {
			t.Errorf("%s: %s", host, a.raw)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the server was reached %d times", n)
	}
	open := newUser(t).stdio(eras["modern"], "--allow-private")
	for _, host := range []string{"169.254.169.254", "[fe80::1]", "0.0.0.0"} {
		open.call("connect_to_server", fmt.Sprintf(`{"url":"http://%s/mcp"}`,
			host)).fails("connection_failed").has("/error/details/reason", "address_blocked")
	}
	redirect := httptest.NewServer(http.RedirectHandler("http://169.254.169.254/latest", http.StatusTemporaryRedirect))
	defer redirect.Close()
	open.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, redirect.URL)).fails("connection_failed")
}

// TestSecretsStay is A12: what the user gave in confidence reaches the origin that it is for, and nobody else: no other
// origin, no answer, no output.
func TestSecretsStay(t *testing.T) {
	const canary, number = "canary-3f9a77c1e0", "8812345678901"
	var seen [2]atomic.Int32
	serve := func(i int) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(fmt.Sprint(r.Header)+string(body)+r.URL.String(), canary) {
				seen[i].Add(1)
			}
			w.Header().Set("Content-Type", "application/json")
			id := "1"
			if m := bytes.SplitN(body, []byte(`"id":`), 2); len(m) == 2 {
				id, _, _ = strings.Cut(string(m[1]), ",")
			}
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},`+
				`"serverInfo":{"name":"%s","version":%q},"tools":[]}}`, id, r.Header.Get("Authorization"), "v")
		}))
	}
	mine, other := serve(0), serve(1)
	defer mine.Close()
	defer other.Close()
	u := newUser(t)
	works := misbehaving("works")
	works["env"] = map[string]string{"CANARY": canary, "API_KEY": number}
	file := u.configure(map[string]any{"files": works})
	u.approve(file, "files")
	c := func() *client {
		cmd := []string{"--config", file, "--agent-may-spawn", "files", "--allow-private", "--header-env",
			"TOKEN@" + mine.URL}
		return u.withEnv("TOKEN="+canary).stdio(eras["legacy"], cmd...)
	}()
	var answers bytes.Buffer
	keep := func(a answer) answer { answers.Write(a.raw); return a }
	keep(c.call("connect_to_server", fmt.Sprintf(`{"url":"%s/mcp","protocol":"2025-11-25"}`, mine.URL)).ok())
	keep(c.call("list_tools", `{}`))
	keep(c.call("get_transcript", `{"since":0}`).ok())
	keep(c.call("disconnect", `{}`).ok())
	keep(c.call("connect_to_server", fmt.Sprintf(`{"url":"%s/mcp?x=$TOKEN","protocol":"2025-11-25"}`, other.URL)))
	keep(c.call("disconnect", `{}`))
	keep(c.call("connect_to_server", `{"url":"files"}`).ok())
	told := keep(c.call("call_tool", `{"name":"go","arguments":{"x":`+number+`}}`).ok())
	told.has("/tool_call/result/content/0/text", "[redacted]").has("/tool_call/arguments/x", "[redacted]")
	keep(c.call("get_transcript", `{"since":0}`).ok())
	if seen[0].Load() == 0 || seen[1].Load() != 0 {
		t.Errorf("the header reached its origin %d times and another one %d times; want some and none", seen[0].Load(),
			seen[1].Load())
	}
	for _, secret := range []string{canary, number} {
		if all := answers.String() + c.stderr.String(); strings.Contains(all, secret) {
			i := strings.Index(all, secret)
			t.Errorf("%s is in what came back: …%s…", secret, all[max(0, i-200):i+60])
		}
	}
	if !json.Valid([]byte(`[` + strings.ReplaceAll(answers.String(), "}{", "},{") + `]`)) {
		t.Error("the answers are no JSON any more")
	}
}
