package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// expand is the server with the variables in its texts replaced.
func (s *Server) expand(in scope) (*Server, error) {
	out := *s
	var failed error
	text := func(t string) string {
		expanded, err := in.Text(t)
		if err != nil {
			failed = err
		}
		return expanded
	}
	list := func(all []string) (expanded []string) {
		for _, t := range all {
			expanded = append(expanded, text(t))
		}
		return expanded
	}
	mapping := func(all map[string]string) map[string]string {
		expanded := map[string]string{}
		for k, v := range all {
			expanded[k] = text(v)
		}
		return expanded
	}
	out.Target, out.URL, out.Cwd = text(s.Target), text(s.URL), text(s.Cwd)
	out.Command, out.Args = list(s.Command), list(s.Args)
	out.Env, out.Headers = mapping(s.Env), mapping(s.Headers)
	if out.Cwd != "" && !filepath.IsAbs(out.Cwd) {
		out.Cwd = filepath.Join(filepath.Dir(s.File), out.Cwd)
	}
	return &out, failed
}

// key identifies servers that tests may share.
func (s *Server) key(o Offers) string {
	plain := *s
	plain.Line, plain.Column, plain.File = 0, 0, ""
	raw, _ := json.Marshal(struct {
		Server
		Offers
	}{plain, o}) // plain data always marshals
	return string(raw)
}

// process identifies the processes of the server: processes of two servers with the same value may conflict.
func (s *Server) process() string {
	raw, _ := json.Marshal([]any{s.Target, s.URL, s.Command, s.Args, s.Cwd, s.Env}) // plain data always marshals
	return string(raw)
}

// offers are the server requests that tests of the file respond to, by server.
func (s *Suite) offers(server string) Offers {
	o := s.offered
	for _, t := range s.Tests {
		for _, c := range t.Steps {
			if t.Server != server || c.Answers == nil {
				continue
			}
			o.Elicitation = o.Elicitation || len(c.Answers.Elicitation) > 0
			o.Sampling = o.Sampling || len(c.Answers.Sampling) > 0
			o.Roots = o.Roots || len(c.Answers.Roots) > 0
		}
	}
	return o
}

// A lease is a session that a test uses, and the cleanup afterwards.
type lease struct {
	session *mcp.Session
	tools   *definitions
	running fixture.Running
	release func()
}

// lease gets a session for a test, started according to the options of the file.
func (r *run) lease(ctx context.Context, s *Suite, t *Test) (*lease, error) {
	server, err := s.Servers[t.Server].expand(s.scope)
	if err != nil {
		return nil, err
	}
	offers, restart := s.offers(t.Server), s.restartFor(s.Servers[t.Server])
	start := func(ctx context.Context) (*mcp.Session, error) {
		session, err := r.opts.Dial(ctx, server, offers)
		if err != nil && server.Line > 0 {
			return nil, fmt.Errorf("%s:%d:%d: %w", server.File, server.Line, server.Column, err)
		}
		return session, err
	}
	for used := r.pool.occupancy(server.process()); ; {
		l := r.lineOf(s, restart, server, offers)
		leave := used.enter()
		unlock := l.take(t.needsInput())
		session, again, err := used.get(ctx, l, start)
		release := func() {
			if restart == "test" {
				_ = l.close()
				used.remove(l)
			}
			unlock()
			leave()
		}
		if err == nil {
			return &lease{session, l.tools, s.running, release}, nil
		}
		if release(); !again {
			return nil, err
		}
	}
}

// lineOf is the line that a test uses: its own, or one that it shares with other tests.
func (r *run) lineOf(s *Suite, restart string, server *Server, offers Offers) *sharedSession {
	switch restart {
	case "test":
		return &sharedSession{borrowed: r.opts.Borrowed}
	case "file":
		return r.pool.line(s.File.Position.File + "\x00" + server.key(offers))
	}
	return r.pool.line(server.key(offers))
}

// needsInput reports whether a step of the test responds to server requests.
func (t *Test) needsInput() bool {
	for _, c := range t.Steps {
		if c.Answers != nil {
			return true
		}
	}
	return false
}

func (s *Suite) restart() string {
	switch s.RunOptions.Restart {
	case "test", "per_test":
		return "test"
	case "file", "per_file":
		return "file"
	}
	return "run"
}
