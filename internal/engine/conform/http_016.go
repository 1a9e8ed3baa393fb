package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http016 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-016",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/transports/streamable-http"),
		Doc: `Mcp-Name must match the body

The header repeats the name of the tool, prompt or resource. A proxy that allows only some tools can be bypassed by a
call with another name in the header, unless the server compares the two.`,
	},
	Since: spec.NewestModern,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *Pass) error {
		a, err := p.askNamed(ctx, func(string) []string { return []string{"mcptest-another"} })
		return p.mismatched(a, err, "Mcp-Name")
	},
}

// askNamed sends a request for a named item, with Mcp-Name set to the result of header for that name.
func (p *Pass) askNamed(ctx context.Context, header func(name string) []string) (*Answer, error) {
	method, params, err := p.named(ctx)
	if err != nil {
		return nil, err
	}
	v, err := p.Visit(ctx)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(TextAt(json.RawMessage(params), "/name"), TextAt(json.RawMessage(params), "/uri"))
	return v.Ask(ctx, http.Header{"Mcp-Name": header(name)}, method, params)
}

// named returns a request for a named item that changes nothing.
func (p *Pass) named(ctx context.Context) (method, params string, err error) {
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
			if item.Name != "" && item.Odd == "" && !strings.Contains(string(At(item.Raw, "/arguments")), `"required":true`) {
				return kind.method, string(mcp.Object(kind.key, item.Name)), nil
			}
		}
	}
	tools, err := p.Callable(ctx)
	if err != nil && !p.Declares("tools") {
		err = nil
	}
	tools = slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return len(mcp.ParamHeaders(t.Definition, t.Arguments)) > 0 }) // they have more headers to match
	if err != nil || len(tools) == 0 {
		return "", "", cmp.Or(err, p.Skip("no named item can be requested"))
	}
	return "tools/call", string(mcp.Object("name", tools[0].Name, "arguments", tools[0].Arguments)), nil
}
