package npm

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestEra finds the era of each server by itself, with a client that offers nothing.
func TestEra(t *testing.T) {
	Require(t)
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		target func(*testing.T) wire.Target
		want   string
		tools  int
	}{
		{"everything", func(t *testing.T) wire.Target { return stdio(t, "server-everything") }, "2025-11-25", 13},
		{"filesystem", func(t *testing.T) wire.Target { return stdio(t, "server-filesystem", dir) }, "2025-11-25", 14},
		{"memory", func(t *testing.T) wire.Target { return stdio(t, "server-memory") }, "2025-11-25", 9},
		{"sequential-thinking", func(t *testing.T) wire.Target { return stdio(t, "server-sequential-thinking") },
			"2025-11-25", 1},
		{"http", func(t *testing.T) wire.Target { return wire.Target{URL: listening(t, "streamableHttp") + "/mcp"} },
			"2025-11-25", 13},
		{"sse", func(t *testing.T) wire.Target { return wire.Target{URL: listening(t, "sse") + "/sse"} }, "2024-11-05",
			13},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := connect(t, c.target(t), nil, nil)
			if s.Era != spec.Legacy || s.Version != c.want || s.Why == "" || s.Server == nil {
				t.Errorf("speaks %s %s (%q) as %s, want legacy %s", s.Era, s.Version, s.Why, s.Server, c.want)
			}
			if got := names(t, s, "tools/list"); len(got) != c.tools {
				t.Errorf("%d tools, want %d: %q", len(got), c.tools, got)
			}
			if got := s.Notices(); len(got) > 0 {
				t.Errorf("noticed %+v", got)
			}
		})
	}
}

func TestRevisions(t *testing.T) {
	Require(t)
	for _, revision := range spec.IDs()[:4] {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			s := connect(t, stdio(t, "server-everything"), nil, &mcp.Options{Protocol: revision})
			if s.Version != revision {
				t.Errorf("speaks %s, want %s", s.Version, revision)
			}
			wantText(t, tool(t, s, "echo", `{"message":"hi"}`).text(), "Echo: hi")
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	s := connect(t, stdio(t, "server-everything"), nil, &mcp.Options{Protocol: spec.NewestLegacy})
	var env map[string]string
	if err := json.Unmarshal([]byte(tool(t, s, "get-env", `{}`).text()), &env); err != nil {
		t.Fatal(err)
	}
	for name := range env {
		if name != "PATH" && !strings.HasPrefix(mark, name+"=") {
			t.Errorf("the server sees %s, which it was not given", name)
		}
	}
}

func TestFilesystem(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t, stdio(t, "server-filesystem", dir), nil, &mcp.Options{Protocol: spec.NewestLegacy})
	path := filepath.Join(dir, "note.txt")
	tool(t, s, "write_file", string(mcp.Object("path", path, "content", "kept as it is: \u2028 é\n")))
	if got, err := os.ReadFile(path); err != nil || string(got) != "kept as it is: \u2028 é\n" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	r := tool(t, s, "read_text_file", string(mcp.Object("path", path)))
	wantText(t, r.text(), "kept as it is: \u2028 é\n")
	if r.StructuredContent == nil {
		t.Error("no structuredContent")
	}
	outside := mcp.Object("name", "read_text_file", "arguments", mcp.Object("path", "/etc/passwd"))
	ex, err := s.Call(deadline(t), "tools/call", outside)
	if err != nil || !strings.Contains(string(ex.Reply.Result), "Access denied") {
		t.Errorf("reading outside brought %+v (%v), want a refusal", ex.Reply, err)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	target := stdio(t, "server-memory")
	target.Env = append(target.Env, "MEMORY_FILE_PATH="+filepath.Join(t.TempDir(), "memory.jsonl"))
	s := connect(t, target, nil, &mcp.Options{Protocol: spec.NewestLegacy})
	tool(t, s, "create_entities", `{"entities":[{"name":"Ada","entityType":"person","observations":["wrote the first `+
		`program"]}]}`)
	wantText(t, tool(t, s, "search_nodes", `{"query":"first program"}`).text(), `"Ada"`)
	if got := names(t, s, "resources/list"); !slices.Equal(got, []string{"memory://knowledge-graph"}) {
		t.Errorf("resources are %q", got)
	}
}

func TestSequentialThinking(t *testing.T) {
	t.Parallel()
	s := connect(t, stdio(t, "server-sequential-thinking"), nil, &mcp.Options{Protocol: spec.NewestLegacy})
	r := tool(t, s, "sequentialthinking", `{"thought":"first","nextThoughtNeeded":false,"thoughtNumber":1,`+
		`"totalThoughts":1}`)
	wantText(t, r.text(), `"thoughtHistoryLength": 1`)
	for end := time.Now().Add(10 * time.Second); !strings.Contains(s.Stderr(),
		"first"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("stderr is %q, want it to hold the thought", s.Stderr())
		}
	}
}
