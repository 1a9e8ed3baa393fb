package mcptest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest"
)

// TestMain builds mcptest for these tests. Tests of other modules need none: see the documentation of the package.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcptest-package")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "mcptest")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/mcptest").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("go build: %v\n%s", err, out))
	}
	_ = os.Setenv("MCPTEST", program) // a valid name
	_ = os.Unsetenv("CI")             // where it is set, no golden file is written; all tests share one driver
	return m.Run()
}

// A call with what is expected of it.
func TestCall(t *testing.T) {
	s := mcptest.Start(t, mcptest.Server{Target: "demo"})
	s.Call("add", mcptest.M{"a": 1, "b": 2}, mcptest.Expect(mcptest.M{"exact": mcptest.M{"sum": 3}}))
	s.Read("demo://planets", mcptest.Expect(mcptest.M{"contains": "Mars"}))
	s.Prompt("greet", mcptest.M{"name": "Ada"}, mcptest.Expect(mcptest.M{"contains": "Ada"}))
	s.Request("no/such/method", nil, mcptest.Expect(mcptest.M{"error_code": -32601}))
}

// Code can look at a response, also at an error, and check it further.
func TestResponse(t *testing.T) {
	s := mcptest.Start(t, mcptest.Command(os.Getenv("MCPTEST"), "demo"))
	r := s.Try("fail", mcptest.M{"reason": "no paper"})
	if !r.IsError || r.Text != "Failed as requested: no paper" {
		t.Errorf("got %q, isError %v", r.Text, r.IsError)
	}
	r.Expect(mcptest.M{"is_error": true, "contains": "paper"})
	if tools := s.Tools(); len(tools) < 10 {
		t.Errorf("got %d tools", len(tools))
	}
}

// Requests of the server get answers.
func TestAnswers(t *testing.T) {
	s := mcptest.Start(t, mcptest.Server{Target: "demo", Offers: []string{"elicitation"}})
	s.Call("ask_user", mcptest.M{"question": "Who?"},
		mcptest.Answers(mcptest.M{"elicitation": []mcptest.M{{"action": "accept",
			"content": mcptest.M{"name": "Ada", "color": "red"}}}}),
		mcptest.Expect(mcptest.M{"contains": "Ada"}))
}

// A golden file is written by the first run and compared by later ones.
func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	s := mcptest.Start(t, mcptest.Server{Target: "demo"})
	golden := mcptest.Expect(mcptest.M{"snapshot": mcptest.M{"ignore": []string{"/_meta"}}})
	s.Call("echo", mcptest.M{"message": "hi"}, golden)
	s.For(t).Call("echo", mcptest.M{"message": "hi"}, golden)
	if text, err := os.ReadFile("testdata/TestGolden.snapshots.json"); err != nil || !strings.Contains(string(text), `"hi"`) {
		t.Errorf("%s, %v", text, err)
	}
}

// Each subtest uses the same server.
func TestSubtests(t *testing.T) {
	s := mcptest.Start(t, mcptest.Server{Target: "demo"})
	for _, text := range []string{"", "hi", "${HOME}", "😀"} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			s.For(t).Call("echo", mcptest.M{"message": text}, mcptest.Expect(mcptest.M{"exact": text}))
		})
	}
}

// Engines are tests too.
func TestEngines(t *testing.T) {
	s := mcptest.Start(t, mcptest.Server{Target: "demo"})
	s.MustConform(mcptest.With(mcptest.M{"rules": []string{"TOOL"}}))
	s.Fuzz(mcptest.With(mcptest.M{"cases": 50}))
}

// The tests of a suite file are subtests.
func TestSuite(t *testing.T) { mcptest.RunSuite(t, "examples/suite/mcptest.yaml") }
