package inspector

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// questionsLocked lists the pending questions.
func (c *conn) questionsLocked() []Question {
	all := []Question{}
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

func showQuestion(q *workbench.Question, call int) Question {
	out := Question{ID: q.ID, Call: call, Method: q.Method, Asked: q.Asked, Message: textAt(q.Params, "/message"), ParamsJSON: indentSmall(q.Params)}
	if q.Method == "sampling/createMessage" {
		messages, _ := get(q.Params, "/messages")
		out.Messages, out.SystemPrompt = messagesOf(messages), textAt(q.Params, "/systemPrompt")
		limit, _ := get(q.Params, "/maxTokens")
		out.MaxTokens = clip.Text(string(limit), 40)
		return out
	}
	if out.Mode = textAt(q.Params, "/mode"); out.Mode == "" {
		out.Mode = "form"
	}
	if out.Mode == "url" {
		out.URL = textAt(q.Params, "/url")
		out.URLHost, out.URLProblem = judgeURL(out.URL)
		return out
	}
	wanted := requestedSchema(q)
	out.Form, out.SchemaJSON = arguments.Model(wanted), indentSmall(wanted)
	start := out.Form.Start()
	out.Start = &start
	return out
}

func requestedSchema(q *workbench.Question) json.RawMessage {
	if wanted, ok := get(q.Params, "/requestedSchema"); ok {
		return wanted
	}
	return json.RawMessage(`{"type":"object"}`)
}

// judgeURL returns the host of a URL from a server, and why it must not be opened, if that is so.
func judgeURL(raw string) (host, problem string) {
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
func (c *conn) question(id string) (*workbench.Running, *workbench.Question, error) {
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
	return nil, nil, notFound("no pending request %q", id).hint("it may have been answered or cancelled")
}

// ExamineAnswer returns what would be sent as the content of an elicitation.
func (i *Inspector) ExamineAnswer(id, question string, typed Typed) (Examination, error) {
	c, err := i.conn(id)
	if err != nil {
		return Examination{}, err
	}
	_, q, err := c.question(question)
	if err != nil {
		return Examination{}, err
	}
	return examine(requestedSchema(q), typed), nil
}

// Answer answers a question.
func (i *Inspector) Answer(id string, in Answer) error {
	c, err := i.conn(id)
	if err != nil {
		return err
	}
	run, q, err := c.question(in.Question)
	if err != nil {
		return err
	}
	reply, err := in.reply(q)
	if err != nil {
		return err
	}
	if err := run.Answer(map[string]workbench.Reply{q.ID: reply}); err != nil {
		return err
	}
	c.answered(run)
	return nil
}

// answered lets the call of a question continue.
func (c *conn) answered(run *workbench.Running) {
	c.mu.Lock()
	var resumed *call
	for _, one := range c.calls {
		if one.run == run && one.status == Waiting && len(run.Questions()) == 0 {
			one.status, resumed = Running, one
		}
	}
	c.mu.Unlock()
	if resumed != nil {
		c.tellCall(resumed)
	}
	c.tellLink()
}

// reply returns the response for the server.
func (a Answer) reply(q *workbench.Question) (workbench.Reply, error) {
	switch {
	case a.ResultJSON != "":
		if wrong := syntaxOf(a.ResultJSON); wrong != nil {
			return workbench.Reply{}, usage("the result is not JSON: %s", wrong.Message)
		}
		return workbench.Reply{Result: json.RawMessage(a.ResultJSON)}, nil
	case a.Action != "accept" && a.Action != "decline" && a.Action != "cancel":
		return workbench.Reply{}, usage("invalid value %q for action", a.Action).hint("use accept, decline or cancel")
	case q.Method != "elicitation/create" && a.Action == "accept":
		return workbench.Reply{Result: a.sampled()}, nil
	case q.Method != "elicitation/create":
		return workbench.Reply{Refusal: &mcp.RPCError{Code: -1, Message: "the user declined the sampling request"}}, nil
	case a.Action != "accept":
		return workbench.Reply{Result: mcp.Object("action", a.Action)}, nil
	}
	return a.elicited(q)
}

func (a Answer) sampled() json.RawMessage {
	model, stop := a.Model, a.StopReason
	if model == "" {
		model = "human (mcptest)"
	}
	if stop == "" {
		stop = "endTurn"
	}
	return mcp.Object("role", "assistant", "content", mcp.Object("type", "text", "text", a.Text), "model", model, "stopReason", stop)
}

func (a Answer) elicited(q *workbench.Question) (workbench.Reply, error) {
	if textAt(q.Params, "/mode") == "url" {
		return workbench.Reply{Result: mcp.Object("action", "accept")}, nil
	}
	x := examine(requestedSchema(q), Typed{Value: a.Value, JSON: a.ContentJSON})
	switch {
	case x.Syntax != nil:
		return workbench.Reply{}, &Problem{Kind: KindUsage, Message: "the content is not JSON: " + x.Syntax.Message, Examination: &x}
	case !x.OK && !a.Anyway:
		return workbench.Reply{}, &Problem{Kind: KindUsage, Message: "the content does not match the requested schema; nothing was sent",
			Hint: "send it anyway, or correct it", Examination: &x}
	}
	return workbench.Reply{Result: mcp.Object("action", "accept", "content", json.RawMessage(x.ArgumentsJSON))}, nil
}
