package httpapi_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// kept are the files of servers that were added, by name.
func (p *page) kept() map[string]string {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.dir, "kept", "*"))
	if err != nil {
		p.t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			p.t.Fatal(err)
		}
		all[file] = string(text)
	}
	return all
}

// A server that the page added is there after a restart, with the same id. What may be a secret has to be given again,
// and what starts a program is still approved, exactly as it was.
func TestAddedServersOutliveARun(t *testing.T) {
	argv, started := self(t)
	dir := t.TempDir()
	first := newPageIn(t, dir, nil, "")
	added := ask[view.Server](first, "POST", "/api/servers", view.NewServer{Name: "mine", Command: argv,
		Env: []string{"STARTED=" + started, "CANARY=canary-Value-1234"}})
	ask[view.Server](first, "POST", "/api/servers",
		view.NewServer{Name: "far", URL: "http://127.0.0.1:1/mcp",
			Header: []string{"Authorization: Bearer canary-1234", "X-Tenant: acme"}})
	ask[view.Server](first, "POST", "/api/approvals", map[string]string{"hash": added.Approval.Hash})
	if added.Unkept != "" || len(added.Missing) > 0 {
		t.Errorf("the server is %+v, want it kept and complete", added)
	}
	for file, text := range first.kept() {
		if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want it for its owner alone", file, info.Mode(), err)
		}
		if strings.Contains(text, "canary") {
			t.Errorf("%s holds a secret:\n%s", file, text)
		}
	}

	second := newPageIn(t, dir, nil, "")
	back, far := second.server("mine"), second.server("far")
	if back.ID != added.ID || !slices.Equal(back.Missing, []string{"CANARY"}) || !back.Approval.Approved {
		t.Fatalf("after a restart it is %+v, want the same, approved, without the value of CANARY", back)
	}
	if !slices.Equal(far.Missing, []string{"Authorization"}) ||
		!slices.Equal(far.Headers, []string{"Authorization", "X-Tenant"}) {
		t.Errorf("after a restart the other is %+v, want it without the value of Authorization", far)
	}
	second.refused("POST", "/api/links", view.NewLink{Server: back.ID}, 400)
	if exists(started) {
		t.Fatal("it was started without its values")
	}
	given := ask[view.Server](second, "POST", "/api/servers/"+back.ID+"/values",
		view.NewValues{Env: []string{"CANARY=again-Value-5678"}})
	if len(given.Missing) > 0 || given.ID != back.ID || !given.Approval.Approved {
		t.Errorf("with its value it is %+v, want it complete", given)
	}
	l := second.connect(view.NewLink{Server: back.ID})
	if !exists(started) {
		t.Error("a setting that is no secret was lost")
	}
	c := second.call(l.ID, view.NewCall{Name: "go"})
	if text := string(ask[view.Copy](second, "GET", "/api/links/"+l.ID+"/calls/"+itoa(c.N)+"/copy?as=jsonrpc",
		nil).Text); strings.Contains(text, "again-Value") {
		t.Errorf("the value is shown: %s", text)
	}
	if text := strings.Join(sortedValues(second.kept()), ""); strings.Contains(text, "again-Value") {
		t.Errorf("the value was kept:\n%s", text)
	}
}

// What was kept and then changed is asked about again, like whatever else nobody looked at.
func TestKeptServersAreNotTrusted(t *testing.T) {
	argv, started := self(t)
	dir := t.TempDir()
	first := newPageIn(t, dir, nil, "")
	added := ask[view.Server](first, "POST", "/api/servers",
		view.NewServer{Name: "mine", Command: argv, Env: []string{"STARTED=" + started}})
	ask[view.Server](first, "POST", "/api/approvals", map[string]string{"hash": added.Approval.Hash})
	file := filepath.Join(dir, "kept", added.ID+".json")
	text := first.kept()[file]
	for change, want := range map[string]int{
		strings.Replace(text, asTarget+`"`, asTarget+`", "--more"`, 1): 403, // other arguments
		// what no page may set
		strings.Replace(text, `"STARTED=`, `"LD_PRELOAD=/tmp/x.so", "STARTED=`, 1): 404,
		// what no file says
		strings.Replace(text, `"name": "mine"`, `"name": "mine", "given": true`, 1):            404,
		strings.Replace(text, `"name": "mine"`, `"name": "`+strings.Repeat("x", 1<<20)+`"`, 1): 404,
	} {
		if change == text {
			t.Fatal("nothing was changed")
		}
		if err := os.WriteFile(file, []byte(change), 0o600); err != nil {
			t.Fatal(err)
		}
		p := newPageIn(t, dir, nil, "")
		p.refused("POST", "/api/links", view.NewLink{Server: added.ID}, want)
		if problems := ask[view.Servers](p, "GET", "/api/servers", nil).Problems; want == 404 &&
			(len(problems) != 1 || !strings.Contains(problems[0], file)) {
			t.Errorf("the problems are %.300q, want the file named", problems)
		}
	}
	if runtime.GOOS != "windows" {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o622); err != nil {
			t.Fatal(err)
		}
		newPageIn(t, dir, nil, "").refused("POST", "/api/links", view.NewLink{Server: added.ID}, 404)
	}
	if exists(started) {
		t.Error("something was started")
	}
}

// A secret in a command or URL cannot be left out: such a server lasts as long as the run, and says so. One that is
// removed stays away.
func TestServersThatAreNotKept(t *testing.T) {
	p := newPage(t, nil, "")
	for name, in := range map[string]view.NewServer{
		"an option":   {Name: "x", Command: []string{"some-server", "--api-key", "abcd-Efgh-1234"}},
		"a query":     {Name: "x", URL: "https://h.example/mcp?api_key=abcd-Efgh-1234"},
		"a known one": {Name: "x", Command: []string{"some-server", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}},
	} {
		if s := ask[view.Server](p, "POST", "/api/servers", in); s.Unkept == "" {
			t.Errorf("%s: %+v, want it to say that it is not kept", name, s)
		}
	}
	s := ask[view.Server](p, "POST", "/api/servers",
		view.NewServer{Name: "y", Command: []string{"some-server"}})
	if len(p.kept()) != 1 {
		t.Errorf("%d files are kept, want one", len(p.kept()))
	}
	p.send("DELETE", "/api/servers/"+s.ID, "", nil)
	if left := p.kept(); len(left) != 0 {
		t.Errorf("after its removal there is %v", left)
	}
}

func sortedValues(all map[string]string) []string {
	var values []string
	for _, value := range all {
		values = append(values, value)
	}
	slices.Sort(values)
	return values
}
