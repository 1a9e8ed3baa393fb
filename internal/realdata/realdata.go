// Package realdata finds the data that is not in the repository: the tools of real servers, labeled searches and the
// published schemas. It is for tests.
package realdata

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"
)

// Path is the path of a file or directory of the data. If it is missing, the test is skipped, or fails if
// MCPTEST_REQUIRE_DATA is set.
func Path(t testing.TB, name ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{folder(t)}, name...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("MCPTEST_REQUIRE_DATA") != "" {
			t.Fatalf("%v: required because MCPTEST_REQUIRE_DATA is set; set MCPTEST_DATA to the data directory", err)
		}
		t.Skipf("skipped: %v; set MCPTEST_DATA to the data directory", err)
	}
	return path
}

// folder is the directory in MCPTEST_DATA, relative to the project root.
func folder(t testing.TB) string {
	t.Helper()
	named := os.Getenv("MCPTEST_DATA")
	if filepath.IsAbs(named) {
		return named
	}
	if named == "" {
		named = filepath.Join("..", "shared", "data")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(root, named)
		}
		above := filepath.Dir(root)
		if above == root {
			t.Fatal("no go.mod found above the package")
		}
		root = above
	}
}

// EachLine calls a function for each line of a file. A line is valid until the function returns.
func EachLine(t testing.TB, path string, take func(line []byte)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		take(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
