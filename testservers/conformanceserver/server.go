//lint:file-ignore SA1019 logging, sampling and roots are deprecated, and the suite asks for them

// Package conformanceserver has what the official conformance suite asks of a server: tools, resources and prompts of
// fixed names. It stands on the same ground as the built-in demo, so that the suite judges that ground.
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

// New makes a server of its own.
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
	server.AddReceivingMiddleware(serve.AsRevision, serve.ProperErrors)
	return server
}

func concat(groups ...[]tool) []tool {
	var all []tool
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// Handler serves a server over Streamable HTTP in both eras, to this machine alone, and returns a function that ends its
// sessions.
func Handler(server *mcp.Server) (http.Handler, func()) {
	endpoint, stop := serve.Handler(server)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := strings.TrimPrefix(r.Header.Get("Origin"), "http://")
		if !local(r.Host) || origin != "" && !local(origin) {
			http.Error(w, "Host or Origin is not this machine", http.StatusForbidden)
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

// Serve speaks with one client over lines, in the era that the client speaks.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return serve.Stream(ctx, New(), in, out)
}

// complete has nothing to suggest.
func complete(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
}
