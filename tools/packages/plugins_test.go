package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/matrix"
)

// The plugins have the version of the release and depend on its package, whatever that is called.
func TestPluginPackages(t *testing.T) {
	r := release{name: "mcp-test", version: "1.2.3-beta.4", plugins: filepath.Join(root, "plugins"),
		license: []byte("a license\n")}
	archives, err := r.pluginPackages()
	if err != nil {
		t.Fatal(err)
	}
	npm, wheel := archives[0], archives[1]
	if npm.file != "mcptest-vitest-1.2.3-beta.4.tgz" || wheel.file != "pytest_mcptest-1.2.3b4-py3-none-any.whl" {
		t.Errorf("files: got %s and %s", npm.file, wheel.file)
	}
	files := tarFiles(t, npm)
	var m struct {
		Name, Version string
		Files         []string
		Peers         map[string]string `json:"peerDependencies"`
		Publish       map[string]string `json:"publishConfig"`
	}
	if err := json.Unmarshal([]byte(files["package/package.json"].text), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "@mcptest/vitest" || m.Version != r.version || len(m.Peers) != 1 || m.Peers[r.name] == "" ||
		m.Publish["access"] != "public" {
		t.Errorf("package.json: got %+v", m)
	}
	if types, entry := strings.Index(files["package/package.json"].text, `"types": "./`),
		strings.Index(files["package/package.json"].text, `"import": "./`); types < 0 || types > entry {
		t.Error("package.json: expected types before import, the first condition that holds counts")
	}
	for _, name := range append(m.Files, "LICENSE") {
		if files["package/"+name].text == "" {
			t.Errorf("%s is missing or empty", name)
		}
	}
	const info = "pytest_mcptest-1.2.3b4.dist-info/"
	files = zipFiles(t, wheel)
	for name, want := range map[string]string{
		info + "METADATA":            "\nName: pytest-mcptest\nVersion: 1.2.3b4\n",
		info + "entry_points.txt":    "[pytest11]\nmcptest = pytest_mcptest.plugin\n",
		info + "WHEEL":               "\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "RECORD":              "pytest_mcptest/plugin.py,sha256=",
		info + "licenses/LICENSE":    "a license\n",
		"pytest_mcptest/__init__.py": "class Driver",
	} {
		if !strings.Contains(files[name].text, want) {
			t.Errorf("%s: expected %q, got %s", name, want, files[name].text)
		}
	}
	if got := files[info+"METADATA"].text; !strings.Contains(got, "\nRequires-Dist: mcp-test\n") ||
		!strings.Contains(got, "\nRequires-Dist: pytest>=7\n") || strings.Contains(got, "Requires-Dist: mcptest\n") {
		t.Errorf("METADATA: got %s", got)
	}
}

// failing is what a test of each plugin must show: the difference, and the frame.
var failing = []string{`got:  "hi"`, `want: "ho"`, ` sent: {"jsonrpc"`}

// The packed plugin for Vitest works in node:test, with the installed mcptest.
func TestNPMPluginInstallOfFiles(t *testing.T) {
	needInstall(t, "node", "npm")
	t.Parallel()
	p := packages(t)
	m := newMachine(t, "node", "npm")
	m.must("npm", "init", "--yes")
	m.must("npm", "install", p.path(p.name), p.path(p.binary(t)), p.path("@mcptest/vitest"))
	m.write("demo.test.mjs", `import { test } from 'node:test'
import { start } from '@mcptest/vitest'
test('passes', async () => { await (await start('demo')).call('echo', { message: 'hi' }, { exact: 'hi' }) })
test('fails', async () => { await (await start('demo')).call('echo', { message: 'hi' }, { exact: 'ho' }) })
`)
	status, said := m.run("node", "--test", "--test-reporter=tap", "demo.test.mjs")
	m.shows(status, said, append(failing, "# pass 1", "# fail 1"))
}

// The wheel of the plugin for pytest works with the installed mcptest: pytest finds it by its entry point.
func TestPipPluginInstallOfFiles(t *testing.T) {
	needInstall(t, "python3")
	t.Parallel()
	environment, err := matrix.Environment(root, "pytest")
	if err != nil && os.Getenv("MCPTEST_REQUIRE_MATRIX") == "" {
		t.Skip(err)
	}
	site, globErr := filepath.Glob(filepath.Join(environment, "lib", "python3*", "site-packages"))
	if err != nil || globErr != nil || len(site) != 1 {
		t.Fatal(err, globErr, site)
	}
	p := packages(t)
	m := newMachine(t)
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output() // not a wrapper of it
	if err != nil {
		t.Fatal(err)
	}
	m.link("python3", strings.TrimSpace(string(python)))
	m.must("python3", "-m", "venv", "env")
	bin := filepath.Join(m.dir, "env", "bin")
	m.must(filepath.Join(bin, "pip"), "install", "--no-index", "--no-deps", "--find-links", p.dir, "--pre", p.name,
		"pytest-mcptest")
	m.write("test_demo.py", `def test_passes(mcp_server):
    mcp_server.call("echo", {"message": "hi"}, {"exact": "hi"})

def test_fails(mcp_server):
    mcp_server.call("echo", {"message": "hi"}, {"exact": "ho"})
`)
	m.write("pytest.ini", "[pytest]\nmcptest_server = demo\n")
	m.env = append(m.env, "PYTHONPATH="+site[0]) // pytest itself
	status, said := m.run(filepath.Join(bin, "python"), "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist")
	version, err := pythonVersion(p.version)
	if err != nil {
		t.Fatal(err)
	}
	m.shows(status, said, append(failing, "mcptest-"+version, "1 failed, 1 passed"))
}

func (m *machine) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// shows checks the output of a test runner that reports a failure.
func (m *machine) shows(status int, said string, want []string) {
	m.t.Helper()
	for _, text := range want {
		if status != 1 || !strings.Contains(said, text) {
			m.t.Errorf("expected exit status 1 and %q, got %d\n%s", text, status, said)
		}
	}
}
