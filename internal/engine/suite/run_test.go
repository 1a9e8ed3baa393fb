package suite

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// memory keeps files in memory.
func memory(files map[string]string) Files {
	return Files{
		Read: func(path string) ([]byte, error) {
			if text, ok := files[path]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
		Write: func(path string, data []byte) error { files[path] = string(data); return nil },
	}
}

// runSuite runs one suite against the line server and returns the results by test name.
func runSuite(t *testing.T, text string, change func(*Options)) (map[string]finding.Result, map[string]string) {
	t.Helper()
	files := map[string]string{"s.yaml": text}
	plan, problems := Load(memory(files), nil, "s.yaml")
	if len(problems) > 0 {
		t.Fatalf("Load: %v", problems)
	}
	o := Options{Dial: dialLines(t), Files: memory(files), Whole: true}
	if change != nil {
		change(&o)
	}
	report, err := Run(t.Context(), plan, o)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	byName := map[string]finding.Result{}
	for _, r := range report.Results {
		byName[r.Name[strings.LastIndex(r.Name, "/")+1:]] = r
	}
	return byName, files
}

func status(t *testing.T, results map[string]finding.Result, name string, want finding.Status) finding.Result {
	t.Helper()
	r, ok := results[name]
	if !ok {
		t.Fatalf("no result of %q in %v", name, results)
	}
	if r.Status() != want {
		t.Errorf("%s: got %s (%s %v), want %s", name, r.Status(), r.Broken, r.Findings, want)
	}
	return r
}

func TestServerThatDiesFailsItsTestAndTheRestGoOn(t *testing.T) {
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
tools:
  - {name: before, tool: echo, args: {text: a}, expect: {contains: a}}
  - {name: dies, tool: exit, args: {code: 7}}
  - {name: after, tool: count, expect: {equals: "1"}}
  - {name: code, tool: exit, args: {code: 7}, expect: [{target: exit_code, exact: 7}, {target: stderr, contains: leaving}]}
`, nil)
	status(t, results, "before", finding.Passed)
	dead := status(t, results, "dies", finding.Broken)
	if !strings.Contains(dead.Broken, "7") || !strings.Contains(dead.Broken, "leaving") {
		t.Errorf("got %q, want the exit status and the last words", dead.Broken)
	}
	status(t, results, "after", finding.Passed) // a new process: its first call
	status(t, results, "code", finding.Passed)
}

func TestRestart(t *testing.T) {
	const suite = `
servers: {s: {command: [x]}}
run_options: {restart: %}
tools:
  - {name: one, tool: count, expect: {equals: "1"}}
  - {name: two, tool: count, expect: {equals: "1"}}
`
	results, _ := runSuite(t, strings.Replace(suite, "%", "per_test", 1), nil)
	status(t, results, "one", finding.Passed)
	status(t, results, "two", finding.Passed)
	results, _ = runSuite(t, strings.Replace(suite, "%", "run", 1), nil)
	status(t, results, "two", finding.Failed)
}

func TestParallelTestsDoNotMixAnswers(t *testing.T) {
	var text strings.Builder
	text.WriteString("servers: {s: {command: [x]}}\nrun_options: {parallel: 8}\ntools:\n")
	for i := range 200 {
		n := string(rune('a'+i%26)) + strings.Repeat("x", i)
		text.WriteString("  - {name: t" + n + ", tool: echo, args: {text: " + n + "}, expect: {exact: " + n + "}}\n")
	}
	results, _ := runSuite(t, text.String(), func(o *Options) { o.Parallel = 8 })
	if len(results) != 200 {
		t.Fatalf("got %d results, want 200", len(results))
	}
	for name := range results {
		status(t, results, name, finding.Passed)
	}
}

func TestSequencesPassValuesOn(t *testing.T) {
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
variables: {greeting: hello}
sequences:
  - name: passes
    steps:
      - {tool: echo, args: {text: "${greeting} you"}, capture: {said: result.structuredContent.text, n: result.structuredContent.calls}}
      - {tool: echo, args: {text: "again: ${said} ${n}"}, expect: {equals: "again: hello you 1"}}
  - name: stops at the first failure
    steps:
      - {tool: echo, args: {text: a}, expect: {equals: b}}
      - {tool: exit}
  - name: nothing to capture
    steps:
      - {tool: echo, args: {text: a}, capture: {x: result.nowhere}}
      - {tool: echo, args: {text: "${x}"}}
  - name: an expression
    steps:
      - {tool: echo, args: {text: '{"ids":[7,8]}'}, capture: {id: "text | fromjson | .ids[1]"}}
      - {tool: echo, args: {text: "id ${id}"}, expect: {equals: "id 8"}}
  - name: an expression without a value
    steps:
      - {tool: echo, args: {text: '{"ids":[7,8]}'}, capture: {id: "text | fromjson | .nowhere"}}
`, nil)
	status(t, results, "passes", finding.Passed)
	status(t, results, "an expression", finding.Passed)
	missing := status(t, results, "an expression without a value", finding.Failed)
	if got := missing.Findings[0].Message; !strings.Contains(got, "text | fromjson | .nowhere not found in the response") {
		t.Errorf("got %q, want the location", got)
	}
	failed := status(t, results, "stops at the first failure", finding.Failed)
	if got := failed.Findings[0].Message; !strings.Contains(got, `got:  "a"`) || !strings.Contains(got, `want: "b"`) ||
		!strings.Contains(got, "step 1") {
		t.Errorf("got %q, want both sides and the step", got)
	}
	status(t, results, "nothing to capture", finding.Failed) // the server is well; its answer: expectation failed
}

func TestFailuresAndRetries(t *testing.T) {
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
run_options: {restart: file}
tools:
  - {name: flaky, tool: flaky, retries: 1}
  - {name: slow, tool: hang, timeout: 300ms}
  - {name: left out, tool: echo, skip: not today}
raw:
  - {name: error, method: no/such}
  - {name: expected error, method: no/such, expect: [{error_code: -32601}, {target: error.data.method, exact: no/such}]}
`, nil)
	if r := status(t, results, "flaky", finding.Passed); r.Attempts != 2 {
		t.Errorf("flaky: got %d attempts, want 2", r.Attempts)
	}
	if r := status(t, results, "slow", finding.Failed); r.Findings[0].Rule != "suite/timeout" {
		t.Errorf("slow: got %s, want suite/timeout", r.Findings[0].Rule)
	}
	status(t, results, "left out", finding.Skipped)
	if r := status(t, results, "error", finding.Failed); r.Findings[0].Rule != "suite/error" {
		t.Errorf("error: got %s, want suite/error", r.Findings[0].Rule)
	}
	status(t, results, "expected error", finding.Passed)
}

func TestAnswers(t *testing.T) {
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
tools:
  - name: answered
    tool: ask
    answers: {elicitation: [{action: accept, content: {name: Ada}}]}
    expect: {contains: Ada}
`, nil)
	status(t, results, "answered", finding.Passed)
}

func TestSnapshots(t *testing.T) {
	const suite = "servers: {s: {command: [x]}}\ntools:\n  - {name: kept, tool: echo, args: {text: %}, expect: " +
		"{target: text, snapshot: true}}\n"
	first := strings.Replace(suite, "%", "one", 1)
	results, files := runSuite(t, first, nil)
	status(t, results, "kept", finding.Passed)
	kept := files[match.SnapshotPath("s.yaml")]
	if !strings.Contains(kept, `"one"`) {
		t.Fatalf("got %q, want the answer kept", kept)
	}
	run := func(text string, mode match.SnapshotMode, kept string) (finding.Result, string) {
		files := map[string]string{"s.yaml": text}
		if kept != "" {
			files[match.SnapshotPath("s.yaml")] = kept
		}
		plan, problems := Load(memory(files), nil, "s.yaml")
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		report, err := Run(t.Context(), plan, Options{Dial: dialLines(t), Files: memory(files), Snapshots: mode,
			Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		return report.Results[0], files[match.SnapshotPath("s.yaml")]
	}
	second := strings.Replace(suite, "%", "two", 1)
	if r, after := run(second, match.WriteNew, kept); r.Status() != finding.Failed || after != kept {
		t.Errorf("another answer: got %s and %q, want failed and the old snapshot", r.Status(), after)
	}
	if r, after := run(first, match.ReadOnly, ""); r.Status() != finding.Failed || after != "" {
		t.Errorf("a new snapshot where nothing may be written: got %s and %q", r.Status(), after)
	}
	if r, after := run(second, match.UpdateAll, kept); r.Status() != finding.Passed || !strings.Contains(after, `"two"`) {
		t.Errorf("update: got %s and %q", r.Status(), after)
	}
}

func TestCoverageAndBail(t *testing.T) {
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
tools:
  - {name: a, tool: echo, args: {text: a}}
coverage:
  - {name: half, tools: 50}
  - {name: all, tools: 100}
  - {name: parameters, parameters: 100}
`, nil)
	status(t, results, "half", finding.Passed)
	if r := status(t, results, "all", finding.Failed); !strings.Contains(strings.Join(r.Findings[0].Evidence, " "),
		"count") {
		t.Errorf("got %q, want the tool that no test calls", r.Findings[0].Evidence)
	}
	status(t, results, "parameters", finding.Passed)
	results, _ = runSuite(t, `
servers: {s: {command: [x]}}
tools:
  - {name: bad, tool: echo, args: {text: a}, expect: {equals: b}}
  - {name: later, tool: echo}
`, func(o *Options) { o.Bail = true })
	status(t, results, "later", finding.Skipped)
}

// TestBlockThatIsCutFails wants an engine that had no time to finish to fail its test, whatever it saw until then.
func TestBlockThatIsCutFails(t *testing.T) {
	blocks := map[string]BlockRunner{"fuzz": {Expect: "- {target: crashes, exact: 0}\n",
		Run: func(ctx context.Context, _ *mcp.Session, _ *Server, _ []byte) ([]byte, []finding.Finding, error) {
			<-ctx.Done()
			return []byte(`{"crashes":0}`), nil, nil
		}}}
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
fuzz:
  - {name: cut, timeout: 50ms}
`, func(o *Options) {
		dial := o.Dial
		o.Blocks, o.Dial = blocks, func(_ context.Context, s *Server, offers Offers) (*mcp.Session, error) {
			return dial(t.Context(), s, offers) // to start the server may take longer than that
		}
	})
	cut := status(t, results, "cut", finding.Failed)
	if !strings.Contains(cut.Findings[0].Message, "fuzz timed out after 50ms") {
		t.Errorf("got %q, want that it was not finished", cut.Findings[0].Message)
	}
}

func TestBlocksRunEngines(t *testing.T) {
	blocks := map[string]BlockRunner{"conform": {Expect: "- {target: failed, exact: 0}",
		Run: func(_ context.Context, _ *mcp.Session, _ *Server, with []byte) ([]byte, []finding.Finding, error) {
			if strings.Contains(string(with), "break") {
				return nil, nil, errors.New("the engine broke")
			}
			return []byte(`{"failed":2,"tool":{"x":{"score":0.4}}}`), []finding.Finding{{Rule: "X-1", Message: "seen"}},
				nil
		}}}
	results, _ := runSuite(t, `
servers: {s: {command: [x]}}
conform:
  - {name: default}
  - {name: own, expect: [{target: failed, matcher: {schema: {maximum: 2}}}, {target: 'tool["x"].score', matcher: {approx: 0.4}}]}
  - {name: broken, with: {rules: [break]}}
  - {name: typo, expect: {target: faild, exact: 0}}
`, func(o *Options) { o.Blocks = blocks })
	if r := status(t, results, "default", finding.Failed); !strings.Contains(strings.Join(r.Findings[0].Evidence, " "),
		"X-1") {
		t.Errorf("got %q, want the engine's findings", r.Findings[0].Evidence)
	}
	status(t, results, "own", finding.Passed)
	status(t, results, "broken", finding.Broken)
	if r := status(t, results, "typo", finding.Failed); !strings.Contains(r.Findings[0].Message,
		"did you mean the target failed?") {
		t.Errorf("got %q, want the target that was meant", r.Findings[0].Message)
	}
}
