// Package mock is an MCP server that answers from a recording: by method and canonical arguments, then in the recorded
// order. It supports both eras, whichever the recording has.
package mock

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// Options configure a mock.
type Options struct {
	Session  *recording.Session                          // what it answers
	Recorded bool                                        // answer as fast as the recorded server did, not at once
	Sample   bool                                        // answer unknown calls with samples of the schemas
	Upstream func(context.Context) (*mcp.Session, error) // answers unknown calls; nil if there is none
	Log      func(line string)                           // receives what the recording does not have; may be nil
}

// A Server is a mock. It is a serve.Backend.
type Server struct {
	opts   Options
	about  recording.Server
	byKey  map[string][]*recording.Exchange // answered requests, in order
	masked []string                         // those with redacted values
	after  map[*recording.Exchange][]*recording.Event
	ctx    context.Context
	cancel context.CancelFunc

	tools, prompts, resources map[string]json.RawMessage // the listed ones

	dialing  sync.Mutex
	upstream *mcp.Session // guarded by dialing

	mu        sync.Mutex
	progress  map[*serve.Peer]position // the position of each client
	shared    position                 // of clients over HTTP without sessions
	listeners map[*listener]struct{}
	running   map[*serve.Peer]*sync.WaitGroup // messages that are sent to a client later
}

// A position is how many of the recorded answers a client has got, by key.
type position map[string]int

// New returns a mock of a recording.
func New(o Options) *Server {
	s := &Server{opts: o, about: o.Session.Server(), byKey: map[string][]*recording.Exchange{},
		after: map[*recording.Exchange][]*recording.Event{}, progress: map[*serve.Peer]position{}, shared: position{},
		listeners: map[*listener]struct{}{}, running: map[*serve.Peer]*sync.WaitGroup{}, tools: o.Session.Tools(),
		prompts:   o.Session.Prompts(),
		resources: o.Session.Resources()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, x := range o.Session.Exchanges {
		key := x.Key()
		if !x.Answered() && !slices.ContainsFunc(x.Steps, func(st *recording.Step) bool { return st.Request }) {
			continue
		}
		if s.byKey[key] == nil && strings.Contains(key, redact.Placeholder) {
			s.masked = append(s.masked, key)
		}
		s.byKey[key] = append(s.byKey[key], x)
	}
	for _, e := range o.Session.Events {
		s.after[e.Follows] = append(s.after[e.Follows], e)
	}
	return s
}

// Close ends everything that runs for clients, and the session with the upstream server.
func (s *Server) Close() {
	s.cancel()
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.running))
	s.mu.Unlock()
	for _, running := range all {
		running.Wait()
	}
	s.dialing.Lock()
	defer s.dialing.Unlock()
	if s.upstream != nil {
		_ = s.upstream.Close()
	}
}

// Answer implements serve.Backend.
func (s *Server) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	switch c.Method {
	case "initialize":
		s.restart(c)
		return s.initialize(c)
	case "server/discover":
		s.restart(c)
		return s.discover(), nil
	case "ping", "logging/setLevel":
		return json.RawMessage("{}"), nil
	case "subscriptions/listen":
		return s.listen(ctx, c)
	}
	params := paramsOf(c)
	key := recording.Key(c.Method, params)
	if x, at, replies, resumed := s.resumed(c, key); resumed {
		if x == nil {
			return nil, serve.InvalidParams("unknown requestState")
		}
		return s.play(ctx, c, x, at, replies)
	}
	if x := s.find(c, key); x != nil {
		return s.play(ctx, c, x, 0, nil)
	}
	return s.unknown(ctx, c, params)
}

// paramsOf returns the params of a call without what belongs to a single run.
func paramsOf(c *serve.Call) json.RawMessage {
	params := c.Params
	for _, name := range []string{"_meta", "inputResponses", "requestState"} {
		if c.Fields[name] != nil {
			if changed, err := schema.Apply(params, []finding.Edit{{Pointer: "/" + name}}); err == nil {
				params = changed
			}
		}
	}
	return params
}

// find returns the next recorded exchange with a key: when all of them were used, the last one again.
func (s *Server) find(c *serve.Call, key string) *recording.Exchange {
	all := s.byKey[key]
	if all == nil {
		if key = s.unmasked(key); key == "" {
			return nil
		}
		all = s.byKey[key]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.positionOf(c)
	n := at[key]
	if at[key]++; n < len(all) {
		return all[n]
	}
	if last := all[len(all)-1]; n == len(all) && len(all) > 1 && !sameResponses(all) {
		s.log("all " + plural(len(all), "recorded response") + " of " + nameOf(c) +
			" were used, the last one is repeated")
		return last
	}
	return all[len(all)-1]
}

// sameResponses reports whether exchanges have the same response.
func sameResponses(all []*recording.Exchange) bool {
	for _, x := range all[1:] {
		if recording.Canonical(x.Result) != recording.Canonical(all[0].Result) {
			return false
		}
	}
	return true
}

// positionOf returns the position of a client. The caller holds the lock.
func (s *Server) positionOf(c *serve.Call) position {
	if c.Era == spec.Modern && c.Header != nil {
		return s.shared
	}
	if s.progress[c.Peer] == nil {
		s.progress[c.Peer] = position{}
	}
	return s.progress[c.Peer]
}

// restart begins the recording again for a client.
func (s *Server) restart(c *serve.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.positionOf(c))
}

// Notified implements serve.Backend.
func (s *Server) Notified(p *serve.Peer, in *serve.Inbound) {
	if in.Method != "notifications/initialized" {
		return
	}
	events := s.after[nil]
	for _, x := range s.opts.Session.Exchanges {
		if x.Method == "initialize" || x.Method == "server/discover" {
			events = append(slices.Clip(events), s.after[x]...)
		}
	}
	s.send(p, events)
}

// Disconnected implements serve.Backend.
func (s *Server) Disconnected(p *serve.Peer) {
	s.mu.Lock()
	running := s.running[p]
	delete(s.running, p)
	delete(s.progress, p)
	s.mu.Unlock()
	if running != nil {
		running.Wait()
	}
}

// initialize returns the recorded result of the handshake, with the revision of the client.
func (s *Server) initialize(c *serve.Call) (json.RawMessage, *serve.Error) {
	revision := rawjson.Quote(c.Peer.Revision)
	switch {
	case s.about.Handshake != nil:
		edited, err := schema.Apply(s.about.Handshake, []finding.Edit{{Pointer: "/protocolVersion", Value: revision}})
		if err == nil {
			return edited, nil
		}
	case s.about.Refused != nil:
		return nil, errorOf(s.about.Refused)
	}
	members := map[string]json.RawMessage{"protocolVersion": revision, "capabilities": s.about.Capabilities,
		"serverInfo": s.info()}
	if s.about.Instructions != nil {
		members["instructions"] = s.about.Instructions
	}
	return serve.Encode(members), nil
}

// discover returns the response to server/discover.
func (s *Server) discover() json.RawMessage {
	members := map[string]json.RawMessage{
		"supportedVersions": serve.Encode(serve.Revisions()), "capabilities": s.about.Capabilities,
		"ttlMs": json.RawMessage("0"), "cacheScope": rawjson.Quote("private"), "resultType": rawjson.Quote("complete"),
		"_meta": serve.Encode(map[string]json.RawMessage{serve.MetaServerInfo: s.info()}),
	}
	if s.about.Instructions != nil {
		members["instructions"] = s.about.Instructions
	}
	return serve.Encode(members)
}

func (s *Server) info() json.RawMessage {
	if s.about.Info != nil {
		return s.about.Info
	}
	return json.RawMessage(`{"name":"mcptest-mock","version":"1"}`)
}

// log reports something that the recording does not have.
func (s *Server) log(line string) {
	if s.opts.Log != nil {
		s.opts.Log(line)
	}
}

// nameOf returns the method of a request and what it is about.
func nameOf(c *serve.Call) string {
	if name := cmp.Or(c.Text("name"), c.Text("uri")); name != "" {
		return c.Method + " " + string(rawjson.Quote(name))
	}
	return c.Method
}

func errorOf(e *mcp.RPCError) *serve.Error {
	return &serve.Error{Code: int(e.Code), Message: e.Message, Data: e.Data}
}

// wait waits as long as the recorded server did, if the mock has its speed.
func (s *Server) wait(ctx context.Context, d time.Duration) bool {
	if !s.opts.Recorded || d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
