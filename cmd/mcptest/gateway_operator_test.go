package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a server that does not come up the log tells what it said last, without the secrets in it; clients are not told.
func TestGatewayTellsLastWords(t *testing.T) {
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]},
		"broken":{"command":"sh","args":["-c","echo \"the key $API_KEY is not known\" >&2; exit 3"],"env":{"API_KEY":"canary-of-the-config"}}}}`)
	g.await(t,
		`"server":"broken","error":"communicate with broken: the server exited with status 3","stderr":"the key `)
	if strings.Contains(g.log.String(), "canary-of-the-config") {
		t.Errorf("the log holds a secret of the config:\n%s", g.log)
	}
	var status string
	await(t, "why the server is down", func() bool {
		_, status = g.get(t, "/status", g.token)
		return strings.Contains(status, "exited with status 3")
	})
	if strings.Contains(status, "is not known") {
		t.Errorf("status: %s, want it without the words of the server", status)
	}
}

// The log and the audit tell who changed the catalog, and who called what does not exist for it; neither has a value of
// an argument, nor a secret of a definition.
func TestGatewayKeepsWhoDidWhat(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("a-token-of-the-test"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := startGateway(t, `{"mcpServers":{},"gateway":{"http_hosts":["kitchen.example.com"]}}`, "--audit", audit,
		"--token-file", token, "--expose", "both")
	g.token = "a-token-of-the-test"
	tea := toolFile(t, `{"name":"tea","run":{"http":{"method":"GET","url":"https://kitchen.example.com/",`+
		`"header":{"X-Key":"canary-of-the-tool"}}}}`)
	for _, args := range [][]string{{"add", tea}, {"add", tea}, {"update", tea, "--seen", "1"}, {"remove", "tea"}} {
		g.catalog(args...)
	}
	for _, call := range [][2]string{{"no_such_tool", `{"a":"canary-argument"}`},
		{"invoke_tool", `{"name":"hidden__tool","arguments":{"a":"canary-argument"}}`}} {
		if _, body, err := g.call(t.Context(), g.token, call[0], call[1]); err != nil {
			t.Errorf("%s: %s %v", call[0], body, err)
		}
	}
	written, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	const kept = `"caller":"local","server":"","tool":`
	for _, want := range []string{
		`"action":"register",` + kept + `"tea","version":1`, `"action":"register",` + kept + `"tea","version":0`,
		`"outcome":"ConflictError"`,
		`"action":"update",` + kept + `"tea","version":2`, `"action":"remove",` + kept + `"tea","version":2`,
		kept + `"no_such_tool"`, kept + `"hidden__tool"`,
	} {
		if !strings.Contains(string(written), want) {
			t.Errorf("the audit has no %s:\n%s", want, written)
		}
	}
	for _, want := range []string{`"msg":"catalog change","tool":"tea","caller":"local","outcome":"SUCCESS",` +
		`"action":"remove","version":2`,
		`"msg":"call of unknown tool","tool":"no_such_tool","caller":"local","outcome":"NotFoundError",` +
			`"arguments":"a:string(17)"`,
		`"tool":"hidden__tool","caller":"local","outcome":"NotFoundError","arguments":"a:string(17)"`} {
		g.await(t, want)
	}
	if all := g.log.String() + string(written); strings.Contains(all, "canary") {
		t.Errorf("the log or the audit holds a secret:\n%s", all)
	}
}

// What the config says about callers is either kept or refused.
func TestGatewayCallersOfTheConfig(t *testing.T) {
	hash := strings.Repeat("a", 64)
	for _, test := range []struct {
		name, config string
		args         []string
		want         []string
	}{
		{"rights that --transparent does not keep",
			`{"mcpServers":{"demo":{"command":"no-such-program"}},"gateway":{"callers":[{"name":"ada","token_sha256":"` + hash + `","deny":["demo/fail"]}]}}`,
			[]string{"--transparent", "--listen", "127.0.0.1:0"},
			[]string{"--transparent does not filter by caller", `"ada"`}},
		{"a variable that is not set", `{"mcpServers":{"web":{"url":"http://127.0.0.1:1/mcp",` +
			`"headers":{"Authorization":"Bearer ${MCPTEST_NO_SUCH_VARIABLE}"}}}}`,
			[]string{"--store", "memory"}, []string{"MCPTEST_NO_SUCH_VARIABLE, which is not set", `"disabled": true`}},
	} {
		_, stderr, code := runCLI(append([]string{"gateway", "--config", toolFile(t, test.config)}, test.args...)...)
		for _, want := range test.want {
			if code != 2 || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit %d, %s; want 2 and %s", test.name, code, stderr, want)
			}
		}
	}
	g := startGateway(t, `{"mcpServers":{},"gateway":{"callers":[{"name":"ada","token_sha256":"`+hash+`"}]}}`)
	g.write(t, `{"mcpServers":{}}`)
	g.await(t, `require a restart of the gateway","file":"`+g.config+`","settings":"callers"`)
}
