package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// mismatched expects a request to be rejected because its header does not match its body.
func (p *CheckContext) mismatched(a *HTTPExchange, err error, header string) error {
	return p.expectHeaderMismatch(a, err, header, "request whose "+header+" does not match its body")
}

// lacking expects a request to be rejected because a header that repeats its body is missing.
func (p *CheckContext) lacking(a *HTTPExchange, err error, header string) error {
	return p.expectHeaderMismatch(a, err, header, "request without "+header)
}

// requestNamed sends a request for a named item, with Mcp-Name set to the result of header for that name.
func (p *CheckContext) requestNamed(ctx context.Context, header func(name string) []string) (*HTTPExchange, error) {
	method, params, err := p.named(ctx)
	if err != nil {
		return nil, err
	}
	v, err := p.Visit(ctx)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(schema.TextAt(json.RawMessage(params), "/name"), schema.TextAt(json.RawMessage(params), "/uri"))
	return v.Request(ctx, http.Header{"Mcp-Name": header(name)}, method, params)
}

// named returns a request for a named item that changes nothing.
func (p *CheckContext) named(ctx context.Context) (method, params string, err error) {
	for _, kind := range []struct{ capability, list, method, key string }{
		{"prompts", "prompts/list", "prompts/get", "name"}, {"resources", "resources/list", "resources/read", "uri"},
	} {
		if !p.Declares(kind.capability) {
			continue
		}
		list, err := p.List(ctx, kind.list)
		if err != nil {
			return "", "", err
		}
		for _, item := range list.Items {
			if kind.capability == "prompts" && p.round.opts.Permit.Prompt(item.Raw) != "" {
				continue
			}
			if item.Name != "" && item.Odd == "" &&
				!strings.Contains(string(At(item.Raw, "/arguments")), `"required":true`) {
				return kind.method, string(mcp.Object(kind.key, item.Name)), nil
			}
		}
	}
	tools, err := p.Callable(ctx)
	if err != nil && !p.Declares("tools") {
		err = nil
	}
	// they have more headers to match
	tools = slices.DeleteFunc(slices.Clone(tools),
		func(t Tool) bool { return len(mcp.ParamHeaders(t.Definition, t.Arguments)) > 0 })
	if err != nil || len(tools) == 0 {
		return "", "", cmp.Or(err, p.Skip("no named item can be requested"))
	}
	return "tools/call", string(mcp.Object("name", tools[0].Name, "arguments", tools[0].Arguments)), nil
}

// foreignHost is the host name of a page that is unknown to every server.
const foreignHost = "mcptest-foreign.example"

func (p *CheckContext) expectHeaderMismatch(a *HTTPExchange, err error, header, what string) error {
	if err != nil {
		return err
	}
	reply := a.Reply()
	switch {
	case a.Status/100 == 2 && (reply == nil || reply.Error == nil):
		p.Report(Evidence{Answer: a, Subject: header}, "%s: expected HTTP 400 and error %d, got success", what,
			mcp.CodeHeaderMismatch)
	case a.Status != http.StatusBadRequest || reply == nil || reply.Error == nil ||
		reply.Error.Code != mcp.CodeHeaderMismatch:
		p.Report(Evidence{Answer: a, Subject: header}, "%s: got HTTP %d and %s, expected HTTP 400 and error %d", what,
			a.Status, refusalOf(a), mcp.CodeHeaderMismatch)
	}
	return nil
}

// refusalOf returns the error in a response, for a message.
func refusalOf(a *HTTPExchange) string {
	if reply := a.Reply(); reply != nil && reply.Error != nil {
		return reply.Error.Error()
	}
	return "no error"
}
