package tap

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// maxOpen is how many requests wait for their response before the pairing starts again.
const maxOpen = 100_000

// A pairing finds the request of each response, and reads who the client and the server are.
type pairing struct {
	open  map[pairKey][]request // requests without a response
	count int                   // of them
}

// A pairKey is what a response repeats of its request.
type pairKey struct {
	from wire.Side
	id   string
}

// A request is a recorded request.
type request struct {
	seq    int
	conn   int
	stream string
	hello  bool // it asks who the server is
}

func newPairing() pairing { return pairing{open: map[pairKey][]request{}} }

// note sets the request that a frame answers and updates the counts. It reports whether the session has
// information about the client or the server that it did not have.
func (p *pairing) note(f *wire.Frame, s *Session) (news bool) {
	if len(f.Body) == 0 {
		return false
	}
	m := mcp.Read(*f)
	news = p.message(&m, f, s)
	for i := range m.Rest {
		news = p.message(&m.Rest[i], f, s) || news
	}
	return news
}

func (p *pairing) message(m *mcp.Message, f *wire.Frame, s *Session) (news bool) {
	switch {
	case m.IsRequest():
		hello := m.Method == "initialize" || m.Method == "server/discover"
		p.add(pairKey{f.From, mcp.IDKey(m.ID)}, request{f.Seq, f.Conn, f.Stream, hello})
		s.Requests++
		return f.From == wire.Client && readClient(m, hello, s)
	case m.IsResponse():
		r := p.take(pairKey{other(f.From), mcp.IDKey(m.ID)}, f)
		f.Reply = r.seq
		if m.Error != nil || bytes.Contains(m.Result, []byte(`"isError"`)) && isError(m.Result) {
			s.Errors++
		}
		return r.hello && readServer(m.Result, s)
	}
	return false
}

func (p *pairing) add(key pairKey, r request) {
	if p.count++; p.count > maxOpen {
		clear(p.open)
		p.count = 1
	}
	p.open[key] = append(p.open[key], r)
}

// take removes and returns the request that a frame answers: the one in the same HTTP exchange, otherwise on the
// same connection, otherwise the latest one. Clients of an HTTP server use the same IDs.
func (p *pairing) take(key pairKey, f *wire.Frame) request {
	all := p.open[key]
	if len(all) == 0 {
		return request{}
	}
	best := len(all) - 1
	if at := slices.IndexFunc(all, func(r request) bool { return r.conn == f.Conn }); at >= 0 {
		best = at
	}
	if at := slices.IndexFunc(all, func(r request) bool { return r.stream == f.Stream }); at >= 0 {
		best = at
	}
	r := all[best]
	p.count--
	if p.open[key] = slices.Delete(all, best, best+1); len(p.open[key]) == 0 {
		delete(p.open, key)
	}
	return r
}

// info is the name and version of a client or server.
type info struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// maxCapabilities is the size up to which capabilities are stored in the description of a session.
const maxCapabilities = 2 << 10

// readClient reads the client of a request, if it says who it is.
func readClient(m *mcp.Message, hello bool, s *Session) bool {
	if !hello && !bytes.Contains(m.Params, []byte(`"io.modelcontextprotocol/clientInfo"`)) {
		return false
	}
	var params struct {
		Version      string          `json:"protocolVersion"`
		Info         *info           `json:"clientInfo"`
		Capabilities json.RawMessage `json:"capabilities"`
		Meta         struct {
			Version      string          `json:"io.modelcontextprotocol/protocolVersion"`
			Info         *info           `json:"io.modelcontextprotocol/clientInfo"`
			Capabilities json.RawMessage `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(m.Params, &params) // what is not readable is not shown
	if params.Info == nil {
		params.Version, params.Info = params.Meta.Version, params.Meta.Info
		params.Capabilities = params.Meta.Capabilities
	}
	if params.Info == nil {
		return false
	}
	client := Peer{Name: params.Info.Name, Version: params.Info.Version, Protocol: params.Version}
	if len(params.Capabilities) <= maxCapabilities {
		client.Capabilities = params.Capabilities
	}
	same := func(p Peer) bool { return p.Name == client.Name && p.Version == client.Version }
	if len(s.Clients) >= maxClients || slices.ContainsFunc(s.Clients, same) {
		return false
	}
	s.Clients = append(s.Clients, client)
	return true
}

// maxClients is how many different clients a session lists.
const maxClients = 16

// readServer reads the server from the result of a handshake.
func readServer(result json.RawMessage, s *Session) bool {
	var r struct {
		Version      string          `json:"protocolVersion"`
		Info         *info           `json:"serverInfo"`
		Capabilities json.RawMessage `json:"capabilities"`
		Meta         struct {
			Info *info `json:"io.modelcontextprotocol/serverInfo"`
		} `json:"_meta"`
	}
	if json.Unmarshal(result, &r) != nil {
		return false
	}
	if r.Info == nil {
		r.Info = r.Meta.Info
	}
	if r.Info == nil {
		return false
	}
	s.Server = &Peer{Name: r.Info.Name, Version: r.Info.Version, Protocol: r.Version}
	if len(r.Capabilities) <= maxCapabilities {
		s.Server.Capabilities = r.Capabilities
	}
	return true
}

func isError(result json.RawMessage) bool {
	var r struct {
		IsError bool `json:"isError"`
	}
	return json.Unmarshal(result, &r) == nil && r.IsError
}

func other(from wire.Side) wire.Side {
	if from == wire.Client {
		return wire.Server
	}
	return wire.Client
}
