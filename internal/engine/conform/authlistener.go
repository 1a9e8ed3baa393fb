package conform

import (
	"net"
	"net/http"
	"slices"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// maxListed is how many requests a recorder of requests lists.
const maxListed = 20

// A requestRecorder is a local server that records who connects to it.
type requestRecorder struct {
	address string
	server  *http.Server

	mu    sync.Mutex
	body  string
	paths []string
}

// newRecorder starts a server that returns a JSON document.
func newRecorder(body string) (*requestRecorder, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &requestRecorder{address: "http://" + listener.Addr().String(), body: body}
	l.server = netguard.Server(l)
	go func() { _ = l.server.Serve(listener) }()
	return l, nil
}

// ServeHTTP records a request.
func (l *requestRecorder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.paths) < maxListed && !slices.Contains(l.paths, r.URL.Path) {
		l.paths = append(l.paths, r.URL.Path)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(l.body))
}

// serve sets the document.
func (l *requestRecorder) serve(body string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.body = body
}

// requests returns the paths that were requested.
func (l *requestRecorder) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.paths)
}

func (l *requestRecorder) close() { _ = l.server.Close() }
