package forward

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// With several processes, IDs of tasks and values of requestState name the process that must continue them, so that the
// others can forward requests about them.
const (
	taskMark      = "task-"
	roundMark     = "gateway-at." // before the requestState of a server
	heldSeparator = "."
)

// NewTaskID returns an ID for a task of a process.
func NewTaskID(replica string) string { return taskMark + replica + heldSeparator + rand.Text() }

// HeldBy returns the process that has the task or the round of a message; "" if it is about none, or there is only one
// process.
func HeldBy(in *serve.Inbound) string {
	var rest string
	var ok bool
	if IsTaskMethod(in.Method) {
		rest, ok = strings.CutPrefix(in.Text("taskId"), taskMark)
	} else if state := in.Text("requestState"); state != "" {
		if rest, ok = strings.CutPrefix(state, roundMark); !ok {
			rest, ok = strings.CutPrefix(state, stateMark)
		}
	}
	replica, _, cut := strings.Cut(rest, heldSeparator)
	if !ok || !cut {
		return ""
	}
	return replica
}

// maxRounds limits how many rounds are counted.
const maxRounds = 10_000

// rounds are the input_required results of servers that clients have not continued yet. A server may accept its
// requestState only in the process that issued it, so the client's next request must reach this gateway.
type rounds struct {
	replica string // this process; "" if it is the only one

	mu   sync.Mutex
	open map[string]time.Time // when they expire
}

// MarkState adds this process to the requestState of a result.
func (f *Forwarder) MarkState(c *serve.Call, result json.RawMessage) json.RawMessage {
	return f.rounds.mark(c, result)
}

// UnmarkState restores the requestState of the server in a request.
func (f *Forwarder) UnmarkState(c *serve.Call) { f.rounds.unmark(c) }

// mark adds this process to the requestState of a result.
func (r *rounds) mark(c *serve.Call, result json.RawMessage) json.RawMessage {
	if r.replica == "" || c.Era != spec.Modern || !bytes.Contains(result, []byte(`"requestState"`)) {
		return result
	}
	members := serve.Members(result)
	state := serve.Text(members["requestState"])
	if serve.Text(members["resultType"]) != "input_required" || state == "" || strings.HasPrefix(state, stateMark) {
		return result
	}
	state = roundMark + r.replica + heldSeparator + state
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[string]time.Time{}
	}
	if len(r.open) < maxRounds {
		r.open[state] = time.Now().Add(InputTTL)
	}
	return serve.SetText(result, "/requestState", state)
}

// unmark restores the requestState of the server in a request. If it was issued by a process that has stopped, the
// server decides whether it still accepts it.
func (r *rounds) unmark(c *serve.Call) {
	state := serve.Text(c.Fields["requestState"])
	rest, ok := strings.CutPrefix(state, roundMark)
	if !ok || r.replica == "" {
		return
	}
	r.mu.Lock()
	delete(r.open, state)
	r.mu.Unlock()
	_, own, _ := strings.Cut(rest, heldSeparator)
	in := *c.Inbound
	in.Fields = serve.With(in.Fields, "requestState", rawjson.Quote(own))
	in.Params = serve.Object(in.Fields)
	c.Inbound = &in
}

// count returns how many rounds are open.
func (r *rounds) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	maps.DeleteFunc(r.open, func(_ string, expires time.Time) bool { return now.After(expires) })
	return len(r.open)
}

// Unfinished is the number of requests that wait for the client's next one.
func (f *Forwarder) Unfinished() int { return f.pending.count() + f.rounds.count() }

// IsTaskMethod reports whether a method is about tasks.
func IsTaskMethod(method string) bool {
	switch method {
	case "tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update":
		return true
	}
	return false
}
