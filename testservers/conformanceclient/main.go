// Conformanceclient is the client that the official conformance suite drives: it plays one scenario with the sessions
// of internal/protocol/mcp, so that the suite tests the client that mcptest itself uses.
//
// The suite passes the server's URL as the last argument, and in the environment the scenario's name
// (MCP_CONFORMANCE_SCENARIO), the revision to use (MCP_CONFORMANCE_PROTOCOL_VERSION) and, if a scenario has one,
// its context as JSON (MCP_CONFORMANCE_CONTEXT).
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// scenarioTimeout is the time limit of a scenario, the same as that of the suite.
const scenarioTimeout = 30 * time.Second

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: conformanceclient URL")
		os.Exit(2)
	}
	if err := play(os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// play connects to the suite's server and performs the actions of the scenario.
func play(name, url string) error {
	run, known := scenarios[name]
	if strings.HasPrefix(name, "auth/") {
		run, known = calling("test-tool", `{}`), true
	}
	if !known {
		return fmt.Errorf("unknown scenario %q", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), scenarioTimeout)
	defer cancel()
	target, err := authorizing(name, wire.Target{Name: name, URL: url})
	if err != nil {
		return err
	}
	s, err := mcp.Connect(ctx, target, nil, options())
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	return run(ctx, s)
}

// options are those of a client with every capability. Revisions up to 2025-11-25 are requested explicitly: the suite
// does not expect a probe there. From 2026-07-28 on the session detects the revision, as it does for a user who sets
// none.
func options() *mcp.Options {
	o := &mcp.Options{Protocol: os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"), Roots: noRoots, Sampling: sampleText,
		Elicitation: acceptDefaults}
	if spec.EraOf(o.Protocol) == spec.Modern {
		o.Protocol = mcp.Auto
	}
	return o
}
