package inspector

import (
	"cmp"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// snapshot returns the current state of the connection.
func (c *conn) snapshot() view.Link {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := view.Link{ID: c.id, Name: c.opts.Name, Server: c.opts.Server, State: c.state, Error: c.problem,
		Address:   c.address,
		Transport: string(c.kind),
		Insecure:  c.opts.Insecure, Protocol: c.opts.Protocol, LogLevel: c.opts.LogLevel, Since: c.since,
		OpenedNS: c.opened.Nanoseconds(),
		Counts:   c.countsLocked(), Declares: []string{}, Questions: []view.Question{},
		Subscriptions: []view.Subscription{},
		Notices:       slices.Clone(c.notices), Changes: c.changes.summary(), Recording: c.recorded != nil}
	if l.Notices == nil {
		l.Notices = []view.ProtocolViolation{}
	}
	if c.entry != nil {
		l.Name = cmp.Or(l.Name, c.entry.shown.Name)
	}
	for _, s := range c.subs {
		l.Subscriptions = append(l.Subscriptions, s.shown)
	}
	if c.link != nil {
		introduce(&l, c.link.Session)
		if e := c.entry; e != nil && c.opts.Name == "" && e.given && e.shown.Kind == "command" {
			l.Name = cmp.Or(l.ServerTitle, l.ServerName, l.Name) // the user typed a command, not a name
		}
		l.Questions = c.questionsLocked()
	}
	return l
}

// introduce adds the identity of the server.
func introduce(l *view.Link, s *mcp.Session) {
	l.Era, l.Version, l.Why = string(s.Era), s.Version, s.Why
	l.ServerJSON, l.CapabilitiesJSON, l.Instructions = view.Indent(s.Server), view.Indent(s.Capabilities),
		s.Instructions
	l.ServerName, l.ServerTitle, l.ServerVersion = schema.TextAt(s.Server, "/name"), schema.TextAt(s.Server, "/title"),
		schema.TextAt(s.Server, "/version")
	members, _ := schema.Members(s.Capabilities)
	for _, m := range members {
		l.Declares = append(l.Declares, m.Name)
	}
	if s.Handshake != nil {
		l.ClientCapabilitiesJSON = view.Indent(ourCapabilities(s.Handshake.Request.Params))
	}
}

// ourCapabilities are the capabilities that we declared.
func ourCapabilities(params []byte) []byte {
	if raw, ok := schema.Get(params, "/capabilities"); ok {
		return raw
	}
	raw, _ := schema.Get(params, "/_meta/io.modelcontextprotocol~1clientCapabilities")
	return raw
}

func (c *conn) counts() view.Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.countsLocked()
}

func (c *conn) countsLocked() view.Counts {
	running := 0
	for _, one := range c.calls {
		if one.status == view.Running || one.status == view.Waiting {
			running++
		}
	}
	return view.Counts{Frames: c.log.Len(), Calls: len(c.calls), Running: running, Notices: c.noticed, Logs: c.logged,
		Stderr: c.wrote}
}

// Logs returns the log messages of a connection.
func (i *Inspector) Logs(id string) (view.Logs, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Logs{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return view.Logs{Entries: append([]view.LogEntry{}, c.logs...)}, nil
}

// Stderr returns the last stderr output of the process of a connection, without the secrets that it was given.
func (i *Inspector) Stderr(id string) (view.Stderr, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Stderr{}, err
	}
	c.mu.Lock()
	text := string(c.stderr[max(0, len(c.stderr)-maxStderr):])
	total := c.wrote
	c.mu.Unlock()
	return view.Stderr{Text: i.bench.Secrets.Exact(wire.Plain(text)), Total: total}, nil
}
