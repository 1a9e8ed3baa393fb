// Package fuzz searches for inputs that break a server: it generates calls from tool schemas, checks the responses
// against properties that every correct server has, reduces a failing input to the smallest call that still fails, and
// returns it as a test.
//
// The cases depend only on the seed and the tool definitions: the same seed against a server with the same behavior
// makes the same calls in the same order.
package fuzz

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// Options configure a fuzz run.
type Options struct {
	Open     func(ctx context.Context) (*mcp.Session, error) // a fresh session; a process is restarted
	Tools    []string                                        // only these; empty means all
	May      func(tool json.RawMessage) safety.Verdict       // how often a tool may be called
	Seed     uint64
	Cases    int             // maximum number of calls; 0 means DefaultCases
	Duration time.Duration   // time limit; 0 means until all cases are run
	Beside   <-chan struct{} // beyond Duration, the run continues until this is closed; nil if nothing else is waited for
	Hang     time.Duration   // time without a response after which a call hangs; 0 means DefaultHang
	Stateful bool            // values from responses are used in later calls; sessions are closed, cancelled and reopened
	Wire     bool            // also send malformed frames
	Gentle   bool            // no texts that look like an attack: the server is shared
	Shrink   time.Duration   // time limit for minimizing one finding; 0 means DefaultShrink

	Target, Version string
	Step            func(done, total, findings int, text string) // receives progress; may be nil
}

// The defaults.
const (
	DefaultCases  = 1000
	DefaultHang   = 10 * time.Second
	DefaultShrink = 10 * time.Second

	anyCases    = 1 << 30 // as many as the time limit allows
	healthEvery = 50      // cases between two health checks
	shapeEvery  = 20      // cases between two repetitions of a read-only call
	cancelEvery = 25      // cases between two that are cancelled
	maxFound    = 100     // different defects, after which the run stops
	maxHistory  = 300     // calls of a session that are searched for a sequence
)

// A Step is one action on a server.
type Step struct {
	cases.Case
	Cancel bool `json:"cancel,omitempty"` // the call is cancelled as soon as it is sent
	Times  int  `json:"times,omitempty"`  // how often it is made; 0 means once
}

// A Found is a defect: the property, the smallest sequence that reproduces it, and how often it was found.
type Found struct {
	Rule     finding.Rule
	Breach   string
	Severity finding.Severity
	Steps    []Step
	Repeats  bool // the steps reproduce it in a fresh session
	// the time was over before the steps were repeated
	Unrepeated   bool
	Silence      time.Duration // how long the whole server has not responded since the call; 0 if it did
	Times        int
	Cases        int           // how many cases it took to find it
	After        time.Duration // how long that took, excluding the time spent on minimizing other defects
	Stderr       string
	Sign         string          // the method used for health checks
	Frames       []string        // the messages of the last exchange, one per line, after those that it is compared with
	FailedBefore int             // how many calls before the last of the steps failed
	Output       json.RawMessage // the output schema of the tool; nil if it has none
}

// A Result is the outcome of a run.
type Result struct {
	Report  *finding.Report
	Found   []*Found
	Skipped map[string]string // tools that were skipped or not fully tested, and why
	Slow    []SlowTool        // tools that had fewer calls because they are slow
	NoCalls []UncalledTool    // tools for which no arguments could be generated
	Failing []FailingTool     // tools of which no call succeeded
	Unsure  []string          // tools with a call that timed out once and was not repeated
	Ended   string            // why the run stopped before all cases were run; empty if it did not
	Late    bool              // the time limit was reached before all cases were run
}

type runner struct {
	opts             Options
	tools            []*fuzzTarget
	listed           *mcp.List
	session          *mcp.Session
	revision         spec.Revision // of the session
	fineMeta         string
	unused           bool   // no call was made in this session
	unanswered       bool   // a call in this session got no response
	history          []Step // of this session
	prefetched       prefetched
	unevaluated      *evaluated // a response that was not yet checked
	found            map[string]*Found
	order            []string
	done             int
	mined            *cases.Mine
	usage            growth.Samples
	failures         failureCounts
	noArguments      []UncalledTool
	skipped          map[string]string
	deferred         []deferred     // defects that are minimized after all calls
	last             *scheduledCase // the call that tests the parser
	lost             *lostCall      // the first call after which the server has not responded yet
	unsure           []string       // tools with a call that timed out and was not repeated
	results          resultSizes
	ended            string
	late             bool          // cases were left when the time limit was reached
	callTimeout      time.Duration // current timeout of every call; 0 means that it depends on the pace of the tool
	requestsProgress bool          // requests ask for progress notifications
	resuming         bool          // the current call was postponed before
	slow             bool          // the last such call took long, or reported progress
	latency          latencyStats  // of all tools
	warmup           warmup
	started          time.Time
	starting         time.Duration // how long the last session took to open
	shrinking        time.Duration // spent on minimizing defects
	failedBefore     int           // calls before the last one of the last replay that failed
}

// A fuzzTarget is a tool that is fuzzed.
type fuzzTarget struct {
	name       string
	raw        json.RawMessage
	readOnly   bool
	most       int // calls; 0 for no limit
	sent       int
	lent       int // results whose values other tools got
	gen        *cases.Generator
	output     *schema.Schema
	input      json.RawMessage
	properties []string // the arguments in its schema
	integers   []string // those that are integers
	patterns   bool     // it takes regular expressions
	language   bool     // one of its arguments is in a language
	converts   bool     // it changes letters on purpose
	takesSQL   bool     // it says that it takes SQL
	calculates bool     // it says that it evaluates expressions or adds numbers
	anyFile    bool     // it says that it reads any file
	foreign    bool     // it returns what others wrote
	latency    latencyStats
	hung       bool // it is known to hang
	hangs      int  // calls without a response
	deaths     int  // calls that crashed the server
	turns      turns
	spent      time.Duration // on calls with a response
	// a call with a value that a description or a message mentions was made twice
	repeatsKnown bool
	tires        bool // it takes too long to continue with it
	defaults     defaults
	mirror       mirror
	lists        echo.Lists
	stuck        *stuckCall            // the first call that was not awaited
	compared     map[string]bool       // what was compared with other calls
	breaches     map[string]*violation // what such a comparison has shown
	gentle       bool                  // it gets no texts that look like an attack
	worked       *Step                 // the first call that succeeded, or that was refused if none did
	reason       string                // why it was refused
	failing      failing
}

// Run fuzzes a server. Defects are in the result; an error means that the server could not be reached at all.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Cases == 0 {
		o.Cases = DefaultCases
		if o.Duration > 0 {
			o.Cases = anyCases
		}
	}
	if o.Hang == 0 {
		o.Hang = DefaultHang
	}
	if o.Shrink == 0 {
		o.Shrink = DefaultShrink
	}
	r := newRunner(o)
	if err := r.fresh(ctx); err != nil {
		return nil, err
	}
	defer func() { r.close() }()
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	r.loop(ctx)
	r.minimizeDeferred(ctx)
	if o.Stateful && ctx.Err() == nil {
		r.sessions(ctx)
	}
	if o.Wire && ctx.Err() == nil {
		r.wire(ctx)
	}
	if ctx.Err() != nil {
		r.ended = r.cut(ctx)
	}
	r.reportLost()
	return r.result(), nil
}

// cut returns why a run stopped early, and its progress.
func (r *runner) cut(ctx context.Context) string {
	why := "interrupted"
	if cause := context.Cause(ctx); cause != context.Canceled {
		why = cause.Error()
	}
	if r.opts.Duration > 0 && r.opts.Cases == anyCases {
		return fmt.Sprintf("%s after %d cases", why, r.done)
	}
	return fmt.Sprintf("%s after %d of %d cases", why, r.done, r.opts.Cases)
}

func newRunner(o Options) *runner {
	return &runner{opts: o, found: map[string]*Found{}, mined: cases.NewMine(), skipped: map[string]string{},
		started: time.Now()}
}

// choose lists the tools and prepares those that may be called.
func (r *runner) choose(ctx context.Context) error {
	list, err := r.session.List(ctx, "tools/list")
	if err != nil {
		return err
	}
	r.listed = list
	for _, name := range r.opts.Tools {
		if !slices.ContainsFunc(list.Items, func(i mcp.Item) bool { return i.Name == name }) {
			return &NoToolError{Name: name, Known: itemNames(list.Items)}
		}
	}
	for _, item := range list.Items {
		if len(r.opts.Tools) > 0 && !slices.Contains(r.opts.Tools, item.Name) {
			continue
		}
		may := r.opts.May(item.Raw)
		if may.Why != "" {
			r.skipped[item.Name] = may.Why
		}
		if may.Calls == 0 {
			continue
		}
		input, _ := schema.Get(item.Raw, "/inputSchema")
		readOnly := safety.Reads(item.Raw)
		hint, _ := schema.Get(item.Raw, "/annotations/readOnlyHint")
		calculates := exposure.Calculates(item.Name, schema.TextAt(item.Raw, "/description"))
		gen, err := cases.NewGenerator(item.Name, input, r.opts.Seed,
			cases.Care{Gentle: r.opts.Gentle, Writes: string(hint) != "true"}) // a name is no promise
		if err != nil {
			r.skipped[item.Name] = err.Error()
			r.noArguments = append(r.noArguments, UncalledTool{item.Name, err})
			continue
		}
		gen.Mention(schema.Examples(schema.TextAt(item.Raw, "/description")))
		s := &fuzzTarget{name: item.Name, raw: item.Raw, input: input, gen: gen, readOnly: readOnly,
			calculates: calculates, gentle: r.opts.Gentle, breaches: map[string]*violation{}}
		if may.Calls != safety.Unlimited {
			s.most = may.Calls
			gen.ExpectFewCalls()
		}
		s.defaults, s.properties, s.integers = defaultsOf(input), propertiesOf(input), echo.Integers(input)
		s.patterns, s.language = words.TakesPatterns(item.Raw), s.takesLanguages()
		s.takesSQL, s.anyFile = exposure.TakesSQL(string(item.Raw)), exposure.ReadsAnyFile(string(item.Raw))
		world, _ := schema.Get(item.Raw, "/annotations/openWorldHint")
		s.lists.MayBeNull = strings.Contains(string(item.Raw), "null")
		s.foreign = string(world) == "true" ||
			exposure.ReturnsForeign(item.Name, schema.TextAt(item.Raw, "/description"), s.properties)
		s.defaults.unsteady = exposure.DependsOnChance(item.Name, schema.TextAt(item.Raw, "/description"))
		s.converts = exposure.ConvertsText(item.Name, schema.TextAt(item.Raw, "/description"))
		if output, ok := schema.Get(item.Raw, "/outputSchema"); ok {
			s.output, _ = schema.Compile(output, nil) // lint reports invalid ones
		}
		r.tools = append(r.tools, s)
	}
	return nil
}

// A NoToolError reports an unknown tool name.
type NoToolError struct {
	Name  string
	Known []string
}

// Error includes the names of the available tools.
func (e *NoToolError) Error() string {
	return fmt.Sprintf("unknown tool %q, expected one of %s", e.Name, strings.Join(e.Known, ", "))
}

func itemNames(items []mcp.Item) []string {
	var all []string
	for _, i := range items {
		all = append(all, i.Name)
	}
	return all
}

func (r *runner) progress(tool string) {
	if r.opts.Step != nil {
		total := r.opts.Cases
		if r.opts.Duration > 0 {
			total = 0
		}
		r.opts.Step(r.done, total, len(r.found), tool)
	}
}

// call makes one call and records it.
func (r *runner) call(ctx context.Context, t *fuzzTarget, step Step, meanwhile func()) *observation {
	if len(r.history) >= maxHistory {
		r.history = slices.Clone(r.history[maxHistory/2:])
	}
	r.history = append(r.history, step)
	return r.send(ctx, t, step, meanwhile)
}

func (r *runner) send(ctx context.Context, t *fuzzTarget, step Step, meanwhile func()) *observation {
	s := &observation{Case: step.Case, output: t.output, input: t.input, properties: t.properties, integers: t.integers,
		patterns: t.patterns, language: t.language, converts: t.converts, takesSQL: t.takesSQL, calculates: t.calculates,
		anyFile: t.anyFile, foreign: t.foreign, revision: &r.revision, fineMeta: &r.fineMeta, mirror: &t.mirror,
		lists: &t.lists}
	if t.spentCalls() {
		return s // no call was made, so there is nothing to check
	}
	t.sent++
	r.unused = false
	params := make([]byte, 0, len(step.Arguments)+len(step.Tool)+32)
	params = append(rawjson.AppendQuote(append(params, `{"name":`...), step.Tool), `,"arguments":`...)
	params = append(append(params, step.Arguments...), '}')
	if step.Cancel {
		s.Late, s.Err = r.cancelled(ctx, params)
		return s
	}
	waits, abandons, began := r.waits(t), r.abandons(t), time.Now()
	strays, _ := r.session.Unusable()
	request := mcp.Request{Method: "tools/call", Params: params, Timeout: waits, Input: decline, Meanwhile: meanwhile}
	if r.requestsProgress {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		request.OnProgress = func(mcp.Progress) { cancel() } // progress was reported: that is enough
		s.Exchange, s.Err = r.session.Do(limited, request)
		if r.slow = limited.Err() != nil || s.Err == nil && s.Exchange.Elapsed >= minHangSuspicion+r.warmup.extra(); r.slow {
			t.latency.mistrust(r.opts.Hang)
		}
	} else {
		s.Exchange, s.Err = r.session.Do(ctx, request)
	}
	if r.callTimeout == 0 {
		t.turns.calls++
		t.turns.spent += time.Since(began)
	}
	s.noise = r.noiseSince(strays)
	if s.Err != nil {
		r.settle(ctx, s)
		r.unanswered = r.unanswered || s.Late
		if s.Late {
			r.lose(t, step, began)
		}
		s.early = s.Late && waits < r.opts.Hang
		s.abandoned, s.waited = s.early && abandons, waits
		return s
	}
	r.recordLatency(t, s.Exchange.Elapsed)
	return s
}

// settle classifies a call without a response.
func (r *runner) settle(ctx context.Context, s *observation) {
	var late *mcp.TimeoutError
	var status *wire.StatusError
	var broken *wire.Error
	var invalid *mcp.InvalidResponse
	switch {
	case ctx.Err() != nil:
		s.Err = nil // we stopped waiting: inconclusive
	case errors.As(s.Err, &late):
		s.Late = true
	case errors.As(s.Err, &status) && status.Status != http.StatusNotFound:
		s.Status, s.Err = status.Status, nil
	case errors.As(s.Err, &invalid): // FUZZ-003 reports it
	case r.session.Err() == nil && status == nil && errors.As(s.Err, &broken) && overHTTP(r.session):
		if r.healthy(ctx) {
			s.unfinished, s.Err = unfinishedBecause(s.Err), nil
		}
	case r.session.Err() != nil, status != nil:
	case broken != nil:
		s.Err = r.connectionLost(s.Err)
	default:
		s.Err = nil // the call was rejected locally, or a server request could not be answered
	}
}

// decline responds to every server request.
func decline(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
	if method == "elicitation/create" {
		return json.RawMessage(`{"action":"decline"}`), nil
	}
	return nil, &mcp.RPCError{Code: -1, Message: "no client input available"}
}

// evaluate finds the first property that a call violates.
func evaluate(s *observation) (finding.Rule, *violation) {
	if b := hidesSecrets(s); b != nil {
		return ruleOf("FUZZ-007"), b
	}
	for _, p := range properties {
		if b := p.Holds(s); b != nil {
			return p.Rule, b
		}
	}
	return finding.Rule{}, nil
}

func ruleOf(id string) finding.Rule {
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	return finding.Rule{ID: id}
}

// An UncalledTool is a tool that was not called, although it may be.
type UncalledTool struct {
	Name string
	Why  error // such as one that wraps [schema.ErrNoSample]
}
