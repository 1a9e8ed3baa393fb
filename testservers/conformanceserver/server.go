//lint:file-ignore SA1019 logging, sampling and roots are deprecated, and the suite asks for them

// Package conformanceserver has the fixtures that the official conformance suite requires: tools, resources and prompts
// with fixed names. It uses the same packages as the built-in demo, so that the suite tests these packages.
package conformanceserver

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// New creates a server.
func New() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "conformanceserver", Version: "1.0.0"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{
			Logging: &mcp.LoggingCapabilities{},
			Tools:   &mcp.ToolCapabilities{ListChanged: true},
			Prompts: &mcp.PromptCapabilities{ListChanged: true},
		},
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	for _, t := range concat(contentTools(), talkingTools(), askingTools(), roundTools(), changingTools(server)) {
		t.addTo(server)
	}
	addResources(server)
	addPrompts(server)
	server.AddReceivingMiddleware(serve.AsRevision, serve.MapErrors)
	return server
}

func concat(groups ...[]tool) []tool {
	var all []tool
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// Handler serves a server over Streamable HTTP in all revisions, to local clients only, and returns a function that
// closes its sessions.
func Handler(server *mcp.Server) (http.Handler, func()) {
	endpoint, stop := serve.Handler(server)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := strings.TrimPrefix(r.Header.Get("Origin"), "http://")
		if !local(r.Host) || origin != "" && !local(origin) {
			http.Error(w, "Host or Origin is not local", http.StatusForbidden)
			return
		}
		endpoint.ServeHTTP(w, r)
	}), stop
}

func local(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return host == "localhost" || host == "127.0.0.1" || host == "[::1]" || host == "::1"
}

// Serve serves one client over stdio framing, in the revision that the client uses.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return serve.Stream(ctx, New(), in, out)
}

// complete returns no suggestions.
func complete(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
}
