//lint:file-ignore SA1019 logging, sampling and roots are deprecated and served all the same, as every revision so far asks for them

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

const cleanDoc = `A clean server that has something of everything: tools, resources, prompts, subscriptions.

It validates its input, keeps to every revision of the protocol, and asks its client for input by the ways of each era.

  text       echo, wait (with progress), fail, log
  data       add, text_statistics, price_order
  content    image, audio, link, embed, mixed
  questions  ask_user, visit_page, ask_model, list_roots
  changes    write_note (a resource that can be subscribed to), flash_tool (the list of tools)`

// pageSize is small, so that every list of more than a handful really has pages.
const pageSize = 5

// A clean is the clean server and the little state that it has.
type clean struct {
	server *mcp.Server
	key    []byte // signs the state that clients carry between the rounds of a request

	mu   sync.Mutex
	note string // the text of the one resource that changes
}

// newClean makes a server of its own; nothing is shared between two of them.
func newClean() *clean {
	c := &clean{key: make([]byte, 32), note: "Nothing was noted yet."}
	rand.Read(c.key)
	c.server = mcp.NewServer(
		&mcp.Implementation{Name: "demo", Title: "Demo", Version: "1.0.0"},
		&mcp.ServerOptions{
			Instructions: "A server to try things on. No tool touches a file, the network or the environment.",
			PageSize:     pageSize,
			Capabilities: &mcp.ServerCapabilities{
				Logging: &mcp.LoggingCapabilities{},
				Tools:   &mcp.ToolCapabilities{ListChanged: true},
				// These lists never change, and say so.
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
	c.server.AddReceivingMiddleware(caught, serve.AsRevision, serve.ProperErrors, knownSubscriptions)
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
