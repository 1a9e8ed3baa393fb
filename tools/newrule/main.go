// Newrule creates a lint rule: its file, its golden file, and its entry in the list.
//
//	go run ./tools/newrule QUAL-017
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("newrule: ")
	if len(os.Args) != 2 || !regexp.MustCompile(`^([A-Z]+-\d{3}|[a-z0-9-]+/[a-z0-9-]+)$`).MatchString(os.Args[1]) {
		log.Fatal("usage: go run ./tools/newrule ID, where ID is like QUAL-017 or copilot/array-items")
	}
	dir := filepath.Join("internal", "engine", "lint")
	if _, err := os.Stat(dir); err != nil {
		log.Fatalf("run this from the root of the module: %v", err)
	}
	id := os.Args[1]
	write(filepath.Join(dir, stem(id)+".go"), fmt.Sprintf(source, variable(id), id))
	write(filepath.Join(dir, "testdata", "rules", stem(id)+".txtar"), golden)
	list := exec.Command("go", "run", "./tools/rulelist")
	list.Stderr = os.Stderr
	if err := list.Run(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("next: fill in the rule and its golden file, then run go test ./internal/engine/lint -run " +
		"'TestRules|TestDocs' -update")
}

// stem is the name of the rule's files.
func stem(id string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", "/", "_").Replace(id))
}

// variable is the name of the rule in the source.
func variable(id string) string {
	parts := strings.Split(stem(id), "_")
	for i := range parts[1:] {
		parts[i+1] = strings.ToUpper(parts[i+1][:1]) + parts[i+1][1:]
	}
	return strings.Join(parts, "")
}

// write creates a file; it never overwrites one.
func write(path, text string) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := file.WriteString(text); err != nil {
		log.Fatal(err)
	}
	if err := file.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println("wrote", path)
}

const source = `package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var %s = &Rule{
	Rule: finding.Rule{
		ID:       %q,
		Severity: finding.Warning,
		Doc: ` + "`" + `fault as a noun phrase

Describe why it matters to a user or a model, and how to fix it.` + "`" + `,
	},
	Check: func(p *Pass) {
	},
}
`

const golden = `Describe what the rule reports and what it does not.

-- fires.json --
[{"name": "a", "description": "Does a thing.", "inputSchema": {"type": "object"}}]
-- quiet.json --
[{"name": "a", "description": "Does a thing.", "inputSchema": {"type": "object"}}]
-- want --
`
