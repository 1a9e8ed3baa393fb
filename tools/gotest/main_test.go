package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const examples = `package example

import "testing"

func TestPasses(t *testing.T)  { t.Log("output of a passed test") }
func TestPlatform(t *testing.T) { t.Skip("needs another platform") }
func TestParts(t *testing.T) {
	t.Run("one", func(t *testing.T) { t.Skip("needs a database") })
	t.Run("two", func(t *testing.T) {})
}
`

const failing = `
func TestFails(t *testing.T) {
	t.Run("part", func(t *testing.T) { t.Error("seen") })
}
`

// try runs the tool on a module and returns the exit status and the output.
func try(t *testing.T, code, skips string, args ...string) (int, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/example\n\ngo 1.26\n",
		"example_test.go": code} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	allowed, err := parseSkips(skips)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	status, err := run(append(args, "-vet=off", "./..."), allowed, &out)
	if err != nil {
		t.Fatal(err)
	}
	return status, regexp.MustCompile(`\d+\.\d+s`).ReplaceAllString(out.String(), "0s")
}

func TestRun(t *testing.T) {
	const (
		passed   = "ok  \texample.com/example\t0s\n"
		platform = "example.com/example TestPlatform: example_test.go:6: needs another platform\n"
		database = "example.com/example TestParts/one: example_test.go:8: needs a database\n"
	)
	both := "example TestPlatform # for Windows\n* TestParts/one\n"
	for _, c := range []struct {
		name, code, skips string
		status            int
		output            string
	}{
		{"allowed", examples, both, 0, passed + "skipped:\n" + platform + database},
		{"part of an allowed test", examples, "* Test*\n", 0, passed + "skipped:\n" + platform + database},
		{"not allowed", examples, "example TestPlatform\nother TestParts\n", 1, passed + "skipped:\n" + platform +
			"FAIL: skipped, but not in the list of tests that may be skipped:\n" + database},
		{"failed", examples + failing, both, 1, "    example_test.go:13: seen\n--- FAIL: TestFails/part (0s)\n--- " +
			"FAIL: TestFails (0s)\n" +
			"FAIL\nFAIL\texample.com/example\t0s\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if status, output := try(t, c.code, c.skips); status != c.status || output != c.output {
				t.Errorf("status %d, output:\n%s\nexpected %d:\n%s", status, output, c.status, c.output)
			}
		})
	}
}

func TestVerbose(t *testing.T) {
	if status, output := try(t, examples, "* *\n", "-v"); status != 0 ||
		!strings.Contains(output, "output of a passed test") {
		t.Errorf("status %d, output:\n%s", status, output)
	}
}

func TestCodeThatDoesNotCompile(t *testing.T) {
	status, output := try(t, "package example\n\nvar x int = \"\"\n", "")
	if status != 1 || !strings.Contains(output, "cannot use") || !strings.Contains(output, "[build failed]") {
		t.Errorf("status %d, output:\n%s", status, output)
	}
}

func TestListOfSkips(t *testing.T) {
	if _, err := parseSkips("# a comment\n\npkg Test\nalone\n"); err == nil ||
		!strings.Contains(err.Error(), "line 4") {
		t.Errorf("got %v", err)
	}
}
