// Package replay sends the recorded requests of a client to another server and compares the responses: same outcome,
// same structure, same values except for IDs, times and the order of elements.
package replay

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// A Kind is the kind of a difference.
type Kind string

// The kinds of differences.
const (
	Outcome Kind = "outcome" // a result, a result with isError, an error with its code, or no response
	Type    Kind = "type"    // a value of another JSON type
	Value   Kind = "value"
	Removed Kind = "removed" // a field or an element
	Added   Kind = "added"
	Request Kind = "request" // a request of the server to the client
)

// A Difference is one difference between the recorded and the new responses. Equal differences of several calls are
// one.
type Difference struct {
	Subject string          `json:"subject"` // method, and the name of the tool, prompt or resource
	Frame   int             `json:"frame"`   // number of the first recorded request
	Calls   int             `json:"calls"`
	Path    string          `json:"path"` // JSON Pointer into the response; * stands for an index
	Kind    Kind            `json:"kind"`
	Old     json.RawMessage `json:"old,omitempty"`
	New     json.RawMessage `json:"new,omitempty"`
}

// A Skip is a request that was not sent.
type Skip struct {
	Subject string `json:"subject"`
	Calls   int    `json:"calls"`
	Why     string `json:"why"`
}

// A Report is the result of a replay.
type Report struct {
	Sent        int          `json:"sent"`
	Differences []Difference `json:"differences"`
	Skipped     []Skip       `json:"skipped"`
}

// Options configure a replay.
type Options struct {
	Permit safety.Permit                      // which tools may be called besides those that are safe
	Step   func(done, total int, what string) // called before each request; may be nil
}

// A replayer is a replay in progress.
type replayer struct {
	session  *mcp.Session
	recorded *recording.Session
	opts     Options
	roots    json.RawMessage // of the recorded client
	live     *mcp.List       // the tools of the server; nil if it lists none
	tools    map[string]json.RawMessage
	calls    map[string]int             // of tools that are safe, by name
	volatile map[string]map[string]bool // by key of a request: paths that differ from call to call

	mu     sync.Mutex        // protects the rest, and the differences
	ids    map[string]string // recorded IDs and the new ones, as JSON
	report *Report
}

// Run sends the recorded requests in their order. A request waits for the responses that the recorded client had
// received before it; requests that overlapped in the recording overlap again. A Go error means that the run was
// stopped; a server that does not respond is a difference.
func Run(ctx context.Context, s *mcp.Session, recorded *recording.Session, o Options) (*Report, error) {
	r := &replayer{session: s, recorded: recorded, opts: o, tools: recorded.Tools(), calls: map[string]int{},
		ids: map[string]string{}, volatile: volatilePaths(recorded), roots: rootsOf(recorded),
		report: &Report{Differences: []Difference{}, Skipped: []Skip{}}}
	r.handshake()
	var inFlight []*running
	defer func() { wait(inFlight) }()
	for i, x := range recorded.Exchanges {
		if o.Step != nil {
			o.Step(i, len(recorded.Exchanges), subjectOf(x))
		}
		if isOwn(x.Method, s.Era) {
			continue
		}
		if why := r.refused(ctx, x); why != "" {
			r.skip(x, why)
			continue
		}
		before, rest := inFlight, []*running(nil)
		if !asksClient(x) && len(inFlight) < maxInFlight {
			before, rest = split(inFlight, x.Started)
		}
		inFlight = rest
		if err := wait(before); err != nil {
			return r.report, err
		}
		alone := len(inFlight) == 0 && (asksClient(x) || !overlapsNext(recorded.Exchanges[i:]))
		inFlight = append(inFlight, r.start(ctx, x, alone))
	}
	err := wait(inFlight)
	inFlight = nil
	slices.SortStableFunc(r.report.Differences, func(a, b Difference) int { return a.Frame - b.Frame })
	return r.report, err
}

// maxInFlight is how many requests may wait for their response.
const maxInFlight = 64

// A running is a request in flight.
type running struct {
	exchange *recording.Exchange
	done     chan error
}

func (r *replayer) start(ctx context.Context, x *recording.Exchange, alone bool) *running {
	f := &running{x, make(chan error, 1)}
	r.report.Sent++
	go func() { f.done <- r.repeat(ctx, x, alone) }()
	return f
}

// wait returns the first error of requests in flight, when all have ended.
func wait(all []*running) error {
	var first error
	for _, f := range all {
		first = cmp.Or(first, <-f.done)
	}
	return first
}

// split returns the requests whose response the client had received at a time, and the others. A request that may
// lead to requests of the server is always waited for: they could not be assigned to it otherwise.
func split(all []*running, at time.Time) (before, rest []*running) {
	for _, f := range all {
		if x := f.exchange; asksClient(x) || !x.Started.Add(x.Duration).After(at) {
			before = append(before, f)
		} else {
			rest = append(rest, f)
		}
	}
	return before, rest
}

// overlapsNext reports whether the second of two exchanges began before the response of the first.
func overlapsNext(all []*recording.Exchange) bool {
	return len(all) > 1 && all[0].Started.Add(all[0].Duration).After(all[1].Started)
}

// asksClient reports whether the server sent requests to the client before its response.
func asksClient(x *recording.Exchange) bool {
	return slices.ContainsFunc(x.Steps, asks)
}

// handshake compares what the servers say about themselves. The version is expected to differ.
func (r *replayer) handshake() {
	old := r.recorded.Server()
	if old.Info == nil {
		return
	}
	x := &recording.Exchange{Method: "initialize"}
	c := &comparison{}
	name := func(info json.RawMessage) json.RawMessage { v, _ := schema.Get(info, "/name"); return v }
	c.values("/serverInfo/name", "", name(old.Info), name(r.session.Server), 0)
	if r.session.Version == r.recorded.Protocol {
		c.values("/capabilities", "", old.Capabilities, r.session.Capabilities, 0)
	}
	text, _ := schema.Text(old.Instructions)
	c.values("/instructions", "", serve.Quote(text), serve.Quote(r.session.Instructions), 0)
	r.add(x, c.changes)
}

// isOwn reports whether a session sends a method itself.
func isOwn(method string, era spec.Era) bool {
	switch method {
	case "initialize", "server/discover", "ping":
		return true
	case "logging/setLevel":
		return era == spec.Modern
	}
	return false
}

// refused returns why a request is not sent; empty if it is.
func (r *replayer) refused(ctx context.Context, x *recording.Exchange) string {
	switch {
	case strings.HasSuffix(x.Method, "/listen"), strings.HasSuffix(x.Method, "subscribe"):
		return "subscriptions are not replayed"
	case strings.HasPrefix(x.Method, "tasks/"):
		return "tasks are not replayed"
	case !x.Answered():
		return "no recorded response"
	case bytes.Contains(x.Params, []byte(redact.Placeholder)):
		return "the recording does not contain its secrets"
	case x.Method == "tools/call":
		return r.unsafe(ctx, schema.TextAt(x.Params, "/name"))
	}
	return ""
}

// unsafe returns why a tool may not be called. A recording may come from someone else, so both the recorded definition
// and that of the server must allow it.
func (r *replayer) unsafe(ctx context.Context, name string) string {
	if r.opts.Permit.All || slices.Contains(r.opts.Permit.Tools, name) {
		return ""
	}
	if r.live == nil {
		list, err := r.session.List(ctx, "tools/list")
		if err != nil {
			list = &mcp.List{}
		}
		r.live = list
	}
	definitions := []json.RawMessage{}
	if tool := r.tools[name]; tool != nil {
		definitions = append(definitions, tool)
	}
	if item, found := r.live.Find(name); found {
		definitions = append(definitions, item.Raw)
	}
	if len(definitions) == 0 {
		return "neither the recording nor the server lists this tool"
	}
	for _, tool := range definitions {
		if may := r.opts.Permit.Of(tool); r.calls[name] >= may.Calls {
			return may.Why
		}
	}
	r.calls[name]++
	return ""
}

func (r *replayer) skip(x *recording.Exchange, why string) {
	subject := subjectOf(x)
	for i := range r.report.Skipped {
		if s := &r.report.Skipped[i]; s.Subject == subject && s.Why == why {
			s.Calls++
			return
		}
	}
	r.report.Skipped = append(r.report.Skipped, Skip{subject, 1, why})
}

// repeat sends one request and compares its response. It fails if the run or the session has ended.
func (r *replayer) repeat(ctx context.Context, x *recording.Exchange, alone bool) error {
	requests := &responder{steps: x.Steps, roots: r.roots,
		comparison: &comparison{before: x.Started, after: time.Now()}}
	request := mcp.Request{Method: x.Method, Params: r.current(x.Params), Input: requests.respond,
		Alone: alone}
	if x.Progress {
		request.OnProgress = func(mcp.Progress) {}
	}
	ex, err := r.session.Do(ctx, request)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.add(x, []change{{"", Outcome, outcome(x.Result, x.Error), serve.Quote("no response: " + err.Error())}})
		if r.session.Err() != nil {
			return err
		}
		return nil
	}
	c := &comparison{before: x.Started, after: time.Now(), volatile: r.volatile[x.Key()], ids: r.ids,
		arguments: string(x.Params)}
	c.changes = requests.finish()
	c.responses(x, r.session.Era, ex.Reply)
	r.add(x, c.changes)
	return nil
}

// responses compares the outcome, then the results.
func (c *comparison) responses(x *recording.Exchange, era spec.Era, reply *mcp.Message) {
	failure := serve.Boundary{Client: spec.Legacy, Server: era}.Failure(x.Method, reply.Error)
	recorded := serve.Boundary{Client: spec.Legacy, Server: x.Era}.Failure(x.Method, x.Error)
	old, now := outcome(x.Result, recorded), outcome(reply.Result, failure)
	switch {
	case string(old) != string(now):
		c.add("", Outcome, old, now)
	case recorded != nil:
		c.values("/error/message", "", serve.Quote(recorded.Message), serve.Quote(failure.Message), 0)
	default:
		c.values("", "", serve.Boundary{Client: spec.Legacy, Server: x.Era}.Result(x.Method, x.Result),
			serve.Boundary{Client: spec.Legacy, Server: era}.Result(x.Method, reply.Result), 0)
	}
}

// outcome describes a response as a JSON string.
func outcome(result json.RawMessage, failure *mcp.RPCError) json.RawMessage {
	if failure != nil {
		return serve.Quote("error " + string(serve.Encode(failure.Code)))
	}
	if failed, _ := schema.Get(result, "/isError"); string(failed) == "true" {
		return serve.Quote("result with isError")
	}
	return serve.Quote("result")
}

// add adds the differences of an exchange to the report.
func (r *replayer) add(x *recording.Exchange, changes []change) {
	subject := subjectOf(x)
	counted := map[int]bool{}
	for _, c := range changes {
		at := slices.IndexFunc(r.report.Differences, func(d Difference) bool {
			return d.Subject == subject && d.Path == c.path && d.Kind == c.kind
		})
		if at < 0 {
			at = len(r.report.Differences)
			r.report.Differences = append(r.report.Differences, Difference{Subject: subject, Frame: x.Seq,
				Path: c.path, Kind: c.kind, Old: c.old, New: c.new})
		}
		if !counted[at] {
			r.report.Differences[at].Calls++
			counted[at] = true
		}
	}
}

// current returns recorded params with the IDs of this run in place of the recorded ones.
func (r *replayer) current(params json.RawMessage) json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(params) == 0 || len(r.ids) == 0 {
		return params
	}
	return replaceIDs(params, "", r.ids, 0)
}

// replaceIDs replaces strings that are recorded IDs, and numbers in fields for IDs.
func replaceIDs(value json.RawMessage, name string, ids map[string]string, depth int) json.RawMessage {
	kind := schema.Kind(value)
	switch {
	case depth > maxDepth:
		return value
	case kind == '{':
		members, _ := schema.Members(value)
		out := make([]string, len(members))
		for i, m := range members {
			out[i] = string(serve.Quote(m.Name)) + ":" + string(replaceIDs(m.Value, m.Name, ids, depth+1))
		}
		return json.RawMessage("{" + strings.Join(out, ",") + "}")
	case kind == '[':
		elements, _ := schema.Elements(value)
		out := make([]string, len(elements))
		for i, e := range elements {
			out[i] = string(replaceIDs(e, name, ids, depth+1))
		}
		return json.RawMessage("[" + strings.Join(out, ",") + "]")
	case kind == '"' || volatile.IsIDName(name):
		if now, known := ids[string(value)]; known {
			return json.RawMessage(now)
		}
	}
	return value
}

// volatilePaths returns where the recorded responses to the same request differ.
func volatilePaths(s *recording.Session) map[string]map[string]bool {
	first := map[string]*recording.Exchange{}
	all := map[string]map[string]bool{}
	for _, x := range s.Exchanges {
		if x.Result == nil {
			continue
		}
		key := x.Key()
		if first[key] == nil {
			first[key] = x
			continue
		}
		c := &comparison{before: first[key].Started, after: x.Started}
		c.values("", "", first[key].Result, x.Result, 0)
		for _, change := range c.changes {
			if all[key] == nil {
				all[key] = map[string]bool{}
			}
			if change.kind == Value {
				all[key][change.path] = true
			}
		}
	}
	return all
}

// subjectOf returns the method of a request and what it is about.
func subjectOf(x *recording.Exchange) string {
	return strings.TrimSpace(x.Method + " " + cmp.Or(schema.TextAt(x.Params, "/name"), schema.TextAt(x.Params, "/uri")))
}

// errNotRecorded rejects a request of the server that the recorded client did not get.
var errNotRecorded = &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the recorded client got no such request"}
