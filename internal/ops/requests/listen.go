package requests

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ListenInput is the input of Listen.
type ListenInput struct {
	workbench.Connection
	Resource []string      `json:"resource,omitempty" placeholder:"URI" jsonschema:"a resource to subscribe to"`
	For      time.Duration `json:"for,omitempty" placeholder:"D" jsonschema:"stop after this time (default: when interrupted)"`
	Count    int           `json:"count,omitempty" placeholder:"N" jsonschema:"stop after this many notifications"`
}

// A Received is the number of notifications received.
type Received struct {
	Count   int
	Refusal error // why the server rejected the subscription; nil if it did not
}

// Failed reports whether the server rejected the subscription.
func (h *Received) Failed() bool { return h.Refusal != nil }

// RawJSON returns nothing: the notifications themselves are shown as they arrive.
func (h *Received) RawJSON() []byte { return nil }

// Remarks returns why the server rejected the subscription.
func (h *Received) Remarks() []string {
	if h.Refusal == nil {
		return nil
	}
	return []string{"✗ " + h.Refusal.Error()}
}

// Listen shows a server's notifications as they arrive.
var Listen = workbench.Op[ListenInput, *Received]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "listen", Section: workbench.Explore, Order: 70,
	Doc: "Print notifications from a server as they arrive\n\nPrints list changes, updates of resources subscribed " +
		"to with --resource, and log messages\n" +
		"with --log-level.",
	Example: "mcptest listen --log-level info --for 1s demo",
	Run:     runListen,
	Text: func(out io.Writer, h *Received) error {
		t := workbench.NewText(out)
		if h.Refusal != nil {
			t.Line(t.Bad("✗ %v", h.Refusal))
			return t.Err
		}
		t.Line(workbench.Plural(h.Count, "notification"))
		return t.Err
	},
}

func runListen(ctx context.Context, w *workbench.Workbench, in *ListenInput) (*Received, error) {
	count := make(chan struct{}, 1024)
	w.Client.OnNotification = func(m mcp.Message) {
		if m.Method == "notifications/subscriptions/acknowledged" {
			return // the acknowledgment is not a notification to count
		}
		w.Event(workbench.Event{Update: &m})
		select {
		case count <- struct{}{}:
		default: // a flood is shown, not counted one by one
		}
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	sub, err := s.Listen(ctx, mcp.Filter{Tools: true, Prompts: true, Resources: true, URIs: in.Resource})
	var refused *mcp.RPCError
	if errors.As(err, &refused) {
		return &Received{Refusal: err}, nil
	}
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	if untold := notHonoured(sub.Honoured, in.Resource); len(untold) > 0 {
		w.Event(workbench.Event{Notice: "the server does not support notifications for " + strings.Join(untold, ", ")})
	}
	heard := &Received{}
	return heard, heard.until(ctx, in, sub, count)
}

// until counts notifications until the count is reached, or the time limit or the subscription ends.
func (h *Received) until(ctx context.Context, in *ListenInput, sub *mcp.Subscription, count <-chan struct{}) error {
	ended := make(chan error, 1)
	go func() { ended <- drain(ctx, sub) }()
	var end <-chan time.Time
	if in.For > 0 {
		end = time.After(in.For)
	}
	for {
		select {
		case <-count:
			if h.Count++; h.Count == in.Count {
				return nil
			}
		case <-end:
			return nil
		case err := <-ended:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// notHonoured lists the requested subscriptions that the server did not confirm. Revisions up to 2025-11-25
// have no confirmation.
func notHonoured(promised json.RawMessage, uris []string) []string {
	if promised == nil {
		return nil
	}
	var untold []string
	for _, list := range []struct{ pointer, name string }{
		{"/toolsListChanged", "tool list changes"}, {"/promptsListChanged", "prompt list changes"},
		{"/resourcesListChanged", "resource list changes"},
	} {
		if flag, _ := schema.Get(promised, list.pointer); string(flag) != "true" {
			untold = append(untold, list.name)
		}
	}
	followed, _ := elementsAt(promised, "/resourceSubscriptions")
	for _, uri := range uris {
		if !slices.ContainsFunc(followed, func(raw json.RawMessage) bool {
			text,
				_ := schema.Text(raw)
			return text == uri
		}) {
			untold = append(untold, uri)
		}
	}
	return untold
}

// drain empties the subscription, whose messages are shown by the session's own handler, until it ends.
func drain(ctx context.Context, sub *mcp.Subscription) error {
	for {
		_, ok, err := sub.Next(ctx)
		if !ok {
			return err
		}
	}
}
