package internal

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each dependency says what it saves, and nothing is said of what is not there any more.
func TestDependenciesAreExplained(t *testing.T) {
	module, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(guide), "## Dependencies")
	if !found {
		t.Fatal("CONTRIBUTING.md has no section Dependencies")
	}
	direct := regexp.MustCompile(`(?m)^\t(\S+) v\S+$`).FindAllStringSubmatch(string(module), -1)
	if len(direct) < 10 {
		t.Fatalf("found %d direct dependencies in go.mod", len(direct))
	}
	for _, m := range direct {
		if !strings.Contains(table, m[1]) {
			t.Errorf("CONTRIBUTING.md does not say what %s saves", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`[a-z]+\.[a-z.]+/[\w./-]+`).FindAllString(table, -1) {
		if !strings.Contains(string(module), m) {
			t.Errorf("CONTRIBUTING.md names %s, which go.mod does not have", m)
		}
	}
}

// Each copied package has its license and a file that names the version and the differences, and the guide explains it.
func TestCopiesAreExplained(t *testing.T) {
	guide, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	copies, err := filepath.Glob("../" + thirdParty + "/*")
	if err != nil || len(copies) == 0 {
		t.Fatalf("%s: %v, %v", thirdParty, copies, err)
	}
	for _, dir := range copies {
		name := path.Join(thirdParty, filepath.Base(dir))
		if !strings.Contains(string(guide), "| `"+name+"`") {
			t.Errorf("CONTRIBUTING.md does not say what %s saves", name)
		}
		for _, file := range []string{"LICENSE", "README.md"} {
			if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || len(text) == 0 {
				t.Errorf("%s: expected a file %s", name, file)
			}
		}
	}
}
