package engines

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestInstallErrors distinguishes packages that cannot be installed from machines that cannot install them.
func TestInstallErrors(t *testing.T) {
	for _, c := range []struct {
		output, want string
		ours         bool
	}{
		{"npm error code E404", "cannot be installed: npm: exit status 1", false},
		{"npm error code ENOTFOUND", "there is no network", true},
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
