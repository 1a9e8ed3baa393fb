package matrix

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plantedBugs are the bugs of the three planted servers, by tool: the rule that reports the bug, and how many calls
// show it.
var plantedBugs = map[string]map[string]plantedBug{
	"fastmcp": {
		"find_books": {"FUZZ-014", 1}, "average_rating": {"FUZZ-014", 1}, "shelf_label": {"FUZZ-014", 1},
		"due_date": {"FUZZ-014", 1}, "similar_books": {"FUZZ-014", 2}, "check_isbn": {"FUZZ-002", 1},
	},
	"typescript": {
		"list_tasks": {"FUZZ-014", 1}, "longest": {"FUZZ-014", 1}, "share_link": {"FUZZ-014", 1},
		"remind_at": {"FUZZ-014", 1}, "first_word": {"FUZZ-014", 2}, "is_path": {"FUZZ-002", 1},
	},
	"go": {
		"find_hosts": {"FUZZ-014", 1}, "median": {"FUZZ-014", 1}, "shorten": {"FUZZ-017", 1},
		"uptime_color": {"FUZZ-014", 1}, "host_status": {"FUZZ-014", 2}, "match_name": {"FUZZ-002", 1},
	},
}

type plantedBug struct {
	rule  string
	calls int
}

// maxCall is how long the arguments of a smallest call may be, in bytes: a pattern that backtracks needs a long text.
const maxCall = 120

// plantedTime is how long check and fuzz of one server may take together.
const plantedTime = 2 * time.Minute

// TestPlanted finds the planted bugs of servers of three SDKs with check and fuzz, each shrunk to a smallest call. Of
// 18, 16 have to be found, so that one of them on a busy machine does not decide.
func TestPlanted(t *testing.T) {
	if os.Getenv("MCPTEST_PLANTED") == "" {
		t.Skip("skipped: takes six minutes and a quiet machine; set MCPTEST_PLANTED")
	}
	commands := map[string][]string{"go": {built.gosdk, "planted"}}
	for _, e := range environments {
		dir, err := e.dir()
		if err != nil {
			t.Fatal(err)
		}
		switch e.name {
		case "fastmcp":
			commands["fastmcp"] = []string{python(dir), "-B", absolute(t, "python", "planted.py")}
		case "ts1":
			commands["typescript"] = []string{"node", filepath.Join(nodePrograms(t, dir), "planted.mjs")}
		}
	}
	found := 0
	for name, bugs := range plantedBugs {
		began := time.Now()
		seen := mcptestFindings(t, "check", commands[name])
		for tool, f := range mcptestFindings(t, "fuzz", commands[name]) {
			seen[tool] = append(seen[tool], f...)
		}
		took := time.Since(began)
		if took > plantedTime {
			t.Errorf("%s: check and fuzz took %v, expected at most %v", name, took, plantedTime)
		}
		for tool, bug := range bugs {
			calls := smallestCalls(seen[tool], bug.rule)
			if len(calls) == 0 {
				t.Logf("%s: %s was not found by %s; got %v", name, tool, bug.rule, seen[tool])
				continue
			}
			if call := strings.Join(calls, " "); len(calls) != bug.calls || len(call) > maxCall {
				t.Errorf("%s: %s: expected %d calls of at most %d bytes, got %s", name, tool, bug.calls, maxCall, call)
			}
			found++
			t.Logf("%s: %s: %s %s", name, tool, bug.rule, strings.Join(calls, " "))
		}
	}
	if t.Logf("found %d of 18", found); found < 16 {
		t.Errorf("found %d of 18 planted bugs, expected at least 16", found)
	}
}

// A plantedFinding is a finding about a tool.
type plantedFinding struct {
	Rule     string
	Message  string
	Evidence []string
}

// mcptestFindings runs a command on a server and returns its findings by tool.
func mcptestFindings(t *testing.T, command string, server []string) map[string][]plantedFinding {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), built.mcptest, append([]string{command, "--json", "--"}, server...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var report struct {
		Results []struct {
			Findings []struct {
				plantedFinding
				Where struct{ Subject string }
			}
		}
	}
	if json.Unmarshal(out, &report) != nil {
		t.Fatalf("mcptest %s: %v\n%s", command, err, stderr.String())
	}
	all := map[string][]plantedFinding{}
	for _, r := range report.Results {
		for _, f := range r.Findings {
			all[f.Where.Subject] = append(all[f.Where.Subject], f.plantedFinding)
		}
	}
	return all
}

// smallestCalls are the arguments of the steps that the shortest finding of a rule shows; nil if there is none.
func smallestCalls(findings []plantedFinding, rule string) []string {
	var best []string
	for _, f := range findings {
		var steps []string
		for _, line := range f.Evidence {
			label, rest, _ := strings.Cut(line, ": ")
			if label != "call" && !strings.HasPrefix(label, "step ") {
				continue
			}
			_, arguments, _ := strings.Cut(rest, " ")
			steps = append(steps, arguments)
			if strings.Contains(label, "times") {
				steps = append(steps, arguments)
			}
		}
		if f.Rule == rule && len(steps) > 0 && (best == nil ||
			len(strings.Join(steps, "")) < len(strings.Join(best, ""))) {
			best = steps
		}
	}
	return best
}
