package matrix

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// maxSuiteTime is how long a generated suite may take.
const maxSuiteTime = 30 * time.Second

// TestInitFindsPlantedBugs generates a suite from a correct FastMCP server. It passes there, and fails for at least five
// of six tools once each of them has a bug.
func TestInitFindsPlantedBugs(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(environments, func(e environment) bool { return e.name == "fastmcp" })
	dir, err := environments[i].dir()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	mcptest := func(planted string, args ...string) ([]byte, time.Duration) {
		cmd := exec.CommandContext(t.Context(), built.mcptest, args...)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "PLANTED="+planted, "CI=", "XDG_STATE_HOME="+work)
		began := time.Now()
		out, _ := cmd.Output() // the status of a failing suite is not 0
		return out, time.Since(began)
	}
	mcptest("none", "init", "--env", "PLANTED=none", "--", python(dir), "-B", absolute(t, "python", "planted.py"))
	suite, err := os.ReadFile(filepath.Join(work, "mcptest.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out, took := mcptest("none", "run", "--json")
	if failed := failedTools(t, out); len(failed) > 0 || took > maxSuiteTime {
		t.Fatalf("the suite fails on the correct server for %v, or takes too long: %v\n%s", failed, took, suite)
	}
	out, took = mcptest("all", "run", "--json")
	failed := failedTools(t, out)
	t.Logf("the suite fails for %v, in %v", slices.Sorted(maps.Keys(failed)), took)
	if len(failed) < 5 || took > maxSuiteTime {
		t.Errorf("the suite fails for %v in %v, want five of six tools\n%s", failed, took, suite)
	}
}

// failedTools lists the planted tools with a failed test.
func failedTools(t *testing.T, out []byte) map[string]bool {
	t.Helper()
	var report struct {
		Results []struct {
			Name     string
			Broken   string
			Findings []json.RawMessage
		}
	}
	if err := json.Unmarshal(out, &report); err != nil || len(report.Results) == 0 {
		t.Fatalf("no report: %v\n%s", err, out)
	}
	failed := map[string]bool{}
	for _, r := range report.Results {
		if len(r.Findings) == 0 && r.Broken == "" {
			continue
		}
		found := false
		for tool := range plantedBugs["fastmcp"] {
			if strings.Contains(r.Name, tool) {
				failed[tool], found = true, true
			}
		}
		if !found {
			failed[r.Name] = true
		}
	}
	return failed
}
