package docs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/npm"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// token is what the pages keep in the variable TOKEN.
const token = "a-token-for-the-pages"

// A place is where the commands of one page run: a folder, a home and programs of its own.
type place struct {
	t    *testing.T
	dir  string // where a reader would be; cd changes it
	root string // the folder that everything is in
	node bool   // whether there are the servers of npm
	auth string // a server that wants a token by OAuth
}

// newPlace makes a place with what testdata has for all pages, and for this one.
func newPlace(t *testing.T, page string) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir()}
	p.dir = filepath.Join(p.root, "work")
	for _, dir := range []string{p.dir, filepath.Join(p.root, "home"), filepath.Join(p.root, "bin")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	name, err := filepath.Rel(root, page)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(name, "examples") { // its reader is there
		p.copy(filepath.Dir(page))
	}
	if filepath.Base(page) == "auth.md" {
		p.auth = oauth.Start(t).URL("")
	}
	for _, from := range []string{"common", strings.ReplaceAll(strings.TrimSuffix(name, ".md"),
		string(filepath.Separator), "-")} {
		if _, err := os.Stat(filepath.Join("testdata", from)); err == nil {
			p.copy(filepath.Join("testdata", from))
		}
	}
	p.standIns()
	if script := filepath.Join(p.dir, "prepare.sh"); exists(script) {
		if out, status := p.run("ROOT='"+root+"' sh prepare.sh", nil); status != "0" {
			t.Fatalf("prepare.sh: exit %s\n%s", status, out.all())
		}
	}
	return p
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (p *place) copy(from string) {
	p.t.Helper()
	if err := os.CopyFS(p.dir, os.DirFS(from)); err != nil {
		p.t.Fatal(err)
	}
}

// standIns are the programs that a reader has and a test has not: npx brings the servers that npm ci installed, the
// server that a reader wrote is the demo, and a browser belongs to a person who agrees to everything.
func (p *place) standIns() {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	in, found := npm.Find()
	p.node = found
	npx := "shift\ncase \"$1\" in\nsome-server) exec mcptest demo ;;\n"
	for _, name := range []string{"everything", "filesystem", "memory", "sequential-thinking"} {
		npx += fmt.Sprintf("@modelcontextprotocol/server-%s) shift; exec '%s' '%s' \"$@\" ;;\n", name, in.Node,
			in.Script("server-"+name))
	}
	agree := fmt.Sprintf("%s=1 exec '%s' \"$@\"", asPerson, self)
	for name, script := range map[string]string{
		"npx":  npx + "esac\necho \"npx: $1 is not installed\" >&2\nexit 1",
		"node": "exec mcptest demo", "python": "exec mcptest demo", "xdg-open": agree, "open": agree,
	} {
		if err := os.WriteFile(filepath.Join(p.root, "bin", name), []byte("#!/bin/sh\n"+script+"\n"),
			0o755); err != nil {
			p.t.Fatal(err)
		}
	}
}

// output is what a command printed.
type output struct{ out, err strings.Builder }

func (o *output) all() string { return o.err.String() + o.out.String() }

// patience is long: it is for what hangs, not for what is slow.
const patience = 3 * time.Minute

// run runs a command line and returns what it printed and its exit status. One that serves until it is stopped is
// interrupted when ready says so.
func (p *place) run(line string, ready func(printed string) bool) (*output, string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	shell := line
	if ready != nil {
		shell = "exec " + line // so that the interrupt reaches the program
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", shell)
	cmd.Dir, cmd.Env = p.dir, p.env()
	cmd.WaitDelay = 10 * time.Second
	var o output
	if ready == nil {
		cmd.Stdout, cmd.Stderr = &o.out, &o.err
		return &o, status(cmd.Run())
	}
	w := &watched{o: &o, ready: ready, then: func() { _ = cmd.Process.Signal(os.Interrupt) }}
	cmd.Stdout, cmd.Stderr = w, w
	in, err := cmd.StdinPipe() // stays open
	if err == nil {
		defer in.Close()
		err = cmd.Run()
	}
	if !w.was() {
		p.t.Errorf("%s was never ready", line)
	}
	return &o, status(err)
}

func status(err error) string {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "0"
	case errors.As(err, &exit):
		return fmt.Sprint(exit.ExitCode())
	}
	return err.Error()
}

// watched is the output of a program that serves: as soon as it is ready, it is told so.
type watched struct {
	mu    sync.Mutex
	o     *output
	ready func(string) bool
	then  func()
	done  bool
}

// Write keeps what is printed.
func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.o.out.Write(b)
	if !w.done && w.ready(w.o.out.String()) {
		w.done = true
		w.then()
	}
	return n, err
}

func (w *watched) was() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done
}

// env is a reader's environment: a home of its own, and the caches of Go.
func (p *place) env() []string {
	home := filepath.Join(p.root, "home")
	path := strings.Join([]string{filepath.Join(p.root, "bin"), installed.dir, os.Getenv("PATH")},
		string(os.PathListSeparator))
	env := []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"),
		"XDG_STATE_HOME=" + filepath.Join(home, ".local", "state"),
		"PATH=" + path, "GOBIN=" + installed.dir, "TOKEN=" + token, "NO_COLOR=1", "LANG=C.UTF-8", "TMPDIR=" + p.root}
	for _, name := range []string{"CGO_ENABLED", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN",
		"GONOSUMDB", "GOSUMDB"} {
		value := installed.goEnv[name]
		if name == "GOFLAGS" && p.dir != root { // what was built in another folder is built
			value += " -trimpath"
		}
		if value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

var (
	anywhere = regexp.MustCompile(`https://(?:host|[a-z-]+\.example|example\.com)/mcp`)
	judging  = regexp.MustCompile(`^mcptest (check|conform)`) // what they take for silence is not for a busy machine
	duration = regexp.MustCompile(`--duration \S+`)
	port     = regexp.MustCompile(`127\.0\.0\.1:62\d\d`)
)

// local turns a command of a page into one for this machine: addresses of nobody become those of servers that the test
// started, ports become free ones, and what asks a person gets its answer.
func (p *place) local(line string) string {
	p.t.Helper()
	line = anywhere.ReplaceAllStringFunc(line, func(string) string {
		switch {
		case strings.Contains(line, "Authorization"):
			return web().guarded
		case p.auth != "":
			return p.auth
		}
		return web().open
	})
	line = port.ReplaceAllString(line, "127.0.0.1:0")
	if m := judging.FindString(line); m != "" {
		line = m + map[bool]string{true: " --budget 10m", false: " --within 10m"}[strings.HasSuffix(m, "check")] +
			" --timeout 60s" + line[len(m):]
	}
	line = duration.ReplaceAllString(line, "--duration 1s")
	if strings.HasPrefix(line, "mcptest auth http") {
		line = strings.Replace(line, "mcptest auth", "mcptest auth --open", 1)
	}
	if strings.HasPrefix(line, "mcptest serve --install") || strings.Contains(line, " --approve") {
		line, comment, _ := strings.Cut(line, "  #")
		return line + " --yes #" + comment
	}
	return line
}

// A network is the demo over HTTP: for everybody, and for those with the token.
type network struct{ open, guarded string }

// web starts the network once.
var web = sync.OnceValue(func() network {
	cmd := exec.Command(filepath.Join(installed.dir, "mcptest"), "demo", "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	installed.stop = append(installed.stop, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line := make([]byte, 200)
	n, _ := out.Read(line)
	open := regexp.MustCompile(`http://\S+`).FindString(string(line[:n]))
	target, err := url.Parse(open)
	if err != nil || open == "" {
		panic(fmt.Sprintf("mcptest demo --listen says %q", line[:n]))
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, target.Host
		r.Out.Header.Del("Authorization")
	}, FlushInterval: -1}
	guard := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer "+token {
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	installed.stop = append(installed.stop, guard.Close)
	return network{open, guard.URL + "/mcp"}
})
