//lint:file-ignore SA1019 sampling is deprecated, and clients of every SDK still support it

package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func runServer(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	port := flags.Int("http", 0, "serve Streamable HTTP on this port instead of stdio")
	delay := flags.Duration("delay", 0, "wait before the server starts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	time.Sleep(*delay)
	server := newServer()
	if *port == 0 {
		return server.Run(ctx, &mcp.StdioTransport{})
	}
	return http.ListenAndServe(net.JoinHostPort("127.0.0.1", strconv.Itoa(*port)), bothEras(server))
}

// bothEras routes by the version header: a handler of the SDK serves either sessions or stateless requests.
func bothEras(server *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(get, nil)
	stateless := mcp.NewStreamableHTTPHandler(get,
		&mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("MCP-Protocol-Version") >= "2026-07-28" {
			stateless.ServeHTTP(w, r)
		} else {
			sessions.ServeHTTP(w, r)
		}
	})
}

type (
	echoed struct {
		Text string `json:"text"`
	}
	keyed struct {
		Key string `json:"key"`
	}
	counted struct {
		Steps int    `json:"steps"`
		Key   string `json:"key"`
	}
	nothing struct{}
)

func newServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, nil)
	calls := newCalls()
	addTool(s, "echo", func(_ context.Context, _ *mcp.CallToolRequest, in echoed) (string, error) {
		return in.Text,
			nil
	})
	addTool(s, "count", func(ctx context.Context, r *mcp.CallToolRequest, in counted) (string, error) {
		for step := 1; step <= in.Steps; step++ {
			progress := &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(),
				Progress: float64(step), Total: float64(in.Steps)}
			if err := r.Session.NotifyProgress(ctx, progress); err != nil {
				return "", err
			}
		}
		return "done", calls.hold(ctx, in.Key)
	})
	addTool(s, "release", func(_ context.Context, _ *mcp.CallToolRequest, in keyed) (string, error) {
		calls.release(in.Key)
		return "released", nil
	})
	addTool(s, "pause", func(ctx context.Context, _ *mcp.CallToolRequest, in keyed) (string, error) {
		return calls.pause(ctx, in.Key)
	})
	addTool(s, "state", func(_ context.Context, _ *mcp.CallToolRequest, in keyed) (string, error) {
		return calls.state(in.Key), nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "ask"}, ask)
	mcp.AddTool(s, &mcp.Tool{Name: "sample"}, sample)
	s.AddResource(&mcp.Resource{Name: "note", URI: "matrix://note"}, note)
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "name", Required: true}}}, greet)
	return s
}

// addTool adds a tool whose result is a text.
func addTool[In any](s *mcp.Server, name string, run func(context.Context, *mcp.CallToolRequest, In) (string, error)) {
	mcp.AddTool(s, &mcp.Tool{Name: name},
		func(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
			text, err := run(ctx, r, in)
			return textResult(text), nil, err
		})
}

func textResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// ask returns what it needs from the client; with a handshake, the SDK sends the request and calls ask again.
func ask(_ context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	if answer, ok := r.Params.InputResponses["color"].(*mcp.ElicitResult); ok {
		return textResult(fmt.Sprintf("%s %v", answer.Action, answer.Content["color"])), nil, nil
	}
	question := &mcp.ElicitParams{Mode: "form", Message: "Which color?", RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{"color": map[string]any{"type": "string"}},
		"required": []string{"color"}}}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"color": question}}, nil, nil
}

func sample(_ context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	if answer, ok := r.Params.InputResponses["text"].(*mcp.CreateMessageWithToolsResult); ok {
		return &mcp.CallToolResult{Content: answer.Content}, nil, nil
	}
	question := &mcp.CreateMessageWithToolsParams{MaxTokens: 10, Messages: []*mcp.SamplingMessageV2{
		{Role: "user", Content: []mcp.Content{&mcp.TextContent{Text: "Say hi"}}}}}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"text": question}}, nil, nil
}

func note(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "a note"}}}, nil
}

func greet(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := &mcp.TextContent{Text: "Hello, " + r.Params.Arguments["name"]}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: text}}}, nil
}
