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

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// Options say how to fuzz.
type Options struct {
	Open     func(ctx context.Context) (*mcp.Session, error) // a fresh session; a process is started anew
	Tools    []string                                        // only these; empty means all
	May      func(tool json.RawMessage) safety.Judgment      // how often a tool may be called
	Seed     uint64
	Cases    int           // how many calls to make, at most; 0 means DefaultCases
	Duration time.Duration // when to stop; 0 means when the cases are made
	Hang     time.Duration // silence after which a call hangs; 0 means DefaultHang
	Stateful bool          // values from answers feed later calls; sessions are cut, cancelled and opened anew
	Wire     bool          // frames that are not as they should be, too
	Gentle   bool          // no texts that look like an attack: others use the server, too
	Shrink   time.Duration // how long one finding may be made smaller, at most; 0 means DefaultShrink

	Target, Version string
	Step            func(done, total, findings int, text string) // hears how far it is; may be nil
}

// The defaults.
const (
	DefaultCases  = 1000
	DefaultHang   = 10 * time.Second
	DefaultShrink = 10 * time.Second

	anyCases    = 1 << 30 // as many as there is time for
	healthEvery = 50      // cases between two signs of life
	shapeEvery  = 20      // cases between two repetitions of a read-only call
	cancelEvery = 25      // cases between two that are cancelled
	maxFound    = 100     // different defects, after which it is clear
	maxHistory  = 300     // calls of a session that a sequence is looked for in
)

// A Step is one thing that is done to a server.
type Step struct {
	Case
	Cancel bool `json:"cancel,omitempty"` // the call is cancelled as soon as it is sent
	Times  int  `json:"times,omitempty"`  // how often it is made; 0 means once
}

// A Found is a defect: the property, the smallest sequence that shows it, and how often it was met.
type Found struct {
	Rule     finding.Rule
	Breach   string
	Severity finding.Severity
	Steps    []Step
	Repeats  bool // the steps show it again on a fresh session
	Times    int
	Cases    int           // how many cases it took to find it
	After    time.Duration // how long that took, without the time spent on making other defects smaller
	Stderr   string
	Sign     string          // the method by which the server is asked for a sign of life
	Frames   []string        // what crossed the wire in the end, a line each
	Output   json.RawMessage // the output schema of the tool; nil if it has none
}

// A Result is all that a run has to say.
type Result struct {
	Report *finding.Report
	Found  []*Found
	Left   map[string]string // tools that were not called, or not to the end, and why
	Ended  string            // why it ended before all cases were made; empty if it did not
}

type runner struct {
	opts      Options
	tools     []*subject
	session   *mcp.Session
	revision  spec.Revision // that it speaks
	fineMeta  string
	history   []Step // of this session
	ahead     ahead
	unjudged  *seen // an answer that was not looked at yet
	found     map[string]*Found
	order     []string
	done      int
	mined     *mine
	growth    growth
	trouble   trouble
	left      map[string]string
	ended     string
	patience  time.Duration // how long every call is waited for, for now; 0 means that it depends on the pace of the tool
	asks      bool          // the server is asked to tell how far it is
	slow      bool          // the last call that it was asked of took long, or told how far it is
	pace      pace          // of all tools
	started   time.Time
	starting  time.Duration // that the last session took to open
	shrinking time.Duration // spent on making defects smaller
}

// A subject is a tool that is fuzzed.
type subject struct {
	name       string
	raw        json.RawMessage
	readOnly   bool
	most       int // calls; 0 for no limit
	sent       int
	gen        *Generator
	output     *schema.Schema
	properties []string // the arguments that its schema names
	pace       pace
	hung       bool          // it is known to hang
	hangs      int           // calls that were not answered
	deaths     int           // calls that ended the server
	spent      time.Duration // on calls that were answered
	tires      bool          // it takes too long to go on with it
	defaults   defaults
}

// Run fuzzes a server. What it finds is in the result; an error means that the server could not be reached at all.
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
	if o.Stateful && ctx.Err() == nil {
		r.sessions(ctx)
	}
	if o.Wire && ctx.Err() == nil {
		r.wire(ctx)
	}
	if ctx.Err() != nil {
		r.ended = r.cut(ctx)
	}
	return r.result(), nil
}

// cut says why a run ended before its end, and how far it was.
func (r *runner) cut(ctx context.Context) string {
	why := "it was stopped"
	if cause := context.Cause(ctx); cause != context.Canceled {
		why = cause.Error()
	}
	if r.opts.Duration > 0 && r.opts.Cases == anyCases {
		return fmt.Sprintf("%s after %d cases", why, r.done)
	}
	return fmt.Sprintf("%s after %d of %d cases", why, r.done, r.opts.Cases)
}

func newRunner(o Options) *runner {
	return &runner{opts: o, found: map[string]*Found{}, mined: newMine(), left: map[string]string{}, started: time.Now()}
}

// choose lists the tools and prepares those that may be called.
func (r *runner) choose(ctx context.Context) error {
	list, err := r.session.List(ctx, "tools/list")
	if err != nil {
		return err
	}
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
			r.left[item.Name] = may.Why
		}
		if may.Calls == 0 {
			continue
		}
		input, _ := schema.Get(item.Raw, "/inputSchema")
		gen, err := NewGenerator(item.Name, input, r.opts.Seed, r.opts.Gentle)
		if err != nil {
			r.left[item.Name] = err.Error()
			continue
		}
		readOnly, _ := schema.Get(item.Raw, "/annotations/readOnlyHint")
		s := &subject{name: item.Name, raw: item.Raw, gen: gen, readOnly: string(readOnly) == "true"}
		if may.Calls != safety.Unlimited {
			s.most = may.Calls
		}
		s.defaults, s.properties = defaultsOf(input), propertiesOf(input)
		if output, ok := schema.Get(item.Raw, "/outputSchema"); ok {
			s.output, _ = schema.Compile(output, nil) // a bad one is the lint's to find
		}
		r.tools = append(r.tools, s)
	}
	return nil
}

// A NoToolError says that the server has no tool of the name.
type NoToolError struct {
	Name  string
	Known []string
}

// Error names the tool.
func (e *NoToolError) Error() string {
	return fmt.Sprintf("the server has no tool %q; it has %s", e.Name, strings.Join(e.Known, ", "))
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

// call makes one call and remembers it.
func (r *runner) call(ctx context.Context, t *subject, step Step, meanwhile func()) *sight {
	if len(r.history) >= maxHistory {
		r.history = slices.Clone(r.history[maxHistory/2:])
	}
	r.history = append(r.history, step)
	return r.send(ctx, t, step, meanwhile)
}

func (r *runner) send(ctx context.Context, t *subject, step Step, meanwhile func()) *sight {
	s := &sight{Case: step.Case, output: t.output, properties: t.properties, revision: &r.revision, fineMeta: &r.fineMeta}
	if t.spentCalls() {
		return s // no call, so that nothing can be said of it
	}
	t.sent++
	params := make([]byte, 0, len(step.Arguments)+len(step.Tool)+32)
	params = append(appendText(append(params, `{"name":`...), step.Tool), `,"arguments":`...)
	params = append(append(params, step.Arguments...), '}')
	if step.Cancel {
		s.Late, s.Err = r.cancelled(ctx, params)
		return s
	}
	waits := r.waits(t)
	strays, _ := r.session.Unusable()
	request := mcp.Request{Method: "tools/call", Params: params, Timeout: waits, Input: decline, Meanwhile: meanwhile}
	if r.asks {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		request.OnProgress = func(mcp.Progress) { cancel() } // it tells how far it is: that is enough
		s.Exchange, s.Err = r.session.Do(limited, request)
		if r.slow = limited.Err() != nil || s.Err == nil && s.Exchange.Elapsed >= leastSuspicion; r.slow {
			t.pace.mistrust(r.opts.Hang)
		}
	} else {
		s.Exchange, s.Err = r.session.Do(ctx, request)
	}
	s.noise = r.noiseSince(strays)
	if s.Err != nil {
		r.settle(ctx, s)
		s.early = s.Late && waits < r.opts.Hang
		return s
	}
	t.spent += s.Exchange.Elapsed
	t.pace.learn(s.Exchange.Elapsed)
	r.pace.learn(s.Exchange.Elapsed)
	return s
}

// settle says what it means that a call has no answer.
func (r *runner) settle(ctx context.Context, s *sight) {
	var late *mcp.TimeoutError
	var status *wire.StatusError
	var broken *wire.Error
	switch {
	case ctx.Err() != nil:
		s.Err = nil // we stopped waiting: no word on the server
	case errors.As(s.Err, &late):
		s.Late = true
	case errors.As(s.Err, &status) && status.Status != http.StatusNotFound:
		s.Status, s.Err = status.Status, nil
	case r.session.Err() != nil, status != nil, errors.As(s.Err, &broken) && overHTTP(r.session):
	case broken != nil:
		s.Err = r.gone(s.Err)
	default:
		s.Err = nil // the call was refused by ourselves, or a question could not be answered
	}
}

// decline answers every question of the server.
func decline(_ context.Context, method string, _ json.RawMessage) (json.RawMessage, error) {
	if method == "elicitation/create" {
		return json.RawMessage(`{"action":"decline"}`), nil
	}
	return nil, &mcp.RPCError{Code: -1, Message: "nobody is here to answer"}
}

// judge finds the first property that a call breaks.
func judge(s *sight) (finding.Rule, *breach) {
	if b := keepsSecrets(s); b != nil {
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
