package hosts

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// searched are the queries of the recorded searches.
var searched = []string{"write a report", "numbers"}

// TestRecordedSearch asks the recorded searches of hosts.
func TestRecordedSearch(t *testing.T) {
	for _, host := range []string{"claude", "codex"} {
		t.Run(host, func(t *testing.T) { checkSearch(t, built.players, host) })
	}
}

// TestRealSearch asks the searches of the real hosts.
func TestRealSearch(t *testing.T) {
	folder := real(t)
	for _, host := range []string{"claude", "codex"} {
		t.Run(host, func(t *testing.T) { checkSearch(t, folder, host) })
	}
}

func checkSearch(t *testing.T, folder, host string) {
	t.Helper()
	temp, file := t.TempDir(), filepath.Join(t.TempDir(), "queries.yaml")
	if err := os.WriteFile(file, []byte("queries:\n- query: write a report\n  tools: [report]\n- query: numbers\n"+
		"  tools: [add.numbers]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(built.mcptest, "find", "--json", "--queries", file, "--run", host, "--run-from", folder,
		"--within", "1m", "--as", "probe", "--", built.probe, "clean")
	cmd.Env = append(os.Environ(), "TMPDIR="+temp, "HOME="+t.TempDir(), "API_TOKEN=secret-of-the-user")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	var found struct {
		Queries []struct {
			Ranks map[string]int
			Top   map[string][]string
		}
		Runs []struct {
			Host, Version string
			Same          int
			Differs       []any
		}
	}
	if json.Unmarshal(text, &found) != nil || err != nil || len(found.Runs) != 1 || len(found.Queries) != 2 {
		t.Fatalf("%v: %s%s", err, text, &stderr)
	}
	if r := found.Runs[0]; r.Host != hostNames[host] || r.Version == "" || r.Same != 2 || len(r.Differs) > 0 {
		t.Errorf("run %+v, want both queries as reproduced", r)
	}
	for i, want := range []string{"report", "add.numbers"} {
		q := found.Queries[i]
		if top := q.Top[host+"-run"]; q.Ranks[host+"-run"] != 1 || len(top) == 0 || top[0] != want {
			t.Errorf("%s: ranks %v, returned %q, want %s first", searched[i], q.Ranks, top, want)
		}
	}
	noLeftovers(t, temp)
}

// TestSearchFetch downloads a host with an npm that installs player.
func TestSearchFetch(t *testing.T) {
	player, err := os.ReadFile(filepath.Join(built.players, "codex"))
	bin := t.TempDir()
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "npm"), player, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("HOME", t.TempDir())
	args := []string{"find", "--run", "codex", "--as", "probe", searched[0], searched[1], "--", built.probe, "clean"}
	text, err := exec.Command(built.mcptest, args...).CombinedOutput()
	if err == nil || !strings.Contains(string(text), "use --fetch to download @openai/codex") {
		t.Errorf("%v: %s, want a hint for --fetch", err, text)
	}
	text, err = exec.Command(built.mcptest, append([]string{"find", "--fetch"}, args[1:]...)...).CombinedOutput()
	if want := "Codex 0.166.0 itself ("; err != nil || !strings.Contains(string(text), want) ||
		!strings.Contains(string(text), "as reproduced for 2 of 2 queries.") {
		t.Errorf("%v: %s, want %s", err, text, want)
	}
}

// TestRecordSearch writes the requests that player sends for a search.
func TestRecordSearch(t *testing.T) {
	folder := real(t)
	if *record == "" {
		t.Skip("skipped: -record writes the requests of the hosts")
	}
	for _, host := range strings.Split(*record, ",") {
		o := options(t, folder, host, "probe", []string{built.probe, "clean"})
		if o.Host.SearchTool == "" {
			continue
		}
		for _, query := range searched {
			limit := map[string]int{"claude": 5, "codex": 8}[host]
			arguments, _ := json.Marshal(map[string]any{"query": query, o.Host.SearchLimit: limit})
			o.Script = append(o.Script, hostrun.Call{Tool: o.Host.SearchTool, Arguments: arguments})
		}
		o.Search, o.Find = true, func(given []hosts.Tool, name string) (hosts.Tool, bool) {
			i := slices.IndexFunc(given, func(g hosts.Tool) bool { return g.Name == name })
			return hosts.Tool{Name: name}, i >= 0
		}
		run := started(t, o)
		var bodies []any
		for _, body := range run.Bodies {
			if trimmed := trim(body); trimmed != nil {
				bodies = append(bodies, trimmed)
			}
		}
		line, err := json.Marshal(map[string]any{"case": "clean", "version": run.Version, "bodies": bodies})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("player", "recorded", host+"-search.jsonl"), append(line, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
