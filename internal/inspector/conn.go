package inspector

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits of what one connection stores.
const (
	keepBytes   = 64 << 20
	keepLogs    = 1000
	keepNotices = 100
	keepStderr  = 1 << 20
)

// A conn is one connection with all of its data. It outlives its session: its messages can be read after the
// server has disconnected, and a new session continues where the last one ended.
type conn struct {
	id        string
	inspector *Inspector
	opts      NewLink
	log       *wire.Transcript
	timeline  *timeline

	turn sync.Mutex // held while a session is closed or opened

	mu      sync.Mutex
	entry   *entry // nil for a transcript
	over    bool   // no session may be opened anymore
	state   string
	problem *Problem
	address string
	kind    wire.Kind
	since   time.Time
	opened  time.Duration
	link    *workbench.Link // nil unless it is or was open
	cancel  context.CancelFunc
	done    chan struct{} // closed when the session and its goroutines have ended

	lists   map[string]*mcp.List
	views   map[string]listView // computed from them
	calls   []*call             // oldest first
	nextN   int
	roots   []Root
	subs    []*subscription
	logs    []LogEntry
	logged  int
	notices []Departure
	noticed int
	stderr  []byte
	wrote   int // bytes of stderr so far
	margin  margin
}

func newConn(i *Inspector, e *entry, in NewLink) *conn {
	c := &conn{inspector: i, entry: e, opts: in, lists: map[string]*mcp.List{}, views: map[string]listView{}, roots: []Root{}, since: time.Now()}
	c.log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: keepBytes, OnFrame: func(wire.Frame) { c.tell("frames", c.framesEvent) }})
	c.timeline = &timeline{log: c.log}
	return c
}

// checkLink rejects invalid options.
func checkLink(in NewLink) error {
	switch {
	case in.Protocol != "" && in.Protocol != mcp.Auto && !slices.Contains(spec.IDs(), in.Protocol):
		return usage("invalid value %q for protocol", in.Protocol).hint("use auto, or one of " + strings.Join(spec.IDs(), ", "))
	case in.LogLevel != "" && !slices.Contains(workbench.LogLevels, in.LogLevel):
		return usage("invalid value %q for log_level", in.LogLevel).hint("use one of " + strings.Join(workbench.LogLevels, ", "))
	case in.TimeoutMS < 0:
		return usage("invalid value %d for timeout_ms", in.TimeoutMS).hint("use a number of milliseconds; 0 means one minute")
	}
	return nil
}

// origin returns what the connection was opened for; nil for a transcript.
func (c *conn) origin() *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entry
}

// restart closes the session, if there is one, and opens another.
func (c *conn) restart(e *entry, found *target.Resolved) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.hangUp()
	c.mu.Lock()
	over := c.over
	c.entry = e
	c.mu.Unlock()
	if !over {
		c.start(found)
	}
}

// close closes the session, if there is one, and waits until all of it has ended.
func (c *conn) close() {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.hangUp()
}

// end closes permanently.
func (c *conn) end() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.close()
}

func (c *conn) hangUp() {
	c.mu.Lock()
	cancel, done := c.cancel, c.done
	c.mu.Unlock()
	if cancel != nil {
		cancel()
		<-done
	}
}

// start opens a session and watches it, in separate goroutines.
func (c *conn) start(found *target.Resolved) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	c.mu.Lock()
	c.state, c.problem, c.link, c.since, c.opened = Connecting, nil, nil, time.Now(), 0
	c.address, c.kind = addressOf(found), found.Target.Transport()
	c.cancel, c.done = cancel, done
	clear(c.lists)
	c.margin.end() // of the previous process
	c.mu.Unlock()
	c.tellLink()
	go func() {
		defer close(done)
		defer cancel()
		c.run(ctx, found)
	}()
}

// addressOf returns the address of a target, without secrets.
func addressOf(found *target.Resolved) string {
	if found.Target.URL != "" {
		return found.Secrets.Text(redact.URL(found.Target.URL))
	}
	if len(found.Target.Command) > 0 {
		return strings.Join(cleanAll(found.Secrets, found.Target.Command), " ")
	}
	return found.Target.String()
}

// run runs one session from start to end.
func (c *conn) run(ctx context.Context, found *target.Resolved) {
	started := time.Now()
	link, err := c.dial(ctx, found)
	c.mu.Lock()
	c.opened = time.Since(started)
	switch {
	case err != nil && ctx.Err() != nil:
		c.state = Closed
	case err != nil:
		c.state, c.problem = Failed, c.inspector.Problem(err)
	default:
		c.state, c.link, c.kind = Open, link, link.Kind
	}
	c.mu.Unlock()
	c.tellLink()
	if err != nil {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { c.listen(ctx, link) })
	select {
	case <-ctx.Done():
	case <-link.Session.Done():
	}
	why := link.Session.Err()
	_ = link.Close()
	c.mu.Lock()
	if c.state = Closed; ctx.Err() == nil && why != nil {
		c.problem = c.inspector.Problem(why)
	}
	c.cancel()
	c.mu.Unlock()
	wg.Wait()
	c.endSubscriptions()
	c.tellLink()
}

func (c *conn) dial(ctx context.Context, found *target.Resolved) (*workbench.Link, error) {
	t := *found
	t.Target.Insecure = c.opts.Insecure
	t.Target.OnStderr = c.heardStderr
	return c.inspector.bench.Connect(ctx, c.id, c.address, &t, workbench.LinkOptions{
		Protocol: c.opts.Protocol, Timeout: time.Duration(c.opts.TimeoutMS) * time.Millisecond, LogLevel: c.opts.LogLevel,
		Log: c.log, Roots: c.rootsResult, OnNotification: c.heard, OnNotice: c.noticedOne, OnExpired: c.expired, OnQuestions: c.tellLink,
	})
}

// expired records that the server does not recognize the session: it cannot be used anymore.
func (c *conn) expired() {
	c.mu.Lock()
	if c.state == Open {
		c.state, c.problem = Expired, &Problem{Kind: KindExpired, Status: 404, Hint: "reconnect to start a new session",
			Message: "the session has expired: the server no longer knows its ID (HTTP 404)"}
	}
	c.mu.Unlock()
	c.tellLink()
}

// session returns the open session.
func (c *conn) session() (*workbench.Link, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == Open && c.link != nil {
		return c.link, nil
	}
	p := &Problem{Kind: KindUsage, Message: "not connected", Hint: "reconnect"}
	if c.state == Expired {
		p.Message, p.Hint = "the session has expired", "reconnect to start a new session"
	}
	if c.state == Offline {
		p.Message, p.Hint = "this is a transcript; requests cannot be sent", ""
	}
	return nil, p
}

// listen subscribes to list changes from 2026-07-28 on; in earlier revisions they are sent without a
// subscription.
func (c *conn) listen(ctx context.Context, link *workbench.Link) {
	s := link.Session
	wants := func(list string) bool { return flagAt(s.Capabilities, "/"+list+"/listChanged") }
	filter := mcp.Filter{Tools: wants("tools"), Prompts: wants("prompts"), Resources: wants("resources")}
	if s.Era != spec.Modern || !filter.Tools && !filter.Prompts && !filter.Resources {
		return
	}
	sub, err := s.Listen(ctx, filter)
	if err != nil {
		return // visible in the frames
	}
	defer sub.Close()
	for {
		m, ok, err := sub.Next(ctx)
		if !ok || err != nil {
			return
		}
		c.heard(m)
	}
}
