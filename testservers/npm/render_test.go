package npm

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/chromium"
)

// always are the examples that every run renders without a window; the others need MCPTEST_FULL. The tests of the page
// show eight of them in every run.
var always = []string{"budget-allocator", "threejs"}

// The views of the official examples show their content without a window, and have no findings. What the specification
// does not allow is named, and works with the policy of the reference host.
func TestViewsRender(t *testing.T) {
	in, browser := Require(t), requireBrowser(t)
	network := in.Network(t)
	browser = network.Browser(t, browser)
	for _, e := range Examples {
		if !slices.Contains(always, e.Name) && os.Getenv("MCPTEST_FULL") == "" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			var flags []string
			if e.Blocked != "" {
				flags = []string{"--reference-policy"}
				findings, picture := in.render(t, e, network, browser)
				if !strings.Contains(findings, "blocked "+e.Blocked+": no entry of _meta.ui.csp can allow it") {
					t.Errorf("findings with the policy of the specification:\n%s\nwant that %s is blocked", findings, e.Blocked)
				}
				if n := e.Pixels(t, picture); n > 0 {
					t.Errorf("%d pixels have the color of the content, although %s is blocked", n, e.Blocked)
				}
			}
			findings, picture := in.render(t, e, network, browser, flags...)
			if findings != "" {
				t.Errorf("findings:\n%s", findings)
			}
			if n := e.Pixels(t, picture); n < Enough {
				t.Errorf("%d pixels have the color of the content, want at least %d", n, Enough)
			}
		})
	}
}

// render returns the findings of mcptest app, and its picture in light.
func (in Install) render(t *testing.T, e Example, n *Network, browser string, flags ...string) (findings string, picture []byte) {
	t.Helper()
	pictures := t.TempDir()
	server, arguments := in.Command(t, e, n)
	args := append([]string{"app", e.Tool, "--browser", browser, "--format", "json", "--out", pictures}, flags...)
	if arguments != "" {
		args = append(args, "--args", arguments)
	}
	cmd := exec.CommandContext(t.Context(), mcptestBinary(t), append(append(args, "--"), server...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), mark), os.Stderr
	out, err := cmd.Output() // the status depends on the findings
	var report struct {
		Results []struct {
			Rule     string
			Findings []struct{ Message string }
		}
	}
	if json.Unmarshal(out, &report) != nil || len(report.Results) != 7 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, r := range report.Results {
		for _, f := range r.Findings {
			findings += r.Rule + " " + f.Message + "\n"
		}
	}
	if picture, err = os.ReadFile(filepath.Join(pictures, "light.png")); err != nil {
		t.Fatal(err)
	}
	return findings, picture
}

func requireBrowser(t *testing.T) string {
	t.Helper()
	browser, err := chromium.Find()
	if err == nil {
		return browser
	}
	if os.Getenv("MCPTEST_REQUIRE_BROWSER") != "" {
		t.Fatal(err)
	}
	t.Skip("skipped: needs chromium")
	return ""
}
