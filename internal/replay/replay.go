// Package replay sends the recorded requests of a client to another server and compares the responses: same outcome,
// same structure, same values except for IDs, times and the order of elements.
package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/safety"
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
	c.values("/instructions", "", rawjson.Quote(text), rawjson.Quote(r.session.Instructions), 0)
	r.add(x, c.changes)
}

// subjectOf returns the method of a request and what it is about.
func subjectOf(x *recording.Exchange) string {
	return strings.TrimSpace(x.Method + " " + cmp.Or(schema.TextAt(x.Params, "/name"), schema.TextAt(x.Params, "/uri")))
}

// errNotRecorded rejects a request of the server that the recorded client did not get.
var errNotRecorded = &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the recorded client got no such request"}
