package workbench

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
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
	Count int `json:"count"`
}

// Listen shows a server's notifications as they come.
var Listen = Op[ListenInput, *Heard]{
	Name: "listen",
	Doc: "Show a server's notifications as they come\n\nChanges of its lists, updates of resources that are subscribed to with --resource, and log messages\n" +
		"with --log-level.",
	Run: runListen,
	Text: func(out io.Writer, h *Heard) error {
		_, err := fmt.Fprintln(out, plural(h.Count, "notification"))
		return err
	},
}

func runListen(ctx context.Context, w *Workbench, in *ListenInput) (*Heard, error) {
	count := make(chan struct{}, 1024)
	heard := &Heard{}
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
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	ended := make(chan error, 1)
	go func() { ended <- drain(ctx, sub) }()
	var end <-chan time.Time
	if in.For > 0 {
		end = time.After(in.For)
	}
	for {
		select {
		case <-count:
			if heard.Count++; heard.Count == in.Count {
				return heard, nil
			}
		case <-end:
			return heard, nil
		case err := <-ended:
			return heard, err
		case <-ctx.Done():
			return heard, context.Cause(ctx)
		}
	}
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
