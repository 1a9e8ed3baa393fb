package planted_test

import (
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/suiterun"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// TestMain is also every server with a planted defect.
func TestMain(m *testing.M) {
	planted.Play()
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // some of them do nothing but stay silent
		panic(err)
	}
	os.Exit(m.Run())
}

// TestWrittenSuites wants what is written of a defect to be of use: for each rule, the suite fails as long as the
// server has the defect, passes once it is fixed, and the file shows it again.
func TestWrittenSuites(t *testing.T) {
	t.Parallel()
	var tried []string
	for _, c := range planted.Creatures() {
		if slices.Contains(tried, c.Rule) && c.Name != "memory grows" {
			continue
		}
		tried = append(tried, c.Rule)
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			argv, env := c.Command(false)
			_, fixed := c.Command(true)
			dir := t.TempDir()
			in := &engines.FuzzInput{Connection: workbench.Connection{Command: argv, Env: []string{env},
				Protocol: "2025-06-18"},
				Cases: 500, Hang: 30 * time.Second, Stateful: c.Stateful, Wire: c.Wire, Out: dir}
			if c.Rule == "FUZZ-002" || c.Rule == "FUZZ-009" {
				in.Hang = time.Second // each silence takes as long
			}
			if _, err := engines.Fuzz.Run(t.Context(), bench(t, dir, env), in); err != nil {
				t.Fatal(err)
			}
			suites, _ := filepath.Glob(filepath.Join(dir, "*.yaml"))
			files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
			if len(suites) == 0 || len(suites) != len(files) {
				t.Fatalf("wrote %v and %v, want a suite and a file for each finding", suites, files)
			}
			if fails := runSuite(t, dir, suites[0], env); !fails {
				t.Errorf("the suite passes on the server with the defect:\n%s", read(t, suites[0]))
			}
			if fails := runSuite(t, dir, suites[0], fixed); fails {
				t.Errorf("the suite fails on the fixed server:\n%s", read(t, suites[0]))
			}
			in.Replay, in.Out = files[0], ""
			again, err := engines.Fuzz.Run(t.Context(), bench(t, dir, env), in)
			if err != nil {
				t.Fatal(err)
			}
			if !again.Failed() {
				t.Errorf("the file does not show it again:\n%s", read(t, files[0]))
			}
		})
	}
	for _, rule := range fuzz.Rules() {
		if !slices.Contains(tried, rule.ID) && rule.ID != "FUZZ-013" { // see TestWrittenSuiteOfSessions
			t.Errorf("no suite was written for %s", rule.ID)
		}
	}
}

// TestWrittenSuiteOfSessions wants the same of the rule that only a server over HTTP can break.
func TestWrittenSuiteOfSessions(t *testing.T) {
	t.Parallel()
	server, dir := &planted.Ended{}, t.TempDir()
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	in := &engines.FuzzInput{Connection: workbench.Connection{Target: listening.URL, Protocol: "2025-06-18"},
		Cases: 30, Hang: 30 * time.Second, Stateful: true, Out: dir}
	found, err := engines.Fuzz.Run(t.Context(), bench(t, dir, ""), in)
	if err != nil {
		t.Fatal(err)
	}
	all := found.Report.Findings()
	if len(all) != 1 || all[0].Rule != "FUZZ-013" || len(found.Files) != 2 {
		t.Fatalf("found %v and wrote %v, want FUZZ-013 alone", all, found.Files)
	}
	file, suite := found.Files[0], found.Files[1]
	if !runSuite(t, dir, suite, "") {
		t.Errorf("the suite passes on the server with the defect:\n%s", read(t, suite))
	}
	in.Replay, in.Out = file, ""
	if again, err := engines.Fuzz.Run(t.Context(), bench(t, dir, ""), in); err != nil || !again.Failed() {
		t.Errorf("the file does not show it again: %v\n%s", err, read(t, file))
	}
	server.Mended.Store(true)
	if runSuite(t, dir, suite, "") {
		t.Errorf("the suite fails on the fixed server:\n%s", read(t, suite))
	}
	if again, err := engines.Fuzz.Run(t.Context(), bench(t, dir, ""), in); err != nil || again.Failed() {
		t.Errorf("the file shows a defect that is fixed: %v\n%s", err, read(t, file))
	}
}

func bench(t *testing.T, dir, env string) *workbench.Workbench {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(env, "=")
	sys.Dir, sys.Home, sys.Environ = dir, dir, append(slices.Clone(sys.Environ), env)
	sys.Lookup = func(asked string) (string, bool) {
		if asked == name {
			return value, true
		}
		return os.LookupEnv(asked)
	}
	return &workbench.Workbench{Version: "dev", System: sys, Secrets: redact.New(), Grants: workbench.CommandLine}
}

func runSuite(t *testing.T, dir, file, env string) (fails bool) {
	t.Helper()
	result, err := suiterun.Run.Run(t.Context(), bench(t, dir, env), &suiterun.RunInput{Paths: []string{file}})
	if err != nil {
		t.Fatalf("run %s: %v\n%s", file, err, read(t, file))
	}
	return result.Failed()
}

func read(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
