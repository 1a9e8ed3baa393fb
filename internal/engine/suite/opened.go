package suite

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// An Opened is a suite whose tests a program runs one at a time. Setup runs before the first of them; servers keep
// running in between.
type Opened struct {
	run   *run
	suite *Suite
	hooks *fixture.Commands
	own   *fixture.Set

	mu        sync.Mutex
	prepared  bool
	failed    error // of the setup
	snapshots *match.Snapshots
	ran       map[*Test]bool
}

// Open prepares a suite. Nothing is started.
func Open(s *Suite, o Options) *Opened {
	return &Opened{run: newRun(o), suite: s, own: &fixture.Set{}, ran: map[*Test]bool{},
		hooks: fixture.NewCommands(filepath.Dir(s.Position.File), o.Supervisor)}
}

// Run runs one test. It has several results if it generates cases.
func (o *Opened) Run(ctx context.Context, t *Test) ([]finding.Result, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.prepare(ctx)
	if o.failed != nil {
		return []finding.Result{{Name: t.ID, Broken: o.failed.Error()}}, ctx.Err()
	}
	o.ran[t] = true
	o.run.opts.Whole = o.wasRun(t)
	o.run.group(ctx, o.suite, []*Test{t}, o.hooks, o.snapshots)
	results := o.run.resultsOf(t)
	if err := o.snapshots.Save(false); err != nil {
		return nil, fmt.Errorf("snapshots: %w", err)
	}
	return results, ctx.Err()
}

// prepare runs the setup once.
func (o *Opened) prepare(ctx context.Context) {
	if o.prepared {
		return
	}
	o.prepared = true
	opts := o.run.opts
	if o.snapshots, o.failed = opts.openSnapshots(o.suite.Position.File); o.failed != nil {
		return
	}
	if o.suite, o.failed = o.run.withFixtures(ctx, o.suite, o.own, fixture.ScopeRun, fixture.ScopeFile); o.failed != nil {
		return
	}
	if err := o.hooks.Run(ctx, o.suite.scope, o.suite.Setup); err != nil {
		o.failed = fmt.Errorf("setup: %w", err)
	}
}

// wasRun reports whether every other test of the suite was run, so that coverage can be computed.
func (o *Opened) wasRun(t *Test) bool {
	for _, other := range o.suite.Tests {
		if other.Engine != "coverage" && !o.ran[other] {
			return false
		}
	}
	return t.Engine == "coverage"
}

// Close stops the servers, runs the teardown and ends what the setup started.
func (o *Opened) Close(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.run.pool.close(func(string) bool { return true }) // the tests report how a server exits
	defer func() {
		o.hooks.End()
		o.own.End()
		o.run.fixtures.End()
	}()
	if !o.prepared || len(o.suite.Teardown) == 0 {
		return nil
	}
	o.prepared = false
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fixture.Timeout)
	defer cancel()
	if err := o.hooks.Run(ctx, o.suite.scope, o.suite.Teardown); err != nil {
		return fmt.Errorf("teardown: %w", err)
	}
	return nil
}
