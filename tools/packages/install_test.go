package main

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// needInstall skips tests that build and install packages where they cannot run.
func needInstall(t testing.TB, programs ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("skipped: the clean environment is a folder of symbolic links")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("MCPTEST_REQUIRE_NPM") != "" {
			t.Fatalf("%s is not installed, and MCPTEST_REQUIRE_NPM is set", program)
		}
		t.Skipf("skipped: %s is not installed", program)
	}
}

// A machine is a clean environment: an empty home, and a PATH with a few programs and without Go.
type machine struct {
	t    *testing.T
	dir  string // where commands run
	path string
	env  []string
}

func newMachine(t *testing.T, programs ...string) *machine {
	t.Helper()
	m := &machine{t: t, dir: t.TempDir(), path: t.TempDir()}
	for _, program := range append(programs, "sh") {
		found, err := exec.LookPath(program)
		if err != nil {
			t.Fatal(err)
		}
		m.link(program, found)
	}
	m.env = []string{"PATH=" + m.path, "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "LANG=C.UTF-8",
		"npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false",
		"npm_config_offline=true"}
	if status, out := m.run("sh", "-c", "command -v go gofmt gcc"); status == 0 {
		t.Fatalf("expected a PATH without toolchains, got %s", out)
	}
	return m
}

// link puts a program on the PATH.
func (m *machine) link(name, program string) {
	m.t.Helper()
	program, err := filepath.EvalSymlinks(program)
	if err == nil {
		err = os.Symlink(program, filepath.Join(m.path, name))
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// command finds the program on the PATH of the machine alone.
func (m *machine) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.path, name)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	return cmd
}

// run runs a command and returns its exit status and its output.
func (m *machine) run(name string, args ...string) (int, string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), 2*time.Minute)
	defer cancel()
	out, err := m.command(ctx, name, args...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), string(out)
	}
	if err != nil {
		m.t.Fatalf("%s: %v", name, err)
	}
	return 0, string(out)
}

// must runs a command that has to work.
func (m *machine) must(name string, args ...string) string {
	m.t.Helper()
	status, out := m.run(name, args...)
	if status != 0 {
		m.t.Fatalf("%s %s: exit status %d\n%s", name, strings.Join(args, " "), status, out)
	}
	return out
}

// works checks that a command line which ends in mcptest is mcptest of this version, and that it can do its work.
func (m *machine) works(version string, command ...string) {
	m.t.Helper()
	said := m.must(command[0], append(command[1:], "--version")...)
	if want := "mcptest " + version + "\n"; said != want {
		m.t.Errorf("--version: expected %q, got %q", want, said)
	}
	said = m.must(command[0], append(command[1:], "check", "demo")...)
	if !strings.Contains(said, "passed, grade A") {
		m.t.Errorf("check demo: expected grade A, got\n%s", said)
	}
}

// npm install of the packed files gives a program that works, without a network and without Go.
func TestNPMInstallOfFiles(t *testing.T) {
	needInstall(t, "node", "npm", "npx")
	t.Parallel()
	p := packages(t)
	m := newMachine(t, "node", "npm", "npx")
	m.must("npm", "init", "--yes")
	m.must("npm", "install", p.path(p.name), p.path(p.binary(t)))
	m.works(p.version, "npx", "mcptest")
}

// From a registry npx fetches the launcher and the one platform package that fits.
func TestNPXFromARegistry(t *testing.T) {
	needInstall(t, "node", "npm", "npx")
	t.Parallel()
	p := packages(t)
	r := newRegistry(t, p)
	m := newMachine(t, "node", "npm", "npx")
	m.env = append(m.env, "npm_config_offline=false", "npm_config_registry="+r.url)
	m.works(p.version, "npx", "--yes", p.name)
	if got, want := r.downloads(), []string{p.name, p.binary(t)}; !slices.Equal(got, want) {
		t.Errorf("downloads: expected %v, got %v", want, got)
	}

	m.must("npm", "init", "--yes")
	m.must("npm", "install", "--omit=optional", p.name)
	status, said := m.run("npx", p.name, "--version")
	if want := "package " + p.binary(t) + " is not installed"; status != 127 || !strings.Contains(said, want) {
		t.Errorf("without the platform package: expected exit status 127 and %q, got %d\n%s", want, status, said)
	}
}

// pip installs the binary itself: byte for byte, executable, and removed without a trace.
func TestPipInstallOfFiles(t *testing.T) {
	needInstall(t, "python3")
	t.Parallel()
	p := packages(t)
	m := newMachine(t)
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output() // not a wrapper of it
	if err != nil {
		t.Fatal(err)
	}
	m.link("python3", strings.TrimSpace(string(python)))
	m.must("python3", "-m", "venv", "env")
	pip := filepath.Join(m.dir, "env", "bin", "pip")
	m.must(pip, "install", "--no-index", "--find-links", p.dir, "--pre", p.name)
	installed := filepath.Join(m.dir, "env", "bin", "mcptest")
	m.works(p.version, installed)
	want, err := os.ReadFile(installed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(want, []byte("\x7fELF")) && runtime.GOOS == "linux" {
		t.Errorf("%s: expected the binary itself, got %.20q", installed, want)
	}
	for _, other := range []struct{ platform, chosen string }{
		{"manylinux2014_x86_64", "linux/amd64"}, {"musllinux_1_1_aarch64", "linux/arm64"},
		{"macosx_14_0_arm64", "darwin/arm64"}, {"win_amd64", "windows/amd64"},
	} {
		m.must(pip, "download", "--no-index", "--find-links", p.dir, "--pre", "--no-deps", "--only-binary=:all:",
			"--platform", other.platform, "--dest", other.platform, p.name)
		wheel, err := platformOf(other.chosen)
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(m.dir, other.platform, "*"+strings.Join(wheel.tags, ".")+".whl"))
		if len(files) != 1 {
			t.Errorf("pip chose another wheel for %s than that of %s", other.platform, other.chosen)
		}
	}
	m.must(pip, "uninstall", "--yes", p.name)
	if _, err := os.Stat(installed); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s after pip uninstall: expected it to be deleted, got %v", installed, err)
	}
}

// A registry serves packages as npm's does.
type registry struct {
	url string
	got chan string
}

// downloads returns the names of the packages that were downloaded since the last call, sorted.
func (r *registry) downloads() []string {
	var names []string
	for len(r.got) > 0 {
		names = append(names, <-r.got)
	}
	slices.Sort(names)
	return names
}

func newRegistry(t *testing.T, p made) *registry {
	t.Helper()
	r := &registry{got: make(chan string, 100)}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	r.url = server.URL
	names := []string{p.name}
	for _, platform := range platforms {
		names = append(names, release{name: p.name}.npmName(platform))
	}
	for _, name := range names {
		data, err := os.ReadFile(p.path(name))
		if err != nil {
			t.Fatal(err)
		}
		var manifest map[string]any
		if err := json.Unmarshal([]byte(tarFiles(t, archive{bytes: data})["package/package.json"].text),
			&manifest); err != nil {
			t.Fatal(err)
		}
		sum := sha512.Sum512(data)
		manifest["dist"] = map[string]string{"tarball": server.URL + "/-/" + name,
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:])}
		mux.HandleFunc("GET /-/"+name, func(w http.ResponseWriter, _ *http.Request) {
			r.got <- name
			_, _ = w.Write(data)
		})
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"name": name,
				"dist-tags": map[string]string{"latest": p.version},
				"versions":  map[string]any{p.version: manifest}})
		})
	}
	return r
}
