package httpapi_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A call that was copied for curl sends the same again, once the secrets are filled in.
func TestCopiedCallSendsTheSame(t *testing.T) {
	p := newPage(t, nil, "")
	_, got := p.answering(func(mcp.Message) string { return `{"content":[]}` })
	address := p.server("scripted").URL
	s := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "s", URL: address,
			Header: []string{"Authorization: Bearer open-sesame-1", "X-Plain: it's plain"}})
	l := p.connect(view.NewLink{Server: s.ID})
	p.call(l.ID, view.NewCall{Name: "go", ArgumentsJSON: `{"a":"it's $HOME ${HOME} ${1}","n":1.0,"big":9007199254740993}`})
	sent := got.last("tools/call")
	copied := func(as string) view.Copy {
		return ask[view.Copy](p, "GET", "/api/links/"+l.ID+"/calls/1/copy?as="+as, nil)
	}
	if c := copied("mcptest"); !strings.Contains(c.Text,
		`--args '{"a":"it'\''s $HOME ${HOME} ${1}","n":1.0,"big":9007199254740993}' `) ||
		!strings.Contains(c.Text, `--header 'Authorization: $AUTHORIZATION'`) || c.Note == "" {
		t.Errorf("for mcptest: %+v", c)
	}
	if c := copied("jsonrpc"); !strings.Contains(c.Text, `"n": 1.0`) || !strings.Contains(c.Text, "9007199254740993") {
		t.Errorf("as JSON-RPC: %+v", c)
	}
	suiteTest(t, copied("suite"))
	p.refused("GET", "/api/links/"+l.ID+"/calls/1/copy?as=perl", nil, 400)
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed, so the copied command was not run")
	}
	c := copied("curl")
	cmd := exec.Command("sh", "-c", c.Text)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "AUTHORIZATION=open-sesame-1", "X_PLAIN=it's plain"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, c.Text)
	}
	got.mu.Lock()
	defer got.mu.Unlock()
	n := len(got.messages)
	if string(got.messages[n-1].Params) != sent || got.headers[n-1].Get("Authorization") != "Bearer open-sesame-1" ||
		got.headers[n-1].Get("X-Plain") != "it's plain" {
		t.Errorf("curl sent %s with %v; want %s", got.messages[n-1].Params, got.headers[n-1], sent)
	}
}

// suiteTest wants a copied call to be a suite that loads, with the arguments as they were and no secret.
func suiteTest(t *testing.T, c view.Copy) {
	t.Helper()
	files := suite.Files{Read: func(string) ([]byte, error) { return []byte(c.Text), nil }}
	plan, problems := suite.Load(files, func(name string) (string, bool) { return "x", true }, "copied.yaml")
	if len(problems) > 0 || len(plan.Tests()) != 1 || strings.Contains(c.Text, "open-sesame") {
		t.Fatalf("as a suite: %v\n%s", problems, c.Text)
	}
	if got, want := string(plan.Tests()[0].Steps[0].Args.JSON()),
		`{"a":"it's $HOME $${HOME} ${1}","n":1.0,"big":9007199254740993}`; got != want {
		t.Errorf("its arguments are %s, want %s", got, want)
	}
}
