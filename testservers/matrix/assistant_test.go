package matrix

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An assistedServer is a project with five planted bugs in a fresh folder, as an assistant finds it.
type assistedServer struct {
	prepare func(t *testing.T, dir string) (source string) // writes the project, and returns the file to fix
	path    string                                         // what the assistant is told
	command []string                                       // for the user, in the folder of the project
	buggy   []string                                       // the tools
	suite   string                                         // tests that fail because of the bugs
	fixes   []string                                       // pairs of code: old, new
	cases   int                                            // calls of the fuzzer in the part that every change runs; 0 is its default
}

var assisted = map[string]assistedServer{
	"python": {
		prepare: func(t *testing.T, dir string) string {
			t.Helper()
			link(t, environmentDir(t, "fastmcp"), filepath.Join(dir, ".venv"))
			return copied(t, "python/planted.py", filepath.Join(dir, "server.py"))
		},
		path: "./server.py", command: []string{".venv/bin/python", "server.py"},
		cases: 300, // FastMCP takes much longer for a call than the others, and has to be done in time on a busy machine
		buggy: []string{"find_books", "average_rating", "shelf_label", "due_date", "similar_books"},
		suite: `
tools:
  - {tool: find_books, args: {query: Dune}, expect: {contains: Dune}}
  - {tool: average_rating, args: {ratings: []}, expect: {contains: "0"}}
  - {tool: shelf_label, args: {title: Émile}, expect: {equals: ÉMILE}}
  - {tool: due_date, args: {days: 100000000}, expect: {regex: "^20"}}
sequences:
  - name: similar books twice
    steps:
      - {tool: similar_books, args: {title: Emma}, expect: {contains: Dune}}
      - {tool: similar_books, args: {title: Emma}, expect: {contains: Dune}}
`,
		fixes: []string{
			`author.strip()`, `(author or "").strip()`,
			`sum(ratings) / len(ratings)`, `sum(ratings) / max(len(ratings), 1)`,
			`title.encode("ascii").decode().upper()`, `title.upper()`,
			`timedelta(days=days)`, `timedelta(days=min(days, 365))`,
			`recent[title]["books"]`, `recent[title]`,
		},
	},
	"typescript": {
		prepare: func(t *testing.T, dir string) string {
			t.Helper()
			link(t, filepath.Join(environmentDir(t, "ts1"), "node_modules"), filepath.Join(dir, "node_modules"))
			written(t, filepath.Join(dir, "package.json"), `{"type":"module"}`)
			return copied(t, "node/planted.mjs", filepath.Join(dir, "dist", "index.js"))
		},
		path: "./dist/index.js", command: []string{"node", "dist/index.js"},
		buggy: []string{"list_tasks", "longest", "share_link", "remind_at", "first_word"},
		suite: `
tools:
  - {tool: list_tasks, args: {query: plants}, expect: {contains: Water}}
  - {tool: longest, args: {titles: []}, expect: {equals: '""'}}
  - {tool: share_link, args: {title: 東京}, expect: {contains: "https://tasks.example/?t="}}
  - {tool: remind_at, args: {hours: 100000000000000}, expect: {contains: "275760"}}
sequences:
  - name: first word twice
    steps:
      - {tool: first_word, args: {title: Hello}, expect: {contains: Hello}}
      - {tool: first_word, args: {title: Hello}, expect: {contains: Hello}}
`,
		fixes: []string{
			`labels.some(`, `(labels ?? ['home']).some(`,
			`(b.length > a.length ? b : a))`, `(b.length > a.length ? b : a), '')`,
			`btoa(title)`, `encodeURIComponent(title)`,
			`Date.UTC(2026, 0, 1) + hours * 3_600_000`, `Math.min(Date.UTC(2026, 0, 1) + hours * 3_600_000, 8.64e15)`,
			`/\w+/g`, `/\w+/`,
		},
	},
	"go": {
		prepare: func(t *testing.T, dir string) string {
			t.Helper()
			copied(t, "../../go.mod", filepath.Join(dir, "go.mod"))
			copied(t, "../../go.sum", filepath.Join(dir, "go.sum"))
			written(t, filepath.Join(dir, "main.go"), "package main\n\nimport \"context\"\n\n"+
				"func main() { _ = runPlanted(context.Background()) }\n")
			return copied(t, "gosdk/planted.go", filepath.Join(dir, "server.go"))
		},
		path: ".", command: []string{"go", "run", "."},
		buggy: []string{"find_hosts", "median", "shorten", "uptime_color", "host_status"},
		suite: `
tools:
  - {tool: find_hosts, args: {query: web}, expect: {contains: web}}
  - {tool: median, args: {samples: []}, expect: {equals: "0"}}
  - {tool: shorten, args: {title: aéééééééé}, expect: {equals: aééééééé}}
  - {tool: uptime_color, args: {seconds: 11000000000000000}, expect: {regex: "^(green|yellow|red)$"}}
sequences:
  - name: the same host twice
    steps:
      - {tool: host_status, args: {host: web}, expect: {equals: "true"}}
      - {tool: host_status, args: {host: web}, expect: {equals: "true"}}
`,
		fixes: []string{
			`owner := strings.TrimSpace(*in.Owner)`, `owner := strings.TrimSpace(*cmp.Or(in.Owner, new(string)))`,
			`"context"`, "\"cmp\"\n\t\"context\"",
			`in.Samples[len(in.Samples)/2]`, `append(in.Samples, 0)[len(in.Samples)/2]`,
			`in.Title[:min(8, len(in.Title))]`, `string([]rune(in.Title)[:min(8, len([]rune(in.Title)))])`,
			`max(in.Seconds, 0)*1000%len(colors)`, `max(in.Seconds, 0)%len(colors)`,
			`*cached.healthy`, `cached.healthy == nil`,
		},
	},
}

// TestAssistant is an assistant with the tools of serve alone. It starts a server from a path in a fresh folder after
// the user's answer, finds the planted bugs, writes a suite, and sees it fail. After the server is fixed, it restarts
// the server, sees the suite pass, and saves it. The user then runs the saved file.
func TestAssistant(t *testing.T) {
	for name, s := range assisted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			source := s.prepare(t, dir)
			a := newAssistant(t, dir)
			a.call("connect_to_server", map[string]any{"url": s.path, "timeout_ms": startTimeout.Milliseconds()})
			if len(a.questions) == 0 || !strings.Contains(strings.Join(a.questions, ""), dir) {
				t.Errorf("the user was asked %q; expected what is started, and where", a.questions)
			}
			a.finds(s.buggy, s.cases)
			words, _ := json.Marshal(s.command)
			suite := fmt.Sprintf("servers: {local: {command: %s, timeout: 2m}}", words) + s.suite
			a.call("validate_suite", map[string]any{"suite": suite})
			if passed, failed := a.runs(suite); passed != 0 || failed != len(s.buggy) {
				t.Errorf("before the fixes %d tests pass and %d fail; expected all to fail", passed, failed)
			}
			fix(t, source, s.fixes)
			a.call("restart", map[string]any{})
			if passed, failed := a.runs(suite); passed != len(s.buggy) || failed != 0 {
				t.Errorf("after the fixes %d tests pass and %d fail; expected all to pass", passed, failed)
			}
			a.questions = nil
			a.call("save_suite", map[string]any{"suite": suite, "file": "tests/first.yaml"})
			text, _ := os.ReadFile(filepath.Join(dir, "tests", "first.yaml"))
			if string(text) != suite || len(a.questions) != 1 {
				t.Errorf("the file is %q after %d questions; expected the suite after one", text, len(a.questions))
			}
			a.call("disconnect", map[string]any{})
			run := exec.CommandContext(t.Context(), built.mcptest, "run", "tests/first.yaml")
			run.Dir = dir
			if out, err := run.CombinedOutput(); err != nil {
				t.Errorf("mcptest run tests/first.yaml: %v\n%s", err, out)
			}
		})
	}
}

// An assistant calls the tools of mcptest serve, and its user allows what is asked.
type assistant struct {
	t         *testing.T
	session   *mcp.ClientSession
	questions []string
}

func newAssistant(t *testing.T, dir string) *assistant {
	t.Helper()
	a := &assistant{t: t}
	client := mcp.NewClient(&mcp.Implementation{Name: "assistant", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			a.questions = append(a.questions, r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "session"}}, nil
		}})
	serve := exec.Command(built.mcptest, "serve")
	serve.Dir, serve.Stderr = dir, &lockedBuffer{}
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: serve}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	a.session = session
	return a
}

// call calls a tool, which must succeed, and returns its result.
func (a *assistant) call(tool string, arguments map[string]any) json.RawMessage {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), 2*startTimeout)
	defer cancel()
	result, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		a.t.Fatalf("%s: %.3000s", tool, text)
	}
	return json.RawMessage(text)
}

// finds expects the tools to be in the findings of fuzz_tool, each with the call that repeats it.
func (a *assistant) finds(tools []string, cases int) {
	a.t.Helper()
	var found struct {
		Report struct {
			Findings []struct {
				ID      int
				In      []string
				Message string
			}
		}
	}
	arguments := map[string]any{"tool": tools, "within_ms": startTimeout.Milliseconds()}
	if cases > 0 && !full() {
		arguments["cases"] = cases
	}
	raw := a.call("fuzz_tool", arguments)
	if err := json.Unmarshal(raw, &found); err != nil {
		a.t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range found.Report.Findings {
		for _, tool := range f.In {
			seen[tool] = true
		}
	}
	for _, tool := range tools {
		if !seen[tool] {
			a.t.Errorf("the bug in %s was not found: %.3000s", tool, raw)
		}
	}
}

// runs runs a suite and counts its tests.
func (a *assistant) runs(suite string) (passed, failed int) {
	a.t.Helper()
	var ran struct {
		Report struct{ Summary struct{ Passed, Failed int } }
	}
	raw := a.call("run_suite", map[string]any{"suite": suite})
	if err := json.Unmarshal(raw, &ran); err != nil {
		a.t.Fatal(err)
	}
	a.t.Logf("run_suite: %.2500s", raw)
	return ran.Report.Summary.Passed, ran.Report.Summary.Failed
}

// fix replaces the planted bugs in a file.
func fix(t *testing.T, file string, pairs []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for pair := range slices.Chunk(pairs, 2) {
		if strings.Count(string(text), pair[0]) != 1 {
			t.Fatalf("%s does not have exactly one %q", file, pair[0])
		}
		text = []byte(strings.ReplaceAll(string(text), pair[0], pair[1]))
	}
	written(t, file, string(text))
}

func environmentDir(t *testing.T, name string) string {
	t.Helper()
	dir, err := Environment(filepath.Join("..", ".."), name)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func copied(t *testing.T, from, to string) string {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	return written(t, to, string(text))
}

func written(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}
