package mcpserver

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func getConnectionStatus() tool {
	return tool{
		name: "get_connection_status", title: "Connection status",
		doc: "Reports whether the current or the given connection is open, to which server and since when, what the server declared, how often its tools, resources and " +
			"prompts were used, and which other connections exist. Also lists requests that wait for an answer.",
		input: closed("", onConnection()),
		output: `{"type":"object","anyOf":[` + record("The state of the connections.",
			need("success", `{"const":true}`),
			need("connected", flag("Whether the connection is open and the server is running.")),
			may("connection", connectionAnswer().schema),
			need("statistics", statisticsSchema()),
			may("server", record("The information that the server returned about itself.")),
			may("lost", line("The reason why the server is disconnected.")),
			need("connections", rows("All connections.", record("", need("name", line("")), need("server_url", line("")), need("current", flag("")), need("connected", flag(""))))),
			need("pending", rows("Requests that wait for an answer.", record("", need("id", line("")), need("connection", line("")), need("requests", rows("", record("")))))),
			metadataAnswer()) + `,` + errorAnswer() + `]}`,
		run: runStatus,
	}
}

// statistics count how often a connection was used.
type statistics struct {
	ToolsCalled      int64 `json:"tools_called"`
	ResourcesRead    int64 `json:"resources_read"`
	PromptsRetrieved int64 `json:"prompts_retrieved"`
}

func statisticsOf(l *workbench.Link) statistics {
	return statistics{l.ToolsCalled.Load(), l.ResourcesRead.Load(), l.PromptsRetrieved.Load()}
}

func statisticsSchema() string {
	return record("How often the server was used.", need("tools_called", count("")), need("resources_read", count("")), need("prompts_retrieved", count("")))
}

// A status is the state of all connections.
type status struct {
	Success     bool         `json:"success"`
	Connected   bool         `json:"connected"`
	Connection  *connection  `json:"connection,omitempty"`
	Statistics  statistics   `json:"statistics"`
	Server      *server      `json:"server,omitempty"`
	Lost        string       `json:"lost,omitempty"`
	Connections []briefly    `json:"connections"`
	Pending     []waitingFor `json:"pending"`
	Metadata    timing       `json:"metadata"`
}

// A briefly is a connection in a list.
type briefly struct {
	Name      string `json:"name"`
	ServerURL string `json:"server_url"`
	Current   bool   `json:"current"`
	Connected bool   `json:"connected"`
}

// A waitingFor is a request that waits for an answer, in a list.
type waitingFor struct {
	ID         string    `json:"id"`
	Connection string    `json:"connection"`
	Requests   []request `json:"requests"`
}

func runStatus(_ context.Context, c *call) (any, error) {
	in := decode[struct{ Connection string }](c)
	links, current := c.desk.Links()
	about := current
	if in.Connection != "" {
		l, err := c.desk.Link(in.Connection)
		if err != nil {
			return nil, err
		}
		about = l.Name
	}
	out := status{Success: true, Connections: []briefly{}, Pending: []waitingFor{}}
	for _, l := range links {
		lost := l.Session.Err()
		out.Connections = append(out.Connections, briefly{l.Name, l.Address, l.Name == current, lost == nil})
		for _, run := range l.Waiting() {
			out.Pending = append(out.Pending, waitingFor{run.ID, l.Name, requestsOf(run.Questions())})
		}
		if l.Name != about {
			continue
		}
		which, said := describe(l), describeServer(l)
		out.Connected, out.Connection, out.Server, out.Statistics = lost == nil, &which, &said, statisticsOf(l)
		if lost != nil {
			out.Lost = lost.Error()
		}
	}
	out.Metadata = timing{c.elapsed()}
	return out, nil
}
