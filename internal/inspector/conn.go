package inspector

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/timeline"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits of what one connection stores.
const (
	maxBytes   = 64 << 20
	maxLogs    = 1000
	maxNotices = 100
	maxStderr  = 1 << 20
)

// A conn is one connection with all of its data. It outlives its session: its messages can be read after the
// server has disconnected, and a new session continues where the last one ended.
type conn struct {
	id        string
	inspector *Inspector
	opts      view.NewLink
	log       *wire.Transcript
	timeline  *timeline.Timeline
	recorded  *tap.Session // of a recording; otherwise nil

	turn sync.Mutex // held while a session is closed or opened

	mu      sync.Mutex
	entry   *entry // nil for a transcript
	over    bool   // no session may be opened anymore
	state   string
	problem *view.Problem
	address string
	kind    wire.Kind
	since   time.Time
	opened  time.Duration
	link    *connections.Link // nil unless it is or was open
	cancel  context.CancelFunc
	done    chan struct{} // closed when the session and its goroutines have ended

	lists   map[string]*mcp.List
	views   map[string]listView // computed from them
	calls   []*call             // oldest first
	nextN   int
	roots   []view.Root
	subs    []*subscription
	logs    []view.LogEntry
	logged  int
	notices []view.ProtocolViolation
	noticed int
	stderr  []byte
	wrote   int // bytes of stderr so far
	margin  stderrBuffer
	apps    []*openApp      // open views
	changes *SurfaceChanges // since the user last connected; nil if there are none

	listed chan struct{} // a list was read
	memory surfaceMemory
}

func newConn(i *Inspector, e *entry, in view.NewLink) *conn {
	c := &conn{inspector: i, entry: e, opts: in, lists: map[string]*mcp.List{}, views: map[string]listView{},
		roots: []view.Root{}, since: time.Now(), listed: make(chan struct{}, 1)}
	c.log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: maxBytes,
		OnFrame: func(wire.Frame) { c.notify("frames", c.framesEvent) }})
	c.timeline = timeline.New(c.log)
	return c
}

// checkLink rejects invalid options.
func checkLink(in view.NewLink) error {
	switch {
	case in.Protocol != "" && in.Protocol != mcp.Auto && !slices.Contains(spec.IDs(), in.Protocol):
		return view.Usage("invalid value %q for protocol",
			in.Protocol).WithHint("use auto, or one of " + strings.Join(spec.IDs(), ", "))
	case in.LogLevel != "" && !slices.Contains(workbench.LogLevels, in.LogLevel):
		return view.Usage("invalid value %q for log_level",
			in.LogLevel).WithHint("use one of " + strings.Join(workbench.LogLevels, ", "))
	case workbench.UnknownExtension(in.Extensions) != "":
		return view.Usage("invalid value %q for extensions", workbench.UnknownExtension(in.Extensions)).WithHint(
			"use " + workbench.NoExtensions + ", or some of " + strings.Join(workbench.ExtensionNames, ","))
	case in.TimeoutMS < 0:
		return view.Usage("invalid value %d for timeout_ms",
			in.TimeoutMS).WithHint("use a number of milliseconds; 0 means one minute")
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
	c.disconnect()
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
	c.disconnect()
}

// end closes permanently.
func (c *conn) end() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.endApps()
	c.close()
}

func (c *conn) disconnect() {
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
	c.state, c.problem, c.link, c.since, c.opened = view.Connecting, nil, nil, time.Now(), 0
	c.address, c.kind = addressOf(found), found.Target.Transport()
	c.cancel, c.done = cancel, done
	clear(c.lists)
	c.changes = nil
	c.margin.end() // of the previous process
	c.mu.Unlock()
	c.notifyLink()
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
		c.state = view.Closed
	case err != nil:
		c.state, c.problem = view.Failed, c.inspector.Problem(err)
	default:
		c.state, c.link, c.kind = view.Open, link, link.Kind
	}
	c.mu.Unlock()
	c.notifyLink()
	if err != nil {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { c.listen(ctx, link) })
	wg.Go(func() { c.watchSurface(ctx, link) })
	select {
	case <-ctx.Done():
	case <-link.Session.Done():
	}
	why := link.Session.Err()
	_ = link.Close()
	c.mu.Lock()
	if c.state = view.Closed; ctx.Err() == nil && why != nil {
		c.problem = c.inspector.Problem(why)
	}
	c.cancel()
	c.mu.Unlock()
	wg.Wait()
	c.endSubscriptions()
	c.notifyLink()
}

func (c *conn) dial(ctx context.Context, found *target.Resolved) (*connections.Link, error) {
	t := *found
	t.Target.Insecure = c.opts.Insecure
	t.Target.OnStderr = c.onStderr
	return connections.Connect(ctx, c.inspector.bench, c.id, c.address, &t, connections.LinkOptions{
		Protocol: c.opts.Protocol, Timeout: time.Duration(c.opts.TimeoutMS) * time.Millisecond,
		LogLevel: c.opts.LogLevel, Extensions: c.opts.Extensions,
		Log: c.log, Roots: c.rootsResult, OnNotification: c.onNotification, OnNotice: c.noticedOne,
		OnExpired: c.expired, OnQuestions: c.notifyLink,
	})
}

// expired records that the server does not recognize the session: it cannot be used anymore.
func (c *conn) expired() {
	c.mu.Lock()
	if c.state == view.Open {
		c.state, c.problem = view.Expired, &view.Problem{Kind: view.KindExpired, Status: 404,
			Hint:    "reconnect to start a new session",
			Message: "the session has expired: the server no longer knows its ID (HTTP 404)"}
	}
	c.mu.Unlock()
	c.notifyLink()
}

// session returns the open session.
func (c *conn) session() (*connections.Link, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state == view.Open && c.link != nil {
		return c.link, nil
	}
	p := &view.Problem{Kind: view.KindUsage, Message: "not connected", Hint: "reconnect"}
	if c.state == view.Expired {
		p.Message, p.Hint = "the session has expired", "reconnect to start a new session"
	}
	if c.state == view.Offline {
		p.Message, p.Hint = "this is a transcript; requests cannot be sent", ""
	}
	return nil, p
}

// listen subscribes to list changes from 2026-07-28 on; in earlier revisions they are sent without a
// subscription.
func (c *conn) listen(ctx context.Context, link *connections.Link) {
	s := link.Session
	wants := func(list string) bool { return view.FlagAt(s.Capabilities, "/"+list+"/listChanged") }
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
		c.onNotification(m)
	}
}
