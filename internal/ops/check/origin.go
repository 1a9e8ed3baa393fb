package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/sdk"
)

// recognizeTimeout is how long the response to a call of an unknown tool may take.
const recognizeTimeout = 3 * time.Second

// recognize finds the SDK of the server: from the files of its command, or else from what it sends.
func (c *checkRun) recognize(ctx context.Context) {
	t := c.session.Target()
	here, _ := os.Getwd() // without it, relative paths are not found
	if c.result.SDK = sdk.Installed(t.Command, cmp.Or(t.Dir, here)); c.result.SDK != nil {
		return
	}
	seen := sdk.Observed{ServerInfo: c.session.Server, Capabilities: c.session.Capabilities}
	if c.session.Declares("tools") {
		ex, err := c.session.Do(ctx, mcp.Request{Method: "tools/call", Timeout: recognizeTimeout,
			Params: mcp.Object("name", sdk.UnknownTool, "arguments", json.RawMessage(`{}`))})
		if err == nil && ex.Reply.Error != nil {
			seen.Error = ex.Reply.Error.Message
		} else if err == nil {
			seen.Result = ex.Reply.Result
		}
	}
	c.result.SDK = sdk.Inferred(seen)
	if c.result.SDK == nil && t.Transport() == wire.StreamableHTTP {
		seen.Unhandled = c.unhandled(ctx)
		c.result.SDK = sdk.Inferred(seen)
	}
}

// unhandled returns the response to an unknown method.
func (c *checkRun) unhandled(ctx context.Context) sdk.Response {
	ex, err := c.session.Do(ctx, mcp.Request{Method: sdk.UnknownMethod, Timeout: recognizeTimeout})
	var unmatched *mcp.UnmatchedError
	var status *wire.StatusError
	switch {
	case err == nil && ex.Reply.Error != nil:
		return sdk.Response{Text: ex.Reply.Error.Message, Data: ex.Reply.Error.Data, Server: ex.Header.Get("Server")}
	case errors.As(err, &unmatched) && unmatched.Got.Error != nil:
		return sdk.Response{Text: unmatched.Got.Error.Message, Data: unmatched.Got.Error.Data}
	case errors.As(err, &status):
		return sdk.Response{Text: string(status.Body), Server: status.Header.Get("Server")}
	}
	return sdk.Response{}
}

// attribute marks the findings that the SDK causes. A server that rejects an unknown cursor in one list, or has a list in
// pages, reads cursors itself: then the SDK is not why a list accepts an unknown one.
func (c *checkRun) attribute() {
	readsCursors := c.hasPages() || slices.ContainsFunc(c.report.Results, func(r finding.Result) bool {
		return sdk.IsAboutCursors(r.Rule) && r.Status() == finding.Passed
	})
	for i := range c.report.Results {
		if readsCursors && sdk.IsAboutCursors(c.report.Results[i].Rule) {
			continue
		}
		for j := range c.report.Results[i].Findings {
			f := &c.report.Results[i].Findings[j]
			if _, ok := sdkCause(c.result.SDK, f); ok {
				f.Origin = c.result.SDK.String()
			}
		}
	}
}

// hasPages reports whether the server returns a list in pages. Where an SDK does that, it rejects an unknown cursor.
func (c *checkRun) hasPages() bool {
	if c.surface == nil {
		return false
	}
	return slices.ContainsFunc([]*mcp.List{c.surface.Tools, c.surface.Resources, c.surface.Templates, c.surface.Prompts},
		func(l *mcp.List) bool { return l != nil && len(l.Pages) > 1 })
}

// sdkCause returns the cause of a finding in the SDK.
func sdkCause(s *sdk.SDK, f *finding.Finding) (sdk.Cause, bool) {
	text := strings.Join(append([]string{f.Message}, f.Evidence...), "\n")
	return s.Causes(f.Rule, text, f.Severity.AtLeast(finding.Error))
}
