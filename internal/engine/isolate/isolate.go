// Package isolate tests whether a server keeps its users apart. It opens sessions as two or more users, sends requests
// with random values that belong to one user, and searches everything that the other users receive for them. It also
// uses sessions, tasks, event IDs and hidden resources of one user with the credentials of another.
//
// An area that could not be tested gets no verdict: its rule is skipped, with the reason.
package isolate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// An Identity is one user of the server.
type Identity struct {
	Name    string
	Target  wire.Target // with the credentials of the user
	Key     string      // equal for identities that the server cannot distinguish
	Secrets []string    // credentials that nobody else may receive
	Private []string    // texts that nobody else may receive

	// Open opens a session of the user and records its frames in log.
	Open func(ctx context.Context, log *wire.Transcript) (*mcp.Session, error)
}

// Options configure a run.
type Options struct {
	Identities []Identity // at least two
	May        func(tool json.RawMessage) safety.Verdict
	Log        *wire.Transcript // may be nil
	Target     string
	Version    string
	Timeout    time.Duration // of a request; 0 means defaultTimeout
	Step       func(done, total, findings int, text string)
}

// Limits of a run.
const (
	defaultTimeout = 5 * time.Second
	maxTools       = 30
	maxPrompts     = 8
	maxResources   = 20
	maxTemplates   = 6
	maxRounds      = 4  // calls of each user that are in flight at the same time
	maxCalls       = 60 // of a tool: one with a lower limit is called once by each user
	slowCalls      = 2  // more of a tool that takes longer than slowCall
	slowCall       = time.Second
)

// quiet is how long a run waits for messages that nobody requested.
const quiet = 200 * time.Millisecond

// A run tests the first user against each of the others.
type run struct {
	opts   *Options
	log    *wire.Transcript
	ledger *ledger
	report *reporter
}

// A pair is two users: the owner of data, and another one who must not get it.
type pair struct {
	*run
	owner, other *user
	subjects     []*subject
	ownerFirst   bool // the owner asks first: its private texts are known
}

// Run tests the isolation of users. An error means that a session could not be opened.
func Run(ctx context.Context, opts Options) (*Outcome, error) {
	if len(opts.Identities) < 2 {
		return nil, fmt.Errorf("%d identities, expected at least 2", len(opts.Identities))
	}
	if opts.Timeout == 0 {
		opts.Timeout = defaultTimeout
	}
	r := &run{opts: &opts, log: opts.Log, ledger: newLedger(), report: newReporter(&opts)}
	if r.log == nil {
		r.log = wire.NewTranscript(nil)
	}
	for _, id := range opts.Identities {
		r.ledger.own(id)
	}
	started := time.Now()
	for _, other := range opts.Identities[1:] {
		if err := r.pair(ctx, opts.Identities[0], other); err != nil {
			return nil, err
		}
	}
	return r.report.outcome(started, r.ledger), nil
}

// pair tests one pair of users.
func (r *run) pair(ctx context.Context, owner, other Identity) error {
	p := &pair{run: r, ownerFirst: len(owner.Private) > 0}
	p.other = r.user(other)
	p.owner = r.user(owner)
	defer p.owner.close()
	defer p.other.close()
	first, second := p.other, p.owner
	if p.ownerFirst {
		first, second = second, first
	}
	if err := first.open(ctx); err != nil {
		return err
	}
	if first == p.other {
		if err := p.prepare(ctx, first); err != nil {
			return err
		}
		p.baseline(ctx)
	}
	if err := second.open(ctx); err != nil {
		return err
	}
	probes := []struct {
		name string
		run  func(*pair, context.Context) error
	}{
		{"lists", (*pair).lists}, {"results and resources", (*pair).results}, {"caches", (*pair).caches},
		{"concurrent calls", (*pair).concurrent}, {"progress", (*pair).progress},
		{"subscriptions", (*pair).subscriptions}, {"tasks", (*pair).tasks}, {"lists after calls", (*pair).history},
		{"event streams", (*pair).replay}, {"sessions", (*pair).sessions},
	}
	for i, probe := range probes {
		r.step(i, len(probes), probe.name)
		if err := probe.run(p, ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	settle(ctx)
	p.report.messages(p)
	r.step(len(probes), len(probes), "")
	return nil
}

func (r *run) step(done, total int, text string) {
	if r.opts.Step != nil {
		r.opts.Step(done, total, r.report.count()+r.ledger.count(), text)
	}
}

// settle waits for messages that are still on their way.
func settle(ctx context.Context) {
	select {
	case <-time.After(quiet):
	case <-ctx.Done():
	}
}

// An Outcome is the report of a run, and what was tested.
type Outcome struct {
	Report    *finding.Report
	Requested bool   // both users have used a tool, a prompt or a resource
	Tested    []Area // each with what it was tested with
	NotTested []Area // each with the reason
}

// An Area is what a rule covers.
type Area struct {
	Title string `json:"area"`
	Text  string `json:"text"`
}
