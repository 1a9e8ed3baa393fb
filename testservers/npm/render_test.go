package npm

import (
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/chromium"
)

// views are the official examples with what app finds in their views. Without a network, map cannot load its library
// and pdf has no document; with one, they may have fewer findings.
var views = []struct {
	server, tool string
	always       bool // in every run; the others only with MCPTEST_FULL
	found        []string
	network      bool // the findings depend on it
}{
	{"basic-react", "get-time", false, nil, false},
	{"basic-vanillajs", "get-time", false, nil, false},
	{"budget-allocator", "get-budget-data", true, nil, false},
	{"debug", "debug-tool", false, nil, false},
	{"map", "show-map", false, []string{"APP-018", "APP-019", "APP-020", "APP-021", "APP-023"}, true},
	{"pdf", "display_pdf", false, []string{"APP-019", "APP-021"}, true},
	{"system-monitor", "get-system-info", false, nil, false},
	{"threejs", "show_threejs_scene", true, []string{"APP-021"}, false}, // eval is blocked
	{"wiki-explorer", "get-first-degree-links", false, nil, false},
}

// The views of the official examples render without a window.
func TestViewsRender(t *testing.T) {
	in, browser := Require(t), requireBrowser(t)
	for _, v := range views {
		if !v.always && os.Getenv("MCPTEST_FULL") == "" {
			continue
		}
		t.Run(v.server, func(t *testing.T) {
			pictures := t.TempDir()
			cmd := exec.CommandContext(t.Context(), mcptestBinary(t), "app", v.tool, "--browser", browser, "--format", "json",
				"--out", pictures, "--", in.Node, in.Script("server-"+v.server), "--stdio")
			cmd.Env, cmd.Stderr = append(os.Environ(), mark), os.Stderr
			out, err := cmd.Output() // the status depends on the findings
			var report struct {
				Results []struct {
					Rule, Status string
				}
			}
			if json.Unmarshal(out, &report) != nil || len(report.Results) != 7 {
				t.Fatalf("%v: %s", err, out)
			}
			for _, r := range report.Results {
				failed, expected := r.Status == "failed", slices.Contains(v.found, r.Rule)
				if failed != expected && !(expected && v.network) {
					t.Errorf("%s %s", r.Rule, r.Status)
				}
			}
			if colors := colorsOf(t, filepath.Join(pictures, "light.png")); !v.network && colors < 3 {
				t.Errorf("the picture has %d colors, so that nothing is shown", colors)
			}
		})
	}
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

// colorsOf counts the colors of a picture.
func colorsOf(t *testing.T, file string) int {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colors := map[any]bool{}
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			colors[picture.At(x, y)] = true
		}
	}
	return len(colors)
}
