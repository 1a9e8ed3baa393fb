package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func getPrompt() tool {
	return tool{
		name: "get_prompt", open: true,
		doc: "Gets a prompt with its messages.",
		input: closed("", need("name", text("Name of the prompt, as in list_prompts.", maxName)),
			may("arguments", anything("Arguments by name; each value is a string.")), onConnection(),
			withTimeout(), withVerbosity()),
		output: outputSchema(part("prompt")),
		run:    runPrompt,
	}
}

type promptInput struct {
	Name, Connection string
	Verbosity        verbosity
	Arguments        json.RawMessage
	TimeoutMS        int64 `json:"timeout_ms"`
}

func runPrompt(ctx context.Context, c *call) (any, error) {
	in := decode[promptInput](c)
	l, err := c.on(in.Connection)
	if err != nil {
		return nil, err
	}
	mark := l.Log.Len()
	prompts, err := l.Session.List(ctx, "prompts/list")
	if err != nil {
		return nil, err
	}
	item, listed := prompts.Find(in.Name)
	if !listed && prompts.Refused == nil {
		return nil, noPrompt(in.Name, details{})
	}
	if err := checkPrompt(item.Raw, in.Name, in.Arguments); err != nil {
		return nil, err
	}
	request := calls.Call{Method: calls.Prompt, Name: in.Name, Arguments: in.Arguments, Definition: item.Raw}
	run := l.Begin(request.Request(l.Session), time.Duration(in.TimeoutMS)*time.Millisecond)
	return c.await(ctx, run, &prompting{in: in, link: l, request: request, run: run, listed: listed, mark: mark})
}

func noPrompt(name string, d details) *failure {
	d["prompt"] = name
	return &failure{Type: promptNotFound, Message: fmt.Sprintf("unknown prompt %q: the server does not list it", name),
		Details: d, Suggestion: "use list_prompts to see the available prompts"}
}

// checkPrompt validates arguments against a prompt's declaration: required ones are present, and all are
// strings.
func checkPrompt(definition json.RawMessage, name string, given json.RawMessage) error {
	members, _ := schema.Members(given)
	var problems []string
	has := map[string]bool{}
	for _, m := range members {
		has[m.Name] = true
		if _, ok := schema.Text(m.Value); !ok {
			problems = append(problems, m.Name+" is not a string")
		}
	}
	for _, a := range promptArguments(definition) {
		if a.Required && !has[a.Name] {
			problems = append(problems, a.Name+" is required")
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return &failure{Type: invalidArguments, Message: fmt.Sprintf("invalid arguments for the prompt %s; nothing was "+
		"sent: %s", name, problems[0]),
		Details:    details{"problems": problems, "sent": false},
		Suggestion: "use list_prompts to see the arguments of each prompt"}
}

// A promptResponse is the result of get_prompt.
type promptResponse struct {
	Success    bool      `json:"success"`
	Connection reference `json:"connection"`
	Prompt     prompt    `json:"prompt"`
	Frames     []frame   `json:"frames,omitempty"`
	Metadata   struct {
		RetrievedAt   string `json:"retrieved_at"`
		RequestTimeMS int64  `json:"request_time_ms"`
	} `json:"metadata"`
}

// A prompt describes a prompt in a result.
type prompt struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Messages    json.RawMessage `json:"messages,omitempty"`
	Raw         json.RawMessage `json:"raw,omitempty"`
	Cut         string          `json:"cut,omitempty"`
	Pending     *pending        `json:"pending,omitempty"`
}

// A prompting is a prompts/get request in flight.
type prompting struct {
	in      promptInput
	link    *connections.Link
	request calls.Call
	run     *connections.Running
	listed  bool
	mark    int
}

func (p *prompting) pend(c *call, asked *pending) any {
	return p.result(c, prompt{Name: p.in.Name, Pending: asked})
}

func (p *prompting) result(c *call, shown prompt) promptResponse {
	out := promptResponse{Success: true, Connection: reached(p.link), Prompt: shown}
	out.Metadata.RetrievedAt, out.Metadata.RequestTimeMS = stamp(time.Now()), c.elapsed()
	if p.in.Verbosity == full {
		out.Frames = framesSince(p.link, p.mark)
	}
	return out
}

func (p *prompting) finish(_ context.Context, c *call, ex *mcp.Exchange, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	verdict := p.request.Evaluate(p.link.Session, ex)
	c.checked(verdict.Remarks())
	if verdict.RPC != nil {
		return nil, p.refused(verdict)
	}
	p.link.PromptsRetrieved.Add(1)
	if verdict.Failed() {
		f := malformed(verdict)
		f.Details["result"], _ = bounded(ex.Reply.Result, ex.Reply.Frame.Seq, brief)
		return nil, f
	}
	raw, cut := bounded(ex.Reply.Result, ex.Reply.Frame.Seq, p.in.Verbosity)
	shown := prompt{Name: p.in.Name, Description: schema.TextAt(raw, "/description"), Cut: cut,
		Messages: json.RawMessage("[]")}
	if p.in.Verbosity == full {
		shown.Raw = raw
	}
	if messages, ok := schema.Get(raw, "/messages"); ok && schema.Kind(messages) == '[' {
		shown.Messages = messages
	}
	return p.result(c, shown), nil
}

// refused converts a server's error to a failure, by its code and by whether the server lists the prompt.
func (p *prompting) refused(verdict *calls.Verdict) *failure {
	e, d := verdict.RPC, details{"sent": true}
	describeRPC(d, e)
	switch {
	case !p.listed && (e.Code == mcp.CodeInvalidParams || e.Code == mcp.CodeMethodNotFound):
		return noPrompt(p.in.Name, d)
	case e.Code == mcp.CodeInvalidParams:
		return &failure{Type: invalidArguments, Message: "the server rejected the arguments: " + e.Error(), Details: d,
			Suggestion: "see its error message for the expected value"}
	}
	return &failure{Type: executionError, Message: "the server responded with " + e.Error(), Details: d,
		Suggestion: "use get_transcript to see the messages"}
}
