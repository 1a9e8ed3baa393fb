// Command tsgen writes the types of the HTTP API as TypeScript, from the Go types that the API uses. Run it with go
// generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
)

// output is the path of the generated types, relative to the package with the go:generate line.
const output = "../../../web/src/api.gen.ts"

// sources are the packages whose types the API uses.
var sources = []string{"internal/surface/httpapi", "internal/inspector", "internal/view",
	"internal/protocol/arguments"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tsgen:", err)
		os.Exit(1)
	}
}

func run() error {
	said := comments{}
	for _, pkg := range sources {
		if err := said.read("../../..", module+pkg); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.FromSlash(output), []byte(generate(httpapi.Routes(), said)), 0o644)
}
