// Command reference writes docs/reference from what the program itself says: its commands, the schema of suites, its exit
// statuses, the keys of its config files. Run it with go generate.
//
//	go run ./tools/reference                   the pages
//	go run ./tools/reference -extras FOLDER    completions and manual pages, for a release
package main

import (
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("reference: ")
	extras := flag.String("extras", "", "write completions and manual pages to this folder instead")
	flag.Parse()
	if *extras != "" {
		if err := writeExtras(*extras, cli.Commands); err != nil {
			log.Fatal(err)
		}
		return
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		log.Fatalf("find the module: %v", err)
	}
	root := strings.TrimSpace(string(out))
	all, err := pages(root)
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(root, "docs", "reference", name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// pages are the files of docs/reference, by name; root is the folder of the module.
func pages(root string) (map[string]string, error) {
	tree := cli.Commands()
	options, err := blockOptions(root, tree)
	if err != nil {
		return nil, err
	}
	suitePage, err := suites(suite.Schema(), options)
	if err != nil {
		return nil, err
	}
	configPage, err := configuration(root)
	if err != nil {
		return nil, err
	}
	all := map[string]string{"README.md": index, "cli.md": commands(tree), "suite.md": suitePage, "exit-codes.md": exitCodes(), "config.md": configPage}
	for name, text := range all {
		all[name] = "<!-- Made by tools/reference from the program itself; go generate ./cmd/mcptest brings it up to date. -->\n\n" + text
	}
	return all, nil
}

const index = `# Reference

Everything here is made from the program itself, so that it says what the program does.

| page | what it holds |
|---|---|
| [cli.md](cli.md) | every command with its arguments, flags and examples |
| [suite.md](suite.md) | the format of suites: every key with its type, default and an example |
| [config.md](config.md) | config files that name servers, the settings of a gateway, environment variables |
| [exit-codes.md](exit-codes.md) | what the exit status of a command says |
| [rules](../rules/README.md) | the rules of schema-lint, and [those of conform](../rules/conform/README.md) |
`

// exitCodes is the page about exit statuses.
func exitCodes() string {
	t := table{head: []string{"status", "meaning", "for example"}}
	for _, s := range cli.ExitStatuses() {
		t.row(s.Code, s.Meaning, s.When)
	}
	return "# Exit statuses\n\nEvery command ends with one of these, so that a script can tell a server that fails from a command that is wrong.\n\n" + t.String() + `
Where a run has several of them to tell, a server that could not be reached (3) weighs more than a failure (1). What counts as
a failure is for the command to say: ` + "`--severity`, `--fail-on`, `--threshold`" + ` and ` + "`--baseline`" + ` move the line. Results go to
standard output, all else to standard error, whatever the status. With ` + "`--json`" + ` standard output is valid JSON, or empty where
there is no result: where the status is 2, and mostly where it is 3.
`
}
