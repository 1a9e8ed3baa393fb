package mcpserver

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/connections"
)

func getConnectionStatus() tool {
	return tool{
		name:   "get_connection_status",
		doc:    "Returns the connections, their statistics and pending requests.",
		input:  closed("", onConnection()),
		output: outputSchema(may("connected", flag("")), part("statistics")),
		run:    runStatus,
	}
}

// statistics count how often a connection was used.
type statistics struct {
	ToolsCalled      int64 `json:"tools_called"`
	ResourcesRead    int64 `json:"resources_read"`
	PromptsRetrieved int64 `json:"prompts_retrieved"`
}

func statisticsOf(l *connections.Link) statistics {
	return statistics{l.ToolsCalled.Load(), l.ResourcesRead.Load(), l.PromptsRetrieved.Load()}
}

// A status is the state of all connections.
type status struct {
	Success     bool                `json:"success"`
	Connected   bool                `json:"connected"`
	Connection  *connection         `json:"connection,omitempty"`
	Statistics  statistics          `json:"statistics"`
	Server      *server             `json:"server,omitempty"`
	Lost        string              `json:"lost,omitempty"`
	Connections []connectionSummary `json:"connections"`
	Pending     []waitingFor        `json:"pending"`
	Metadata    timing              `json:"metadata"`
}

// A connectionSummary is a connection in a list.
type connectionSummary struct {
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
	out := status{Success: true, Connections: []connectionSummary{}, Pending: []waitingFor{}}
	for _, l := range links {
		lost := l.Session.Err()
		out.Connections = append(out.Connections, connectionSummary{l.Name, l.Address, l.Name == current, lost == nil})
		for _, run := range l.Waiting() {
			out.Pending = append(out.Pending, waitingFor{run.ID, l.Name, requestsOf(run.Questions())})
		}
		if l.Name != about {
			continue
		}
		which, said := describe(l), describeServer(l).withNotices(l)
		out.Connected, out.Connection, out.Server, out.Statistics = lost == nil, &which, said, statisticsOf(l)
		if lost != nil {
			out.Lost = lost.Error()
		}
	}
	out.Metadata = timing{c.elapsed()}
	return out, nil
}
