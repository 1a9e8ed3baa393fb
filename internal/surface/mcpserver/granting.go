package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// grantForm is the form of the question to the host's user.
const grantForm = `{"type":"object","properties":{"answer":{"type":"string","title":"Answer",` +
	`"description":"once: for this call; session: until this server ends; always: for exactly this; no: do not allow ` +
	`it",` +
	`"enum":["once","session","always","no"],"default":"no"}},"required":["answer"]}`

// maxQuestions is how many questions may wait for an answer. A further one replaces the oldest.
const maxQuestions = 64

// questionBook holds the questions that were sent to the host, by IDs that nobody can guess. An answer counts once, and
// for exactly what was asked.
type questionBook struct {
	mu    sync.Mutex
	open  map[string]*openQuestion
	order []string // the IDs, oldest first
}

// An openQuestion waits for the user's answer.
type openQuestion struct {
	*workbench.GrantRequest
	answers map[string]string // to the questions before it, by the ID of what was granted
}

func (b *questionBook) add(r *openQuestion) (id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[string]*openQuestion{}
	}
	if len(b.order) >= maxQuestions {
		delete(b.open, b.order[0])
		b.order = b.order[1:]
	}
	id = "grant-" + rand.Text()
	b.open[id], b.order = r, append(b.order, id)
	return id
}

func (b *questionBook) take(id string) *openQuestion {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.open[id]
	delete(b.open, id)
	b.order = slices.DeleteFunc(b.order, func(other string) bool { return other == id })
	return r
}

// canAsk reports whether the host declares that its user can be asked with a form, and has not failed to ask in this
// call.
func (c *call) canAsk() bool {
	can, started := c.request.ClientCapabilities(), c.request.Session.InitializeParams()
	if c.unasked || can == nil || can.Elicitation == nil || can.Elicitation.Form == nil && can.Elicitation.URL != nil {
		return false
	}
	return started != nil && spec.Of(started.ProtocolVersion).Elicitation != spec.NoElicitation
}

// question returns the question to the host's user for the grant that an error names; nil if there is nothing to ask,
// nobody to ask, or the call has asked already. A call asks a second time only for what follows from the first answer.
func (c *call) question(err error) *workbench.GrantRequest {
	if err == nil || !c.canAsk() {
		return nil
	}
	r := failed(err).grant
	if r == nil || len(c.request.Params.InputResponses) > 0 && (len(c.answers) != 1 || c.answers[r.After] == "") {
		return nil
	}
	return r
}

// requestPermission asks the host's user. From 2026-07-28 on, the question is the result, and the host calls the tool
// again with the result. Before, it is a request to the host, and ask repeats the call with the response. If the host
// fails to ask, the call is repeated as for a host that cannot ask: the error then names the command that the user has
// to run.
func (c *call) requestPermission(ctx context.Context, r *workbench.GrantRequest,
	again func() (any, error)) (*sdk.CallToolResult, any,
	error) {
	id := c.questions.add(&openQuestion{r, c.answers})
	form := &sdk.ElicitParams{Mode: "form", Message: report.Visible(c.desk.Scrub(r.Question())),
		RequestedSchema: json.RawMessage(grantForm)}
	if spec.EraOf(c.request.Session.InitializeParams().ProtocolVersion) == spec.Modern {
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{id: form}}, nil, nil
	}
	waiting, cancel := context.WithTimeout(ctx, c.desk.AskTimeout())
	defer cancel()
	answer, err := c.request.Session.Elicit(waiting, form)
	if err == nil {
		params := *c.request.Params
		params.InputResponses = sdk.InputResponseMap{id: answer}
		request := *c.request
		request.Params = &params
		c.request = &request
	} else {
		c.questions.take(id)
		c.unasked = true
	}
	out, err := again()
	return nil, out, err
}

// permissionResponse takes the user's answers, and returns a context in which what they granted is allowed. An answer
// to a question that was not asked grants nothing, and one that is not an answer of the form counts as not asked.
func (c *call) permissionResponse(ctx context.Context) (context.Context, error) {
	answers := map[string]string{}
	for id, response := range c.request.Params.InputResponses {
		r := c.questions.take(id)
		if r == nil {
			continue
		}
		how := responseOf(response)
		switch how {
		case connections.GrantOnce, connections.GrantSession, connections.GrantAlways:
		case connections.GrantNo:
			return ctx, &failure{Type: connectionFailed, Message: "the user does not allow to " + r.What,
				Details:    details{"reason": "declined"},
				Suggestion: "do not ask again; continue without it"}
		default:
			c.unasked = true
			continue
		}
		if err := c.desk.Grant(r.GrantRequest, how); err != nil {
			return ctx, &failure{Type: connectionFailed,
				Message: fmt.Sprintf("the answer of the user could not be kept: %v", err),
				Details: details{"reason": "not_allowed"}}
		}
		maps.Copy(answers, r.answers)
		answers[r.ID] = how
	}
	c.answers = answers
	return connections.Granting(ctx, answers), nil
}

// responseOf returns how the user answered; empty if the host returned something else than an answer.
func responseOf(response sdk.InputResponse) string {
	result, ok := response.(*sdk.ElicitResult)
	if !ok {
		return ""
	}
	switch result.Action {
	case "accept":
		how, _ := result.Content["answer"].(string)
		return how
	case "decline", "cancel":
		return connections.GrantNo
	}
	return ""
}
