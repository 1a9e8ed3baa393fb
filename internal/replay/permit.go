package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// isOwn reports whether a session sends a method itself.
func isOwn(method string, era spec.Era) bool {
	switch method {
	case "initialize", "server/discover", "ping":
		return true
	case "logging/setLevel":
		return era == spec.Modern
	}
	return false
}

// refused returns why a request is not sent; empty if it is.
func (r *replayer) refused(ctx context.Context, x *recording.Exchange) string {
	switch {
	case strings.HasSuffix(x.Method, "/listen"), strings.HasSuffix(x.Method, "subscribe"):
		return "subscriptions are not replayed"
	case strings.HasPrefix(x.Method, "tasks/"):
		return "tasks are not replayed"
	case !x.Answered():
		return "no recorded response"
	case bytes.Contains(x.Params, []byte(redact.Placeholder)):
		return "the recording does not contain its secrets"
	case x.Method == "tools/call":
		return r.unsafe(ctx, schema.TextAt(x.Params, "/name"))
	}
	return ""
}

// unsafe returns why a tool may not be called. A recording may come from someone else, so both the recorded definition
// and that of the server must allow it.
func (r *replayer) unsafe(ctx context.Context, name string) string {
	if r.opts.Permit.All || slices.Contains(r.opts.Permit.Tools, name) {
		return ""
	}
	if r.live == nil {
		list, err := r.session.List(ctx, "tools/list")
		if err != nil {
			list = &mcp.List{}
		}
		r.live = list
	}
	definitions := []json.RawMessage{}
	if tool := r.tools[name]; tool != nil {
		definitions = append(definitions, tool)
	}
	if item, found := r.live.Find(name); found {
		definitions = append(definitions, item.Raw)
	}
	if len(definitions) == 0 {
		return "neither the recording nor the server lists this tool"
	}
	for _, tool := range definitions {
		if may := r.opts.Permit.Of(tool); r.calls[name] >= may.Calls {
			return may.Why
		}
	}
	r.calls[name]++
	return ""
}

func (r *replayer) skip(x *recording.Exchange, why string) {
	subject := subjectOf(x)
	for i := range r.report.Skipped {
		if s := &r.report.Skipped[i]; s.Subject == subject && s.Why == why {
			s.Calls++
			return
		}
	}
	r.report.Skipped = append(r.report.Skipped, Skip{subject, 1, why})
}
