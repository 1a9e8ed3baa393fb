package workbench

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// fewUnsafeCalls refuses a suite of an assistant that calls a tool that is not safe more often than an open-world tool may be
// called: one question of a host to its user must not become a thousand calls.
func (w *Workbench) fewUnsafeCalls(ctx context.Context, in *RunInput, plan *suite.Plan) error {
	if w.Grants.UnsafeTools || in.open == nil {
		return nil
	}
	list, err := in.open.List(ctx, "tools/list")
	if err != nil {
		return err
	}
	calls, total := suiteCalls(in, plan, list)
	for name, n := range calls {
		if n <= safety.OpenWorldCalls {
			continue
		}
		what := fmt.Sprintf("%q", name)
		if name == unknownTool {
			what = "tools that are unknown before the run"
		} else if item, listed := list.Find(name); listed && safety.Of(item.Raw).Calls == safety.Unlimited {
			continue
		}
		return &UsageError{Message: fmt.Sprintf("the suite calls %s up to %d times, not safe to call in bulk: at most %d calls", what, n, safety.OpenWorldCalls),
			Hint: "use fewer tests and retries, or let the user run the suite: mcptest run FILE"}
	}
	if total > maxRemoteCalls && !near(in.open.Target()) {
		return &UsageError{Message: fmt.Sprintf("the suite makes up to %d requests to a server that is not on this machine: at most %d", total, maxRemoteCalls),
			Hint: "use fewer tests and retries, or let the user run the suite: mcptest run FILE"}
	}
	return nil
}

// maxRemoteCalls is how many requests the suite of an assistant may make to a server that is not on this machine: more would
// be a load test.
const maxRemoteCalls = 1000

// unknownTool stands for every tool that cannot be judged before the run: the server does not list it, a variable names it,
// or it is part of raw params.
const unknownTool = ""

// suiteCalls counts the calls of each tool in a suite with all retries, and all requests.
func suiteCalls(in *RunInput, plan *suite.Plan, list *mcp.List) (calls map[string]int, total int) {
	calls = map[string]int{}
	retries := in.Retries
	for _, s := range plan.Suites {
		retries = max(retries, s.RunOptions.Retries)
	}
	for _, t := range plan.Tests() {
		tries := 1 + retries
		if t.Retries != nil {
			tries = max(tries, 1+*t.Retries)
		}
		for _, step := range t.Steps {
			total += tries
			if step.Method != "tools/call" {
				continue
			}
			name := step.Subject
			if _, listed := list.Find(name); !listed || step.Kind != "tool" || strings.Contains(name, "${") {
				name = unknownTool
			}
			calls[name] += tries
		}
	}
	return calls, total
}
