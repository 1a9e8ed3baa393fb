package mcpserver

import (
	"context"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func connectToServer() tool {
	return tool{
		name: "connect_to_server", changes: true, open: true,
		doc: "Connects to an MCP server and makes it the current connection.",
		input: closed("",
			need("url", text("URL, configured name, command line, path of a script or folder, or demo, demo-guide, demo-flawed.",
				maxText)),
			may("connection", text("Name of the new connection (default: main).", maxName)),
			may("protocol", choice("Protocol version (default: negotiated).",
				append([]string{mcp.Auto}, spec.IDs()...)...)),
			withTimeout()),
		output: outputSchema(may("message", line("")), part("server")),
		run:    runConnect,
	}
}

// A connected is the result for an opened or selected connection.
type connected struct {
	Success    bool       `json:"success"`
	Connection connection `json:"connection"`
	Message    string     `json:"message"`
	Server     server     `json:"server"`
	Metadata   timing     `json:"metadata"`
}

func runConnect(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		URL, Connection, Protocol string
		TimeoutMS                 int64 `json:"timeout_ms"`
	}](c)
	opts := connections.LinkOptions{Protocol: in.Protocol, Timeout: time.Duration(in.TimeoutMS) * time.Millisecond}
	l, err := c.desk.Open(ctx, in.Connection, in.URL, opts)
	if err != nil {
		_, _ = c.on(in.Connection) // so that the result names it
		return nil, notReached(err)
	}
	c.link = l
	c.origins.set(l.Name, origin{url: in.URL, opts: opts})
	message := fmt.Sprintf("connected to %s %s, using %s", l.Address, wire.Kind(l.Transport).Phrase(),
		l.Session.Version)
	if l.Command != "" {
		message += "; started with: " + l.Command
	}
	return connected{true, describe(l), message, describeServer(l), timing{c.elapsed()}}, nil
}

func useConnection() tool {
	return tool{
		name: "use_connection", changes: true,
		doc:   "Makes an open connection the current one, which is the default.",
		input: closed("", need("connection", text("Name of the connection.", maxName))),
		run: func(_ context.Context, c *call) (any, error) {
			in := decode[struct{ Connection string }](c)
			l, err := c.desk.Use(in.Connection)
			if err != nil {
				return nil, err
			}
			if _, err := c.on(l.Name); err != nil {
				return nil, err
			}
			return connected{true, describe(l), fmt.Sprintf("%s is the current connection", l.Name), describeServer(l),
				timing{c.elapsed()}}, nil
		},
	}
}

func disconnect() tool {
	return tool{
		name: "disconnect", changes: true,
		doc:    "Closes a connection, and stops a server that it started.",
		input:  closed("", onConnection()),
		output: outputSchema(may("message", line("")), part("previous_connection")),
		run:    runDisconnect,
	}
}

// A previous is a closed connection.
type previous struct {
	Name           string     `json:"name"`
	ServerURL      string     `json:"server_url"`
	Transport      string     `json:"transport"`
	ConnectedAt    string     `json:"connected_at"`
	DisconnectedAt string     `json:"disconnected_at"`
	DurationMS     int64      `json:"duration_ms"`
	Statistics     statistics `json:"statistics"`
}

func runDisconnect(_ context.Context, c *call) (any, error) {
	in := decode[struct{ Connection string }](c)
	l, err := c.desk.Close(in.Connection)
	if l == nil {
		return nil, err
	}
	c.origins.remove(l.Name)
	now := time.Now()
	message := "disconnected from " + l.Address
	if err != nil {
		message += "; error on close: " + err.Error()
	}
	return struct {
		Success  bool     `json:"success"`
		Message  string   `json:"message"`
		Previous previous `json:"previous_connection"`
		Metadata timing   `json:"metadata"`
	}{true, message, previous{l.Name, l.Address, l.Transport, stamp(l.Since), stamp(now),
		now.Sub(l.Since).Milliseconds(), statisticsOf(l)}, timing{c.elapsed()}}, nil
}
