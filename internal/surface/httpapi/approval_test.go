package httpapi_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// A11: nothing is started that nobody has looked at, whatever is asked.
func TestA11NothingIsStartedWithoutApproval(t *testing.T) {
	argv, started := self(t)
	entry := func(args ...string) string {
		text, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"found": map[string]any{"command": argv[0],
			"args": args, "env": map[string]string{"STARTED": started}}}})
		return string(text)
	}
	p := newPage(t, nil, entry(asTarget))
	server := p.server("found")
	if server.Approval == nil || server.Approval.Approved {
		t.Fatalf("the server of a file is %+v, want it not approved", server)
	}
	problem := p.refused("POST", "/api/links", view.NewLink{Server: server.ID}, 403)
	if problem.Approval == nil || problem.Approval.Hash != server.Approval.Hash ||
		strings.Join(problem.Approval.Argv, " ") != strings.Join(argv, " ") {
		t.Errorf("the refusal shows %+v, want what would be started", problem.Approval)
	}
	p.refused("POST", "/api/approvals", map[string]string{"hash": strings.Repeat("0", 64)}, 404)
	p.refused("POST", "/api/approvals", map[string]string{"hash": ""}, 404)
	p.refused("POST", "/api/links", view.NewLink{Server: server.ID}, 403)
	if exists(started) {
		t.Fatal("it was started")
	}
	ask[view.Server](p, "POST", "/api/approvals", map[string]string{"hash": server.Approval.Hash})
	l := p.connect(view.NewLink{Server: server.ID})
	if !exists(started) {
		t.Fatal("it was approved, and not started")
	}
	_ = os.Remove(started)
	p.rewrite(entry(asTarget, "--more"))
	p.refused("POST", "/api/links", view.NewLink{Server: server.ID}, 403)
	p.refused("POST", "/api/links/"+l.ID+"/reconnect", nil, 403)
	if exists(started) {
		t.Error("it was started with arguments that nobody approved")
	}
}

// A11: what comes through the API reads no variable and no file of the person's, and loads no code.
func TestA11AddedServersReadNothingOfThePersons(t *testing.T) {
	argv, _ := self(t)
	t.Setenv("CANARY_OF_MINE", "canary-of-mine-1234")
	p := newPage(t, nil, "")
	for name, in := range map[string]view.NewServer{
		"a variable passed on": {Name: "x", Command: argv, Env: []string{"CANARY_OF_MINE"}},
		"LD_PRELOAD":           {Name: "x", Command: argv, Env: []string{"LD_PRELOAD=/tmp/x.so"}},
		"NODE_OPTIONS":         {Name: "x", Command: argv, Env: []string{"node_options=--require x"}},
		"PATH":                 {Name: "x", Command: argv, Env: []string{"PATH=/tmp"}},
		"a header's variable": {Name: "x", URL: "http://127.0.0.1:1/",
			Header: []string{"Authorization: Bearer $CANARY_OF_MINE"}},
		"a header's file": {Name: "x", URL: "http://127.0.0.1:1/",
			Header: []string{"Authorization: @/etc/passwd"}},
		"a header that frames": {Name: "x", URL: "http://127.0.0.1:1/", Header: []string{"Host: evil.example"}},
		"a broken header":      {Name: "x", URL: "http://127.0.0.1:1/", Header: []string{"X: a\r\nY: b"}},
		"another scheme":       {Name: "x", URL: "file:///etc/passwd"},
		"nothing":              {Name: "x"},
		"both":                 {Name: "x", URL: "http://127.0.0.1:1/", Command: argv},
	} {
		if status, _, body := p.send("POST", "/api/servers", encode(t, in), nil); status != 400 {
			t.Errorf("%s = %d %s, want 400", name, status, body)
		}
	}
	text := `{"mcpServers":{"a":{"command":"x","env":{"K":"${CANARY_OF_MINE}"}},"b":{"url":"http://127.0.0.1:1/",` +
		`"headers":{"Authorization":"Bearer ${CANARY_OF_MINE}"}},` +
		`"c":{"command":"x","envFile":"/etc/passwd"},"d":{"url":"http://127.0.0.1:1/mcp"}}}`
	got := ask[view.Imported](p, "POST", "/api/servers/import", map[string]string{"text": text})
	if len(got.Added) != 1 || got.Added[0].Name != "d" || len(got.Problems) != 3 {
		t.Errorf("import: %+v, want d alone and three problems", got)
	}
	if strings.Contains(encode(t, got), "canary-of-mine") {
		t.Error("a variable of the person's was read")
	}
}

// A11: an operation takes neither a command nor a file from a page.
func TestA11OperationsTakeNoCommandsAndFiles(t *testing.T) {
	argv, started := self(t)
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo"})
	for name, c := range map[string]struct{ path, input string }{
		"a command":         {"tools/list", `{"command":` + encode(t, argv) + `,"env":["STARTED=` + started + `"]}`},
		"a target":          {"schema-lint", `{"target":"/etc/passwd"}`},
		"a config":          {"tools/list", `{"config":"/etc/passwd"}`},
		"a header":          {"tools/list", `{"header":["A: @/etc/passwd"]}`},
		"a directory":       {"resources/read", `{"uri":"demo://a","save":"/tmp"}`},
		"a baseline":        {"schema-lint", `{"baseline":"/etc/passwd"}`},
		"writing":           {"schema-lint", `{"fix":true,"write":true}`},
		"arguments of @":    {"tools/call", `{"tool":"add","args":"@/etc/passwd"}`},
		"arguments of name": {"tools/call", `{"tool":"add","args":"/etc/passwd"}`},
		"servers":           {"servers", `{}`},
		"gateway":           {"gateway", `{}`},
		"listen":            {"listen", `{}`},
	} {
		event := p.run(c.path, l.ID, c.input)
		if event.Kind != "error" {
			t.Errorf("%s: %s %s, want an error", name, event.Kind, event.ResultJSON)
		}
	}
	if body := p.run("raw", l.ID, `{"body":"@/etc/passwd","wait":1000000}`); strings.Contains(body.ResultJSON,
		"root:") {
		t.Errorf("raw read a file: %s", body.ResultJSON)
	}
	for _, f := range ask[view.Frames](p, "GET", "/api/links/"+l.ID+"/frames", nil).Frames {
		if strings.Contains(f.Preview, "root:") {
			t.Errorf("frame %d holds a file: %s", f.Seq, f.Preview)
		}
	}
	if exists(started) {
		t.Error("a command was started")
	}
}
