package workbench

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
)

// A ListenInput asks to be told what changes.
type ListenInput struct {
	Connection
	Resource []string      `json:"resource,omitempty" placeholder:"URI" jsonschema:"a resource to subscribe to"`
	For      time.Duration `json:"for,omitempty" placeholder:"D" jsonschema:"stop after this time (default: when interrupted)"`
	Count    int           `json:"count,omitempty" placeholder:"N" jsonschema:"stop after this many notifications"`
}

// A Heard tells how many notifications came.
type Heard struct {
	Count   int
	Refusal error // why the server will not tell; nil if it will
}

// Failed reports whether the server refused to tell.
func (h *Heard) Failed() bool { return h.Refusal != nil }

// RawJSON is empty: the notifications themselves are what is shown, as they come.
func (h *Heard) RawJSON() []byte { return nil }

// Remarks tells why the server refused.
func (h *Heard) Remarks() []string {
	if h.Refusal == nil {
		return nil
	}
	return []string{"✗ " + h.Refusal.Error()}
}

// Listen shows a server's notifications as they come.
var Listen = Op[ListenInput, *Heard]{
	Name: "listen",
	Doc: "Show a server's notifications as they come\n\nChanges of its lists, updates of resources that are subscribed to with --resource, and log messages\n" +
		"with --log-level.",
	Example: "mcptest listen --log-level info --for 1s demo",
	Run:     runListen,
	Text: func(out io.Writer, h *Heard) error {
		t := newText(out)
		if h.Refusal != nil {
			t.line(t.bad("✗ %v", h.Refusal))
			return t.err
		}
		t.line(plural(h.Count, "notification"))
		return t.err
	},
}

func runListen(ctx context.Context, w *Workbench, in *ListenInput) (*Heard, error) {
	count := make(chan struct{}, 1024)
	w.Client.OnNotification = func(m mcp.Message) {
		if m.Method == "notifications/subscriptions/acknowledged" {
			return // it says what will be told, and tells nothing yet
		}
		w.event(Event{Update: &m})
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
		return &Heard{Refusal: err}, nil
	}
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	if untold := notHonoured(sub.Honoured, in.Resource); len(untold) > 0 {
		w.event(Event{Notice: "the server will not tell of " + strings.Join(untold, ", ")})
	}
	heard := &Heard{}
	return heard, heard.until(ctx, in, sub, count)
}

// until counts what is heard until that is enough, or the time or the subscription is over.
func (h *Heard) until(ctx context.Context, in *ListenInput, sub *mcp.Subscription, count <-chan struct{}) error {
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

// notHonoured lists what was asked for and is not promised. In the older era there are no promises.
func notHonoured(promised json.RawMessage, uris []string) []string {
	if promised == nil {
		return nil
	}
	var untold []string
	for _, list := range []struct{ pointer, name string }{
		{"/toolsListChanged", "changes of the tools"}, {"/promptsListChanged", "changes of the prompts"}, {"/resourcesListChanged", "changes of the resources"},
	} {
		if flag, _ := schema.Get(promised, list.pointer); string(flag) != "true" {
			untold = append(untold, list.name)
		}
	}
	followed, _ := elementsAt(promised, "/resourceSubscriptions")
	for _, uri := range uris {
		if !slices.ContainsFunc(followed, func(raw json.RawMessage) bool { text, _ := schema.Text(raw); return text == uri }) {
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
