//lint:file-ignore SA1019 logging, sampling and roots are deprecated but required by every revision so far

package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// inputTools require input from the client: the user, the model, or the client itself.
func inputTools() []tool {
	asks := hints{varies: true}
	return []tool{
		{
			name: "ask_user", title: "Ask the user", hints: asks,
			description: "Asks the user for a name and a color in a form, and returns a hello with both.",
			input: closed(`"question":{"type":"string","minLength":1,"maxLength":200,"description":"The `+
				`message shown above the form fields."}`, `"question"`),
			run: requestElicitation,
		},
		{
			name: "visit_page", title: "Ask the user to visit a page", hints: asks,
			description: "Asks the user to open a URL on example.com and to come back.",
			input: closed(`"topic":{"type":"string","enum":["sign-in","payment"],"description":"The purpose of `+
				`the visit."}`, `"topic"`),
			run: visitPage,
		},
		{
			name: "ask_model", title: "Ask the model", hints: asks,
			description: "Sends a prompt to the client's model, and returns the response.",
			input: closed(`"prompt":{"type":"string","minLength":1,"maxLength":2000,"description":"The prompt `+
				`for the model."}`, `"prompt"`),
			run: requestSampling,
		},
		{
			name: "list_roots", title: "List roots", hints: asks,
			description: "Requests the roots of the client, and returns their URIs.",
			input:       noProperties,
			run:         listRoots,
		},
	}
}

// userForm is flat, as required for forms.
const userForm = `{"type":"object","properties":{` +
	`"name":{"type":"string","title":"Name","description":"The name to greet you with.","minLength":1,"maxLength":100},` +
	`"color":{"type":"string","title":"Color","description":"Your favorite color.","enum":["red","green","blue"]}},` +
	`"required":["name"]}`

func requestElicitation(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	q := question{request: func(string) mcp.InputRequest {
		return &mcp.ElicitParams{Mode: "form", Message: arguments[struct{ Question string }](c).Question,
			RequestedSchema: json.RawMessage(userForm)}
	}}
	if can := c.elicitation(spec.FormElicitation); can == nil || can.Form == nil && can.URL != nil {
		q.missing = `{"elicitation":{"form":{}}}`
	}
	answer, _, otherwise, err := requestInput[*mcp.ElicitResult](c, q)
	switch {
	case err != nil || otherwise != nil:
		return otherwise, err
	case answer.Action != "accept":
		return textOnly("The user chose to " + answer.Action + "."), nil
	}
	content := serve.Encode(answer.Content)
	if reason := newValidator(userForm).check(content); reason != "" {
		return failed("Invalid form data: " + reason), nil
	}
	var user struct{ Name, Color string }
	json.Unmarshal(content, &user)
	if user.Color == "" {
		return textOnly("Hello, " + user.Name + "."), nil
	}
	return textOnly("Hello, " + user.Name + ", who likes " + user.Color + "."), nil
}

// elicitation returns the declared capability of the client, or nil in revisions that do not require it.
func (c *call) elicitation(mode spec.ElicitationModes) *mcp.ElicitationCapabilities {
	can := c.request.ClientCapabilities()
	if can == nil || spec.Of(c.request.Session.InitializeParams().ProtocolVersion).Elicitation < mode {
		return nil
	}
	return can.Elicitation
}

func visitPage(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	topic := arguments[struct{ Topic string }](c).Topic
	q := question{request: func(id string) mcp.InputRequest {
		p := &mcp.ElicitParams{Mode: "url", Message: "Please visit the page for the " + topic + ".",
			URL: "https://example.com/demo/" + topic}
		if !c.modern() {
			p.ElicitationID = id
		}
		return p
	}}
	if can := c.elicitation(spec.FormURLElicitation); can == nil || can.URL == nil {
		q.missing = `{"elicitation":{"url":{}}}`
	}
	answer, id, otherwise, err := requestInput[*mcp.ElicitResult](c, q)
	switch {
	case err != nil || otherwise != nil:
		return otherwise, err
	case answer.Action != "accept":
		return textOnly("The user chose to " + answer.Action + "."), nil
	}
	if !c.modern() {
		c.request.Session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: id})
	}
	return textOnly("The user agreed to visit the page."), nil
}

func requestSampling(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	q := question{request: func(string) mcp.InputRequest {
		text := &mcp.TextContent{Text: arguments[struct{ Prompt string }](c).Prompt}
		return &mcp.CreateMessageParams{MaxTokens: 200, Messages: []*mcp.SamplingMessage{{Role: "user", Content: text}}}
	}}
	if can := c.request.ClientCapabilities(); can == nil || can.Sampling == nil {
		q.missing = `{"sampling":{}}`
	}
	answer, _, otherwise, err := requestInput[*mcp.CreateMessageWithToolsResult](c, q)
	if err != nil || otherwise != nil {
		return otherwise, err
	}
	for _, block := range answer.Content {
		if text, ok := block.(*mcp.TextContent); ok {
			return textOnly(fmt.Sprintf("%s responded: %s", answer.Model, text.Text)), nil
		}
	}
	return failed("The model returned no text."), nil
}

func listRoots(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	q := question{request: func(string) mcp.InputRequest { return &mcp.ListRootsParams{} }}
	if can := c.request.ClientCapabilities(); can == nil || can.RootsV2 == nil {
		q.missing = `{"roots":{}}`
	}
	answer, _, otherwise, err := requestInput[*mcp.ListRootsResult](c, q)
	if err != nil || otherwise != nil {
		return otherwise, err
	}
	lines := []string{fmt.Sprintf("The client has %d roots.", len(answer.Roots))}
	for _, r := range answer.Roots {
		lines = append(lines, r.URI)
	}
	return textOnly(strings.Join(lines, "\n")), nil
}
