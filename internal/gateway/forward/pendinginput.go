package forward

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
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A legacy server sends requests while a client request is in flight; a modern client receives an input_required result
// and retries with the response. In between the request is parked.

// Limits of parking.
const (
	InputTTL   = 5 * time.Minute // how long a client may take to retry
	maxPending = 8               // requests per caller
)

// stateMark is the prefix of our requestState values.
const stateMark = "gateway."

// questionKey is the key of the single input request in our input_required results.
const questionKey = "question"

// A pendingRequest is a request whose server waits for a client response.
type pendingRequest struct {
	caller, method, name string // who may retry, and with what
	now                  atomic.Pointer[attachedCall]
	questions            chan *Question
	done                 chan struct{}
	cancel               context.CancelFunc
	reply                *mcp.Message // once done is closed
	err                  error

	notified notificationQueue // to the current visit
	rejected rejectedInput
	waiting  *Question // for which the client is getting input
	expiry   *time.Timer
}

// An attachedCall is the client's current request, whose stream receives the server messages.
type attachedCall struct {
	call  *serve.Call
	token json.RawMessage
}

// A Question is a server request that waits for the client's input.
type Question struct {
	method string
	params json.RawMessage
	Answer chan json.RawMessage
}

// NewQuestion returns a question without an answer.
func NewQuestion(method string, params json.RawMessage) *Question {
	return &Question{method, params, make(chan json.RawMessage, 1)}
}

// Requests returns the question as the inputRequests of a result.
func (q *Question) Requests() json.RawMessage {
	members := map[string]json.RawMessage{"method": rawjson.Quote(q.method), "params": q.params}
	return serve.Object(map[string]json.RawMessage{questionKey: serve.Object(members)})
}

// AnswerIn returns the answer to the only question in the inputResponses of a request.
func AnswerIn(responses map[string]json.RawMessage) (answer json.RawMessage, ok bool) {
	answer, ok = responses[questionKey]
	return answer, ok
}

// A pendingStore holds requests that wait for client input, keyed by requestState.
type pendingStore struct {
	replica string // the process, if there are several
	mu      sync.Mutex
	all     map[string]*pendingRequest
}

// errUnknownState is returned for any state that does not belong to the caller, regardless of the reason.
var errUnknownState = &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "unknown or expired requestState"}

// sendParked sends a request of a modern client to a legacy server, which may send requests meanwhile.
func (f *Forwarder) sendParked(ctx context.Context, p Request) (*mcp.Message, error) {
	c, r := p.Call, f.request(p)
	if state, ok := PendingState(c); ok {
		return f.resume(ctx, p, state)
	}
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), InputTTL+p.Timeout)
	k := &pendingRequest{caller: c.Peer.Caller, method: p.Method, name: c.Text("name") + c.Text("uri"),
		questions: make(chan *Question), done: make(chan struct{}), cancel: cancel}
	k.now.Store(&attachedCall{c, c.Meta["progressToken"]})
	r.OnMessage = func(m mcp.Message) {
		k.notified.pass(func() { v := k.now.Load(); f.relay(v.call, p.Boundary(), v.token, m) })
	}
	r.Manual = !p.AsTask
	r.Input, r.Timeout = k.request, InputTTL+p.Timeout // user input may take time
	lease := p.Lease.Again()
	go func() {
		defer cancel()
		defer lease.Release()
		defer close(k.done)
		k.reply, _, k.err = p.Server.Do(detached, r)
	}()
	return f.await(ctx, k)
}

// PendingState returns the requestState of a request that continues a parked one.
func PendingState(c *serve.Call) (state string, ok bool) {
	state = serve.Text(c.Fields["requestState"])
	return state, strings.HasPrefix(state, stateMark)
}

// request forwards a server request to the client, if the client supports it.
func (k *pendingRequest) request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if !Supports(k.now.Load().call.Meta[serve.MetaCapabilities], method) {
		return nil, k.rejected.reject(method)
	}
	q := NewQuestion(method, params)
	select {
	case k.questions <- q:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case answer := <-q.Answer:
		return answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// await waits for the response or for a server request, which parks the request.
func (f *Forwarder) await(ctx context.Context, k *pendingRequest) (*mcp.Message, error) {
	defer k.notified.flush()
	select {
	case <-k.done:
		return f.explain(k.reply, &k.rejected), k.err
	case q := <-k.questions:
		state, err := f.pending.add(k, q)
		if err != nil {
			k.cancel()
			return nil, err
		}
		return &mcp.Message{Result: serve.Object(map[string]json.RawMessage{
			"resultType": rawjson.Quote("input_required"), "requestState": rawjson.Quote(state),
			"inputRequests": q.Requests(),
		})}, nil
	case <-ctx.Done():
		k.cancel()
		<-k.done
		return nil, context.Cause(ctx)
	}
}

// resume continues a parked request.
func (f *Forwarder) resume(ctx context.Context, p Request, state string) (*mcp.Message, error) {
	c := p.Call
	k := f.pending.fetch(state, c.Peer.Caller, p.Method, c.Text("name")+c.Text("uri"))
	if k == nil {
		return nil, errUnknownState
	}
	answer, ok := AnswerIn(serve.Members(c.Fields["inputResponses"]))
	if !ok {
		k.cancel()
		return nil, errors.New("retry without inputResponses")
	}
	k.now.Store(&attachedCall{c, c.Meta["progressToken"]})
	k.waiting.Answer <- answer
	return f.await(ctx, k)
}

// add stores a request until the client retries, and returns the requestState.
func (l *pendingStore) add(k *pendingRequest, q *Question) (string, error) {
	state := stateMark + l.replica + heldSeparator + rand.Text() + rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := 0
	for _, other := range l.all {
		if other.caller == k.caller {
			mine++
		}
	}
	if mine >= maxPending {
		return "", errors.New("too many requests of this caller are waiting for its input")
	}
	if l.all == nil {
		l.all = map[string]*pendingRequest{}
	}
	k.waiting = q
	k.expiry = time.AfterFunc(InputTTL, func() {
		l.mu.Lock()
		delete(l.all, state)
		l.mu.Unlock()
		k.cancel()
	})
	l.all[state] = k
	return state, nil
}

// fetch removes a request, if it belongs to the caller and matches.
func (l *pendingStore) fetch(state, caller, method, name string) *pendingRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.all[state]
	if k == nil || k.caller != caller || k.method != method || k.name != name || !k.expiry.Stop() {
		return nil
	}
	delete(l.all, state)
	return k
}

// count returns how many requests are parked.
func (l *pendingStore) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all)
}

// clear cancels all parked requests.
func (l *pendingStore) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for state, k := range l.all {
		k.expiry.Stop()
		k.cancel()
		delete(l.all, state)
	}
}
