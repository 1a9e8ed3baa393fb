package mcpserver

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// ListenOptions define who may call a server over HTTP. Each token is a separate principal.
type ListenOptions struct {
	Tokens  []string
	Hosts   []string // rawOrBase64 values of Host
	Origins []string // additional allowed origins of web pages
}

// Path is where the endpoint is mounted.
const Path = "/mcp"

// Listener returns the guarded endpoint, and a function that ends all sessions and connections. Each principal
// has a separate server: connections, sessions and reports are not visible to others. Callers over HTTP cannot
// start programs, whatever the policy allows.
func Listener(w *workbench.Workbench, policy connections.Policy, o ListenOptions) (http.Handler, func(), error) {
	if len(o.Tokens) == 0 {
		return nil, nil, errors.New("no token is set")
	}
	policy.NoSpawn = true
	d := &tokenRouter{rooms: map[[sha256.Size]byte]http.Handler{}}
	var stops []func()
	for _, token := range o.Tokens {
		handler, stop := New(w, policy).Handler()
		mux := http.NewServeMux()
		mux.Handle(Path, handler)
		guarded, err := netguard.New(mux, netguard.Options{Hosts: o.Hosts, Origins: o.Origins, Token: token,
			MaxBody: maxBody})
		if err != nil {
			return nil, nil, err
		}
		stops = append(stops, stop)
		d.rooms[sha256.Sum256([]byte(token))] = guarded
		d.other = guarded
	}
	return d, func() {
		for _, stop := range stops {
			stop()
		}
	}, nil
}

// maxBody is the maximum size of a request: arguments may be large, but not as large as results.
const maxBody = 4 << 20

// A tokenRouter routes each principal to its own server. A request without a valid token is routed to a guard, which
// rejects it.
type tokenRouter struct {
	rooms map[[sha256.Size]byte]http.Handler
	other http.Handler
}

// ServeHTTP implements http.Handler.
func (d *tokenRouter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	room, ok := d.rooms[sha256.Sum256([]byte(token))]
	if !ok {
		room = d.other
	}
	room.ServeHTTP(w, r)
}
