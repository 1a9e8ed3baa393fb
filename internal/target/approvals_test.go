package target

import (
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func newApprovals(t *testing.T) (System, *Approvals) {
	t.Helper()
	sys := newSystem(t)
	write(t, filepath.Join(sys.Dir, "..", "bin", "tool"), "#!/bin/sh\n")
	approvals, err := NewApprovals(sys, filepath.Join(sys.Home, "approvals"))
	if err != nil {
		t.Fatal(err)
	}
	return sys, approvals
}

func (a *Approvals) mustBe(t *testing.T, r *Resolved, want bool, when string) {
	t.Helper()
	if got, err := a.Approved(r); got != want || err != nil {
		t.Errorf("%s: Approved = %v, %v; want %v", when, got, err, want)
	}
}

func TestApprovals(t *testing.T) {
	sys, approvals := newApprovals(t)
	base := func() *Resolved {
		return &Resolved{Target: wire.Target{Name: "n", Command: []string{"tool", "a b", "c"},
			Env: []string{"A=canary"}, Dir: sys.Dir}, EnvNames: []string{"A"}}
	}
	approvals.mustBe(t, base(), false, "before")
	if err := approvals.Approve(base()); err != nil {
		t.Fatal(err)
	}
	approvals.mustBe(t, base(), true, "after")
	for change, edit := range map[string]func(*Resolved){
		"another argument": func(r *Resolved) { r.Target.Command[1] = "d" },
		"one more":         func(r *Resolved) { r.Target.Command = append(r.Target.Command, "c") },
		"cut differently":  func(r *Resolved) { r.Target.Command = []string{"tool", "a", "b", "c"} },
		"moved border":     func(r *Resolved) { r.Target.Command = []string{"tool", "a ", "bc"} },
		"another program":  func(r *Resolved) { r.Target.Command[0] = write(t, filepath.Join(sys.Dir, "other"), "") },
		"another dir":      func(r *Resolved) { r.Target.Dir = sys.Home },
		"another variable": func(r *Resolved) { r.EnvNames = []string{"A", "LD_PRELOAD"} },
		"no variable":      func(r *Resolved) { r.EnvNames = nil },
		"another file":     func(r *Resolved) { r.Entry = &config.Entry{File: "/repository/.mcp.json"} },
		"another source":   func(r *Resolved) { r.Takes = []string{"variable A: ${AWS_SECRET_ACCESS_KEY}"} },
	} {
		changed := base()
		edit(changed)
		approvals.mustBe(t, changed, false, change)
	}
	same := base()
	same.Target.Name, same.Target.Env = "renamed", []string{"A=other", "PATH=/elsewhere"}
	approvals.mustBe(t, same, true, "another value of a variable")
	if err := approvals.Revoke(base()); err != nil {
		t.Fatal(err)
	}
	approvals.mustBe(t, base(), false, "after Revoke")
}

// The program behind a name or a link decides, not the name.
func TestApprovalsFollowLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	sys, approvals := newApprovals(t)
	link := filepath.Join(sys.Dir, "..", "bin", "server")
	point := func(to string) {
		_ = os.Remove(link)
		if err := os.Symlink(write(t, filepath.Join(sys.Dir, to), ""), link); err != nil {
			t.Fatal(err)
		}
	}
	r := &Resolved{Target: wire.Target{Command: []string{"server"}}}
	point("good")
	if err := approvals.Approve(r); err != nil {
		t.Fatal(err)
	}
	approvals.mustBe(t, r, true, "approved")
	point("evil")
	approvals.mustBe(t, r, false, "the link points elsewhere")
	point("good")
	approvals.mustBe(t, r, true, "the link is back")
	r.Target.Command = []string{"nowhere"}
	if ok, err := approvals.Approved(r); ok || err == nil {
		t.Errorf("a program that is not there: %v, %v", ok, err)
	}
}

func TestApprovalsFiles(t *testing.T) {
	_, approvals := newApprovals(t)
	r := &Resolved{Target: wire.Target{Command: []string{"tool", "--key", "canary"}, Env: []string{"K=canary"}},
		EnvNames: []string{"K"}}
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 10 {
				if err := approvals.Approve(r); err != nil {
					t.Error(err)
				}
				if ok, err := approvals.Approved(r); !ok || err != nil {
					t.Errorf("while others write: %v, %v", ok, err)
				}
			}
		})
	}
	group.Wait()
	files, err := os.ReadDir(approvals.dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v; want one", files, err)
	}
	path := filepath.Join(approvals.dir, files[0].Name())
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "canary") || !strings.Contains(string(text), `"K"`) {
		t.Errorf("the file says %s (%v)", text, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	for _, mode := range []os.FileMode{0o666, 0o620, 0o602} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if ok, err := approvals.Approved(r); ok || err == nil {
			t.Errorf("a file of mode %v, which others can write: %v, %v; want it refused", mode, ok, err)
		}
	}
}

func TestApprovalsWithoutProgram(t *testing.T) {
	_, approvals := newApprovals(t)
	approvals.mustBe(t, &Resolved{Target: wire.Target{URL: "https://host"}}, true, "a URL that was typed")
	if _, err := os.Stat(approvals.dir); err == nil {
		t.Error("something was written for a URL")
	}
}

// An approval covers the values of variables by which a program loads code.
func TestApprovalsCoverCodeVariables(t *testing.T) {
	_, approvals := newApprovals(t)
	for _, name := range []string{"PYTHONPATH", "NODE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONSTARTUP",
		"PYTHONHOME", "NODE_PATH", "RUBYOPT",
		"RUBYLIB", "PERL5LIB", "PERL5OPT", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "DYLD_INSERT_LIBRARIES",
		"BASH_ENV", "ENV", "PATH",
		"GIT_SSH_COMMAND", "DOTNET_STARTUP_HOOKS", "npm_config_registry", "PERLLIB", "KUBECONFIG", "AWS_CONFIG_FILE",
		"COREPACK_NPM_REGISTRY",
		"TS_NODE_PROJECT", "JULIA_LOAD_PATH", "PSModulePath", "XDG_DATA_HOME", "https_proxy", "SSL_CERT_FILE",
		"GOSUMDB"} {
		with := func(value string) *Resolved {
			return &Resolved{Target: wire.Target{Command: []string{"tool"}, Env: []string{"A=1", name + "=" + value}},
				EnvNames: []string{"A", name}}
		}
		if err := approvals.Approve(with("/good")); err != nil {
			t.Fatal(err)
		}
		approvals.mustBe(t, with("/good"), true, name)
		approvals.mustBe(t, with("/evil"), false, name+" with another value")
	}
}

// A URL of a config file is approved with the file, the URL, the names of its headers and what they take.
func TestApprovalsOfURLs(t *testing.T) {
	_, approvals := newApprovals(t)
	base := func() *Resolved {
		return &Resolved{Target: wire.Target{Name: "n", URL: "https://host/mcp", Header: http.Header{"X-Key": {"one"}}},
			Entry: &config.Entry{File: "/home/.cursor/mcp.json"}, Takes: []string{"header X-Key: ${KEY}"}}
	}
	approvals.mustBe(t, base(), false, "before")
	if err := approvals.Approve(base()); err != nil {
		t.Fatal(err)
	}
	approvals.mustBe(t, base(), true, "after")
	rotated := base()
	rotated.Target.Header.Set("X-Key", "two")
	approvals.mustBe(t, rotated, true, "another value of a header")
	for change, edit := range map[string]func(*Resolved){
		"another file":     func(r *Resolved) { r.Entry = &config.Entry{File: "/repository/.mcp.json"} },
		"another URL":      func(r *Resolved) { r.Target.URL = "https://host/evil" },
		"another header":   func(r *Resolved) { r.Target.Header.Set("Y", "1") },
		"another variable": func(r *Resolved) { r.Takes = []string{"header X-Key: ${AWS_SECRET_ACCESS_KEY}"} },
	} {
		changed := base()
		edit(changed)
		approvals.mustBe(t, changed, false, change)
	}
}
