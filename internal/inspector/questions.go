package inspector

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// questionsLocked lists the pending questions.
func (c *conn) questionsLocked() []view.Question {
	all := []view.Question{}
	for _, run := range c.link.Waiting() {
		n := 0
		for _, one := range c.calls {
			if one.run == run {
				n = one.n
			}
		}
		for _, q := range run.Questions() {
			all = append(all, showQuestion(q, n))
		}
	}
	return all
}

func showQuestion(q *connections.Question, call int) view.Question {
	out := view.Question{ID: q.ID, Call: call, Method: q.Method, Asked: q.Asked,
		Message:    schema.TextAt(q.Params, "/message"),
		ParamsJSON: view.IndentSmall(q.Params)}
	if q.Method == "sampling/createMessage" {
		messages, _ := schema.Get(q.Params, "/messages")
		out.Messages, out.SystemPrompt = view.MessagesOf(messages), schema.TextAt(q.Params, "/systemPrompt")
		limit, _ := schema.Get(q.Params, "/maxTokens")
		out.MaxTokens = clip.Text(string(limit), 40)
		return out
	}
	if out.Mode = schema.TextAt(q.Params, "/mode"); out.Mode == "" {
		out.Mode = "form"
	}
	if out.Mode == "url" {
		out.URL = schema.TextAt(q.Params, "/url")
		out.URLHost, out.URLProblem = checkURL(out.URL)
		return out
	}
	wanted := requestedSchema(q)
	out.Form, out.SchemaJSON = arguments.Model(wanted), view.IndentSmall(wanted)
	start := out.Form.Start()
	out.Start = &start
	return out
}

func requestedSchema(q *connections.Question) json.RawMessage {
	if wanted, ok := schema.Get(q.Params, "/requestedSchema"); ok {
		return wanted
	}
	return json.RawMessage(`{"type":"object"}`)
}

// checkURL returns the host of a URL from a server, and why it must not be opened, if that is so.
func checkURL(raw string) (host, problem string) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Hostname() == "":
		return "", "not the URL of a web page"
	case u.Scheme != "https" && u.Scheme != "http":
		return u.Host, "unsupported scheme " + clip.Text(u.Scheme, 40) + ": only https and http URLs are opened"
	case u.User != nil:
		return u.Host, "the URL contains a user name, which can disguise the host"
	case strings.ContainsAny(raw, "\r\n\t\x00"):
		return u.Host, "the URL contains control characters"
	}
	return u.Host, ""
}

// question finds a pending question.
func (c *conn) question(id string) (*connections.Running, *connections.Question, error) {
	link, err := c.session()
	if err != nil {
		return nil, nil, err
	}
	for _, run := range link.Waiting() {
		for _, q := range run.Questions() {
			if q.ID == id {
				return run, q, nil
			}
		}
	}
	return nil, nil, view.NotFound("no pending request %q", id).WithHint("it may have been answered or cancelled")
}

// ExamineAnswer returns what would be sent as the content of an elicitation.
func (i *Inspector) ExamineAnswer(id, question string, typed view.Typed) (view.Examination, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Examination{}, err
	}
	_, q, err := c.question(question)
	if err != nil {
		return view.Examination{}, err
	}
	return examine(requestedSchema(q), typed), nil
}

// Answer answers a question.
func (i *Inspector) Answer(id string, in view.Answer) error {
	c, err := i.conn(id)
	if err != nil {
		return err
	}
	run, q, err := c.question(in.Question)
	if err != nil {
		return err
	}
	reply, err := reply(in, q)
	if err != nil {
		return err
	}
	if err := run.Answer(map[string]connections.Reply{q.ID: reply}); err != nil {
		return err
	}
	c.resume(run)
	return nil
}

// resume lets the call of a question continue.
func (c *conn) resume(run *connections.Running) {
	c.mu.Lock()
	var resumed *call
	for _, one := range c.calls {
		if one.run == run && one.status == view.Waiting && len(run.Questions()) == 0 {
			one.status, resumed = view.Running, one
		}
	}
	c.mu.Unlock()
	if resumed != nil {
		c.notifyCall(resumed)
	}
	c.notifyLink()
}

// reply returns the response for the server.
func reply(a view.Answer, q *connections.Question) (connections.Reply, error) {
	switch {
	case a.ResultJSON != "":
		if wrong := syntaxOf(a.ResultJSON); wrong != nil {
			return connections.Reply{}, view.Usage("the result is not JSON: %s", wrong.Message)
		}
		return connections.Reply{Result: json.RawMessage(a.ResultJSON)}, nil
	case a.Action != "accept" && a.Action != "decline" && a.Action != "cancel":
		return connections.Reply{}, view.Usage("invalid value %q for action",
			a.Action).WithHint("use accept, decline or cancel")
	case q.Method != "elicitation/create" && a.Action == "accept":
		return connections.Reply{Result: sampled(a)}, nil
	case q.Method != "elicitation/create":
		return connections.Reply{Refusal: &mcp.RPCError{Code: -1, Message: "the user declined the sampling request"}},
			nil
	case a.Action != "accept":
		return connections.Reply{Result: mcp.Object("action", a.Action)}, nil
	}
	return elicited(a, q)
}

func sampled(a view.Answer) json.RawMessage {
	model, stop := a.Model, a.StopReason
	if model == "" {
		model = "human (mcptest)"
	}
	if stop == "" {
		stop = "endTurn"
	}
	return mcp.Object("role", "assistant", "content", mcp.Object("type", "text", "text", a.Text), "model", model,
		"stopReason", stop)
}

func elicited(a view.Answer, q *connections.Question) (connections.Reply, error) {
	if schema.TextAt(q.Params, "/mode") == "url" {
		return connections.Reply{Result: mcp.Object("action", "accept")}, nil
	}
	x := examine(requestedSchema(q), view.Typed{Value: a.Value, JSON: a.ContentJSON})
	switch {
	case x.Syntax != nil:
		return connections.Reply{}, &view.Problem{Kind: view.KindUsage,
			Message:     "the content is not JSON: " + x.Syntax.Message,
			Examination: &x}
	case !x.OK && !a.Anyway:
		return connections.Reply{}, &view.Problem{Kind: view.KindUsage,
			Message: "the content does not match the requested schema; nothing was sent",
			Hint:    "send it anyway, or correct it", Examination: &x}
	}
	return connections.Reply{Result: mcp.Object("action", "accept", "content", json.RawMessage(x.ArgumentsJSON))}, nil
}
