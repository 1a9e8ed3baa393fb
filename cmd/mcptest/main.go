//go:generate go run ../../tools/reference

// Command mcptest is the workbench for MCP servers.
package main

import (
	"os"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

func main() { os.Exit(cli.Main(cli.System())) }
