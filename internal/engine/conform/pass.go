package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// A CheckContext is one run of a check against one server in one revision.
type CheckContext struct {
	Check    *Check
	Revision spec.Revision
	Target   wire.Target

	round    *revisionRun
	findings []finding.Finding
	shared   *mcp.Session   // the session that it was given, if it requested one
	own      []*mcp.Session // the sessions that it opened
	recorder *httpRecorder
	bare     bool // it has a session without a handshake
	scratch  *mcp.Session
	handed   bool        // another check used the scratch session before
	fresh    bool        // it requires an unused scratch session
	final    bool        // the check is not repeated if it loses the server
	slow     bool        // the request that timed out was only slow: the server still responds
	crowded  atomic.Bool // it used a session that was closed for the start of another process
}

// Evidence is the subject of a finding and its proof. The zero value is the server as a whole.
type Evidence struct {
	Subject  string        // the tool, resource, prompt or method; empty takes the method of the exchange
	Pointer  string        // JSON Pointer into the subject or its response
	Exchange *mcp.Exchange // a request and its response
	Frames   []wire.Frame  // or any frames
	Answer   *HTTPExchange // or an HTTP exchange
	Check    string        // the check that reproduces it, if it is another one
	Led      bool          // earlier messages matter: the request alone does not reproduce it
}

// Report adds a finding with the severity of the check. The message states what was observed and what was expected.
func (p *CheckContext) Report(s Evidence, format string, args ...any) {
	p.report(p.Check.Severity, s, format, args...)
}

// Warn adds a finding as a warning: most SDKs share the violation, or the specification only implies the requirement.
func (p *CheckContext) Warn(s Evidence, format string, args ...any) {
	p.report(finding.Warning, s, format, args...)
}

func (p *CheckContext) report(severity finding.Severity, s Evidence, format string, args ...any) {
	if len(p.findings) >= maxFindings {
		return
	}
	f := finding.Finding{Rule: p.Check.ID, Severity: severity, Message: worded(format, args),
		Where: finding.Location{Subject: s.Subject, Pointer: s.Pointer}}
	if f.Where.Subject == "" && s.Exchange != nil {
		f.Where.Subject = s.Exchange.Request.Method
	}
	for _, frame := range s.frames() {
		if frame.Seq > 0 {
			f.Where.Frames = append(f.Where.Frames, frame.Seq)
		}
	}
	f.Evidence = s.evidence()
	f.Reproduce = p.reproduce(s)
	p.findings = append(p.findings, f)
}

// maxFindings is how many findings of one check are stored.
const maxFindings = 100

// errSkip marks the end of a check that turned out not to apply.
type errSkip struct {
	reason  string
	missing bool // the server lacks what the check requires
}

func (e *errSkip) Error() string { return e.reason }

// Skip ends a check that does not apply, with the reason: return p.Skip(…).
func (p *CheckContext) Skip(format string, args ...any) error {
	return &errSkip{reason: fmt.Sprintf(format, args...)}
}

// Missing ends a check because the server lacks what the check requires: that it could not be checked is a separate
// finding. return p.Missing(…).
func (p *CheckContext) Missing(format string, args ...any) error {
	return &errSkip{reason: fmt.Sprintf(format, args...), missing: true}
}

// Modern reports whether the revision is modern.
func (p *CheckContext) Modern() bool { return p.Revision.Era == spec.Modern }

// Quiet is how long to listen when nothing should arrive.
func (p *CheckContext) Quiet() time.Duration { return p.round.opts.Quiet }

// Timeout is how long a response may take. In a session that was passed on, a timeout is short and decides nothing: the
// check is repeated in a new one.
func (p *CheckContext) Timeout() time.Duration {
	if p.handed {
		return min(sharedTimeout, p.round.opts.Timeout)
	}
	return p.round.opts.Timeout
}

// sharedTimeout is how long a response may take in a session that was passed on.
const sharedTimeout = time.Second

// Session returns the session that the checks of the revision share. Its use must not disturb others.
func (p *CheckContext) Session(ctx context.Context) (*mcp.Session, error) {
	s, err := p.round.session(ctx)
	p.shared = s
	return s, err
}

// Open opens a session for the check, which is closed with the check. change may alter the options, and may be nil.
func (p *CheckContext) Open(ctx context.Context, change func(*mcp.Options)) (*mcp.Session, error) {
	s, err := p.round.open(ctx, p.Check.ID, change)
	if err == nil {
		p.own = append(p.own, s)
	}
	return s, err
}

// Scratch returns a session that the check may break. The check is its only user until it ends; a later check gets it
// if the server still responds.
func (p *CheckContext) Scratch(ctx context.Context) (s *mcp.Session, err error) {
	if !p.fresh && !p.round.sessions.deaf.Load() {
		select {
		case left := <-p.round.sessions.scratch:
			s, p.handed = left.Session, left.used
		default:
		}
	}
	if p.round.processes.wasClosed(s) {
		s, p.handed = nil, false
	}
	if s == nil {
		if s, err = p.round.open(ctx, "scratch", nil); err != nil {
			return nil, err
		}
	}
	p.scratch = s
	return s, nil
}

// skipScratch passes the scratch session on, unless the server has changed in it: some take a message for the handshake
// of an older revision, and from then on follow that one.
func (p *CheckContext) skipScratch(ctx context.Context) {
	s, l := p.scratch, &p.round.sessions
	if s == nil || p.round.processes.wasClosed(s) {
		return
	}
	wrong := p.handed && len(p.findings) > 0
	ex, err := p.respondsSoon(ctx, s)
	if err != nil {
		l.deaf.Store(true)
	}
	if wrong || err != nil {
		l.spoil.Do(func() { close(l.spoiled) })
	} else if len(p.findings) == 0 && (!p.Modern() || ex.Reply.Error == nil) {
		select {
		case l.scratch <- scratch{s, true}:
			return
		default:
		}
	}
	l.release([]*mcp.Session{s})
}

// respondsSoon checks whether the server responds immediately in a session.
func (p *CheckContext) respondsSoon(ctx context.Context, s *mcp.Session) (*mcp.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	return p.Alive(ctx, s)
}

// Bare opens a session for the check without a handshake.
func (p *CheckContext) Bare(ctx context.Context) (*mcp.Session, error) {
	p.bare = true
	return p.Open(ctx, func(o *mcp.Options) { o.Bare = true })
}

// Call makes a request in the shared session. Params is nil, raw JSON, or a value to marshal. Input requests of the
// server are not answered: the first response is returned unchanged.
func (p *CheckContext) Call(ctx context.Context, method string, params any) (*mcp.Exchange, error) {
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	return p.CallIn(ctx, s, method, params)
}

// CallIn is Call in the given session.
func (p *CheckContext) CallIn(ctx context.Context, s *mcp.Session, method string, params any) (*mcp.Exchange, error) {
	var raw json.RawMessage
	switch v := params.(type) {
	case nil:
	case json.RawMessage:
		raw = v
	case string:
		raw = json.RawMessage(v)
	default:
		raw, _ = json.Marshal(v)
	}
	if p.isCrowded(s) {
		return nil, p.Skip("%s", p.needsTwo())
	}
	if err := p.countCall(method, raw); err != nil {
		return nil, err
	}
	return p.initializing(s, method, func() (*mcp.Exchange, error) {
		return refusedByHTTP(s.Do(ctx, mcp.Request{Method: method, Params: raw, Manual: true,
			Timeout: p.requestTimeout(s)}))
	})
}

// refusedByHTTP turns an HTTP error status into an error reply: the error in its body, which has no ID there, or one
// without a code if there is none. The server did respond, and the check decides whether that is sufficient.
func refusedByHTTP(ex *mcp.Exchange, err error) (*mcp.Exchange, error) {
	var status *wire.StatusError
	if ex == nil || !errors.As(err, &status) || status.Status/100 != 4 {
		return ex, err
	}
	ex.Status = status.Status
	var unmatched *mcp.UnmatchedError
	if errors.As(err, &unmatched) && unmatched.Got.Error != nil {
		ex.Reply = unmatched.Got
		return ex, nil
	}
	ex.Reply = &mcp.Message{Frame: wire.Frame{From: wire.Server, Status: status.Status, Header: status.Header,
		Body: status.Body},
		Error: &mcp.RPCError{Message: status.Error()}}
	return ex, nil
}

// requestTimeout is the timeout of a session: longer if its server may still be starting, based on how long that took
// before.
func (p *CheckContext) requestTimeout(s *mcp.Session) time.Duration {
	if first := p.round.sessions.first; s.Handshake == nil && first != nil && first.Handshake != nil {
		return p.Timeout() + 4*time.Duration(p.round.sessions.opened.Load())
	}
	return p.Timeout()
}

// Send sends a body unchanged and waits for the response to the ID, which the body must contain.
func (p *CheckContext) Send(ctx context.Context, s *mcp.Session, id, body string) (*mcp.Exchange, error) {
	if p.isCrowded(s) {
		return nil, p.Skip("%s", p.needsTwo())
	}
	method := mcp.Read(frameOf(body)).Method
	ctx, cancel := p.withTimeout(ctx, s, method)
	defer cancel()
	return p.initializing(s, method, func() (*mcp.Exchange, error) {
		return refusedByHTTP(s.CallRaw(ctx, json.RawMessage(id), []byte(body), nil))
	})
}

// countCall counts a tools/call against the limit of its tool, however it is sent. A call above the limit skips the
// check.
func (p *CheckContext) countCall(method string, params json.RawMessage) error {
	if name := schema.TextAt(params, "/name"); method == "tools/call" && !p.round.takeCall(name) {
		return p.Skip("%s affects external systems (openWorldHint) and was called %d times; use --allow %[1]s to "+
			"call it more often", name, safety.OpenWorldCalls)
	}
	return nil
}

// SendRaw sends a body unchanged and does not wait.
func (p *CheckContext) SendRaw(ctx context.Context, s *mcp.Session, body string) (wire.Frame, error) {
	if p.isCrowded(s) {
		return wire.Frame{}, p.Skip("%s", p.needsTwo())
	}
	m := mcp.Read(frameOf(body))
	if err := p.countCall(m.Method, m.Params); err != nil {
		return wire.Frame{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	ex, err := s.CallRaw(ctx, nil, []byte(body), nil)
	if err != nil {
		return wire.Frame{}, err
	}
	return ex.Request.Frame, nil
}

// requestAs makes a request whose HTTP header names the given revision.
func (p *CheckContext) requestAs(ctx context.Context, s *mcp.Session, method string, params json.RawMessage,
	revision string) (*mcp.Exchange, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.ReserveID(), method, params)
	ctx, cancel := p.withTimeout(ctx, s, method)
	defer cancel()
	return refusedByHTTP(s.CallRaw(ctx, mcp.Read(frameOf(body)).ID, []byte(body),
		http.Header{"Mcp-Protocol-Version": {revision}}))
}

// withTimeout limits how long a request in a session may wait for a response.
func (p *CheckContext) withTimeout(ctx context.Context, s *mcp.Session, method string) (context.Context,
	context.CancelFunc) {
	after := p.requestTimeout(s)
	return context.WithTimeoutCause(ctx, after, p.silent(method, after))
}

// silent is the error of a request that timed out.
func (p *CheckContext) silent(method string, after time.Duration) error {
	return &wire.Error{Target: p.Target.String(), Doing: "call", Err: &mcp.TimeoutError{Method: method, After: after}}
}

// Alive checks in a session whether the server responds and returns the exchange: ping, or server/discover if there is
// no ping.
func (p *CheckContext) Alive(ctx context.Context, s *mcp.Session) (*mcp.Exchange, error) {
	if p.Modern() {
		return p.CallIn(ctx, s, "server/discover", nil)
	}
	return p.CallIn(ctx, s, "ping", nil)
}

// Declares reports whether the server declares a capability: a path such as "resources/subscribe". A value of false
// counts as not declared.
func (p *CheckContext) Declares(path string) bool { return p.round.declares(path) }

// WaitIdle waits for the quiet period, or until ctx ends.
func (p *CheckContext) WaitIdle(ctx context.Context) {
	timer := time.NewTimer(p.Quiet())
	defer timer.Stop()
	p.idle(func() {
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	})
}

// waitUntil waits until a time, or until ctx ends.
func (p *CheckContext) waitUntil(ctx context.Context, end time.Time) {
	p.idle(func() {
		select {
		case <-time.After(time.Until(end)):
		case <-ctx.Done():
		}
	})
}

// idle waits for something that does not depend on the server, and lets another check run meanwhile.
func (p *CheckContext) idle(wait func()) {
	<-p.round.slots
	wait()
	p.round.slots <- struct{}{}
}

// await waits for a turn.
func (p *CheckContext) await(ctx context.Context, t semaphore) (err error) {
	if t.free() {
		return nil
	}
	p.idle(func() { err = t.take(ctx) })
	return err
}

// At returns the raw JSON at a pointer in a document; nil if absent.
func At(doc json.RawMessage, pointer string) json.RawMessage {
	raw, _ := schema.Get(doc, pointer)
	return raw
}

// textOf returns the value of a JSON string.
func textOf(raw []byte) (string, bool) { return schema.Text(raw) }

// died reports whether an error means that the server was lost, hangs or floods.
func died(err error) bool {
	var e *wire.Error
	return errors.As(err, &e)
}

// lost reports whether an error that ended the check means that the server was lost or hangs: an unreadable response
// does not.
func (p *CheckContext) lost(err error) bool {
	var e *wire.Error
	if !errors.As(err, &e) || isUnmatched(err) {
		return false
	}
	if errors.Is(err, context.DeadlineExceeded) || e.Doing != "read from" {
		return true
	}
	return slices.ContainsFunc(append(p.own, p.shared, p.scratch),
		func(s *mcp.Session) bool { return s != nil && s.Err() != nil })
}

// isUnmatched reports whether the server sent a response, but not with the ID of the request.
func isUnmatched(err error) bool {
	var e *mcp.UnmatchedError
	return errors.As(err, &e)
}

// show formats raw JSON for a message; a missing value is shown as absent.
func show(raw json.RawMessage) string {
	if raw == nil {
		return "absent"
	}
	return clip.Text(string(raw), 80)
}
