package demo

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// complete suggests values for the arguments of prompts and templates.
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	p := req.Params
	known := map[string]string{}
	if p.Context != nil {
		known = p.Context.Arguments
	}
	choices, ok := suggestions(p.Ref, p.Argument.Name, known)
	if !ok {
		return nil, &jsonrpc.Error{Code: serve.CodeInvalidParams, Message: "nothing with this name can be completed"}
	}
	values := []string{}
	for _, c := range choices {
		if strings.HasPrefix(strings.ToLower(c), strings.ToLower(p.Argument.Value)) {
			values = append(values, c)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

// suggestions returns all values of an argument; ok is false if there is no such argument.
func suggestions(ref *mcp.CompleteReference, argument string, known map[string]string) (values []string, ok bool) {
	if ref.Type == "ref/resource" {
		switch {
		case ref.URI == planetTemplate && argument == "name":
			return planets(), true
		case ref.URI == squareTemplate && argument == "color":
			return []string{"blue", "green", "red"}, true
		}
		return nil, false
	}
	all := prompts()
	i := slices.IndexFunc(all, func(p prompt) bool { return p.name == ref.Name })
	if i < 0 || !slices.ContainsFunc(all[i].arguments, func(a *mcp.PromptArgument) bool { return a.Name == argument }) {
		return nil, false
	}
	switch ref.Name + "." + argument {
	case "greet.tone":
		return []string{"formal", "funny", "warm"}, true
	case "describe_planet.planet":
		return planets(), true
	case "visit.country":
		return []string{"France", "Italy", "Japan"}, true
	case "visit.city":
		return cities()[known["country"]], true
	}
	return nil, true
}

// cities are the suggestions that depend on another argument.
func cities() map[string][]string {
	return map[string][]string{
		"France": {"Lyon", "Nantes", "Paris"}, "Italy": {"Milan", "Naples", "Rome"},
		"Japan": {"Kyoto", "Osaka", "Tokyo"},
	}
}
