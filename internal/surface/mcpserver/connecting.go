package mcpserver

import (
	"context"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func connectToServer() tool {
	return tool{
		name: "connect_to_server", title: "Connect to a server", changes: true, open: true,
		doc: "Opens a connection to the MCP server under test and makes it the current one. It stays open for the other tools until " +
			"disconnect. Pass the full URL of the server's MCP endpoint, or the name of a server that the user allowed to be started; demo, " +
			"demo-guide and demo-flawed are built in. Connection names are unique: to open a second connection, name it with connection.",
		input: closed("",
			need("url", text("The URL of the server's MCP endpoint, such as https://example.com/mcp, or the name of an allowed server.", maxText)),
			may("connection", text("A name for the connection (default: main).", maxName)),
			may("protocol", choice("The protocol version to use (default: negotiated).", append([]string{mcp.Auto}, spec.IDs()...)...)),
			withTimeout()),
		output: answers(connectionAnswer(), need("message", line("The outcome, in one sentence.")),
			need("server", record("The information that the server returned about itself.")), metadataAnswer()),
		run: runConnect,
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
	opts := workbench.LinkOptions{Protocol: in.Protocol, Timeout: time.Duration(in.TimeoutMS) * time.Millisecond}
	l, err := c.desk.Open(ctx, in.Connection, in.URL, opts)
	if err != nil {
		if taken, lookup := c.desk.Link(in.Connection); lookup == nil {
			c.link = taken
		}
		return nil, notReached(err)
	}
	c.link = l
	return connected{true, describe(l), fmt.Sprintf("connected to %s %s, using %s", l.Address, wire.Kind(l.Transport).Phrase(), l.Session.Version),
		describeServer(l), timing{c.elapsed()}}, nil
}

func useConnection() tool {
	return tool{
		name: "use_connection", title: "Use a connection", changes: true,
		doc: "Makes one of the open connections the current one. Every tool with a connection argument uses the current connection if " +
			"none is given.",
		input: closed("", need("connection", text("The name of the open connection.", maxName))),
		output: answers(connectionAnswer(), need("message", line("The outcome, in one sentence.")),
			need("server", record("The information that the server returned about itself.")), metadataAnswer()),
		run: func(_ context.Context, c *call) (any, error) {
			in := decode[struct{ Connection string }](c)
			l, err := c.desk.Use(in.Connection)
			if err != nil {
				return nil, err
			}
			c.link = l
			return connected{true, describe(l), fmt.Sprintf("%s is the current connection", l.Name), describeServer(l), timing{c.elapsed()}}, nil
		},
	}
}

func disconnect() tool {
	return tool{
		name: "disconnect", title: "Disconnect", changes: true,
		doc: "Closes the current or the given connection, and stops the server if it was started for it. Use connect_to_server to open a new one; if " +
			"exactly one other connection is open, it becomes the current one.",
		input: closed("", onConnection()),
		output: answers(need("message", line("The outcome, in one sentence.")),
			need("previous_connection", record("The connection that was closed.", need("name", line("")), need("server_url", line("")),
				need("transport", line("")), need("connected_at", moment("")), need("disconnected_at", moment("")), need("duration_ms", count("")),
				need("statistics", statisticsSchema()))),
			metadataAnswer()),
		run: runDisconnect,
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
	}{true, message, previous{l.Name, l.Address, l.Transport, stamp(l.Since), stamp(now), now.Sub(l.Since).Milliseconds(), statisticsOf(l)}, timing{c.elapsed()}}, nil
}
