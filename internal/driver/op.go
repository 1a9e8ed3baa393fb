// Package driver lets test runners of any language use the engines of mcptest, over a protocol of JSON lines on stdin and
// stdout: the same calls, expectations, verdicts and messages as suites.
package driver

import (
	"context"
	"io"

	"github.com/mcptest-dev/mcptest/internal/suiterun"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An Input is the input of Serve: what only the user, and not a message, can permit.
type Input struct {
	Config          string `json:"config,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"read servers from this config file, instead of the hosts' config files"`
	UpdateSnapshots bool   `json:"update_snapshots,omitempty" surface:"cli" jsonschema:"update snapshots"`
	AllowCIUpdate   bool   `json:"allow_ci_update,omitempty" surface:"cli" jsonschema:"allow --update-snapshots if CI=true"`
	AllowCalls      bool   `json:"allow_calls,omitempty" surface:"user" jsonschema:"let conform and fuzz call tools that are not safe"`
	AllowDisruptive bool   `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"let conform and fuzz run disruptive tests against remote servers"`
}

// Serve serves the protocol until stdin ends.
var Serve = workbench.Op[Input, struct{}]{
	Name: "driver", Section: workbench.Serve, Order: 50,
	Doc: "Run tests for a test runner, over JSON lines on stdin and stdout\n\n" +
		"The plugins for pytest, Vitest and go test start it. Its protocol is JSON-RPC 2.0, one message per line, and\n" +
		"documented for plugins of other runners; mcptest schema driver prints its JSON Schema.",
	Help:    "All servers are stopped when stdin ends. Exits with 0 then, and with 2 if the options are invalid.",
	Example: "mcptest driver < requests.jsonl",
	Run: func(ctx context.Context, w *workbench.Workbench, in *Input) (struct{}, error) {
		options, err := suiterun.Options(w, in.runInput())
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, serve(ctx, w, in, options)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// runInput returns the input of a run of suites with the same permissions.
func (in *Input) runInput() *suiterun.RunInput {
	return &suiterun.RunInput{Config: in.Config, UpdateSnapshots: in.UpdateSnapshots, AllowCIUpdate: in.AllowCIUpdate,
		AllowCalls: in.AllowCalls, AllowDisruptive: in.AllowDisruptive}
}
