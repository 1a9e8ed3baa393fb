package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// A mutant is the clean server with one rule broken.
type mutant struct {
	name    string
	defect  func(*exemplar.Server)
	also    []string   // checks that rightly find it, too
	with    []string   // checks that have to run for this one to see it
	only    []string   // the revisions that it is for; nil for all of the check's
	on      Transports // the transports that it is for; zero for all of the check's
	token   bool       // it wants one
	process bool       // it has to be a process of its own
	far     bool       // over HTTP: it is on another machine, by its name

	patience time.Duration             // where each run waits for as long as that; zero for the usual
	raw      func(bytes []byte) []byte // over HTTP: what the server reads of what was sent
}

// mutants lists the mutants of every check, by its id.
var mutants = sync.OnceValue(func() map[string][]mutant {
	all := map[string][]mutant{}
	for _, some := range []map[string][]mutant{lifecycleMutants(), rpcMutants(), stdioMutants(), httpMutants(),
		authMutants(), runMutants(), wireMutants(), toolMutants(), offerMutants(), talkMutants(), resultMutants(),
		textMutants(), knownMutants(), keepsMutants(), filterMutants(), appMutants(), skillMutants(), taskMutants()} {
		for id, more := range some {
			all[id] = append(all[id], more...)
		}
	}
	return all
})

// server makes the server.
func (m mutant) server() *exemplar.Server {
	s := &exemplar.Server{}
	if m.defect != nil {
		m.defect(s)
	}
	return s
}

// target is how to reach the server at one place.
func (m mutant) target(t *testing.T, check string, on Transports) wire.Target {
	switch {
	case m.process:
		return wire.Target{Name: "mutant", Command: []string{os.Args[0]},
			Env: []string{mutantVariable + "=" + check + "/" + m.name}, Grace: time.Second,
			Supervisor: []string{os.Args[0], supervise.Command}}
	case on == OnHTTP:
		server := m.server()
		web := httptest.NewUnstartedServer(server.Handler())
		if m.raw != nil {
			web.Listener = &mishearing{web.Listener, m.raw}
		}
		web.Start()
		t.Cleanup(func() {
			server.Close()
			web.CloseClientConnections()
			web.Close()
		})
		target := wire.Target{Name: "mutant", URL: web.URL}
		if m.far {
			target.URL = "http://mutant.example/"
			target.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, web.Listener.Addr().String())
			}
		}
		if m.token {
			target.Header = http.Header{"Authorization": {"Bearer right"}}
		}
		return target
	}
	return wire.Target{Name: "mutant", Serve: m.server().Serve, Grace: 200 * time.Millisecond}
}

// A mishearing listener hears other bytes than were sent.
type mishearing struct {
	net.Listener
	change func([]byte) []byte
}

func (l *mishearing) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &misheard{conn, l.change}, err
}

type misheard struct {
	net.Conn
	change func([]byte) []byte // does not change the length
}

// Read reads: the head of a request is sent in one piece and read in one.
func (c *misheard) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	copy(p, c.change(p[:n]))
	return n, err
}

// reply changes the answers to a method; * means every one.
func reply(method string, edits ...finding.Edit) func(*exemplar.Server) {
	return answer(method, func(_ *exemplar.Call, r []byte) []byte { return edited(r, edits...) })
}

// edited is a message with some changes; one that has not the place for them stays as it is.
func edited(message []byte, edits ...finding.Edit) []byte {
	changed, err := schema.Apply(message, edits)
	if err != nil {
		return message
	}
	return changed
}

// handshakes edits the response to initialize or server/discover.
func handshakes(edits ...finding.Edit) func(*exemplar.Server) {
	return answer("*", func(c *exemplar.Call, r []byte) []byte {
		if c.Method == "initialize" || c.Method == "server/discover" {
			return edited(r, edits...)
		}
		return r
	})
}

// answer changes the answers to a method by a function.
func answer(method string, change func(c *exemplar.Call, reply []byte) []byte) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				r := next(c)
				if method != "*" && c.Method != method || r == nil {
					return r
				}
				return change(c, r)
			}
		}
	}
}

// instead answers a method by a function that never asks the clean server.
func instead(method string, h exemplar.Handler) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				if c.Method == method {
					return h(c)
				}
				return next(c)
			}
		}
	}
}

// set puts a value at a pointer of the whole message: "/result/tools/0/name".
func set(pointer, value string) finding.Edit {
	return finding.Edit{Pointer: pointer, Value: json.RawMessage(value)}
}

// remove takes away what stands at a pointer.
func remove(pointer string) finding.Edit { return finding.Edit{Pointer: pointer} }

// succeed is a result in the words of the era.
func succeed(c *exemplar.Call, result string) []byte {
	if !c.Modern {
		return c.Result(result)
	}
	return c.Result(`{"resultType":"complete","_meta":{"` + serve.MetaServerInfo +
		`":{"name":"exemplar","version":"1.0.0"}},` + result[1:])
}

// revisionsOf are the revisions that a check is for.
func revisionsOf(c *Check) []string {
	var ids []string
	for _, id := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		if (c.Since == "" || id >= c.Since) && (c.Until == "" || id <= c.Until) {
			ids = append(ids, id)
		}
	}
	return ids
}

// placesOf are the transports to test a check on.
func placesOf(c *Check) []Transports {
	return slices.DeleteFunc([]Transports{OnPipe, OnHTTP}, func(p Transports) bool { return c.On != 0 && c.On&p == 0 })
}

// shown is a result as it stands in a golden.
func shown(findings []finding.Finding) string {
	text := ""
	for _, f := range findings {
		text += fmt.Sprintf("%s %s %s %s: %s\n", f.Rule, f.Severity, f.Where.Subject, f.Where.Pointer, f.Message)
	}
	text = localPort.ReplaceAllString(text, "127.0.0.1:PORT")
	return ourID.ReplaceAllString(text, "answer with id N")
}

// What is different in each run: ports, and the ids that requests have which are made side by side.
var (
	localPort = regexp.MustCompile(`127\.0\.0\.1:\d+`)
	ourID     = regexp.MustCompile(`answer with id \d+`)
)
