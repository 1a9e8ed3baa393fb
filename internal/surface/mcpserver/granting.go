package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// grantForm is the form of the question to the host's user.
const grantForm = `{"type":"object","properties":{"answer":{"type":"string","title":"Answer",` +
	`"description":"once: for this call; session: until this server ends; always: for exactly this; no: do not allow it",` +
	`"enum":["once","session","always","no"],"default":"no"}},"required":["answer"]}`

// maxQuestions is how many questions may wait for an answer.
const maxQuestions = 64

// questionBook holds the questions that were sent to the host, by IDs that nobody can guess. An answer counts once, and for
// exactly what was asked.
type questionBook struct {
	mu   sync.Mutex
	open map[string]*workbench.GrantRequest
}

func (b *questionBook) add(r *workbench.GrantRequest) (id string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[string]*workbench.GrantRequest{}
	}
	if len(b.open) >= maxQuestions {
		return "", false
	}
	id = "grant-" + rand.Text()
	b.open[id] = r
	return id, true
}

func (b *questionBook) take(id string) *workbench.GrantRequest {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.open[id]
	delete(b.open, id)
	return r
}

// canAsk reports whether the host declares that its user can be asked with a form.
func (c *call) canAsk() bool {
	can, started := c.request.ClientCapabilities(), c.request.Session.InitializeParams()
	if can == nil || can.Elicitation == nil || can.Elicitation.Form == nil && can.Elicitation.URL != nil {
		return false
	}
	return started != nil && started.ProtocolVersion >= serve.Rev2025June
}

// question asks the host's user for the grant that an error names; nil if there is nothing to ask, nobody to ask, or the
// call has asked already.
func (c *call) question(err error) *sdk.CallToolResult {
	if err == nil || !c.canAsk() || len(c.request.Params.InputResponses) > 0 {
		return nil
	}
	r := failed(err).grant
	if r == nil {
		return nil
	}
	id, ok := c.questions.add(r)
	if !ok {
		return nil
	}
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{id: &sdk.ElicitParams{Mode: "form",
		Message: report.Visible(c.desk.Scrub(r.Question())), RequestedSchema: json.RawMessage(grantForm)}}}
}

// answered takes the user's answers, and returns a context in which what they granted is allowed. An answer to a question
// that was not asked grants nothing.
func (c *call) answered(ctx context.Context) (context.Context, error) {
	var granted []string
	for id, response := range c.request.Params.InputResponses {
		r := c.questions.take(id)
		result, ok := response.(*sdk.ElicitResult)
		if r == nil || !ok {
			continue
		}
		how := workbench.GrantNo
		if result.Action == "accept" {
			how, _ = result.Content["answer"].(string)
		}
		switch how {
		case workbench.GrantOnce, workbench.GrantSession, workbench.GrantAlways:
		default:
			return ctx, &failure{Type: connectionFailed, Message: "the user does not allow to " + r.What, Details: details{"reason": "declined"},
				Suggestion: "do not ask again; continue without it"}
		}
		if err := c.desk.Grant(r, how); err != nil {
			return ctx, &failure{Type: connectionFailed, Message: fmt.Sprintf("the answer of the user could not be kept: %v", err),
				Details: details{"reason": "not_allowed"}}
		}
		granted = append(granted, r.ID)
	}
	return workbench.Granting(ctx, granted...), nil
}
