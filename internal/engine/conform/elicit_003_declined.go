package conform

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var elicit003 = &Check{
	Rule: finding.Rule{
		ID:       "ELICIT-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("client/elicitation#response-actions"),
		Doc: `tool must handle a declined or cancelled elicitation

A user may decline a form or close it: then the response has no content. A tool that reads a field of the content anyway
fails with an exception, exits or never responds. Check the action before you read the content, and return a result or
an error that says what is missing. It is a warning if a declined confirmation, a form with one boolean at most, has the
same result as an accepted one: the model does not learn whether the user agreed.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		all, err := p.openCalls(ctx)
		if err != nil {
			return err
		}
		some := all.eliciting()
		some = slices.DeleteFunc(some, func(c CallResult) bool { return p.round.limited(c.Name) })
		if len(some) == 0 {
			return p.Skip("no called tool requested an elicitation")
		}
		in := &elicitation{p, all.user, all.session}
		defer all.user.action.Store("decline")
		for _, c := range some[:min(len(some), maxOddTools)] {
			if err := in.judge(ctx, c); err != nil {
				return err
			}
		}
		return nil
	},
}

// eliciting lists the calls that caused an elicitation, whether there was a response afterwards or not.
func (r *roundOfCalls) eliciting() []CallResult {
	return slices.DeleteFunc(slices.Concat(r.done, r.silent), func(c CallResult) bool {
		return !slices.ContainsFunc(questionsOf(c), isElicitation)
	})
}

func isElicitation(q Question) bool { return q.Method == "elicitation/create" }

// An elicitation is how a check calls a tool and responds to its elicitations.
type elicitation struct {
	check   *CheckContext
	user    *elicitedUser
	session *mcp.Session
}

// judge calls a tool and declines or cancels its elicitation. The first call was declined up to 2025-11-25.
func (e *elicitation) judge(ctx context.Context, c CallResult) error {
	for _, action := range []string{"decline", "cancel"} {
		ex, problem := c.Exchange, exceptionIn(c.Exchange)
		if action == "cancel" || ex.Reply == nil || e.check.Modern() {
			var err error
			if ex, problem, err = e.call(ctx, c.Tool, action); err != nil {
				return err
			}
		} else {
			e.user.asked.Store(questionsOf(c)[slices.IndexFunc(questionsOf(c), isElicitation)].Params)
		}
		switch {
		case e.user.form() == nil:
			return nil // it did not request one this time
		case problem != "":
			_, accepted, err := e.call(ctx, c.Tool, "accept")
			if err != nil || accepted != "" {
				return err // the tool fails with any response
			}
			seen := Evidence{Subject: c.Name, Led: true}
			if ex != nil && ex.Reply != nil {
				seen.Exchange = ex
			}
			e.check.Report(seen, "elicitation with the response %s: expected a result or an error for the user, got %s",
				quoted(action), problem)
			return nil
		case action == "decline" && !hasFailed(ex):
			if err := e.compare(ctx, c.Tool, ex); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare warns if an accepted confirmation has the result that the declined one had.
func (e *elicitation) compare(ctx context.Context, t Tool, declined *mcp.Exchange) error {
	form := e.user.form()
	fields, _ := schema.Members(At(form, "/requestedSchema/properties"))
	if len(fields) > 1 || len(fields) == 1 && schema.TextAt(fields[0].Value, "/type") != "boolean" ||
		schema.TextAt(form, "/mode") == "url" {
		return nil
	}
	accepted, problem, err := e.call(ctx, t, "accept")
	if err != nil || problem != "" || hasFailed(accepted) ||
		!equalJSON(At(declined.Reply.Result, "/content"), At(accepted.Reply.Result, "/content")) {
		return err
	}
	e.check.Warn(Evidence{Subject: t.Name, Exchange: declined, Pointer: "/content", Led: true},
		"confirmation with the response \"decline\": expected another result than with \"accept\", got the same: %s",
		quoted(clip.Text(textsOf(declined.Reply.Result), 120)))
	return nil
}

// call calls a tool and responds to each elicitation with an action. problem describes an exception, or why there was
// no response.
func (e *elicitation) call(ctx context.Context, t Tool, action string) (ex *mcp.Exchange, problem string, err error) {
	e.user.action.Store(action)
	e.user.asked.Store(json.RawMessage(nil))
	if e.session.Err() != nil {
		if e.session, err = e.check.Open(ctx, func(o *mcp.Options) { o.Elicitation = e.user.respond }); err != nil {
			return nil, "", err
		}
	}
	ex, err = e.check.CallIn(ctx, e.session, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
	for range maxInputRounds {
		if err != nil || ex.Reply == nil || schema.TextAt(ex.Reply.Result, "/resultType") != "input_required" {
			break
		}
		c := CallResult{t, ex}
		ex, err = e.check.resumed(ctx, e.session, c, e.user.respondToAll(c))
	}
	var skip *errSkip
	switch {
	case ctx.Err() != nil:
		return nil, "", context.Cause(ctx)
	case errors.As(err, &skip):
		return nil, "", err
	case err != nil && e.session.Err() != nil:
		return ex, "a lost connection: " + clip.Text(wire.Reason(err), 160), nil
	case err != nil:
		return ex, "no response: " + clip.Text(wire.Reason(err), 160), nil
	}
	return ex, exceptionIn(ex), nil
}

// exceptionIn describes the exception that a call failed with; empty if there is none.
func exceptionIn(ex *mcp.Exchange) string {
	if ex.Reply == nil || !hasFailed(ex) {
		return ""
	}
	text := textsOf(ex.Reply.Result)
	if ex.Reply.Error != nil {
		text = ex.Reply.Error.Message
	}
	if found, raised := exposure.FindException(text); raised && found.Sure {
		return outcomeOf(ex)
	}
	return ""
}

// An elicitedUser responds to the elicitations of a session.
type elicitedUser struct {
	action atomic.Value // a string: what the user does
	asked  atomic.Value // the params of the last elicitation
}

// newElicitedUser returns a user who declines.
func newElicitedUser() *elicitedUser {
	u := &elicitedUser{}
	u.action.Store("decline")
	return u
}

// form returns the params of the elicitation during the last call; nil if there was none.
func (u *elicitedUser) form() json.RawMessage {
	asked, _ := u.asked.Load().(json.RawMessage)
	return asked
}

// maxInputRounds is how often a call may request input.
const maxInputRounds = 3

// respond is the user of a session up to 2025-11-25.
func (u *elicitedUser) respond(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
	u.asked.Store(slices.Clone(params))
	return u.response(Question{Method: "elicitation/create", Params: params}), nil
}

// respondToAll is the user from 2026-07-28 on: it replaces the responses to elicitations.
func (u *elicitedUser) respondToAll(c CallResult) func([]finding.Edit) []finding.Edit {
	return func(edits []finding.Edit) []finding.Edit {
		responses := []any{}
		for _, q := range questionsOf(c) {
			if isElicitation(q) {
				u.asked.Store(q.Params)
				responses = append(responses, q.Key, u.response(q))
			} else {
				responses = append(responses, q.Key, responseTo(q))
			}
		}
		edits[0].Value = mcp.Object(responses...)
		return edits
	}
}

// response is what the user does with a form. A confirmation is accepted with true.
func (u *elicitedUser) response(q Question) json.RawMessage {
	if action := u.action.Load().(string); action != "accept" {
		return mcp.Object("action", action)
	}
	fields, _ := schema.Members(At(q.Params, "/requestedSchema/properties"))
	if len(fields) == 1 && schema.TextAt(fields[0].Value, "/type") == "boolean" {
		return mcp.Object("action", "accept", "content", mcp.Object(fields[0].Name, true))
	}
	return responseTo(q)
}
