package conform

import (
	"cmp"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A callLimit counts the calls of tools that may be called only a few times in a run: they affect external systems and
// may cost money.
type callLimit struct {
	mu        sync.Mutex
	remaining map[string]int // by tool; tools without a limit are absent
}

// limit sets the number of calls allowed for a tool, once for all rounds, unless the user allows the tool.
func (r *run) limit(item mcp.Item) {
	most := r.opts.Permit.Of(item.Raw).Calls
	if most == 0 || most == safety.Unlimited {
		return
	}
	r.calls.mu.Lock()
	defer r.calls.mu.Unlock()
	if r.calls.remaining == nil {
		r.calls.remaining = map[string]int{}
	}
	if _, known := r.calls.remaining[item.Name]; !known {
		r.calls.remaining[item.Name] = cmp.Or(r.opts.OpenWorld, most)
	}
}

// hasCalls reports whether a tool may be called once more.
func (r *run) hasCalls(tool string) bool {
	r.calls.mu.Lock()
	defer r.calls.mu.Unlock()
	left, limited := r.calls.remaining[tool]
	return !limited || left > 0
}

// takeCall counts a call and reports whether it may be made.
func (r *run) takeCall(tool string) bool {
	r.calls.mu.Lock()
	defer r.calls.mu.Unlock()
	left, limited := r.calls.remaining[tool]
	if limited && left > 0 {
		r.calls.remaining[tool] = left - 1
	}
	return !limited || left > 0
}

// limited reports whether the number of calls of a tool is limited. Checks that repeat calls skip such tools.
func (r *run) limited(tool string) bool {
	r.calls.mu.Lock()
	defer r.calls.mu.Unlock()
	_, limited := r.calls.remaining[tool]
	return limited
}
