package front

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A server of the older era asks while a request is under way; a client of the newer one is asked by an unfinished
// result and comes back with the answer. In between the request is parked.

// Bounds of parking.
const (
	parkTime   = 5 * time.Minute // how long a client may take to come back
	parkPlaces = 8               // requests of one caller
)

// stateMark is how a requestState of ours begins.
const stateMark = "gateway."

// questionKey is the one input request of an unfinished result of ours.
const questionKey = "question"

// A parked is a request whose server waits for an answer of the client's.
type parked struct {
	caller, method, name string // who may come back, and with what
	now                  atomic.Pointer[visit]
	questions            chan question
	done                 chan struct{}
	cancel               context.CancelFunc
	reply                *mcp.Message // once done is closed
	err                  error

	told    relays    // to the visit of now
	waiting *question // whose answer the client has gone to fetch
	expiry  *time.Timer
}

// A visit is the client's request of now, whose stream hears what the server says.
type visit struct {
	call  *serve.Call
	token json.RawMessage
}

type question struct {
	method string
	params json.RawMessage
	answer chan json.RawMessage
}

// A lot is where requests are parked, by the state that the client brings back.
type lot struct {
	mu  sync.Mutex
	all map[string]*parked
}

// errForged is told for a state that is not the caller's own, whatever is wrong with it.
var errForged = &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "requestState is not one that waits for an answer"}

// sendParked sends a request of a newer client to an older server, which may ask meanwhile.
func (f *forwarder) sendParked(ctx context.Context, p passage) (*mcp.Message, error) {
	c, r := p.call, f.request(p)
	var state string
	if json.Unmarshal(c.Fields["requestState"], &state) == nil && strings.HasPrefix(state, stateMark) {
		return f.comeBack(ctx, p, state)
	}
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), parkTime+p.timeout)
	k := &parked{caller: c.Peer.Caller, method: p.method, name: c.Text("name") + c.Text("uri"), questions: make(chan question), done: make(chan struct{}), cancel: cancel}
	k.now.Store(&visit{c, c.Meta["progressToken"]})
	r.OnMessage = func(m mcp.Message) {
		k.told.pass(func() { v := k.now.Load(); f.relay(v.call, p.boundary(), v.token, m) })
	}
	r.Manual = !p.asTask
	r.Input, r.Timeout = k.ask, parkTime+p.timeout // a person may have to think
	go func() {
		defer cancel()
		defer close(k.done)
		k.reply, _, k.err = p.server.Do(detached, r)
	}()
	return f.await(ctx, k)
}

// ask gives a question of the server's to the client, if it can answer.
func (k *parked) ask(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if !offers(k.now.Load().call.Meta[serve.MetaCapabilities], method) {
		return nil, &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not offer " + method}
	}
	q := question{method, params, make(chan json.RawMessage, 1)}
	select {
	case k.questions <- q:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// await waits for the answer or for a question, which parks the request.
func (f *forwarder) await(ctx context.Context, k *parked) (*mcp.Message, error) {
	defer k.told.settle()
	select {
	case <-k.done:
		return k.reply, k.err
	case q := <-k.questions:
		state, err := f.lot.park(k, q)
		if err != nil {
			k.cancel()
			return nil, err
		}
		members := map[string]json.RawMessage{"method": quoted(q.method), "params": q.params}
		return &mcp.Message{Result: object(map[string]json.RawMessage{
			"resultType": quoted("input_required"), "requestState": quoted(state),
			"inputRequests": object(map[string]json.RawMessage{questionKey: object(members)}),
		})}, nil
	case <-ctx.Done():
		k.cancel()
		<-k.done
		return nil, context.Cause(ctx)
	}
}

// comeBack goes on with a parked request.
func (f *forwarder) comeBack(ctx context.Context, p passage, state string) (*mcp.Message, error) {
	c := p.call
	k := f.lot.fetch(state, c.Peer.Caller, p.method, c.Text("name")+c.Text("uri"))
	if k == nil {
		return nil, errForged
	}
	answer, ok := serve.Members(c.Fields["inputResponses"])[questionKey]
	if !ok {
		k.cancel()
		return nil, errors.New("the client came back without an answer")
	}
	k.now.Store(&visit{c, c.Meta["progressToken"]})
	k.waiting.answer <- answer
	return f.await(ctx, k)
}

// park keeps a request until the client comes back, and returns the state to bring.
func (l *lot) park(k *parked, q question) (string, error) {
	state := stateMark + rand.Text() + rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := 0
	for _, other := range l.all {
		if other.caller == k.caller {
			mine++
		}
	}
	if mine >= parkPlaces {
		return "", errors.New("too many requests of this caller wait for its answers")
	}
	if l.all == nil {
		l.all = map[string]*parked{}
	}
	k.waiting = &q
	k.expiry = time.AfterFunc(parkTime, func() {
		l.mu.Lock()
		delete(l.all, state)
		l.mu.Unlock()
		k.cancel()
	})
	l.all[state] = k
	return state, nil
}

// fetch takes a request out, if it is the caller's own and the same.
func (l *lot) fetch(state, caller, method, name string) *parked {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.all[state]
	if k == nil || k.caller != caller || k.method != method || k.name != name || !k.expiry.Stop() {
		return nil
	}
	delete(l.all, state)
	return k
}

// clear gives all parked requests up.
func (l *lot) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for state, k := range l.all {
		k.expiry.Stop()
		k.cancel()
		delete(l.all, state)
	}
}
