package frontend

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// dualEra is a server of the Go SDK, which supports both eras. Its tools depend on the client of the call: plan asks
// only clients that can answer, and ask begins to ask when as many calls are there as take part.
func dualEra(part int) wire.Target {
	return wire.Target{Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
		server := sdk.NewServer(&sdk.Implementation{Name: "dual", Version: "1"}, nil)
		var together sync.WaitGroup
		together.Add(part)
		type nothing struct{}
		question := func() *sdk.CallToolResult {
			return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"name": &sdk.ElicitParams{Mode: "form",
				Message: "Name?", RequestedSchema: map[string]any{"type": "object",
					"properties": map[string]any{"name": map[string]any{"type": "string"}}}}}}
		}
		answered := func(r *sdk.CallToolRequest) (string, bool) {
			answer, ok := r.Params.InputResponses["name"].(*sdk.ElicitResult)
			if !ok {
				return "", false
			}
			return fmt.Sprint(answer.Content["name"]), true
		}
		said := func(text string) *sdk.CallToolResult {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
		}
		sdk.AddTool(server, &sdk.Tool{Name: "plan"}, func(_ context.Context, r *sdk.CallToolRequest,
			_ nothing) (*sdk.CallToolResult, any, error) {
			if c := r.ClientCapabilities(); c == nil || c.Elicitation == nil {
				return said("a plan without questions"), nil, nil
			}
			if name, ok := answered(r); ok {
				return said("a plan for " + name), nil, nil
			}
			return question(), nil, nil
		})
		sdk.AddTool(server, &sdk.Tool{Name: "ask"}, func(_ context.Context, r *sdk.CallToolRequest,
			_ nothing) (*sdk.CallToolResult, any, error) {
			if name, ok := answered(r); ok {
				return said("asked " + name), nil, nil
			}
			together.Done()
			together.Wait()
			return question(), nil, nil
		})
		return server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}})
	}}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// With a server that supports both eras, the gateway uses the newer one: in it, a request has the capabilities of its
// client, and a question belongs to a request. Whether its tools depend on this is not declared by a server.
// The older era, which can be cheaper, is only used where the config requests it, with the losses that
// docs/gateway.md lists.
func TestServerOfBothEras(t *testing.T) {
	const clients = 4
	for _, c := range []struct {
		protocol, revision, mute string
		answered                 bool // all questions that the server asks for several callers at once
	}{
		{"", "2026-07-28", "a plan without questions", true},
		{"2025-11-25", "2025-11-25", "the server sent elicitation/create, which this client does not support", false},
	} {
		start := func(t *testing.T) *rig {
			r := newRig(t, All, nil, nil)
			o := upstreamOptions()
			o.Protocol, o.Isolation = c.protocol, upstream.Auto
			r.Add("a", dualEra(clients), o)
			s := r.dial(t, "2026-07-28", "first", mcp.Options{})
			eventually(t, "the tools", func() bool { return len(names(t, s)) > 0 })
			if got := r.Health()[0].Revision; got != c.revision {
				t.Errorf("the revision is %s, want %s", got, c.revision)
			}
			return r
		}
		t.Run("capabilities, protocol "+c.protocol, func(t *testing.T) {
			r := start(t)
			for _, protocol := range protocols {
				mute := r.dial(t, protocol, "mute", mcp.Options{})
				if got := call(t, mute, "a__plan", `{}`); !strings.Contains(got, c.mute) {
					t.Errorf("a client of %s that cannot be asked: %s, want %s", protocol, got, c.mute)
				}
				if got := call(t, r.named(t, protocol, "ada"), "a__plan", `{}`); !strings.Contains(got, "plan for ada") {
					t.Errorf("a client of %s that can be asked: %s", protocol, got)
				}
			}
		})
		t.Run("questions at once, protocol "+c.protocol, func(t *testing.T) {
			r := start(t)
			var answered atomic.Int32
			var wg sync.WaitGroup
			for i := range clients {
				name := fmt.Sprint("caller", i)
				s := r.named(t, protocols[i%2], name)
				wg.Go(func() {
					if got := call(t, s, "a__ask", `{}`); strings.Contains(got, "asked "+name) {
						answered.Add(1)
					} else if !strings.Contains(got, "ambiguous server request") {
						t.Errorf("%s: %s", name, got)
					}
				})
			}
			wg.Wait()
			if got := answered.Load(); (got == clients) != c.answered {
				t.Errorf("%d of %d questions were answered, all: want %v", got, clients, c.answered)
			}
		})
	}
}

// A transparent gateway adds nothing to an error of the server, not even why the server had no answer of the client.
func TestTransparentErrorIsVerbatim(t *testing.T) {
	r := glass(t, dualEra(1).Serve)
	mute := r.dial(t, "2025-11-25", "mute", mcp.Options{})
	if got := call(t, mute, "plan", `{}`); got != `error -32601: method not found: "tools/call"` {
		t.Errorf("got %s", got)
	}
}
