//lint:file-ignore SA1019 logging, sampling and roots are deprecated but required by every revision so far

package demo

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

const cleanDoc = `A correct server with every feature: tools, resources, prompts, subscriptions.

It validates its input, supports every protocol version, and requests client input as each version defines it.

  text       echo, wait (with progress), fail, log
  data       add, text_statistics, price_order
  content    image, audio, link, embed, mixed
  requests   ask_user, visit_page, ask_model, list_roots
  changes    write_note (a resource with subscriptions), flash_tool (the tool list)`

// pageSize is small, so that most lists have several pages.
const pageSize = 5

// A clean is the correct server and its state.
type clean struct {
	server *mcp.Server
	key    []byte // signs the state that clients carry between the rounds of a request

	mu   sync.Mutex
	note string // the text of the only resource that changes
}

// newClean creates a separate server; two of them share nothing.
func newClean() *clean {
	c := &clean{key: make([]byte, 32), note: "No note yet."}
	rand.Read(c.key)
	c.server = mcp.NewServer(
		&mcp.Implementation{Name: "demo", Title: "Demo", Version: "1.0.0"},
		&mcp.ServerOptions{
			Instructions: "A server for experiments. No tool accesses files, the network or the environment.",
			PageSize:     pageSize,
			Capabilities: &mcp.ServerCapabilities{
				Logging: &mcp.LoggingCapabilities{},
				Tools:   &mcp.ToolCapabilities{ListChanged: true},
				// These lists never change, and declare it.
				Prompts:   &mcp.PromptCapabilities{},
				Resources: &mcp.ResourceCapabilities{},
			},
			CompletionHandler:  complete,
			SubscribeHandler:   subscribe,
			UnsubscribeHandler: unsubscribe,
			SetCacheable:       cacheable,
		})
	c.addTools()
	c.addResources()
	addPrompts(c.server)
	c.server.AddReceivingMiddleware(recoverError, serve.AsRevision, serve.MapErrors, knownSubscriptions)
	return c
}

func serveClean(ctx context.Context, in io.Reader, out io.Writer) error {
	return serve.Stream(ctx, newClean().server, in, out)
}

func cleanHandler() (http.Handler, func()) {
	endpoint, stop := serve.Handler(newClean().server)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allowed(w, r) {
			endpoint.ServeHTTP(w, r)
		}
	}), stop
}
