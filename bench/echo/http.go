package echo

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// ServeHTTP is an echo server over Streamable HTTP as people write one in Go. It prints its address.
func ServeHTTP() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	server := newServer()
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	_ = http.Serve(listener, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
}

// ServeSDK is the same server over stdin and stdout.
func ServeSDK() { _ = newServer().Run(context.Background(), &sdk.StdioTransport{}) }

func newServer() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	type message struct {
		Message string `json:"message"`
	}
	sdk.AddTool(server, &sdk.Tool{Name: "echo"},
		func(_ context.Context, _ *sdk.CallToolRequest, in message) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: in.Message}}}, nil, nil
		})
	return server
}
