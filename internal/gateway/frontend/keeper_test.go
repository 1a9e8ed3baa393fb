package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// keeperMode is the environment variable that makes this binary a keeper.
const keeperMode = "MCPTEST_KEEPER"

type keeperInput struct {
	Value string `json:"value,omitempty"`
	Until string `json:"until,omitempty" jsonschema:"a file to wait for"`
}

// serveKeeper is a server made with the Go SDK, with a state in its memory. Its tools return its pid, then what is
// theirs: keep sets the state, tell returns it, ask asks the client for a name and then waits for
// a file, wait only waits, log writes a log message after its response.
func serveKeeper() {
	state := "nothing"
	s := sdk.NewServer(&sdk.Implementation{Name: "keeper", Version: "1"}, nil)
	add := func(name string, run func(ctx context.Context, r *sdk.CallToolRequest, in keeperInput) (string, error)) {
		sdk.AddTool(s, &sdk.Tool{Name: name}, func(ctx context.Context, r *sdk.CallToolRequest,
			in keeperInput) (*sdk.CallToolResult, any, error) {
			text, err := run(ctx, r, in)
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{
				Text: fmt.Sprintf("%d %s", os.Getpid(), text)}}}, nil, err
		})
	}
	add("keep", func(_ context.Context, _ *sdk.CallToolRequest, in keeperInput) (string, error) {
		state = in.Value
		return state, nil
	})
	add("tell", func(context.Context, *sdk.CallToolRequest, keeperInput) (string, error) { return state, nil })
	add("ask", func(ctx context.Context, r *sdk.CallToolRequest, in keeperInput) (string, error) {
		answer, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "name?", RequestedSchema: json.RawMessage(
			`{"type":"object","properties":{"name":{"type":"string"}}}`)})
		if err != nil {
			return "", err
		}
		await(ctx, in.Until)
		return fmt.Sprint(answer.Content["name"]), nil
	})
	add("wait", func(ctx context.Context, _ *sdk.CallToolRequest, in keeperInput) (string, error) {
		await(ctx, in.Until)
		return state, nil
	})
	add("log", func(_ context.Context, r *sdk.CallToolRequest, in keeperInput) (string, error) {
		go func() { // the message belongs to no request
			await(context.Background(), in.Until)
			//lint:ignore SA1019 clients of older revisions use it
			_ = r.Session.Log(context.Background(), &sdk.LoggingMessageParams{Level: "info", Data: in.Value})
		}()
		return "", nil
	})
	_ = s.Run(context.Background(), &sdk.StdioTransport{})
}

// await waits for a file, if there is a name.
func await(ctx context.Context, file string) {
	for _, err := os.Stat(file); file != "" && err != nil && ctx.Err() == nil; _, err = os.Stat(file) {
		time.Sleep(5 * time.Millisecond)
	}
}

// keeper is the target of a keeper.
func keeper() wire.Target {
	return wire.Target{Command: []string{os.Args[0]}, Env: append(os.Environ(), keeperMode+"=1", "GOMAXPROCS=1")}
}
