package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// An origin is how a connection was opened, so that it can be opened again.
type origin struct {
	url   string
	opts  connections.LinkOptions
	tools json.RawMessage // as last listed; nil if they were not
}

// origins are the origins of connections by name. A connection whose server could not be started again has one.
type origins struct {
	mu     sync.Mutex
	byName map[string]origin
}

func (o *origins) set(name string, from origin) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byName == nil {
		o.byName = map[string]origin{}
	}
	o.byName[name] = from
}

func (o *origins) get(name string) (origin, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	from, ok := o.byName[name]
	return from, ok
}

func (o *origins) remove(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.byName, name)
}

// listed remembers the tools of a connection, for a comparison after its server exited.
func (o *origins) listed(name string, tools json.RawMessage) {
	if from, ok := o.get(name); ok {
		from.tools = tools
		o.set(name, from)
	}
}

func restart() tool {
	return tool{
		name: "restart", changes: true, open: true,
		doc:   "Starts the server again with its changed code, and says what changed in its tools.",
		input: closed("", onConnection()),
		run:   runRestart,
	}
}

func runRestart(ctx context.Context, c *call) (any, error) {
	in := decode[struct{ Connection string }](c)
	_, current := c.desk.Links()
	name := in.Connection
	if name == "" {
		name = current
	}
	if name == "" {
		name = connections.MainLink
	}
	from, known := c.origins.get(name)
	if !known {
		_, err := c.desk.Link(in.Connection)
		return nil, err
	}
	old, _ := c.desk.Link(name)
	if old != nil {
		if tools := toolsOf(ctx, old.Session); tools != nil {
			from.tools = tools
		}
		c.origins.set(name, from)
		_, _ = c.desk.Close(name) // the process may have exited before
	}
	l, err := c.desk.Open(ctx, name, from.url, from.opts)
	if err != nil {
		f := notReached(err)
		f.Suggestion = "see details for the last stderr output; fix the server, and call restart again"
		return nil, f
	}
	c.link = l
	if old != nil {
		l.ToolsCalled.Store(old.ToolsCalled.Load())
		l.ResourcesRead.Store(old.ResourcesRead.Load())
		l.PromptsRetrieved.Store(old.PromptsRetrieved.Load())
		if current != "" && current != name {
			_, _ = c.desk.Use(current) // it may have been closed in the meantime
		}
	}
	answer := ordered{"success", true, "connection", describe(l), "message", "restarted " + l.Address}
	if now := toolsOf(ctx, l.Session); now != nil {
		if from.tools != nil {
			lines, err := c.changes(ctx, from.tools, now)
			if err != nil {
				return nil, err
			}
			answer = append(answer, "changes", lines)
		}
		from.tools = now
	}
	c.origins.set(name, from)
	return append(answer, "metadata", timing{c.elapsed()}), nil
}

// toolsOf lists the tools of a server as it lists them; nil if it cannot.
func toolsOf(ctx context.Context, s *mcp.Session) json.RawMessage {
	if s.Err() != nil {
		return nil
	}
	list, err := s.List(ctx, "tools/list")
	if err != nil || list.Refused != nil {
		return nil
	}
	return toolList(list)
}

func toolList(list *mcp.List) json.RawMessage {
	tools := []json.RawMessage{}
	for _, item := range list.Items {
		tools = append(tools, item.Raw)
	}
	return serve.Encode(map[string]any{"tools": tools})
}

// changes lists the differences between two lists of tools, one line each, the most severe first.
func (c *call) changes(ctx context.Context, before, after json.RawMessage) ([]string, error) {
	d, err := changes.DiffStates(ctx, c.desk.Bench(ctx, nil), &changes.State{Name: "before", Text: before},
		&changes.State{Name: "after", Text: after}, true)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, item := range d.Items {
		if len(item.Changes) == 0 {
			lines = append(lines, fmt.Sprintf("%s %s: %s (%s)", item.Kind, item.Name, item.Status, item.Verdict))
		}
		for _, change := range item.Changes {
			lines = append(lines, fmt.Sprintf("%s %s: %s (%s)", item.Kind, item.Name, change.Message, change.Verdict))
		}
	}
	return lines, nil
}
