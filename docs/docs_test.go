// Package docs holds the documentation; its tests do what the pages say. Every command of README.md, docs and examples is
// run, what a page shows of its output is compared, and every example is read by what it is for.
package docs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

var _ = cli.Main // what is tested is part of this program, so that go test knows when it has changed

// root is the folder of the repository.
var root = func() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(here))
}()

// asPerson is the variable by which this program, run again, is the browser of a person who agrees.
const asPerson = "MCPTEST_DOCS_PERSON"

// installed is what TestMain prepares: a folder with mcptest, as `go install ./cmd/mcptest` makes it.
var installed struct {
	dir   string
	goEnv map[string]string
	stop  []func()
}

func TestMain(m *testing.M) {
	if os.Getenv(asPerson) != "" {
		if resp, err := http.Get(os.Args[1]); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		return
	}
	if runtime.GOOS == "windows" {
		fmt.Println("left out: the pages are written for sh")
		return
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "4") // the pages wait more than they work
	os.Exit(prepared(m))
}

func prepared(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcptest-docs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	installed.dir = dir
	out, err := exec.Command("go", "env", "-json").Output()
	if err == nil {
		err = json.Unmarshal(out, &installed.goEnv)
	}
	if err != nil {
		panic(err)
	}
	cmd := exec.Command("go", "install", "./cmd/mcptest")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Printf("go install ./cmd/mcptest: %v\n%s", err, out)
		return 1
	}
	defer func() {
		for _, stop := range installed.stop {
			stop()
		}
	}()
	return m.Run()
}

// pages are all that is written for readers. The pages of rules are generated and have no commands.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{filepath.Join(root, "README.md")}
	for _, dir := range []string{"docs", "examples"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && (d.Name() == "rules" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			if filepath.Ext(path) == ".md" {
				all = append(all, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// generated tells whether a page is made by a program. The test of its maker runs what it shows.
func generated(t *testing.T, page string) bool {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.HasPrefix(text, []byte("<!-- Made by ")) || bytes.HasPrefix(text, []byte("<!-- Written by "))
}

// TestPages does what each page says, in a folder of its own, from top to bottom.
func TestPages(t *testing.T) {
	for _, page := range pages(t) {
		blocks := blocksOf(t, page)
		if len(blocks) == 0 || generated(t, page) {
			continue
		}
		name, _ := filepath.Rel(root, page)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, page)
			for _, b := range blocks {
				p.do(b)
			}
		})
	}
}

// TestREADMEBegins wants the two commands that a newcomer needs first: one to see it run, one to test it.
func TestREADMEBegins(t *testing.T) {
	const want = "go run ./cmd/mcptest check demo\ngo test ./...\n"
	if got := blocksOf(t, filepath.Join(root, "README.md"))[0].text; got != want {
		t.Errorf("the README begins with\n%s\nwant\n%s", got, want)
	}
}

// TestExampleSuites runs the suites of examples.
func TestExampleSuites(t *testing.T) {
	p := newPlace(t, filepath.Join(root, "examples", "suite", "README.md"))
	if o, status := p.run("mcptest run mcptest.yaml", nil); status != "0" {
		t.Errorf("exit %s\n%s", status, o.all())
	}
}

// do does with a block what its language means.
func (p *place) do(b *block) {
	p.t.Helper()
	if why, ok := b.said("not run"); ok {
		if why == "" {
			p.t.Errorf("%s: is not run, and the comment does not say why", b)
		}
		return
	}
	name, kept := b.said("file ")
	if kept {
		p.write(name, b.text)
	}
	switch b.lang {
	case "sh", "console":
		for _, c := range b.commands() {
			p.obey(b, c)
		}
	case "yaml":
		p.suite(b)
	case "yml":
		var v any
		if err := yaml.Unmarshal([]byte(b.text), &v); err != nil {
			p.t.Errorf("%s: %v", b, err)
		}
	case "json":
		p.json(b)
	case "toml":
		p.toml(b)
	case "diff":
		p.patch(b)
	case "go", "txtar":
		if kept { // what commands make of it tells whether it is right
			break
		}
		fallthrough
	default:
		p.t.Errorf("%s: nothing runs a block of %q; make it sh or console, or say why not: <!-- test: not run, WHY -->", b, b.lang)
	}
}

func (p *place) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// serving are commands that go on until they are stopped.
var serving = regexp.MustCompile(`^mcptest (inspect|(gateway|serve|demo\S*) .*--listen|run .*--watch)`)

// listens tells that a program has said where it serves.
var listens = regexp.MustCompile(`https?://(127\.0\.0\.1|localhost|\[::1\]):[1-9]\d*/\S*\s`)

// obey runs one command of a page.
func (p *place) obey(b *block, c *command) {
	p.t.Helper()
	switch first := strings.Fields(c.text)[0]; {
	case first == "cd":
		p.dir = filepath.Join(p.dir, strings.Fields(c.text)[1])
		return
	case c.text == "go test ./...": // what runs this test
		return
	case strings.Contains(c.text, "./cmd/mcptest"):
		at := p.dir
		p.dir = root
		defer func() { p.dir = at }()
	case strings.Contains(c.text, "npx ") && !p.node:
		p.without(b, c)
		return
	}
	if strings.HasPrefix(c.text, "mcptest load") { // how fast this machine is now is no matter of the page
		c.exit = []string{"0", "1"}
	}
	var ready func(string) bool
	if serving.MatchString(c.text) {
		ready = listens.MatchString
		c.exit = []string{"0", "130"}
	}
	began := time.Now()
	o, status := p.run(p.local(c.text), ready)
	p.t.Logf("%s: %s: %.1f s", b, c.text, time.Since(began).Seconds())
	if !slices.Contains(c.exit, status) {
		p.t.Errorf("%s: %s: exit %s, want %v\n%s", b, c.text, status, c.exit, o.all())
	}
	if want := p.local(c.output); c.shown && !shows(want, o.out.String()) && !shows(want, o.all()) {
		p.t.Errorf("%s: %s: printed\n%s\nthe page shows\n%s", b, c.text, o.all(), c.output)
	}
}

// without notes that a command was left out for want of Node.
func (p *place) without(b *block, c *command) {
	p.t.Helper()
	const missing = "left out: needs Node and `npm ci` in testservers/npm"
	if os.Getenv("MCPTEST_REQUIRE_NPM") != "" {
		p.t.Errorf("%s: %s: %s", b, c.text, missing)
		return
	}
	p.t.Logf("%s: %s: %s", b, c.text, missing)
}

// suite validates a suite and runs it.
func (p *place) suite(b *block) {
	p.t.Helper()
	name, kept := b.said("file ")
	if !kept {
		name = "of-the-page.yaml"
		p.write(name, b.text)
	}
	if kept && strings.HasPrefix(b.text, "- ") {
		return // a mix of calls, which a command after it reads
	}
	commands := []string{"mcptest suite validate " + name, "mcptest run " + name}
	if _, only := b.said("only checked"); only || kept {
		commands = commands[:1]
	}
	for _, line := range commands {
		if o, status := p.run(line, nil); status != "0" {
			p.t.Errorf("%s: %s: exit %s\n%s", b, line, status, o.all())
			return
		}
	}
}

// json reads an example. "…" stands for what is left out. A config file must name its servers.
func (p *place) json(b *block) {
	p.t.Helper()
	text := strings.ReplaceAll(strings.ReplaceAll(b.text, "{…}", "{}"), "[…]", "[]")
	var v map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		p.t.Errorf("%s: %v", b, err)
		return
	}
	servers := v["mcpServers"]
	if servers == nil {
		servers = v["servers"]
	}
	var named map[string]struct{}
	if servers == nil || json.Unmarshal(servers, &named) != nil {
		return
	}
	p.write("of-the-page.json", text)
	o, status := p.run("mcptest servers --config of-the-page.json", nil)
	for name := range named {
		if status != "0" || !strings.Contains(o.out.String(), name) {
			p.t.Errorf("%s: mcptest servers does not find %s: exit %s\n%s", b, name, status, o.all())
		}
	}
}

// toml wants tables and plain values, which is all that config files of hosts have.
func (p *place) toml(b *block) {
	p.t.Helper()
	line := regexp.MustCompile(`^(\[[\w.]+\]|\w+ = ("[^"]*"|\[("[^"]*"(, )?)*\])|)$`)
	for _, l := range strings.Split(b.text, "\n") {
		if !line.MatchString(l) {
			p.t.Errorf("%s: %q is no line of TOML that we know", b, l)
		}
	}
}

// patch applies a difference to the files of the page.
func (p *place) patch(b *block) {
	p.t.Helper()
	cmd := exec.Command("git", "apply", "--recount", "-")
	cmd.Dir, cmd.Env, cmd.Stdin = p.dir, append(p.env(), "GIT_CEILING_DIRECTORIES="+p.root), bytes.NewReader([]byte(b.text))
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Errorf("%s: %v\n%s", b, err, out)
	}
}
