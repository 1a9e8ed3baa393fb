package suiterun

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// fewUnsafeCalls rejects a suite of an assistant that calls an unsafe tool more often than an open-world tool
// allowed be called: a single confirmation by the user must not cause a thousand calls.
func fewUnsafeCalls(ctx context.Context, w *workbench.Workbench, in *RunInput, plan *suite.Plan) error {
	if w.Grants.UnsafeTools || in.Session() == nil {
		return nil
	}
	list, err := in.Session().List(ctx, "tools/list")
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
		return &workbench.UsageError{Message: fmt.Sprintf("the suite calls %s up to %d times, which is not safe to "+
			"call in "+
			"bulk: expected at most %d calls", what, n, safety.OpenWorldCalls),
			Hint: "use fewer tests and retries; to run it as it is, the user runs: {mcptest run FILE}"}
	}
	if total > maxRemoteCalls && !engines.Near(in.Session().Target()) {
		return &workbench.UsageError{Message: fmt.Sprintf("the suite makes up to %d requests to a remote server: "+
			"expected at "+
			"most %d", total, maxRemoteCalls),
			Hint: "use fewer tests and retries; to run it as it is, the user runs: {mcptest run FILE}"}
	}
	return nil
}

// maxRemoteCalls is the maximum number of requests that the suite of an assistant may send to a remote server: more
// would be a load test.
const maxRemoteCalls = 1000

// unknownTool represents every tool that cannot be checked before the run: the server does not list it, a variable
// names it, or it is part of raw params.
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
		if t.Generates() {
			tries *= suite.MaxVariants
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
