package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Options configure how suites are run.
type Options struct {
	Dial      Dial
	Blocks    map[string]BlockRunner // engines that run inside a suite, by the name of their section
	Files     Files                  // where snapshots are stored
	Snapshots match.SnapshotMode
	Vary      Vary // makes the cases of tests with generate; may be nil
	Parallel  int  // how many tests run at once in total; 0 means as many as there are processors
	Retries   int  // how often a failed test is retried, unless the file sets a higher number
	Borrowed  bool // the sessions are not closed by us
	Bail      bool // stop at the first failure
	Whole     bool // no test of the files was skipped, so that coverage and unused snapshots can be determined

	Supervisor []string // see wire.Target; for commands that run next to the tests

	Scrub   func(string) string // removes secrets from snapshots; may be nil
	Version string
	Done    func(t *Test, r finding.Result) // receives each result; may be nil. Never called concurrently.
	// Reproduce returns the command that runs one test again; it is shown with a failure.
	Reproduce func(t *Test) string
}

// A BlockRunner runs another engine on a server. The figures are JSON, used by the targets of the block; the findings
// are shown if an expectation fails.
type BlockRunner struct {
	Expect string // default expectations, as YAML
	Run    func(ctx context.Context, session *mcp.Session, server *Server, with []byte) (figures []byte,
		findings []finding.Finding, err error)
}

// The rules for test failures.
var ruleset = []finding.Rule{
	{ID: "suite/expectation", Severity: finding.Error,
		Doc: "expectation failed\n\nThe value of the target does not match."},
	{ID: "suite/error", Severity: finding.Error,
		Doc: "unexpected error\n\nThe server responded with a JSON-RPC error, or the tool returned isError, and the " +
			"test does not expect that. To accept it, add an expectation on error or result.isError."},
	{ID: "suite/result", Severity: finding.Error,
		Doc: "malformed result\n\nThe response violates the protocol, or structured content violates the output " +
			"schema of the tool. Clients reject such a result, regardless of the expectations of the test. Fix the " +
			"server. A test in the section raw sends the same request and checks only its expectations."},
	{ID: "suite/xfail", Severity: finding.Error,
		Doc: "unexpected pass\n\nThe test is marked with xfail, and passed. If the defect is fixed, remove xfail, so that " +
			"the test fails if the defect comes back."},
	{ID: "suite/timeout", Severity: finding.Error,
		Doc: "test timed out\n\nThe server was still working when the time limit of the test was reached. Set a " +
			"longer timeout, or find out what the server waits for."},
}

// openSnapshots reads the snapshots of a suite.
func (o *Options) openSnapshots(suite string) (*match.Snapshots, error) {
	return match.OpenSnapshots(suite, match.Store{Read: o.Files.Read, Write: o.Files.Write, Mode: o.Snapshots,
		Scrub: o.Scrub})
}

// Rules lists the rules for test failures.
func Rules() []finding.Rule { return ruleset }

// A run is one run of suites.
type run struct {
	opts  Options
	pool  *pool
	slots chan struct{}
	used  *usage
	// fixtures are those that several files share.
	fixtures *fixture.Set
	shard    Shard // of a plan that is one of several; else the zero value

	mu        sync.Mutex
	undecided []finding.CoverageTest // tests of coverage of a shard
	results   map[*Test]finding.Result
	cases     map[*Test][]*Test // generated ones, by test
	bailed    bool
}

// Run runs the tests of a plan. Test failures are in the report; an error means that the run could not be started.
func Run(ctx context.Context, p *Plan, o Options) (*finding.Report, error) {
	r := newRun(o)
	r.shard = p.Shard
	report := &finding.Report{Engine: "suite", Version: o.Version, Started: time.Now(), Rules: ruleset}
	var wg sync.WaitGroup
	for _, s := range p.Suites {
		wg.Go(func() { r.suite(ctx, s) })
	}
	wg.Wait()
	_ = r.pool.close(func(string) bool { return true }) // the tests report how a server exits
	r.fixtures.End()
	var names []string
	for _, s := range p.Suites {
		names = append(names, s.Position.File)
		for _, t := range s.Tests {
			report.Results = append(report.Results, r.resultsOf(t)...)
		}
	}
	report.Target = strings.Join(names, ", ")
	report.Metrics = r.metrics()
	if p.Shard.Of > 1 {
		report.Coverage = &finding.Coverage{Shard: p.Shard.Number, Shards: p.Shard.Of, Called: r.used.called(),
			Tests: r.undecided}
	}
	return report, ctx.Err()
}

func newRun(o Options) *run {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	return &run{opts: o, pool: newPool(o.Borrowed), slots: make(chan struct{}, o.Parallel), used: newUsage(), fixtures: &fixture.Set{},
		results: map[*Test]finding.Result{}, cases: map[*Test][]*Test{}}
}

// resultsOf returns the result of a test, or those of its generated cases.
func (r *run) resultsOf(t *Test) []finding.Result {
	cases, generated := r.cases[t]
	if !generated {
		return []finding.Result{r.results[t]}
	}
	var all []finding.Result
	for _, c := range cases {
		all = append(all, r.results[c])
	}
	if r.results[t].Broken != "" { // by the end of the file
		all = append(all, r.results[t])
	}
	return all
}

// metrics are the figures of a run.
func (r *run) metrics() map[string]float64 {
	m := map[string]float64{"tests": float64(len(r.results)), "passed": 0, "failed": 0, "skipped": 0, "broken": 0,
		"flaky": 0, "xfailed": 0}
	for _, result := range r.results {
		m[string(result.Status())]++
		if strings.HasPrefix(result.Skipped, expectedFailure) {
			m["xfailed"]++
		}
		if result.Attempts > 1 && result.Status() == finding.Passed {
			m["flaky"]++
		}
	}
	return m
}

// suite runs the tests of one file: calls first, then the engines, then coverage, which evaluates the calls.
func (r *run) suite(ctx context.Context, s *Suite) {
	snapshots, err := r.opts.openSnapshots(s.Position.File)
	if err != nil {
		r.breakAll(s, err)
		return
	}
	own := &fixture.Set{}
	defer own.End()
	if s, err = r.withFixtures(ctx, s, own, fixture.ScopeRun, fixture.ScopeFile); err != nil {
		r.breakAll(s, err)
		return
	}
	hs := fixture.NewCommands(filepath.Dir(s.Position.File), r.opts.Supervisor)
	defer hs.End()
	if err := hs.Run(ctx, s.scope, s.Setup); err != nil {
		r.breakAll(s, fmt.Errorf("setup: %w", err))
		r.teardown(ctx, s, hs) // of the setup steps before the failure
		return
	}
	var calls, blocks, coverage []*Test
	for _, t := range s.Tests {
		switch t.Engine {
		case "":
			calls = append(calls, t)
		case "coverage":
			coverage = append(coverage, t)
		default:
			blocks = append(blocks, t)
		}
	}
	for _, group := range [][]*Test{calls, blocks, coverage} {
		r.group(ctx, s, group, hs, snapshots)
	}
	_ = r.pool.close(func(key string) bool { return strings.HasPrefix(key, s.Position.File+"\x00") })
	r.teardown(ctx, s, hs)
	if err := snapshots.Save(r.opts.Whole && ctx.Err() == nil && !r.bailing()); err != nil {
		r.breakAll(s, fmt.Errorf("snapshots: %w", err))
	}
}

// teardown runs even if the run was stopped: it reverts what setup changed.
func (r *run) teardown(ctx context.Context, s *Suite, hs *fixture.Commands) {
	if len(s.Teardown) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fixture.Timeout)
	defer cancel()
	if err := hs.Run(ctx, s.scope, s.Teardown); err != nil && len(s.Tests) > 0 {
		last := s.Tests[len(s.Tests)-1]
		r.mu.Lock()
		result := r.results[last]
		r.mu.Unlock()
		if result.Broken != "" {
			return // the first error was already reported
		}
		result.Broken = fmt.Sprintf("teardown: %v", err)
		r.record(last, result)
	}
}

// group runs tests, as many in parallel as the file and the run allow.
func (r *run) group(ctx context.Context, s *Suite, tests []*Test, hs *fixture.Commands, snapshots *match.Snapshots) {
	at := 1
	switch n := s.RunOptions.Parallel; {
	case n == Auto:
		at = r.opts.Parallel
	case n > 0:
		at = int(n)
	}
	own := make(chan struct{}, at)
	var wg sync.WaitGroup
	for _, t := range tests {
		for _, one := range r.expanded(ctx, s, t) {
			own <- struct{}{}
			r.slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-r.slots; <-own }()
				r.record(one, r.test(ctx, s, one, hs, snapshots))
			})
		}
	}
	wg.Wait()
}

func (r *run) record(t *Test, result finding.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if result.Status() == finding.Broken {
		result.Where = &finding.Location{File: t.File, Line: t.Line}
	}
	r.results[t] = result
	if r.opts.Bail && (result.Status() == finding.Failed || result.Status() == finding.Broken) {
		r.bailed = true
	}
	if r.opts.Done != nil {
		r.opts.Done(t, result)
	}
}

func (r *run) bailing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bailed
}

// breakAll reports for every test of a file that it could not be run.
func (r *run) breakAll(s *Suite, err error) {
	for _, t := range s.Tests {
		r.record(t, finding.Result{Name: t.ID, Broken: err.Error()})
	}
}
