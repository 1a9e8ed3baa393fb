package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/timeout"
)

// Connect connects to the target and opens a session in the revision that the options request, or in the newest
// one that the server supports. The transcript may be nil.
func Connect(ctx context.Context, target wire.Target, log *wire.Transcript, opts *Options) (*Session, error) {
	o := Options{}
	if opts != nil {
		o = *opts
	}
	if o.Client.Name == "" {
		o.Client = Implementation{Name: "mcptest", Version: "dev"}
	}
	c, err := choose(ctx, target, log, &o)
	if err != nil {
		return nil, err
	}
	s, again, err := open(ctx, target, log, &o, c)
	for tries := 1; again != nil; tries++ {
		again.last = tries == maxStarts
		s, again, err = open(ctx, target, log, &o, *again)
	}
	if err != nil && c.guess && target.Transport() == wire.StreamableHTTP && looksLikeSSE(err) {
		return openSSE(ctx, target, log, &o, err)
	}
	return s, err
}

// maxStarts is how often a process is started again: once after an earlier process that was in conflict, once
// because it exits on the probe, and once because the handshake has bound it.
const maxStarts = 3

// isModernOnlyRefusal reports whether a server rejected the handshake because it supports only the modern era.
func isModernOnlyRefusal(err error) (revisionChoice, bool) {
	var rejected *HandshakeError
	if !errors.As(err, &rejected) {
		return revisionChoice{}, false
	}
	switch rejected.Refusal.Code {
	case CodeUnsupportedVersion, CodeHeaderMismatch, CodeMissingCapability:
		why := fmt.Sprintf("initialize returned error %d, which only 2026-07-28 defines", rejected.Refusal.Code)
		return revisionChoice{revision: spec.NewestModern, why: why}, true
	}
	return revisionChoice{}, false
}

// A revisionChoice is the revision to open a session in, and why.
type revisionChoice struct {
	revision    string
	why         string
	guess       bool      // not reported by the server: others may be tried
	discovered  *Exchange // server/discover on this connection, if it got a response
	initialized *Exchange // initialize on this connection, if it got a response
	session     *Session  // the connection that was probed and is used further
	restart     bool      // that connection cannot be used: the process must be started again
	lastID      int64     // of the previous process: IDs are not reused
	last        bool      // the process is not started again
}

// choose selects the era: by an option, by the transport, or by probing an HTTP server. A process is probed by
// open.
func choose(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options) (revisionChoice, error) {
	if o.Bare && (o.Protocol == "" || o.Protocol == Auto) {
		return revisionChoice{revision: spec.NewestLegacy, why: "no handshake was requested"}, nil
	}
	if o.Protocol != "" && o.Protocol != Auto {
		return revisionChoice{revision: o.Protocol, why: "set with --protocol"}, nil
	}
	switch target.Transport() {
	case wire.HTTPWithSSE:
		return revisionChoice{revision: spec.November2024, why: "HTTP+SSE is the transport of 2024-11-05"}, nil
	case wire.StreamableHTTP:
		return probeHTTP(ctx, target, log, o)
	}
	return revisionChoice{guess: true}, nil
}

// open opens the selected session. If the process must be started again for it, it returns how, after that
// process has exited.
func open(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options, c revisionChoice) (*Session,
	*revisionChoice, error) {
	s, wanted := c.session, c
	if s == nil {
		limited, cancel := context.WithTimeoutCause(ctx, min(o.timeout(), timeout.Handshake),
			errors.New("the server does not respond"))
		defer cancel()
		conn, err := wire.Dial(limited, target, log)
		if err != nil {
			return nil, nil, err
		}
		s = newSession(conn, target, log, o)
		s.nextID = c.lastID
	}
	var err error
	if c.revision == "" {
		c, err = s.negotiate(ctx)
		s.opts.LogLevel = o.LogLevel
	}
	if c.restart && !wanted.last {
		_ = s.Close()
		c.restart = false
		return nil, &c, nil
	}
	if err == nil {
		err = s.explainSilence(s.handshake(ctx, c))
	}
	if err != nil {
		inTheWay := !wanted.last && s.awaitEarlier(ctx, err)
		s.closeFastIfUnresponsive(ctx, err)
		_ = s.Close()
		if wanted.lastID = s.ReserveID(); inTheWay {
			return nil, &wanted, nil
		}
		return nil, nil, s.withStderr(err)
	}
	return s, nil, nil
}

// handshake starts the session in the selected revision.
func (s *Session) handshake(ctx context.Context, c revisionChoice) error {
	s.setNegotiated(c.revision)
	s.Why = c.why
	switch {
	case s.opts.Bare:
		return nil
	case s.Era == spec.Modern:
		return s.discover(ctx, c.discovered)
	}
	err := s.initialize(ctx, c.initialized)
	if modern, ok := isModernOnlyRefusal(err); ok && c.guess {
		return s.handshake(ctx, modern)
	}
	return err
}

// awaitEarlier waits for an earlier process of the same server, which was still shutting down when this one was
// started and failed: it may hold an exclusive resource, such as a port or a lock file.
func (s *Session) awaitEarlier(ctx context.Context, err error) bool {
	var exit *wire.ExitError
	child, isProcess := s.conn.(wire.Child)
	return isProcess && errors.As(err, &exit) && child.AwaitEarlier(ctx)
}

// silentGrace is how long each step of shutting down an unresponsive process may take.
const silentGrace = 300 * time.Millisecond

// closeFastIfUnresponsive shortens the shutdown of an unresponsive process: the user has waited long enough. A process
// that was interrupted by the end of ctx may have been about to respond, and gets the usual time.
func (s *Session) closeFastIfUnresponsive(ctx context.Context, err error) {
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		s.CloseFast(silentGrace)
	}
}

// withStderr adds the last stderr output of the server to an error, which is complete by now.
func (s *Session) withStderr(err error) error {
	var refused *HandshakeError
	if errors.As(err, &refused) {
		refused.Stderr = s.displayStderr()
	}
	return err
}

// discover reads the capabilities of a modern server. A server that does not respond can still be used.
func (s *Session) discover(ctx context.Context, known *Exchange) error {
	if known == nil {
		ex, err := s.Do(ctx, Request{Method: "server/discover", Timeout: s.startTimeout()})
		if err != nil {
			return err
		}
		known = ex
	}
	s.Handshake = known
	if known.Reply.Error != nil {
		s.notice(known.Reply.Frame.Seq, "server/discover returned %v", known.Reply.Error)
		return nil
	}
	result := known.Reply.Result
	s.Capabilities, _ = member(result, "capabilities")
	s.Instructions = text(result, "instructions")
	meta, _ := member(result, "_meta")
	s.Server, _ = member(meta, "io.modelcontextprotocol/serverInfo")
	return nil
}

// initialize does the handshake of revisions up to 2025-11-25. known is its exchange if the request was already
// sent.
func (s *Session) initialize(ctx context.Context, known *Exchange) error {
	ex := known
	if ex == nil {
		var err error
		ex, err = s.Do(ctx, s.initializeRequest())
		if refusal := refusalByStatus(err); refusal != nil {
			return &HandshakeError{Target: s.target.String(), Version: s.Version, Refusal: refusal.Error}
		}
		if err != nil {
			return err
		}
	}
	s.Handshake = ex
	if ex.Reply.Error != nil {
		return &HandshakeError{Target: s.target.String(), Version: s.Version, Refusal: ex.Reply.Error}
	}
	s.adoptManner(negotiated{era: spec.Legacy, version: s.Version, sessionID: ex.Header.Get("Mcp-Session-Id")})
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

func (s *Session) initializeRequest() Request {
	params := Object("protocolVersion", s.Version, "capabilities", s.caps, "clientInfo", s.opts.Client)
	return Request{Method: "initialize", Params: params, Timeout: s.startTimeout()}
}

// awaitStream waits until the server has the GET stream for its requests and notifications: otherwise messages
// caused by a first call would be lost, or arrive on the wrong stream. A server that does not respond to the
// GET is not waited for.
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

// agree uses the revision of the server, and records an unknown one.
func (s *Session) agree(revision string, frame int) {
	switch {
	case revision == "":
		s.notice(frame, "initialize returned no protocolVersion; continuing with %s", s.Version)
	case revision == s.Version:
	default:
		s.Why += fmt.Sprintf("; the server returned %s for %s", revision, s.Version)
		if spec.EraOf(revision) == spec.Modern {
			s.notice(frame, "initialize returned %s, a version without initialize; continuing with %s", revision,
				s.Version)
			return
		}
		s.adoptManner(negotiated{era: spec.Legacy, version: revision, sessionID: s.negotiated.Load().sessionID})
	}
}

// setLogLevel sets the log level in revisions with a separate request for it.
func (s *Session) setLogLevel(ctx context.Context) {
	if s.opts.LogLevel == "" || !s.Declares("logging") {
		return
	}
	ex, err := s.Call(ctx, "logging/setLevel", Object("level", s.opts.LogLevel))
	if err == nil && ex.Reply.Error != nil {
		s.notice(ex.Reply.Frame.Seq, "logging/setLevel returned %v", ex.Reply.Error)
	}
}

// startTimeout returns the timeout of the first response: a process may have to be installed first, a running
// server not.
func (s *Session) startTimeout() time.Duration {
	if s.target.Transport() == wire.Stdio {
		return timeout.Start(s.opts.Timeout, s.target.Command)
	}
	return min(s.opts.timeout(), timeout.Handshake)
}

// looksLikeSSE reports whether an endpoint may use the older HTTP+SSE transport: it does not accept POST.
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

// openSSE tries the older transport after the newer one was rejected; if it also fails, the first error is
// returned.
func openSSE(ctx context.Context, target wire.Target, log *wire.Transcript, o *Options, refused error) (*Session,
	error) {
	target.Kind = wire.HTTPWithSSE
	c := revisionChoice{revision: spec.November2024,
		why: "the endpoint does not accept POST but has an event stream: HTTP+SSE"}
	s, _, err := open(ctx, target, log, o, c)
	if err == nil {
		return s, nil
	}
	var e *wire.Error
	if errors.As(refused, &e) {
		refusal := *e
		if again := errors.Unwrap(err); again != nil && again.Error() != e.Err.Error() {
			refusal.Err = fmt.Errorf("%w; as HTTP+SSE: %w", e.Err, again)
		}
		return nil, &refusal
	}
	return nil, refused
}

// SupportedVersions lists the revisions in the response to server/discover; nil after a handshake.
func (s *Session) SupportedVersions() []string {
	if s.Era != spec.Modern || s.Handshake == nil || s.Handshake.Reply == nil {
		return nil
	}
	return supportedVersions(s.Handshake.Reply)
}

// supportedVersions reads the revisions in a response to server/discover, or in a version error.
func supportedVersions(m *Message) []string {
	list, _ := member(m.Result, "supportedVersions")
	if m.Error != nil {
		list, _ = member(m.Error.Data, "supported")
	}
	var versions []string
	_ = json.Unmarshal(list, &versions)
	return versions
}
