package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A resumption can finish a request that may be interrupted by requests from the server.
type resumption interface {
	finish(ctx context.Context, c *call, ex *mcp.Exchange, err error) (any, error)
	pend(c *call, p *pending) any
}

// A pending is a request from the server that must be answered before the call continues.
type pending struct {
	ID       string    `json:"id"`
	Requests []request `json:"requests"`
}

// A request is one request from the server, unchanged.
type request struct {
	ID     string          `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

func requestsOf(questions []*connections.Question) []request {
	all := []request{}
	for _, q := range questions {
		all = append(all, request{q.ID, q.Method, small(q.Params)})
	}
	return all
}

// await waits for the end of a request, or for requests from the server.
func (c *call) await(ctx context.Context, run *connections.Running, about resumption) (any, error) {
	run.Resume = about
	ex, questions, err := run.Wait(ctx, c.progress(ctx))
	if len(questions) > 0 {
		return about.pend(c, &pending{run.ID, requestsOf(questions)}), nil
	}
	return about.finish(ctx, c, ex, err)
}

func respondToRequests() tool {
	return tool{
		name: "answer", changes: true, open: true,
		doc: "Answers pending requests of the server (elicitation, sampling), and returns the result. " +
			"Ask the user first; never open a URL of a server.",
		input: closed("",
			need("id", text("ID of pending.", maxName)),
			need("answers", list("One for each request.", 64, closed("An answer.",
				need("request", text("ID of the request.", maxName)),
				may("action", choice("For an elicitation, or to decline sampling.", "accept",
					"decline", "cancel")),
				may("content_json", text("Accepted content, as JSON.", maxJSON)),
				may("text", text("Reply to a sampling request.", maxJSON)),
				may("result_json", text("Or the whole result, as JSON.", maxJSON)))))),
		run: runResponse,
	}
}

// An inputResponse is one answer.
type inputResponse struct {
	Request, Action, Text string
	ContentJSON           string `json:"content_json"`
	ResultJSON            string `json:"result_json"`
}

func runResponse(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		ID      string
		Answers []inputResponse
	}](c)
	run, err := c.waiting(in.ID)
	if err != nil {
		return nil, err
	}
	replies := map[string]connections.Reply{}
	for _, q := range run.Questions() {
		given, ok := find(in.Answers, q.ID)
		if !ok {
			return nil, wrongResponse("request %s has no answer", q.ID)
		}
		if replies[q.ID], err = given.reply(q.Method); err != nil {
			return nil, err
		}
	}
	if len(replies) < len(in.Answers) {
		return nil, wrongResponse("got %d answers for %d pending requests", len(in.Answers), len(replies))
	}
	if err := run.Answer(replies); err != nil {
		return nil, err
	}
	about, ok := run.Resume.(resumption)
	if !ok {
		return ordered{"success", true, "connection", reached(c.link), "message",
			"the answer was sent; the request did not belong to a call, so there is no call result",
			"metadata", timing{c.elapsed()}}, nil
	}
	return c.await(ctx, run, about)
}

// waiting finds a request that waits for an answer, on any connection.
func (c *call) waiting(id string) (*connections.Running, error) {
	links, _ := c.desk.Links()
	for _, l := range links {
		if run, ok := l.Pending(id); ok {
			c.link = l
			return run, nil
		}
	}
	return nil, wrongResponse("no pending request with the id %q", id)
}

func wrongResponse(format string, args ...any) error {
	return &failure{Type: invalidArguments, Message: fmt.Sprintf(format, args...), Details: details{},
		Suggestion: "use get_connection_status to list the pending requests"}
}

func find(answers []inputResponse, id string) (inputResponse, bool) {
	for _, a := range answers {
		if a.Request == id {
			return a, true
		}
	}
	return inputResponse{}, false
}

// reply builds the answer for the server.
func (a inputResponse) reply(method string) (connections.Reply, error) {
	switch {
	case a.ResultJSON != "":
		if !json.Valid([]byte(a.ResultJSON)) {
			return connections.Reply{}, wrongResponse("result_json is not JSON")
		}
		return connections.Reply{Result: json.RawMessage(a.ResultJSON)}, nil
	case method == "elicitation/create":
		return a.elicited()
	case a.Action == "decline" || a.Action == "cancel":
		return connections.Reply{Refusal: &mcp.RPCError{Code: -1, Message: "the user declined the sampling request"}},
			nil
	case a.Text == "":
		return connections.Reply{},
			wrongResponse("a sampling request requires text, result_json, or the action decline")
	}
	return connections.Reply{Result: mcp.Object("role", "assistant", "content",
		mcp.Object("type", "text", "text", a.Text), "model", "assistant", "stopReason", "endTurn")}, nil
}

func (a inputResponse) elicited() (connections.Reply, error) {
	switch {
	case a.Action == "":
		return connections.Reply{}, wrongResponse("an elicitation requires an action: accept, decline or cancel")
	case a.Action != "accept":
		return connections.Reply{Result: mcp.Object("action", a.Action)}, nil
	case a.ContentJSON == "":
		return connections.Reply{Result: mcp.Object("action", "accept")}, nil
	case !json.Valid([]byte(a.ContentJSON)):
		return connections.Reply{}, wrongResponse("content_json is not JSON")
	}
	return connections.Reply{Result: mcp.Object("action", "accept", "content", json.RawMessage(a.ContentJSON))}, nil
}
