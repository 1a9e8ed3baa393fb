package planted_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/redact"
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

// TestWrittenSuites wants what is written of a defect to be of use: for each rule, the suite fails as long as the server has
// the defect, passes once it is mended, and the file shows it again.
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
			_, mended := c.Command(true)
			dir := t.TempDir()
			in := &workbench.FuzzInput{Connection: workbench.Connection{Command: argv, Env: []string{env}, Protocol: "2025-06-18"},
				Cases: 500, Hang: 30 * time.Second, Stateful: c.Stateful, Wire: c.Wire, Out: dir}
			if c.Rule == "FUZZ-002" || c.Rule == "FUZZ-009" {
				in.Hang = time.Second // each silence takes as long
			}
			if _, err := workbench.Fuzz.Run(t.Context(), bench(t, dir, env), in); err != nil {
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
			if fails := runSuite(t, dir, suites[0], mended); fails {
				t.Errorf("the suite fails on the mended server:\n%s", read(t, suites[0]))
			}
			in.Replay, in.Out = files[0], ""
			again, err := workbench.Fuzz.Run(t.Context(), bench(t, dir, env), in)
			if err != nil {
				t.Fatal(err)
			}
			if !again.Failed() {
				t.Errorf("the file does not show it again:\n%s", read(t, files[0]))
			}
		})
	}
	for _, rule := range fuzz.Rules() {
		if !slices.Contains(tried, rule.ID) && rule.ID != "FUZZ-013" { // which takes HTTP
			t.Errorf("no suite was written for %s", rule.ID)
		}
	}
}

func bench(t *testing.T, dir, env string) *workbench.Workbench {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(env, "=")
	sys.Dir, sys.Environ = dir, append(slices.Clone(sys.Environ), env)
	sys.Lookup = func(asked string) (string, bool) {
		if asked == name {
			return value, true
		}
		return os.LookupEnv(asked)
	}
	return &workbench.Workbench{Version: "dev", System: sys, Secrets: redact.New()}
}

func runSuite(t *testing.T, dir, file, env string) (fails bool) {
	t.Helper()
	result, err := workbench.RunSuites.Run(t.Context(), bench(t, dir, env), &workbench.RunInput{Paths: []string{file}})
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
