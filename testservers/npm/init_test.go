package npm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/suiterun"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// maxSuiteTime is how long a generated suite may take.
const maxSuiteTime = 30 * time.Second

// TestInitSuites generates a suite from each server: it passes, soon, and calls only tools that are safe.
func TestInitSuites(t *testing.T) {
	in := Require(t)
	for _, name := range []string{"server-everything", "server-filesystem", "server-memory"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			server := workbench.Connection{Command: []string{in.Node, in.Script(name)}, Env: []string{mark}}
			switch name {
			case "server-filesystem":
				server.Command = append(server.Command, dir)
			case "server-memory":
				server.Env = append(server.Env, "MEMORY_FILE_PATH="+filepath.Join(dir, "memory.jsonl"))
			}
			w := initBench(t, dir, server.Env)
			file := filepath.Join(dir, "mcptest.yaml")
			if _, err := suiterun.Init.Run(t.Context(), w, &suiterun.InitInput{Connection: server, Out: file}); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			onlySafe(t, name, dir, file)
			run := &suiterun.RunInput{Paths: []string{file}}
			if name == "server-everything" {
				run.SkipTag = []string{"slow"} // a call of ten seconds, which init has made before
			}
			began := time.Now()
			result, err := suiterun.Run.Run(t.Context(), w, run)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); result.Failed() || took > maxSuiteTime {
				t.Errorf("%v, %v: %+v\n%s", took, result.Report.Metrics, result.Report.Findings(), text)
			}
			if result.Report.Metrics["passed"] < 5 {
				t.Errorf("%v, want at least five tests that pass\n%s", result.Report.Metrics, text)
			}
		})
	}
}

// onlySafe checks which tools a suite calls.
func onlySafe(t *testing.T, name, dir, file string) {
	t.Helper()
	plan, problems := suite.Load(suite.Files{Read: os.ReadFile}, func(string) (string, bool) { return "", true }, file)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	args := map[string][]string{"server-filesystem": {dir}}[name]
	list, err := connect(t, stdio(t, name, args...), nil, nil).List(deadline(t), "tools/list")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range plan.Tests() {
		for _, step := range test.Steps {
			item, listed := list.Find(step.Subject)
			if step.Kind == "tool" && listed && test.Skip == "" && safety.Of(item.Raw).Calls == 0 {
				t.Errorf("%s calls %s, which is not safe", test.ID, step.Subject)
			}
		}
	}
}

// initBench is a workbench as the command line has it, with some variables in its environment.
func initBench(t *testing.T, dir string, env []string) *workbench.Workbench {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	system, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	system.Dir, system.Home = dir, dir
	system.Lookup = func(name string) (string, bool) {
		for _, variable := range env {
			if value, ok := strings.CutPrefix(variable, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
	return &workbench.Workbench{Version: "dev", System: system, Grants: workbench.CommandLine, Secrets: redact.New(),
		Supervisor: []string{self, supervise.Command}}
}
