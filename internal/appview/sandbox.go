package appview

import (
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// maxViews limits the views that are open at a time.
const maxViews = 32

// A Sandbox serves views from other origins than the page that shows them. The page loads the frame of a view, which is
// our code, from the address of the sandbox; that frame contains the view itself, whose origin is a random name under
// localhost. So a view shares no storage, cookies or process with the page, with other views, or with other servers of
// this machine.
type Sandbox struct {
	listener net.Listener
	server   *http.Server
	port     string

	mu    sync.Mutex
	views map[string]*View // by ID
}

// A View is one open view.
type View struct {
	ID       string // unguessable
	FrameURL string // what the page loads
	Origin   string // of the view itself

	resource  *Resource
	parent    string
	sandbox   *Sandbox
	onBlocked func()

	mu      sync.Mutex
	blocked []Blocked
}

//go:embed frame.js
var frameScript []byte

// NewSandbox listens on a free port of the loopback interface. The caller must close it.
func NewSandbox() (*Sandbox, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	s := &Sandbox{listener: listener, port: port, views: map[string]*View{}}
	s.server = netguard.Server(http.HandlerFunc(s.serve))
	go func() { _ = s.server.Serve(listener) }() // ends with Close
	return s, nil
}

// Origin is the origin of the frames, for the policy of the page.
func (s *Sandbox) Origin() string { return "http://127.0.0.1:" + s.port }

// Close ends all views.
func (s *Sandbox) Close() { _ = s.server.Close() }

// Open serves a view to a page of the origin parent. OnBlocked is called after a load was blocked; it may be nil.
func (s *Sandbox) Open(r *Resource, parent string, onBlocked func()) (*View, error) {
	if u, err := url.Parse(parent); err != nil || u.Host == "" || parent != u.Scheme+"://"+u.Host ||
		strings.ContainsAny(parent, " ;,'\"*") {
		return nil, errors.New("the origin of the page is unknown")
	}
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	v := &View{ID: hex.EncodeToString(random), resource: r, parent: parent, sandbox: s, onBlocked: onBlocked}
	v.FrameURL, v.Origin = s.Origin()+"/"+v.ID, "http://"+v.ID+".localhost:"+s.port
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.views) >= maxViews {
		return nil, errors.New("too many open views; close one of them")
	}
	s.views[v.ID] = v
	return v, nil
}

// Policy returns the Content-Security-Policy of the view.
func (v *View) Policy() string {
	return v.resource.CSP.policy([]string{v.sandbox.Origin(), v.parent}, "/report")
}

// Close stops serving the view.
func (v *View) Close() {
	v.sandbox.mu.Lock()
	defer v.sandbox.mu.Unlock()
	delete(v.sandbox.views, v.ID)
}

// Blocked lists the loads that were blocked so far.
func (v *View) Blocked() []Blocked {
	v.mu.Lock()
	defer v.mu.Unlock()
	return append([]Blocked{}, v.blocked...)
}

func (s *Sandbox) view(id string) *View {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.views[id]
}
