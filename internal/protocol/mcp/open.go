package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// Connect reaches the target and opens a session in the revision that the options ask for, or in the newest one that
// the server speaks. The transcript may be nil.
func Connect(ctx context.Context, target wire.Target, log *wire.Transcript, opts *Options) (*Session, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Client.Name == "" {
		o.Client = Implementation{Name: "mcptest", Version: "dev"}
	}
	choice, err := choose(ctx, target, log, &o)
	if err != nil {
		return nil, err
	}
	if choice.sibling != nil {
		defer choice.sibling() // it is ended while the session that follows starts
	}
	s, err := open(ctx, target, log, &o, choice)
	if err == nil || !choice.guess {
		return s, err
	}
	if modern, ok := modernAfterAll(err); ok {
		return open(ctx, target, log, &o, modern)
	}
	if target.Transport() == wire.StreamableHTTP && looksLikeSSE(err) {
		return openSSE(ctx, target, log, &o, err)
	}
	return nil, err
}

// modernAfterAll tells whether a refusal of the older handshake is one of a server that has only the newer way; a slow
// one may have missed the probe.
func modernAfterAll(err error) (choice, bool) {
	var refused *HandshakeError
	if !errors.As(err, &refused) {
		return choice{}, false
	}
	switch refused.Refusal.Code {
	case CodeUnsupportedVersion, CodeHeaderMismatch, CodeMissingCapability:
		why := fmt.Sprintf("initialize was refused with %d, a code of the modern era", refused.Refusal.Code)
		return choice{revision: NewestModern, why: why}, true
	}
	return choice{}, false
}

// A choice is the revision to open a session in, and why.
type choice struct {
	revision string
	why      string
	guess    bool          // nobody said so: other ways may be tried
	greeting *Exchange     // the answer to server/discover, if it was asked on this connection
	session  *Session      // the connection that was probed and can be used further
	silence  time.Duration // that the probe has cost already
	sibling  func()        // ends the process that was probed, and waits for it
}

// choose decides the era: by the person's word, or by a probe.
func choose(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options) (choice, error) {
	if o.Bare && (o.Protocol == "" || o.Protocol == Auto) {
		return choice{revision: NewestLegacy, why: "no handshake was wanted"}, nil
	}
	if o.Protocol != "" && o.Protocol != Auto {
		return choice{revision: o.Protocol, why: "asked for with --protocol"}, nil
	}
	if target.Transport() == wire.HTTPWithSSE {
		return choice{revision: "2024-11-05", why: "HTTP+SSE is the transport of 2024-11-05"}, nil
	}
	return probe(ctx, target, log, o)
}

// open starts the session that was chosen.
func open(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options, c choice) (*Session, error) {
	s := c.session
	if s == nil {
		patient, cancel := context.WithTimeoutCause(ctx, min(o.timeout(), timeout.Handshake), errors.New("the server is silent"))
		defer cancel()
		conn, err := wire.Dial(patient, target, log)
		if err != nil {
			return nil, err
		}
		s = newSession(conn, target, log, o)
	}
	s.speak(c.revision)
	s.Why = c.why
	if o.Bare {
		return s, nil
	}
	var err error
	if s.Era == Modern {
		err = s.discover(ctx, c.greeting)
	} else {
		err = s.initialize(ctx, c.silence)
	}
	if err != nil {
		s.hurryIfSilent(err)
		_ = s.Close()
		return nil, s.withLastWords(err)
	}
	return s, nil
}

// hurryIfSilent has a process that did not answer ended soon: a person has waited for it long enough.
func (s *Session) hurryIfSilent(err error) {
	if child, ok := s.conn.(wire.Child); ok && errors.Is(err, context.DeadlineExceeded) {
		child.Hurry()
	}
}

// withLastWords adds to a refusal what the server wrote to its standard error, which has all arrived by now.
func (s *Session) withLastWords(err error) error {
	var refused *HandshakeError
	if errors.As(err, &refused) {
		refused.Stderr = s.shownStderr()
	}
	return err
}

// discover learns what a modern server offers. A server that does not answer can still be talked to.
func (s *Session) discover(ctx context.Context, known *Exchange) error {
	if known == nil {
		ex, err := s.Do(ctx, Request{Method: "server/discover", Timeout: s.patience()})
		if err != nil {
			return err
		}
		known = ex
	}
	s.Greeting = known
	if known.Reply.Error != nil {
		s.notice(known.Reply.Frame.Seq, "server/discover was answered with %v", known.Reply.Error)
		return nil
	}
	result := known.Reply.Result
	s.Capabilities, _ = member(result, "capabilities")
	s.Instructions = text(result, "instructions")
	meta, _ := member(result, "_meta")
	s.Server, _ = member(meta, "io.modelcontextprotocol/serverInfo")
	return nil
}

// initialize does the handshake of the older era. Silence that we have waited through before is taken off our patience,
// up to the half of it.
func (s *Session) initialize(ctx context.Context, silence time.Duration) error {
	params := Object("protocolVersion", s.Version, "capabilities", s.caps, "clientInfo", s.opts.Client)
	patience := max(s.patience()-silence, s.patience()/2)
	ex, err := s.Do(ctx, Request{Method: "initialize", Params: params, Timeout: patience})
	if refusal := refusalByStatus(err); refusal != nil {
		return &HandshakeError{Target: s.target.String(), Version: s.Version, Refusal: refusal.Error}
	}
	if err != nil {
		return afterProbe(err, silence)
	}
	s.Greeting = ex
	if ex.Reply.Error != nil {
		return &HandshakeError{Target: s.target.String(), Version: s.Version, Refusal: ex.Reply.Error}
	}
	s.adoptManner(manner{era: Legacy, version: s.Version, sessionID: ex.Header.Get("Mcp-Session-Id")})
	result := ex.Reply.Result
	s.Capabilities, _ = member(result, "capabilities")
	s.Server, _ = member(result, "serverInfo")
	s.Instructions = text(result, "instructions")
	s.agree(text(result, "protocolVersion"), ex.Reply.Frame.Seq)
	if err := s.Notify(ctx, "notifications/initialized", nil); err != nil {
		return err
	}
	if streams, ok := s.conn.(wire.Streamer); ok && s.target.Transport() == wire.StreamableHTTP {
		s.awaitStream(ctx, streams.Opened(s.listen(streams)))
	}
	s.setLogLevel(ctx)
	return nil
}

// afterProbe adds to a timeout the silence that went before it.
func afterProbe(err error, silence time.Duration) error {
	var timeout *TimeoutError
	if errors.As(err, &timeout) {
		timeout.Before = silence
	}
	return err
}

// awaitStream waits until the server has the stream on which it may ask and tell: what a first call makes it say there
// would be lost, or would come on the wrong stream. A server that leaves the stream unanswered is not waited for.
func (s *Session) awaitStream(ctx context.Context, opened <-chan struct{}) {
	timer := time.NewTimer(streamGrace)
	defer timer.Stop()
	select {
	case <-opened:
	case <-timer.C:
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
}

// agree takes the revision that the server wants, and notes one that we cannot know.
func (s *Session) agree(revision string, frame int) {
	switch {
	case revision == "":
		s.notice(frame, "initialize was answered without a protocolVersion; going on with %s", s.Version)
	case revision == s.Version:
	default:
		s.Why += fmt.Sprintf("; the server answered %s to %s", revision, s.Version)
		if EraOf(revision) == Modern {
			s.notice(frame, "initialize was answered with %s, a revision without initialize; going on with %s", revision, s.Version)
			return
		}
		s.adoptManner(manner{era: Legacy, version: revision, sessionID: s.manner.Load().sessionID})
	}
}

// setLogLevel asks for log messages where that is a request of its own.
func (s *Session) setLogLevel(ctx context.Context) {
	if s.opts.LogLevel == "" || !s.Declares("logging") {
		return
	}
	ex, err := s.Call(ctx, "logging/setLevel", Object("level", s.opts.LogLevel))
	if err == nil && ex.Reply.Error != nil {
		s.notice(ex.Reply.Frame.Seq, "logging/setLevel was answered with %v", ex.Reply.Error)
	}
}

// patience is how long a greeting may take: a process may have to be installed first, a running server not.
func (s *Session) patience() time.Duration {
	if s.target.Transport() == wire.Stdio {
		return s.opts.timeout()
	}
	return min(s.opts.timeout(), timeout.Handshake)
}

// looksLikeSSE tells whether an endpoint may be one of the older HTTP+SSE transport: it does not take POSTs.
func looksLikeSSE(err error) bool {
	var status *wire.StatusError
	if !errors.As(err, &status) {
		return false
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}

// openSSE tries the older transport after the newer one was refused; if it fails too, the first refusal is the news.
func openSSE(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options, refused error) (*Session, error) {
	target.Kind = wire.HTTPWithSSE
	c := choice{revision: "2024-11-05", why: "the endpoint takes no POST but has an event stream: HTTP+SSE"}
	s, err := open(ctx, target, log, o, c)
	if err == nil {
		return s, nil
	}
	var e *wire.Error
	if errors.As(refused, &e) {
		refusal := *e
		refusal.Err = fmt.Errorf("%w; as HTTP+SSE: %w", e.Err, errors.Unwrap(err))
		return nil, &refusal
	}
	return nil, refused
}

// supportedVersions reads the revisions that an answer to server/discover, or a refusal of a revision, names.
func supportedVersions(m *Message) []string {
	list, _ := member(m.Result, "supportedVersions")
	if m.Error != nil {
		list, _ = member(m.Error.Data, "supported")
	}
	var versions []string
	_ = json.Unmarshal(list, &versions)
	return versions
}
