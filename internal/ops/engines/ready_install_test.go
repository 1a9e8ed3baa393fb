package engines

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// TestInstallErrors distinguishes packages that cannot be installed from machines that cannot install them.
func TestInstallErrors(t *testing.T) {
	for _, c := range []struct {
		output, want string
		ours         bool
	}{
		{"npm error code E404", "cannot be installed: npm: exit status 1", false},
		{"npm error code ENOTFOUND", "there is no network", true},
		{"Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "is not running, or not accessible", true},
		{"Error response from daemon: lookup ghcr.io: no such host", "there is no network", true},
		{"ERROR: Ignored versions: 0.3.5 Requires-Python >=3.12; 0.3.6", "requires Python >=3.12", true},
	} {
		e := &installError{program: "npm", output: c.output, err: errors.New("exit status 1")}
		if got := e.Error(); e.ours() != c.ours || !strings.HasSuffix(got, c.want) {
			t.Errorf("%q: %q, caused by this machine: %v; want %q, %v", c.output, got, e.ours(), c.want, c.ours)
		}
	}
}

// TestInstallEnv passes on where to download from, and nothing else of the user.
func TestInstallEnv(t *testing.T) {
	env := installEnv([]string{"npm_config_cache=c", "HTTPS_PROXY=p", "PIP_INDEX_URL=i", "GITHUB_TOKEN=t", "MY_NPM_CONFIG_X=x"})
	for pair, want := range map[string]bool{"npm_config_cache=c": true, "HTTPS_PROXY=p": true, "PIP_INDEX_URL=i": true,
		"GITHUB_TOKEN=t": false, "MY_NPM_CONFIG_X=x": false} {
		if slices.Contains(env, pair) != want {
			t.Errorf("%s is passed on: %v, want %v", pair, !want, want)
		}
	}
}

// TestNPMProgram selects as npx does.
func TestNPMProgram(t *testing.T) {
	for _, c := range []struct{ bin, want string }{
		{`"a.js"`, "a.js"}, {`{"x": "x.js"}`, "x.js"}, {`{"x": "x.js", "weather": "w.js"}`, "w.js"}, {`{"x": "x.js", "y": "y.js"}`, ""},
		{``, ""},
	} {
		if got, err := npmProgram(json.RawMessage(c.bin), "@octocat/weather"); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.bin, got, err, c.want)
		}
	}
}

// TestContainerArgs passes on names of variables, and publishes ports for this machine alone.
func TestContainerArgs(t *testing.T) {
	for _, c := range []struct {
		launch ready.Launch
		want   string
	}{
		{ready.Launch{Env: []string{"KEY=secret"}}, "--env KEY"},
		{ready.Launch{URL: "http://localhost:8080/mcp"}, "--publish 127.0.0.1:8080:8080"},
		{ready.Launch{URL: "http://localhost:8080/mcp", Runtime: []string{"-i", "--rm", "-p", "8080:80"}}, "--publish 127.0.0.1:8080:80"},
		{ready.Launch{URL: "http://localhost:8080/mcp", Runtime: []string{"--publish=0.0.0.0:8080:80", "--init"}},
			"--publish 127.0.0.1:8080:80 --init"},
		{ready.Launch{Runtime: []string{"-e", "A=1", "--env", "B"}}, "--env A=1 --env B"},
	} {
		if got := strings.Join(containerArgs(&ready.Started{Launch: c.launch}), " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.launch, got, c.want)
		}
	}
}

// TestNoContainers says that an image cannot be started without docker and podman.
func TestNoContainers(t *testing.T) {
	missing := func(string) (string, error) { return "", errors.New("not found") }
	s := &starter{w: &workbench.Workbench{System: target.System{LookPath: missing}}, temp: t.TempDir()}
	out := ready.Started{Launch: ready.Launch{Kind: "oci", Package: "ghcr.io/octocat/weather:1.2.0"}}
	if s.install(t.Context(), &out); out.Cannot != "docker or podman is not installed" || out.Problem != "" {
		t.Errorf("cannot %q, problem %q", out.Cannot, out.Problem)
	}
}
