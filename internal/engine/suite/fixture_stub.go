package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	urlpath "path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// The limits of what a stub stores about requests.
const (
	maxStubRequests = 1000
	maxStubBody     = 64 << 10
	maxStubUnknown  = 10
)

// A stub is an HTTP server with canned responses, on the loopback interface.
type stub struct {
	name      string
	responses []canned

	mu      sync.Mutex
	used    map[string]int // how often each request was answered, by its pattern
	seen    []stubRequest
	first   int // how many requests were dropped before those in seen
	unknown []string
}

// A canned is a response with its variables replaced.
type canned struct {
	StubResponse
	body    []byte
	headers map[string]string
}

// A stubRequest is a request that a stub received, as a target shows it.
type stubRequest struct {
	Fixture string            `json:"fixture"`
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Query   map[string]string `json:"query"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func validPattern(pattern string) bool {
	_, err := urlpath.Match(pattern, "/")
	return err == nil && strings.HasPrefix(pattern, "/")
}

// listen starts the HTTP server. Its value is its URL.
func (a *activeFixture) listen(responses []StubResponse, base string, in scope, files Files) error {
	s := &stub{name: a.name, used: map[string]int{}}
	for _, r := range responses {
		one, err := r.prepare(base, in, files)
		if err != nil {
			return fmt.Errorf("response for %s: %w", r.Path, err)
		}
		s.responses = append(s.responses, one)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // which ends when it is closed
	}()
	a.stub, a.value = s, quoted("http://"+l.Addr().String())
	a.end = func() {
		_ = server.Close()
		<-served
	}
	return nil
}

// prepare replaces the variables of a response, and reads its file.
func (r StubResponse) prepare(base string, in scope, files Files) (canned, error) {
	out := canned{StubResponse: r, headers: map[string]string{}}
	var err error
	for name, value := range r.Headers {
		if out.headers[name], err = in.Text(value); err != nil {
			return out, err
		}
	}
	switch {
	case r.JSON != nil:
		out.body, err = in.JSON(r.JSON)
	case r.File != "":
		var file string
		if file, err = in.Text(r.File); err != nil {
			return out, err
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(base, file)
		}
		if out.body, err = files.Read(file); err != nil {
			err = unread(file, err)
		}
	default:
		var text string
		text, err = in.Text(r.Body)
		out.body = []byte(text)
	}
	return out, err
}

// ServeHTTP answers with the first response that matches. Those for the same request are used in order, and the last
// one is repeated.
func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxStubBody)) // what arrives is shown
	c, ok := s.choose(r, string(body))
	if !ok {
		http.Error(w, fmt.Sprintf("the fixture %s has no response for %s %s", s.name, r.Method, r.URL.Path),
			http.StatusNotFound)
		return
	}
	select {
	case <-time.After(c.Delay):
	case <-r.Context().Done():
		return
	}
	if c.JSON != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	for name, value := range c.headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(cmp.Or(c.Status, http.StatusOK))
	_, _ = w.Write(c.body) // the client may be gone
}

// choose records the request and returns its response.
func (s *stub) choose(r *http.Request, body string) (canned, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(r, body)
	var list []canned
	for _, c := range s.responses {
		if c.matches(r) && (len(list) == 0 || c.pattern() == list[0].pattern()) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		if len(s.unknown) < maxStubUnknown {
			s.unknown = append(s.unknown, clip.Sized(r.Method+" "+r.URL.RequestURI(), maxDisplayed))
		}
		return canned{}, false
	}
	n := s.used[list[0].pattern()]
	s.used[list[0].pattern()]++
	return list[min(n, len(list)-1)], true
}

func (c canned) matches(r *http.Request) bool {
	if c.Method != "" && !strings.EqualFold(c.Method, r.Method) {
		return false
	}
	query := r.URL.Query()
	for name, value := range c.Query {
		if !query.Has(name) || query.Get(name) != value {
			return false
		}
	}
	ok, _ := urlpath.Match(c.Path, r.URL.Path) // the pattern was checked
	return ok
}

// pattern identifies responses for the same requests.
func (c canned) pattern() string {
	raw, _ := json.Marshal([]any{strings.ToUpper(c.Method), c.Path, c.Query}) // plain data always marshals
	return string(raw)
}

func (s *stub) record(r *http.Request, body string) {
	if len(s.seen) == maxStubRequests {
		s.seen = s.seen[1:]
		s.first++
	}
	one := stubRequest{Fixture: s.name, Method: r.Method, Path: r.URL.Path, Query: map[string]string{},
		Headers: map[string]string{}, Body: strings.ToValidUTF8(body, "\uFFFD")}
	for name, values := range r.URL.Query() {
		one.Query[name] = strings.Join(values, ",")
	}
	for name, values := range r.Header {
		one.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	s.seen = append(s.seen, one)
}

// takeUnknown returns the requests without a response, once.
func (s *stub) takeUnknown() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.unknown
	s.unknown = nil
	return all
}

// A mark is how many requests each stub had received at some time.
type mark map[*stub]int

func (rf runningFixtures) mark() mark {
	at := mark{}
	for _, a := range rf {
		if a.stub != nil {
			a.stub.mu.Lock()
			at[a.stub] = a.stub.first + len(a.stub.seen)
			a.stub.mu.Unlock()
		}
	}
	return at
}

// since are the requests that stubs received since the mark, as JSON.
func (rf runningFixtures) since(at mark) json.RawMessage {
	all := []stubRequest{}
	for _, a := range rf {
		if a.stub != nil {
			a.stub.mu.Lock()
			all = append(all, a.stub.seen[max(0, at[a.stub]-a.stub.first):]...)
			a.stub.mu.Unlock()
		}
	}
	raw, _ := json.Marshal(all) // plain data always marshals
	return raw
}
