package suiterun

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/engine/load"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// loadBlock runs performance blocks of suites.
func loadBlock(w *workbench.Workbench, given *RunInput) suite.BlockRunner {
	return suite.BlockRunner{
		Expect: "- {target: failing, matcher: {schema: {maximum: 0}}}\n",
		Run: func(ctx context.Context, s *mcp.Session, _ *suite.Server, with []byte) ([]byte, []finding.Finding,
			error) {
			return runLoadBlock(ctx, w, given, s, with)
		},
	}
}

// defaultBlockDuration is shorter than that of the command: a suite has other tests.
const defaultBlockDuration = "5s"

// A loadWith is the options of a performance block.
type loadWith struct {
	Tool        string          `json:"tool"`
	Args        json.RawMessage `json:"args"`
	Rate        json.RawMessage `json:"rate"` // 500 or "500/s"
	Concurrency int             `json:"concurrency"`
	Duration    string          `json:"duration"`
	Ramp        string          `json:"ramp"`
	Silence     string          `json:"silence"`
	Threshold   []string        `json:"threshold"`
}

// input returns the equivalent input of the command.
func (a *loadWith) input() (*engines.LoadInput, error) {
	in := &engines.LoadInput{Tool: a.Tool, Args: string(a.Args), Concurrency: a.Concurrency, Threshold: a.Threshold,
		Duration: cmp.Or(a.Duration, defaultBlockDuration), Ramp: a.Ramp, Silence: a.Silence}
	if in.Rate = string(a.Rate); len(a.Rate) > 0 && a.Rate[0] == '"' {
		if err := json.Unmarshal(a.Rate, &in.Rate); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// runLoadBlock load-tests the server of a test: its figures are those of the load test, and how many findings
// fail it.
func runLoadBlock(ctx context.Context, w *workbench.Workbench, given *RunInput, s *mcp.Session, with []byte) ([]byte,
	[]finding.Finding, error) {
	var asked loadWith
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in, err := asked.input()
	if err != nil {
		return nil, nil, err
	}
	in.AllowDisruptive = given.AllowDisruptive
	if !given.AllowCalls {
		in.OnlySafe()
	}
	opts, err := in.Options(w)
	if err != nil {
		return nil, nil, err
	}
	opts.Live = nil // the suite has its own progress bar
	if err := in.CheckLoadAllowed(w, s.Target()); err != nil {
		return nil, nil, err
	}
	if opts.Requests, err = engines.LoadRequests(ctx, w, s, in); err != nil {
		return nil, nil, err
	}
	found, summary := load.Run(ctx, s, opts)
	if summary.Stopped {
		return nil, nil, context.Cause(ctx)
	}
	figures := map[string]any{}
	for name, value := range summary.Figures() {
		figures[name] = value
	}
	failing := 0
	for _, f := range found.Findings() {
		if engines.LoadCounts(f) {
			failing++
		}
	}
	figures["failing"] = failing
	raw, err := json.Marshal(figures)
	return raw, found.Findings(), err
}
