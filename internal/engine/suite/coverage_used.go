package suite

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A usage is what tests have called. It is counted by file, since files run at the same time: the coverage of one must not
// depend on how far the others are.
type usage struct {
	mu    sync.Mutex
	calls map[usedTool]*toolUse
}

type usedTool struct{ suite, server, tool string }

// A toolUse is what the calls of one tool covered.
type toolUse struct {
	parameters map[string]bool
	enumValues map[string]bool
	failed     bool // a call ended with a JSON-RPC error or isError
}

func newUsage() *usage { return &usage{calls: map[usedTool]*toolUse{}} }

// at returns the entry of a tool; the lock is held.
func (u *usage) at(key usedTool) *toolUse {
	use := u.calls[key]
	if use == nil {
		use = &toolUse{parameters: map[string]bool{}, enumValues: map[string]bool{}}
		u.calls[key] = use
	}
	return use
}

// call counts a call of a tool.
func (u *usage) call(t *Test, c *Call, call *calls.Call, failed bool) {
	if c.Kind != "tool" {
		return
	}
	name, _ := schema.Get(call.Params, "/name")
	arguments, _ := schema.Get(call.Params, "/arguments")
	members, _ := schema.Members(arguments)
	values := enumValues(call.Definition)
	u.mu.Lock()
	defer u.mu.Unlock()
	use := u.at(usedTool{t.suite, t.Server, flat(name)})
	use.failed = use.failed || failed
	for _, m := range members {
		use.parameters[m.Name] = true
	}
	for _, v := range values {
		if v.isIn(arguments) {
			use.enumValues[v.label] = true
		}
	}
}

// of returns what was called of a tool.
func (u *usage) of(suite, server, tool string) (use toolUse, called bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	found := u.calls[usedTool{suite, server, tool}]
	if found == nil {
		return toolUse{}, false
	}
	return *found, true
}

// called lists what was called, in a fixed order.
func (u *usage) called() []finding.CoverageCall {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := []finding.CoverageCall{}
	for key, use := range u.calls {
		all = append(all, finding.CoverageCall{Suite: key.suite, Server: key.server, Tool: key.tool, Failed: use.failed,
			Parameters: slices.Sorted(maps.Keys(use.parameters)), EnumValues: slices.Sorted(maps.Keys(use.enumValues))})
	}
	slices.SortFunc(all, func(a, b finding.CoverageCall) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Server, b.Server), cmp.Compare(a.Tool, b.Tool))
	})
	return all
}

// add adds what another shard called.
func (u *usage) add(called []finding.CoverageCall) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, c := range called {
		use := u.at(usedTool{c.Suite, c.Server, c.Tool})
		use.failed = use.failed || c.Failed
		for _, name := range c.Parameters {
			use.parameters[name] = true
		}
		for _, value := range c.EnumValues {
			use.enumValues[value] = true
		}
	}
}
