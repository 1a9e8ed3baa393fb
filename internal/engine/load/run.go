package load

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Options describe a load and its thresholds.
type Options struct {
	Pace
	Requests   []*Request // called in turn, by weight
	Thresholds []Threshold
	Timeout    time.Duration // of a call; 0 means the session's
	Version    string
	Live       func(Live) // receives progress; may be nil
}

// A MismatchedResponse is a response that belongs to another call.
type MismatchedResponse struct {
	Want   string `json:"want"` // the nonce of the call
	Got    string `json:"got"`  // the beginning of the response
	Frames []int  `json:"frames,omitempty"`
}

// maxConfused is how many mixed-up responses are stored.
const maxConfused = 5

// aliveTimeout is how long a server may take to respond to a health check. Tests shorten it.
var aliveTimeout = 2 * time.Second

type runner struct {
	session *mcp.Session
	opts    *Options
	turns   []*Request
	id      string

	mu       sync.Mutex
	checked  int64
	mixedUp  int64
	confused []MismatchedResponse
	lost     error // how the last call lost its connection; nil once a later one has a response
}

// Run makes the load on an open session and evaluates it. If the context ends early, it evaluates the calls made until
// then.
func Run(ctx context.Context, s *mcp.Session, o *Options) (*finding.Report, *Summary) {
	r := &runner{session: s, opts: o, id: runID(), turns: turns(o.Requests)}
	within, stop := context.WithCancel(ctx)
	defer stop()
	var watch sync.WaitGroup
	var samples []wire.Usage
	watch.Go(func() { samples = sample(within, s.Usage, o.Pace) })
	driven, died := context.WithCancelCause(ctx)
	defer died(nil)
	watch.Go(func() {
		select {
		case <-s.Done():
			died(errDied)
		case <-within.Done():
		}
	})
	summary := Drive(driven, o.Pace, r.call, o.Live)
	stop()
	watch.Wait()
	summary.Checked, summary.MixedUp, summary.Confused, summary.Process = r.checked, r.mixedUp, r.confused,
		growthOf(samples)
	if !summary.Stopped {
		r.checkAlive(ctx, summary)
	}
	return evaluate(s, summary, o), summary
}

// checkAlive finds out whether the server is alive, if calls had no response. Over HTTP, no connection shows it.
func (r *runner) checkAlive(ctx context.Context, s *Summary) {
	if !s.Deadlock && !r.ended() && !slices.ContainsFunc(s.Kinds, func(k Kind) bool { return k.Name == noResponse }) {
		return
	}
	method := "ping"
	if r.session.Era == spec.Modern {
		method = "server/discover"
	}
	_, err := r.session.Do(ctx, mcp.Request{Method: method, Params: json.RawMessage("{}"), Timeout: aliveTimeout})
	var late *mcp.TimeoutError
	switch {
	case err == nil:
		s.Alive = method + " still gets a response, so the calls block each other"
	case errors.As(err, &late) && r.lastLoss() != nil: // on a busy machine even a refused connection takes time
		s.Died, s.Deadlock = clip.Text(r.lastLoss().Error(), maxMessage), false
	case errors.As(err, &late):
		s.Alive = method + " gets no response either"
	default:
		s.Died, s.Deadlock = clip.Text(err.Error(), maxMessage), false
		var lost *wire.Error
		if errors.As(err, &lost) {
			s.Stderr = lastLines(lost.Stderr)
		}
	}
}

func (r *runner) ended() bool {
	select {
	case <-r.session.Done():
		return true
	default:
		return false
	}
}

// maxStderrLines is how much of the last stderr output of a server is stored.
const maxStderrLines = 1000

func lastLines(stderr string) string {
	last := strings.Join(wire.StderrSummary(stderr, 10), "\n")
	return clip.Head(last, maxStderrLines)
}

// runID is unique for each run, so that no response of an earlier run can be mistaken for one of this run.
func runID() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// maxTurns bounds the list of turns.
const maxTurns = 10_000

// turns lists the requests, each as often as its weight, evenly spread.
func turns(requests []*Request) []*Request {
	total, left := 0, make([]int, len(requests))
	for _, r := range requests {
		total += max(r.Weight, 1)
	}
	var all []*Request
	for range min(total, maxTurns) {
		best := 0
		for i, r := range requests {
			if left[i] += max(r.Weight, 1); left[i] > left[best] {
				best = i
			}
		}
		left[best] -= total
		all = append(all, requests[best])
		requests[best].params("") // split before many goroutines use it
	}
	return all
}

func (r *runner) call(ctx context.Context, n int) error {
	request, nonce := r.turns[n%len(r.turns)], r.nonce(n)
	ex, err := r.session.Do(ctx, mcp.Request{Method: "tools/call", Params: request.params(nonce),
		Timeout: r.opts.Timeout})
	r.noteLoss(ctx, err)
	if err != nil {
		return withoutResponse(err)
	}
	if failure := failureOf(ex); failure != nil {
		return failure
	}
	if request.Echoes && !r.belongs(ex, nonce) {
		return &Failure{Kind: "mixed up", Message: "the response belongs to another call"}
	}
	return nil
}

// noteLoss stores how a call lost its connection. A call that times out, or whose context ends, has not lost it.
func (r *runner) noteLoss(ctx context.Context, err error) {
	var late *mcp.TimeoutError
	if err != nil && (ctx.Err() != nil || errors.As(err, &late)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost = err
}

// lastLoss is how the last call lost its connection; nil if it did not.
func (r *runner) lastLoss() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost
}

// belongs reports whether a response belongs to the call with the nonce.
func (r *runner) belongs(ex *mcp.Exchange, nonce string) bool {
	ok := bytes.Contains(ex.Reply.Result, []byte(nonce))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checked++
	if ok {
		return true
	}
	if r.mixedUp++; len(r.confused) < maxConfused {
		r.confused = append(r.confused, MismatchedResponse{Want: nonce,
			Got: clip.Text(string(ex.Reply.Result), maxMessage), Frames: frames(ex)})
	}
	return false
}

func frames(ex *mcp.Exchange) []int {
	if ex.Request.Frame.Seq == 0 {
		return nil
	}
	return []int{ex.Request.Frame.Seq, ex.Reply.Frame.Seq}
}

// evaluate creates the report: a result for each threshold.
func evaluate(s *mcp.Session, summary *Summary, o *Options) *finding.Report {
	report := &finding.Report{Engine: "load", Target: s.Target().String(), Version: o.Version, Started: summary.Started,
		Rules: Rules(), Metrics: summary.Figures()}
	for _, t := range append(append([]Threshold{}, always...), o.Thresholds...) {
		if t.ID == "load/errors" && about(o.Thresholds, "errors", "error_percent") {
			continue
		}
		result := finding.Result{Rule: t.ID, Name: t.Name}
		if err := t.Holds(summary); err != nil {
			result.Findings = []finding.Finding{{Rule: t.ID, Severity: t.Severity, Message: err.Error(),
				Where: finding.Location{Subject: o.subject()}}}
			prove(&result.Findings[0], summary)
		}
		report.Results = append(report.Results, result)
	}
	return report
}

// subject names the tools that were called.
func (o *Options) subject() string {
	if len(o.Requests) == 1 {
		return o.Requests[0].Tool
	}
	return fmt.Sprintf("%d tools", len(o.Requests))
}

// prove adds the evidence to a finding.
func prove(f *finding.Finding, s *Summary) {
	switch f.Rule {
	case "load/mixed-up":
		for _, c := range s.Confused {
			f.Evidence = append(f.Evidence, fmt.Sprintf("expected %s in the response, got %s", c.Want, c.Got))
			f.Where.Frames = append(f.Where.Frames, c.Frames...)
		}
	case "load/errors", "load/deadlock", "load/died":
		for _, k := range s.Kinds {
			f.Evidence = append(f.Evidence, fmt.Sprintf("%d× %s: %s", k.Count, k.Name, k.Example))
		}
		if s.Stderr != "" {
			f.Evidence = append(f.Evidence, "stderr: "+s.Stderr)
		}
	}
}
