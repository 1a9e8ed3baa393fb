package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
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

func requestsOf(questions []*workbench.Question) []request {
	all := []request{}
	for _, q := range questions {
		all = append(all, request{q.ID, q.Method, small(q.Params)})
	}
	return all
}

// await waits for the end of a request, or for requests from the server.
func (c *call) await(ctx context.Context, run *workbench.Running, about resumption) (any, error) {
	run.Resume = about
	ex, questions, err := run.Wait(ctx, c.progress(ctx))
	if len(questions) > 0 {
		return about.pend(c, &pending{run.ID, requestsOf(questions)}), nil
	}
	return about.finish(ctx, c, ex, err)
}

func answerQuestions() tool {
	return tool{
		name: "answer", title: "Answer a server request", changes: true, open: true,
		doc: "Answers a request that the server under test sent during a call (elicitation or sampling), and returns the final response of that " +
			"call, or the next pending request. Ask the user before you answer on their behalf, and never open a URL that a server sends.",
		input: closed("",
			need("id", text("ID of the pending request.", maxName)),
			need("answers", list("One answer for each pending request.", 64, closed("An answer.",
				need("request", text("ID of the request to answer.", maxName)),
				may("action", choice("For an elicitation: accept it with content_json, decline it, or cancel it. For sampling: use decline to reject it.", "accept", "decline", "cancel")),
				may("content_json", text("For an accepted elicitation: the content, as a JSON object in text form.", maxJSON)),
				may("text", text("For sampling: the text of the model's reply.", maxJSON)),
				may("result_json", text("The whole result as JSON, sent to the server unchanged, instead of the other fields.", maxJSON)))))),
		output: `{"type":"object","anyOf":[` + record("The final response, in the format of the tool that was called, or the next pending request.",
			need("success", `{"const":true}`), metadataAnswer()) + `,` + errorAnswer() + `]}`,
		run: runAnswer,
	}
}

// An answerInput is one answer.
type answerInput struct {
	Request, Action, Text string
	ContentJSON           string `json:"content_json"`
	ResultJSON            string `json:"result_json"`
}

func runAnswer(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		ID      string
		Answers []answerInput
	}](c)
	run, err := c.waiting(in.ID)
	if err != nil {
		return nil, err
	}
	replies := map[string]workbench.Reply{}
	for _, q := range run.Questions() {
		given, ok := find(in.Answers, q.ID)
		if !ok {
			return nil, wrongAnswer("request %s has no answer", q.ID)
		}
		if replies[q.ID], err = given.reply(q.Method); err != nil {
			return nil, err
		}
	}
	if len(replies) < len(in.Answers) {
		return nil, wrongAnswer("got %d answers for %d pending requests", len(in.Answers), len(replies))
	}
	if err := run.Answer(replies); err != nil {
		return nil, err
	}
	about, ok := run.Resume.(resumption)
	if !ok {
		return ordered{"success", true, "connection", describe(c.link), "message", "the answer was sent; the request did not belong to a call, so there is no call result",
			"metadata", timing{c.elapsed()}}, nil
	}
	return c.await(ctx, run, about)
}

// waiting finds a request that waits for an answer, on any connection.
func (c *call) waiting(id string) (*workbench.Running, error) {
	links, _ := c.desk.Links()
	for _, l := range links {
		if run, ok := l.Pending(id); ok {
			c.link = l
			return run, nil
		}
	}
	return nil, wrongAnswer("no pending request with the id %q", id)
}

func wrongAnswer(format string, args ...any) error {
	return &failure{Type: invalidArguments, Message: fmt.Sprintf(format, args...), Details: details{}, Suggestion: "use get_connection_status to list the pending requests"}
}

func find(answers []answerInput, id string) (answerInput, bool) {
	for _, a := range answers {
		if a.Request == id {
			return a, true
		}
	}
	return answerInput{}, false
}

// reply builds the answer for the server.
func (a answerInput) reply(method string) (workbench.Reply, error) {
	switch {
	case a.ResultJSON != "":
		if !json.Valid([]byte(a.ResultJSON)) {
			return workbench.Reply{}, wrongAnswer("result_json is not JSON")
		}
		return workbench.Reply{Result: json.RawMessage(a.ResultJSON)}, nil
	case method == "elicitation/create":
		return a.elicited()
	case a.Action == "decline" || a.Action == "cancel":
		return workbench.Reply{Refusal: &mcp.RPCError{Code: -1, Message: "the user declined the sampling request"}}, nil
	case a.Text == "":
		return workbench.Reply{}, wrongAnswer("a sampling request requires text, result_json, or the action decline")
	}
	return workbench.Reply{Result: mcp.Object("role", "assistant", "content", mcp.Object("type", "text", "text", a.Text), "model", "assistant", "stopReason", "endTurn")}, nil
}

func (a answerInput) elicited() (workbench.Reply, error) {
	switch {
	case a.Action == "":
		return workbench.Reply{}, wrongAnswer("an elicitation requires an action: accept, decline or cancel")
	case a.Action != "accept":
		return workbench.Reply{Result: mcp.Object("action", a.Action)}, nil
	case a.ContentJSON == "":
		return workbench.Reply{Result: mcp.Object("action", "accept")}, nil
	case !json.Valid([]byte(a.ContentJSON)):
		return workbench.Reply{}, wrongAnswer("content_json is not JSON")
	}
	return workbench.Reply{Result: mcp.Object("action", "accept", "content", json.RawMessage(a.ContentJSON))}, nil
}
