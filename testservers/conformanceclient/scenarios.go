package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A scenario is the sequence of actions of a connected client.
type scenario func(context.Context, *mcp.Session) error

var scenarios = map[string]scenario{
	"initialize":                          listTools,
	"tools_call":                          calling("add_numbers", `{"a":2,"b":3}`),
	"elicitation-sep1034-client-defaults": calling("test_client_elicitation_defaults", `{}`),
	"sse-retry":                           calling("test_reconnection", `{}`),
	"request-metadata":                    listTools,
	"sep-2322-client-request-state":       callAll(`{}`),
	"http-standard-headers":               useEverything,
	"http-custom-headers":                 callAsTold,
	"http-invalid-tool-headers":           callAll(`{"region":"us-west1"}`),
	"json-schema-ref-no-deref":            listTools,
	"json-schema-2020-12-preservation":    echoSchema,
}

func listTools(ctx context.Context, s *mcp.Session) error {
	_, err := tools(ctx, s)
	return err
}

// tools lists the usable tools.
func tools(ctx context.Context, s *mcp.Session) ([]mcp.Item, error) {
	return usable(ctx, s, "tools/list")
}

// usable lists the items without anomalies.
func usable(ctx context.Context, s *mcp.Session, method string) ([]mcp.Item, error) {
	list, err := s.List(ctx, method)
	if err != nil {
		return nil, err
	}
	if list.Refused != nil {
		return nil, fmt.Errorf("%s: %w", method, list.Refused)
	}
	var items []mcp.Item
	for _, item := range list.Items {
		if item.Odd == "" {
			items = append(items, item)
		}
	}
	return items, nil
}

// calling lists the tools and calls one of them.
func calling(tool, arguments string) scenario {
	return func(ctx context.Context, s *mcp.Session) error {
		if err := listTools(ctx, s); err != nil {
			return err
		}
		return ask(ctx, s, "tools/call", mcp.Object("name", tool, "arguments", json.RawMessage(arguments)))
	}
}

// callAll calls every usable tool.
func callAll(arguments string) scenario {
	return func(ctx context.Context, s *mcp.Session) error {
		items, err := tools(ctx, s)
		if err != nil {
			return err
		}
		for _, tool := range items {
			if err := ask(ctx, s, "tools/call", mcp.Object("name", tool.Name, "arguments",
				json.RawMessage(arguments))); err != nil {
				return err
			}
		}
		return nil
	}
}

// callAsTold makes the calls listed in the suite's context.
func callAsTold(ctx context.Context, s *mcp.Session) error {
	var told struct{ ToolCalls []json.RawMessage }
	if err := json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &told); err != nil {
		return fmt.Errorf("read MCP_CONFORMANCE_CONTEXT: %w", err)
	}
	if err := listTools(ctx, s); err != nil {
		return err
	}
	for _, params := range told.ToolCalls {
		if err := ask(ctx, s, "tools/call", params); err != nil {
			return err
		}
	}
	return nil
}

// useEverything calls each tool, reads each resource and gets each prompt.
func useEverything(ctx context.Context, s *mcp.Session) error {
	for _, kind := range []struct{ list, use, key string }{
		{"tools/list", "tools/call", "name"},
		{"resources/list", "resources/read", "uri"},
		{"prompts/list", "prompts/get", "name"},
	} {
		items, err := usable(ctx, s, kind.list)
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := ask(ctx, s, kind.use, mcp.Object(kind.key, item.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// echoSchema sends a tool's schema back to the server, verbatim.
func echoSchema(ctx context.Context, s *mcp.Session) error {
	items, err := tools(ctx, s)
	if err != nil {
		return err
	}
	for _, tool := range items {
		if tool.Name != "json_schema_2020_12_tool" {
			continue
		}
		var parts struct{ InputSchema json.RawMessage }
		if err := json.Unmarshal(tool.Raw, &parts); err != nil {
			return err
		}
		arguments := mcp.Object("schema", parts.InputSchema)
		return ask(ctx, s, "tools/call", mcp.Object("name", "json_schema_echo", "arguments", arguments))
	}
	return fmt.Errorf("the server has no tool json_schema_2020_12_tool")
}

// ask makes a call; an error response is returned as a Go error.
func ask(ctx context.Context, s *mcp.Session, method string, params json.RawMessage) error {
	ex, err := s.Do(ctx, mcp.Request{Method: method, Params: params})
	if err != nil {
		return err
	}
	if ex.Reply.Error != nil {
		return fmt.Errorf("%s %s: %w", method, params, ex.Reply.Error)
	}
	return nil
}
