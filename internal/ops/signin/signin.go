package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An Result is the result of an authorization flow.
type Result struct {
	Server string      `json:"server"`
	Needed bool        `json:"needed"` // whether the server requires a token
	Steps  []auth.Step `json:"steps"`
	Token  *AuthState  `json:"token,omitempty"`
	Stored bool        `json:"stored"` // other commands will use it
	OK     bool        `json:"ok"`
	Tried  []string    `json:"tried,omitempty"` // what was tried on purpose

	As *auth.Prediction `json:"as,omitempty"` // what another client would do, instead of a token
}

// Failed reports whether the flow ended before the server accepted a token, or another client would certainly fail.
func (r *Result) Failed() bool {
	if r.As != nil {
		return r.As.Outcome == auth.Fails
	}
	return !r.OK
}

// Incomplete reports whether it is unknown where another client would get.
func (r *Result) Incomplete() bool {
	return r.As != nil && (r.As.Outcome == auth.MayFail || r.As.Outcome == auth.AsksUser)
}

// maxWidenings is how often additional scopes are requested in one flow.
const maxWidenings = 2

// Options configure the authorization flow.
type Options struct {
	Try      []string                                        // what to try with a token: TryRefresh, TryExpiry, TryStepUp
	Protocol string                                          // Auto or a revision
	Timeout  time.Duration                                   // request timeout; 0 means the default
	Browse   func(ctx context.Context, address string) error // opens the URL for the user; nil leaves that to OnStep
	OnStep   func(auth.Step)                                 // called for each step; may be nil
}

// SignIn runs the complete authorization flow for a target, and stores the token unless told otherwise. A
// failed step is part of the result; an error means that no request could be sent to the server.
func SignIn(ctx context.Context, w *workbench.Workbench, found *target.Resolved, in *Settings, o Options) (*Result,
	error) {
	if err := checkTries(in, o.Try); err != nil {
		return nil, err
	}
	flow, err := flow(w, found, in, o)
	if err != nil {
		return nil, err
	}
	defer flow.Close()
	result := &Result{Server: found.Target.String()}
	defer func() { result.Steps = flow.Steps() }()
	if len(o.Try) > 0 {
		result.Tried = o.Try
		t := &trial{w: w, flow: flow, target: found.Target, in: in, o: o, result: result}
		return result, t.run(ctx)
	}
	refused, said, err := tryServer(ctx, w, found.Target, o)
	if err != nil {
		return result, err
	}
	if refused == nil {
		if offered, err := flow.Offered(ctx); err != nil || !offered {
			flow.Report(auth.OK, nil, "no token required: "+said, "", "")
			result.OK = err == nil
			return result, ctx.Err()
		}
		refused = &wire.Frame{} // nothing was rejected, but a token may give access to more
	}
	result.Needed = refused.Status != 0
	grant, _, err := authorizeUntilAccepted(ctx, w, flow, found.Target, o, *refused)
	if err != nil || grant == nil {
		var stopped *auth.Error
		if errors.As(err, &stopped) && ctx.Err() == nil {
			err = nil // reported in the steps
		}
		return result, err
	}
	result.OK, result.Token = true, stateOf(grant, time.Now())
	if in.NoStore || w.Tokens == nil {
		return result, nil
	}
	if err := w.Tokens.Save(grant); err != nil {
		return result, err
	}
	result.Stored = true
	return result, nil
}

// authorizeUntilAccepted runs the flow until the server accepts a token; it returns nil if the server does not, and how
// often more scopes were requested.
func authorizeUntilAccepted(ctx context.Context, w *workbench.Workbench, flow *auth.Flow, t wire.Target, o Options,
	refused wire.Frame) (grant *auth.Grant, widened int, err error) {
	var before []string
	for ; ; widened++ {
		grant, err := flow.Run(ctx, refused, before)
		if err != nil {
			return nil, widened, err
		}
		t.Credentials = auth.NewCredentials(flow, nil, grant)
		again, said, err := tryServer(ctx, w, t, o)
		if err != nil {
			flow.Report(auth.Failed, nil, "", err.Error(), "the server accepted the token but the request failed")
			return nil, widened, nil
		}
		if again == nil {
			flow.Report(auth.OK, nil, said, "", "")
			return grant, widened, nil
		}
		demand := auth.DemandOf(again.Status, again.Header)
		if !demand.TooNarrow() || widened == maxWidenings || grant.Holds(demand.Scopes) {
			flow.Report(auth.Failed, again, "", refusalOf(demand), hint.Text(refusalHint(demand, grant)))
			return nil, widened, nil
		}
		refused, before = *again, grant.Requested
	}
}

func refusalOf(d auth.WWWAuthenticate) string {
	text := fmt.Sprintf("the server rejected the token with HTTP %d", d.Status)
	if d.Error != "" {
		text += ", " + d.Error
	}
	return text
}

func refusalHint(d auth.WWWAuthenticate, g *auth.Grant) string {
	if d.Status == http.StatusForbidden {
		return "the token is valid but not permitted to do this: check the permissions of the user, and request " +
			"other scopes with --scope"
	}
	return "the server must accept tokens from " + g.Issuer + " for the audience " + g.Resource +
		": check its log for issuer, audience and signature"
}

// Rejection returns how a server rejects clients without credentials; nil if it does not.
func Rejection(ctx context.Context, w *workbench.Workbench, t wire.Target, o Options) (*wire.Frame, error) {
	t.Credentials, t.Header = nil, nil
	refused, _, err := tryServer(ctx, w, t, o)
	return refused, err
}

// tryServer opens a session and lists the tools. It returns the rejection, or else a description of the
// success.
func tryServer(ctx context.Context, w *workbench.Workbench, t wire.Target, o Options) (*wire.Frame, string, error) {
	opts := mcp.Options{Protocol: o.Protocol, Timeout: o.Timeout,
		Client: mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}}
	s, err := mcp.Connect(ctx, t, w.Log, &opts)
	if err != nil {
		refused, err := refusedFrame(err)
		return refused, "", err
	}
	defer func() { _ = s.Close() }()
	if s.Capabilities != nil && !s.Declares("tools") {
		return nil, "session with " + s.Version, nil
	}
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		refused, err := refusedFrame(err)
		return refused, "", err
	}
	return nil, fmt.Sprintf("session with %s, tools/list returned %s", s.Version,
		workbench.Plural(len(list.Items), "tool")), nil
}

// refusedFrame extracts the response from an error that demands a token or more scopes.
func refusedFrame(err error) (*wire.Frame, error) {
	var status *wire.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden) {
		return &wire.Frame{From: wire.Server, Status: status.Status, Header: status.Header, Body: status.Body}, nil
	}
	return nil, err
}
