package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	lines "github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Limits of what is kept.
const (
	maxServers   = 64
	maxResponses = 100
)

// A server is one that the client has started.
type server struct {
	live *suite.Live

	mu    sync.Mutex
	last  int // ID of the last response
	kept  map[int]*suite.Outcome
	order []int
}

// store saves an outcome for assert and frames, and returns its ID.
func (s *server) store(o *suite.Outcome) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.kept[s.last] = o
	s.order = append(s.order, s.last)
	if len(s.order) > maxResponses {
		delete(s.kept, s.order[0])
		s.order = s.order[1:]
	}
	return s.last
}

// response returns a stored outcome; 0 is the last one.
func (s *server) response(id int) (*suite.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == 0 {
		id = s.last
	}
	if o := s.kept[id]; o != nil {
		return o, nil
	}
	if id > 0 && id <= s.last {
		return nil, invalid("response %d is no longer stored: only the last %d are", id, maxResponses)
	}
	return nil, invalid("unknown response %d", id)
}

func (d *driver) hello(_ context.Context, in *Hello) (*Welcome, error) {
	if in.Protocol != Protocol {
		e := &Error{Code: codeProtocol, Message: fmt.Sprintf("protocol version %d is not supported: mcptest %s supports "+
			"version %d", in.Protocol, d.bench.Version, Protocol)}
		e.Data = &ErrorData{Hint: "use versions of mcptest and of the plugin that belong together: upgrade the older one"}
		return nil, e
	}
	d.mu.Lock()
	d.greeted = true
	d.mu.Unlock()
	out := &Welcome{Protocol: Protocol, Mcptest: d.bench.Version, MaxMessage: lines.MaxMessage}
	for _, m := range methods() {
		out.Methods = append(out.Methods, m.name)
	}
	return out, nil
}

func (d *driver) start(ctx context.Context, in *Start) (*Started, error) {
	described, err := serverOf(in.Server)
	if err != nil {
		return nil, err
	}
	offers, err := offersOf(in.Offers)
	if err != nil {
		return nil, err
	}
	if in.Name == "" || strings.ContainsAny(in.Name, "\n\x00") {
		return nil, invalid("name: expected a name for the server in later requests, got %q", in.Name)
	}
	s := &server{live: suite.NewLive(in.Name, described, offers, d.options), kept: map[int]*suite.Outcome{}}
	if err := d.add(in.Name, s); err != nil {
		return nil, err
	}
	out := &Started{Name: in.Name}
	err = s.live.Use(ctx, func(session *mcp.Session) error {
		out.Protocol = session.Version
		if json.Valid(session.Server) {
			out.Info = session.Server
		}
		return nil
	})
	if err != nil {
		d.remove(in.Name)
		return nil, errors.Join(err, s.live.Close())
	}
	return out, nil
}

func (d *driver) add(name string, s *server) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.servers[name] != nil:
		return invalid("server %q is already started", name)
	case len(d.servers) >= maxServers:
		return invalid("%d servers are started: expected at most that many; stop one of them", maxServers)
	}
	d.servers[name] = s
	return nil
}

func (d *driver) remove(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.servers, name)
}

// server finds a started server.
func (d *driver) server(name string) (*server, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.servers[name]; s != nil {
		return s, nil
	}
	return nil, invalid("unknown server %q: start it first", name)
}

func (d *driver) stop(_ context.Context, in *Stop) (None, error) {
	s, err := d.server(in.Server)
	if err != nil {
		return None{}, err
	}
	d.remove(in.Server)
	_ = s.live.Close() // how a server exits after its tests does not matter
	return None{}, nil
}

func (d *driver) list(ctx context.Context, in *List) (*Listed, error) {
	s, err := d.server(in.Server)
	if err != nil {
		return nil, err
	}
	method, ok := map[string]string{"": "tools/list", "tools": "tools/list", "resources": "resources/list",
		"templates": "resources/templates/list", "prompts": "prompts/list"}[in.Of]
	if !ok {
		return nil, invalid("of: unknown list %q, expected tools, resources, templates or prompts", in.Of)
	}
	out := &Listed{Items: []json.RawMessage{}}
	err = s.live.Use(ctx, func(session *mcp.Session) error {
		all, err := session.List(ctx, method)
		if err != nil {
			return err
		}
		if all.Refused != nil {
			return all.Refused
		}
		for _, item := range all.Items {
			if json.Valid(item.Raw) {
				out.Items = append(out.Items, item.Raw)
			}
		}
		return nil
	})
	return out, err
}

// serverOf reads the description of a server, which is the same as in a suite.
func serverOf(raw json.RawMessage) (*suite.Server, error) {
	if len(raw) == 0 {
		return nil, invalid("server is missing: expected a name such as demo, or a mapping with command or url")
	}
	n, err := document.FromJSON(raw)
	if err != nil {
		return nil, invalid("server: %v", err)
	}
	out, decoder := &suite.Server{}, &document.Decoder{}
	decoder.Decode(n, out)
	var wrong []string
	for _, p := range decoder.Problems {
		wrong = append(wrong, p.Message)
	}
	if len(wrong) > 0 {
		return nil, invalid("server: %s", strings.Join(wrong, "; "))
	}
	out.Line, out.Column = 0, 0 // it is in no file
	return out, nil
}

func offersOf(names []string) (suite.Offers, error) {
	known := []string{"elicitation", "sampling", "roots"}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return suite.Offers{}, invalid("offers: unknown %q, expected %s", name, strings.Join(known, ", "))
		}
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	return suite.Offers{Elicitation: has(known[0]), Sampling: has(known[1]), Roots: has(known[2])}, nil
}
