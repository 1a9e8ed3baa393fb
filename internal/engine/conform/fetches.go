package conform

import (
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// A fetchListener is a port of this machine that records whether it is fetched.
type fetchListener struct {
	server *http.Server
	port   int
	path   string // random, so that nobody else requests it
	hits   atomic.Int64
}

// listenForFetches opens the port. It responds only to its path.
func listenForFetches() (*fetchListener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &fetchListener{port: l.Addr().(*net.TCPAddr).Port, path: "/" + rand.Text()}
	f.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 1 << 14,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != f.path {
				http.NotFound(w, r)
				return
			}
			f.hits.Add(1)
			w.Header().Set("Connection", "close")
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html><body>a page of mcptest</body></html>")) // the tool may have closed it
		})}
	go func() { _ = f.server.Serve(l) }() // until it is closed
	return f, nil
}

func (f *fetchListener) close() { _ = f.server.Close() }

// addresses are spellings of the address: filters often know one only.
func (f *fetchListener) addresses() []string {
	var all []string
	for _, host := range []string{"127.0.0.1", "localhost", "0.0.0.0", "[::ffff:127.0.0.1]", "2130706433"} {
		all = append(all, fmt.Sprintf("http://%s:%d%s", host, f.port, f.path))
	}
	return all
}

// fetched reports whether the port was fetched since the last time.
func (f *fetchListener) fetched() bool { return f.hits.Swap(0) > 0 }

// displayed is an address without what differs in each run.
func (f *fetchListener) displayed(address string) string {
	return strings.TrimSuffix(strings.TrimSuffix(address, f.path), fmt.Sprintf(":%d", f.port))
}
