// Package mcptest tests MCP servers in Go tests. It uses the program mcptest: the same calls, expectations, verdicts and
// messages as in its suites, its conformance checks and its fuzzer.
//
//	func TestAdd(t *testing.T) {
//		s := mcptest.Start(t, mcptest.Command("./server"))
//		s.Call("add", mcptest.M{"a": 1, "b": 2}, mcptest.Expect(mcptest.M{"exact": mcptest.M{"sum": 3}}))
//		s.MustConform()
//	}
//
// The program is the one that the environment variable MCPTEST names, or mcptest in PATH, or the tool of the module:
// go get -tool github.com/mcptest-dev/mcptest/cmd/mcptest. It is started once for all tests of a package, and ends with
// them, and so do all servers.
//
// With MCPTEST_UPDATE=1 snapshots are updated. With MCPTEST_ALLOW_CALLS=1 MustConform and Fuzz also call tools that are
// not safe, and with MCPTEST_ALLOW_DISRUPTIVE=1 they run disruptive tests against remote servers.
package mcptest

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// M is a JSON object.
type M = map[string]any

// A Server is how to reach a server: exactly one of Target, Command and URL is set.
type Server struct {
	Target   string            // demo, demo-guide, demo-flawed, or the name of a server in a config file
	Command  []string          // the command that starts the server
	URL      string            // the URL of a running server
	Env      map[string]string // environment variables of the server
	Dir      string            // its working directory
	Headers  map[string]string // HTTP headers
	Protocol string            // the MCP revision, such as 2025-06-18; empty to negotiate
	Timeout  time.Duration     // request timeout; 0 means one minute
	Offers   []string          // server requests that calls have answers for: elicitation, sampling, roots
}

// Command is a server that a command starts.
func Command(words ...string) Server { return Server{Command: words} }

// description is the server as the driver reads it.
func (s Server) description() any {
	if s.Target != "" && len(s.Command) == 0 && s.URL == "" && s.Protocol == "" && s.Timeout == 0 {
		return s.Target
	}
	out := M{}
	for key, value := range map[string]string{"target": s.Target, "url": s.URL, "cwd": s.Dir, "protocol": s.Protocol} {
		if value != "" {
			out[key] = value
		}
	}
	if len(s.Command) > 0 {
		out["command"] = s.Command
	}
	if len(s.Env) > 0 {
		out["env"] = s.Env
	}
	if len(s.Headers) > 0 {
		out["headers"] = s.Headers
	}
	if s.Timeout > 0 {
		out["timeout"] = s.Timeout.String()
	}
	return out
}

// A Session is a running server in a test. A server that exits is started again by the next call.
type Session struct {
	t      testing.TB
	driver *driver
	name   string
	soft   bool
	calls  *atomic.Int64 // with a snapshot
}

// Start starts a server, or connects to one, and stops it at the end of the test. A server that cannot be started fails
// the test.
func Start(t testing.TB, server Server) *Session {
	t.Helper()
	d, err := startDriver()
	if err != nil {
		t.Fatal(err)
	}
	s := &Session{t: t, driver: d, name: d.name(), calls: &atomic.Int64{}}
	params := M{"name": s.name, "server": server.description()}
	if len(server.Offers) > 0 {
		params["offers"] = server.Offers
	}
	if err := d.call("start", params, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = d.call("stop", M{"server": s.name}, nil) // how it exits does not matter any more
		d.free(s.name)
	})
	return s
}

// For returns the session for another test, such as a subtest.
func (s *Session) For(t testing.TB) *Session {
	out := *s
	out.t, out.calls = t, &atomic.Int64{}
	return &out
}

// Soft returns the session for calls whose failures do not end the test: they fail it, and it goes on.
func (s *Session) Soft() *Session {
	out := *s
	out.soft = true
	return &out
}

// snapshots is the file of snapshots of the test, without its suffix.
func (s *Session) snapshots() string {
	name := strings.NewReplacer("/", "_", "\\", "_", ":", "_").Replace(s.t.Name())
	path, err := filepath.Abs(filepath.Join("testdata", name)) // mcptest may have another working directory
	if err != nil {
		s.t.Fatal(err)
	}
	return path
}
