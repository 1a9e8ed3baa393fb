package workbench

import (
	"context"
	"fmt"
	"slices"

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
	calls := map[string]int{}
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
			switch {
			case step.Kind == "tool":
				calls[step.Subject] += tries
			case step.Method == "tools/call":
				calls[""] += tries // whatever tool its params name
			}
		}
	}
	list, err := in.open.List(ctx, "tools/list")
	if err != nil {
		return err
	}
	for name, n := range calls {
		if n <= safety.OpenWorldCalls {
			continue
		}
		at := slices.IndexFunc(list.Items, func(i mcp.Item) bool { return i.Name == name })
		if at >= 0 && safety.Of(list.Items[at].Raw).Calls == safety.Unlimited {
			continue
		}
		return &UsageError{Message: fmt.Sprintf("the suite calls %q up to %d times, and it is not safe to call in bulk: at most %d calls", name, n, safety.OpenWorldCalls),
			Hint: "use fewer tests and retries, or let the user run the suite: mcptest run FILE"}
	}
	return nil
}
