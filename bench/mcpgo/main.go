// Command mcpgo is the thinnest proxy that mark3labs/mcp-go allows: the tools of one stdio server over Streamable HTTP.
// It validates and logs nothing. bench/compare measures the gateway beside it. It is a module of its own, so that the
// product does not depend on mcp-go.
//
//	mcpgo COMMAND [ARGUMENT...]
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: mcpgo COMMAND [ARGUMENT...]")
	}
	if err := serve(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

func serve(ctx context.Context, command string, arguments []string) error {
	// the era of the clients that are measured; it is also the one that costs this server less
	upstream := client.NewClient(transport.NewStdio(command, nil, arguments...), client.WithLegacyProtocolOnly())
	if err := upstream.Start(ctx); err != nil {
		return err
	}
	start := mcp.InitializeRequest{}
	start.Params.ProtocolVersion = "2025-11-25"
	start.Params.ClientInfo = mcp.Implementation{Name: "mcpgo", Version: "1"}
	if _, err := upstream.Initialize(ctx, start); err != nil {
		return err
	}
	list, err := upstream.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return err
	}
	proxy := server.NewMCPServer("mcpgo", "1")
	for _, tool := range list.Tools {
		proxy.AddTool(tool, func(ctx context.Context, call mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			request := mcp.CallToolRequest{}
			request.Params.Name, request.Params.Arguments = call.Params.Name, call.Params.Arguments
			return upstream.CallTool(ctx, request)
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	return http.Serve(listener, server.NewStreamableHTTPServer(proxy))
}
