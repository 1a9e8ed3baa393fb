// Package realdata finds the data that is not in the repository: the tools of real servers, labelled searches and the
// published schemas. It is for tests.
package realdata

import (
	"bufio"
	"os"
	"path/filepath"
	"testing"
)

// Path is where a file or a folder of the data is. Without it the test is left out, and fails where MCPTEST_REQUIRE_DATA is set.
func Path(t testing.TB, name ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{folder(t)}, name...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("MCPTEST_REQUIRE_DATA") != "" {
			t.Fatalf("%v; want it there, as MCPTEST_REQUIRE_DATA is set: MCPTEST_DATA names the folder of the data", err)
		}
		t.Skipf("left out: %v; MCPTEST_DATA names the folder of the data", err)
	}
	return path
}

// folder is what MCPTEST_DATA names, from the root of the project.
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
			t.Fatal("no go.mod above the package")
		}
		root = above
	}
}

// EachLine gives the lines of a file to a function, one after another. A line is valid until the function returns.
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
