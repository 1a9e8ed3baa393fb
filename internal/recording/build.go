package recording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// maxOpen is how many requests may wait for their response; older ones count as unanswered.
const maxOpen = 1000

// A builder joins messages to exchanges.
type builder struct {
	session  *Session
	open     []*openRequest // requests of the client without a response
	requests []*openAsk     // requests of the server without a response
	paused   []*Exchange    // exchanges whose last result is input_required
	last     *Exchange      // the exchange that ended last
}

// An openRequest is a request of the client that has no response yet.
type openRequest struct {
	exchange *Exchange
	seq      int
	conn     int
	stream   string
	id       string
	token    string // its progress token
}

// An openAsk is a request of the server that has no response yet.
type openAsk struct {
	step *Step
	conn int
	id   string
}

func newBuilder() *builder { return &builder{session: &Session{}} }

// frame adds a frame.
func (b *builder) frame(f wire.Frame) {
	if wire.IsStderr(f) || len(f.Body) == 0 {
		return
	}
	if _, deeper := rawjson.DeeperThan(f.Body, maxDepth); deeper {
		b.session.Skipped++
		return
	}
	m := mcp.Read(f)
	b.message(&m)
	for i := range m.Rest {
		b.message(&m.Rest[i])
	}
}

func (b *builder) message(m *mcp.Message) {
	client := m.Frame.From == wire.Client
	switch {
	case client && m.IsRequest():
		b.request(m)
	case client && m.IsResponse():
		b.clientResponse(m)
	case m.IsResponse():
		b.response(m)
	case client && m.IsNotification():
	case m.Method != "":
		b.serverMessage(m)
	default:
		b.session.Skipped++
	}
}

// request adds a request of the client, or continues the exchange that waits for its input.
func (b *builder) request(m *mcp.Message) {
	members := serve.Members(m.Params)
	meta := serve.Members(members["_meta"])
	version, _ := schema.Text(meta[serve.MetaVersion])
	era := spec.Legacy
	if version != "" {
		era = spec.EraOf(version)
		b.session.Protocol = version
	}
	if declared := cmp.Or(string(meta[serve.MetaCapabilities]), string(initialCapabilities(m))); declared != "" {
		b.session.Capabilities = json.RawMessage(declared)
	}
	params := Bare(m.Params)
	x := b.resumed(m.Method, params, members)
	if x == nil {
		x = &Exchange{Index: len(b.session.Exchanges), Seq: m.Frame.Seq, Conn: m.Frame.Conn, Era: era, Method: m.Method,
			Params: params, Progress: meta["progressToken"] != nil, Started: m.Frame.Time}
		b.session.Exchanges = append(b.session.Exchanges, x)
	}
	if len(b.open) >= maxOpen {
		b.open = b.open[1:]
	}
	b.open = append(b.open, &openRequest{exchange: x, seq: m.Frame.Seq, conn: m.Frame.Conn, stream: m.Frame.Stream,
		id: mcp.IDKey(m.ID), token: string(meta["progressToken"])})
}

// initialCapabilities returns the capabilities in initialize.
func initialCapabilities(m *mcp.Message) json.RawMessage {
	if m.Method != "initialize" {
		return nil
	}
	return serve.Members(m.Params)["capabilities"]
}

// Bare returns params without what belongs to a single run.
func Bare(params json.RawMessage) json.RawMessage {
	if schema.Kind(params) != '{' {
		return nil
	}
	for _, name := range []string{"_meta", "inputResponses", "requestState"} {
		if _, found := schema.Get(params, "/"+name); !found {
			continue
		}
		if changed, err := schema.Apply(params, []finding.Edit{{Pointer: "/" + name}}); err == nil {
			params = changed
		}
	}
	return params
}

// resumed returns the exchange that a request continues with the input of the client; nil if it is a new one.
func (b *builder) resumed(method string, params json.RawMessage, members map[string]json.RawMessage) *Exchange {
	if members["inputResponses"] == nil && members["requestState"] == nil {
		return nil
	}
	key := Key(method, params)
	for i := len(b.paused) - 1; i >= 0; i-- {
		x := b.paused[i]
		state, _ := schema.Get(x.Result, "/requestState")
		if x.Key() != key || !bytes.Equal(state, members["requestState"]) {
			continue
		}
		b.paused = slices.Delete(b.paused, i, i+1)
		x.addRound(serve.Members(members["inputResponses"]))
		return x
	}
	return nil
}

// addRound replaces an input_required result by the requests that it contains, with the responses of the client.
func (x *Exchange) addRound(replies map[string]json.RawMessage) {
	round := 1
	for _, s := range x.Steps {
		round = max(round, s.Round+1)
	}
	requests, _ := schema.Get(x.Result, "/inputRequests")
	members, _ := schema.Members(requests)
	for _, m := range members {
		method, _ := schema.Text(serve.Members(m.Value)["method"])
		x.Steps = append(x.Steps, &Step{After: x.Duration, Method: method, Params: serve.Members(m.Value)["params"],
			Request: true, Round: round, Key: m.Name, Reply: replies[m.Name]})
	}
	x.Result = nil
}

// response ends the exchange that a response belongs to.
func (b *builder) response(m *mcp.Message) {
	at := b.requestOf(m)
	if at < 0 {
		b.session.Skipped++
		return
	}
	x := b.open[at].exchange
	b.open = slices.Delete(b.open, at, at+1)
	x.Result, x.Error, x.Duration = m.Result, m.Error, m.Frame.Time.Sub(x.Started)
	if version, ok := schema.Text(serve.Members(m.Result)["protocolVersion"]); ok && x.Method == "initialize" {
		b.session.Protocol = version
	}
	if kind, _ := schema.Get(m.Result, "/resultType"); string(kind) == `"input_required"` {
		b.paused = append(b.paused, x)
	}
	b.last = x
}

// requestOf returns the index of the open request that a response belongs to: the recorded one, otherwise the one in
// the same HTTP exchange, otherwise the first with the same ID on the connection; -1 if there is none.
func (b *builder) requestOf(m *mcp.Message) int {
	id := mcp.IDKey(m.ID)
	for _, matches := range []func(r *openRequest) bool{
		func(r *openRequest) bool { return m.Frame.Reply != 0 && r.seq == m.Frame.Reply && r.id == id },
		func(r *openRequest) bool { return r.id == id && r.stream == m.Frame.Stream && r.conn == m.Frame.Conn },
		func(r *openRequest) bool { return r.id == id && r.conn == m.Frame.Conn },
		func(r *openRequest) bool { return r.id == id },
	} {
		if at := slices.IndexFunc(b.open, matches); at >= 0 {
			return at
		}
	}
	return -1
}

// clientResponse sets the response of the client to a request of the server.
func (b *builder) clientResponse(m *mcp.Message) {
	id := mcp.IDKey(m.ID)
	at := slices.IndexFunc(b.requests, func(a *openAsk) bool { return a.id == id && a.conn == m.Frame.Conn })
	if at < 0 {
		at = slices.IndexFunc(b.requests, func(a *openAsk) bool { return a.id == id })
	}
	if at < 0 {
		b.session.Skipped++
		return
	}
	b.requests[at].step.Reply, b.requests[at].step.Refused = m.Result, m.Error
	b.requests = slices.Delete(b.requests, at, at+1)
}

// serverMessage adds a request or a notification of the server to its exchange, or as an event.
func (b *builder) serverMessage(m *mcp.Message) {
	if m.Method == "notifications/cancelled" || m.Method == "notifications/subscriptions/acknowledged" {
		return // they concern the connection of the recorded client
	}
	step := Step{Method: m.Method, Params: m.Params, Request: m.IsRequest()}
	kept := &step
	if x := b.owner(m); x != nil {
		step.After = m.Frame.Time.Sub(x.Started)
		x.Steps = append(x.Steps, kept)
	} else {
		event := &Event{Step: step, Follows: b.last}
		if b.last != nil {
			event.After = m.Frame.Time.Sub(b.last.Started.Add(b.last.Duration))
		}
		b.session.Events = append(b.session.Events, event)
		kept = &event.Step
	}
	if m.IsRequest() {
		if len(b.requests) >= maxOpen {
			b.requests = b.requests[1:]
		}
		b.requests = append(b.requests, &openAsk{kept, m.Frame.Conn, mcp.IDKey(m.ID)})
	}
}

// finish ends the exchanges that the recording does not complete.
func (b *builder) finish() *Session {
	for _, x := range b.paused { // the client did not retry
		x.addRound(nil)
	}
	for _, e := range b.session.Events {
		if e.After < 0 {
			e.After = 0
		}
	}
	b.uniqueCursors()
	return b.session
}

// uniqueCursors replaces redacted cursors, which would all be the same, by unique ones: in the page that returned it
// and in the request for the next page.
func (b *builder) uniqueCursors() {
	for i, x := range b.session.Exchanges {
		cursor, _ := schema.Get(x.Result, "/nextCursor")
		if !serve.IsList(x.Method) || !bytes.Contains(cursor, []byte(redact.Placeholder)) {
			continue
		}
		unique := rawjson.Quote(fmt.Sprintf("cursor-%d", x.Seq))
		for _, next := range b.session.Exchanges[i+1:] {
			asked, _ := schema.Get(next.Params, "/cursor")
			if next.Method == x.Method && next.Conn == x.Conn && bytes.Equal(asked, cursor) {
				next.Params = replaced(next.Params, "/cursor", unique)
				break
			}
		}
		x.Result = replaced(x.Result, "/nextCursor", unique)
	}
}

// replaced returns a document with another value at a pointer.
func replaced(doc json.RawMessage, pointer string, value json.RawMessage) json.RawMessage {
	changed, err := schema.Apply(doc, []finding.Edit{{Pointer: pointer, Value: value}})
	if err != nil {
		return doc
	}
	return changed
}

// Elapsed returns how long a step came after the one before it; never negative.
func Elapsed(before, after time.Duration) time.Duration { return max(after-before, 0) }
