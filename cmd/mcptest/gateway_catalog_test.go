package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// catalog runs mcptest catalog against the running gateway.
func (g *gateway) catalog(args ...string) (stdout, stderr string, code int) {
	return runCLI(append(append([]string{"catalog"}, args...), "--gateway", g.url, "--header",
		"Authorization: Bearer "+g.token)...)
}

func toolFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tool.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const teaTool = `{"name":"brew_tea","server":"kitchen","description":"Brews a hot drink from leaves.",` +
	`"parameters":{"type":"object", "properties": {"cups":{"maximum":1.0e1}}},` +
	`"tags":["drinks"],"timeout":"90s","run":{"upstream":{"server":"demo","tool":"echo"}}}`

// Every command on a catalog says the same of a running gateway as of the store that the gateway keeps it in.
func TestCatalogOfARunningGateway(t *testing.T) {
	g := startGateway(t, oneDemo)
	g.ready(t, g.token, "demo__echo")
	tea := toolFile(t, teaTool)
	for _, step := range []struct {
		args   string // against the gateway
		code   int
		stdout string
		stderr string
	}{
		{"add " + tea, 0, "registered kitchen/brew_tea, version 1", ""},
		{"add " + tea, 2, "", "kitchen/brew_tea is already registered, at version 1"},
		{"update " + tea + " --seen 1", 0, "updated kitchen/brew_tea, version 2", ""},
		{"update " + tea + " --seen 1", 2, "", "at version 2, but the update was made for version 1"},
		{"update " + tea, 2, "", ": missing version"},
		{"show brew_tea --json", 0, `"parameters":{"type":"object", "properties": {"cups":{"maximum":1.0e1}}}`, ""},
		{"show nothing", 2, "", "tool nothing not found in the catalog"},
		{"add " + toolFile(t, `{"name":"x","run":{"func":"none"}}`), 2, "", `unknown function "none"`},
		{"add " + toolFile(t, `{"name":"x","run":{"http":{"method":"GET","url":"https://elsewhere.example/"}}}`), 2, "",
			"elsewhere.example"},
		{"remove demo/echo", 2, "", "it is listed by its server"},
		{"list --server kitchen", 0, "1 tool\n", ""},
		{"search 'hot", 0, "kitchen/brew_tea", ""},
	} {
		stdout, stderr, code := g.catalog(strings.Fields(step.args)...)
		if code != step.code || !strings.Contains(stdout, step.stdout) || !strings.Contains(stderr, step.stderr) {
			t.Errorf("catalog %s: exit %d, %s%s; want %d, %s%s", step.args, code, stdout, stderr, step.code,
				step.stdout, step.stderr)
		}
	}
	for _, args := range []string{"list", "list --json", "list *TEA --tag drinks", "list --annotation readOnlyHint",
		"search leaves", "search leaves --also echo --limit 3 --json",
		"show kitchen/brew_tea", "show echo --json", "export", "export --server kitchen", "show nothing"} {
		here, hereErr, hereCode := g.catalog(strings.Fields(args)...)
		there, thereErr, thereCode := runCLI(append(append([]string{"catalog"}, strings.Fields(args)...), "--config",
			g.config)...)
		if here != there || hereErr != thereErr || hereCode != thereCode {
			t.Errorf("catalog %s: the gateway says %d\n%s%s\nthe store %d\n%s%s", args, hereCode, here, hereErr,
				thereCode, there, thereErr)
		}
	}
	all, _, _ := g.catalog("export")
	file := toolFile(t, all)
	stdout, _, _ := g.catalog("import", file)
	if !strings.HasPrefix(stdout, "0 tools added, 0 updated, 1 unchanged, ") ||
		!strings.Contains(stdout, "skipped: listed by their servers") {
		t.Errorf("import of what is there: %s, want one unchanged, and what the demo lists left out", stdout)
	}
	if stdout, stderr, code := g.catalog("remove", "brew_tea"); code != 0 ||
		!strings.Contains(stdout, "removed kitchen/brew_tea") {
		t.Errorf("remove: exit %d, %s%s", code, stdout, stderr)
	}
	if _, body, err := g.call(t.Context(), g.token, "kitchen__brew_tea", `{}`); err != nil ||
		!strings.Contains(body, "Unknown tool") {
		t.Errorf("a call of the removed tool: %s %v, want it unknown", body, err)
	}
	if stdout, _, _ := g.catalog("import", file); !strings.HasPrefix(stdout, "1 tool added") {
		t.Errorf("import after the removal: %s, want one added", stdout)
	}
	if _, body, err := g.call(t.Context(), g.token, "kitchen__brew_tea", `{"message":"hi"}`); err != nil ||
		!strings.Contains(body, `"text":"hi"`) {
		t.Errorf("a call of the imported tool: %s %v, want it to run", body, err)
	}
}

// A gateway tells its callers of what they may use, and lets those change it who may.
func TestCatalogOfAGatewayIsGuarded(t *testing.T) {
	sum := func(token string) string { s := sha256.Sum256([]byte(token)); return hex.EncodeToString(s[:]) }
	g := startGateway(t, `{"mcpServers":{"demo":{"command":"MCPTEST","args":["demo"]}},`+
		`"gateway":{"callers":[{"name":"ada","token_sha256":"`+sum("token-of-ada")+
		`","allow":["demo/echo","kitchen"]},{"name":"ops","token_sha256":"`+sum("token-of-ops")+`","manage":true}]}}`)
	g.ready(t, "token-of-ada", "demo__echo")
	tea := toolFile(t, teaTool)
	for _, step := range []struct {
		token, args string
		code        int
		stdout      string
		stderr      string
	}{
		{"", "list", 2, "", "rejected the token, or no token was sent"},
		{"wrong", "list", 2, "", "rejected the token, or no token was sent"},
		{"token-of-ada", "add " + tea, 2, "", "not allowed to change the catalog"},
		{"token-of-ops", "add " + tea, 0, "registered", ""},
		{"token-of-ada", "remove kitchen/brew_tea", 2, "", "not allowed to change the catalog"},
		{"token-of-ada", "list", 0, "2 tools", ""},
		{"token-of-ada", "show write_note", 2, "", "tool write_note not found in the catalog"},
		{"token-of-ops", "show write_note", 0, `"write_note"`, ""},
		{"token-of-ops", "show brew_tea", 0, `"upstream"`, ""},
		{"wrong", "approve", 2, "", "rejected the token"},
		{"token-of-ops", "approve", 0, "no definitions are waiting", ""},
	} {
		g.token = step.token
		stdout, stderr, code := g.catalog(strings.Fields(step.args)...)
		if code != step.code || !strings.Contains(stdout, step.stdout) || !strings.Contains(stderr, step.stderr) {
			t.Errorf("catalog %s with %q: exit %d, %s%s; want %d, %s%s", step.args, step.token, code, stdout, stderr,
				step.code, step.stdout, step.stderr)
		}
	}
	g.token = "token-of-ada"
	if stdout, _, _ := g.catalog("show", "brew_tea"); !strings.Contains(stdout, "brew_tea") ||
		strings.Contains(stdout, `"run"`) {
		t.Errorf("to a caller who may not manage it, the tool is shown as %s; want it without how it is run", stdout)
	}
	for _, test := range []struct{ args, want string }{
		{"catalog list --gateway http://127.0.0.1:1", "refused"}, {"catalog list --gateway nowhere", "nowhere"},
		{"catalog list --gateway " + g.url + " --store x.db", "--store, --config and --gateway are mutually exclusive"},
		{"catalog list --header a:b", "--header requires --gateway"},
	} {
		if _, stderr, code := runCLI(strings.Fields(test.args)...); code < 2 || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit %d, %s; want %q", test.args, code, stderr, test.want)
		}
	}
}
