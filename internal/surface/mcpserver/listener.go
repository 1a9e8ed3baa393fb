package mcpserver

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// ListenOptions say who may call a server over HTTP. Each token is a principal of its own.
type ListenOptions struct {
	Tokens  []string
	Hosts   []string // exact values of Host
	Origins []string // origins of pages that may call, besides our own
}

// Path is where the endpoint is mounted.
const Path = "/mcp"

// Listener returns the guarded endpoint, and a function that ends all sessions and connections. Each principal has a
// server of its own: connections, sessions and reports of one do not exist for another. Nothing is started for callers
// over HTTP, whatever the policy says.
func Listener(w *workbench.Workbench, policy workbench.Policy, o ListenOptions) (http.Handler, func(), error) {
	if len(o.Tokens) == 0 {
		return nil, nil, errors.New("no token is set")
	}
	policy.NoSpawn = true
	d := &door{rooms: map[[sha256.Size]byte]http.Handler{}}
	var stops []func()
	for _, token := range o.Tokens {
		handler, stop := New(w, policy).Handler()
		mux := http.NewServeMux()
		mux.Handle(Path, handler)
		guarded, err := guard.New(mux, guard.Options{Hosts: o.Hosts, Origins: o.Origins, Token: token, MaxBody: maxBody})
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

// maxBody is the size of a request: arguments may be large, but not as large as answers.
const maxBody = 4 << 20

// A door leads each principal to its own server. Whoever has no valid token gets to a guard as well, which refuses.
type door struct {
	rooms map[[sha256.Size]byte]http.Handler
	other http.Handler
}

// ServeHTTP implements http.Handler.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	room, ok := d.rooms[sha256.Sum256([]byte(token))]
	if !ok {
		room = d.other
	}
	room.ServeHTTP(w, r)
}
