package workbench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// An AuthResult is what came of asking for a token.
type AuthResult struct {
	Server string      `json:"server"`
	Needed bool        `json:"needed"` // the server wants a token at all
	Steps  []auth.Step `json:"steps"`
	Token  *AuthState  `json:"token,omitempty"`
	Stored bool        `json:"stored"` // other commands will use it
	OK     bool        `json:"ok"`
}

// Failed reports whether the way ended before the server accepted a token.
func (r *AuthResult) Failed() bool { return !r.OK }

// maxWidenings is how often more scopes are asked for in one way.
const maxWidenings = 2

// SignInOptions say how the way is gone.
type SignInOptions struct {
	Protocol string                                          // Auto or a revision
	Timeout  time.Duration                                   // silence after which a request to the server has failed; 0 means the default
	Browse   func(ctx context.Context, address string) error // opens the address for the person; nil leaves that to OnStep
	OnStep   func(auth.Step)                                 // hears of each step as it is made; may be nil
}

// SignIn goes the whole way to a token for a target, and keeps the token unless told otherwise. A step that fails is part
// of the result; an error means that the server could not be asked at all.
func (w *Workbench) SignIn(ctx context.Context, found *target.Resolved, in *AuthSettings, o SignInOptions) (*AuthResult, error) {
	flow, err := w.flow(found, in, o)
	if err != nil {
		return nil, err
	}
	defer flow.Close()
	result := &AuthResult{Server: found.Target.String()}
	defer func() { result.Steps = flow.Steps() }()
	refused, said, err := w.tryServer(ctx, found.Target, o)
	if err != nil {
		return result, err
	}
	if refused == nil {
		if offered, err := flow.Offered(ctx); err != nil || !offered {
			flow.Report(auth.OK, nil, "no token is needed: "+said, "", "")
			result.OK = err == nil
			return result, ctx.Err()
		}
		refused = &wire.Frame{} // nothing was refused, but more may be had
	}
	result.Needed = refused.Status != 0
	grant, err := w.win(ctx, flow, found.Target, o, *refused)
	if err != nil || grant == nil {
		var stopped *auth.Error
		if errors.As(err, &stopped) && ctx.Err() == nil {
			err = nil // it is told in the steps
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

// win walks until the server accepts a token; it returns none if the server does not.
func (w *Workbench) win(ctx context.Context, flow *auth.Flow, t wire.Target, o SignInOptions, refused wire.Frame) (*auth.Grant, error) {
	var before []string
	for widened := 0; ; widened++ {
		grant, err := flow.Run(ctx, refused, before)
		if err != nil {
			return nil, err
		}
		t.Credentials = auth.NewCredentials(flow, nil, grant)
		again, said, err := w.tryServer(ctx, t, o)
		if err != nil {
			flow.Report(auth.Failed, nil, "", err.Error(), "the server took the token and failed on the request")
			return nil, nil
		}
		if again == nil {
			flow.Report(auth.OK, nil, said, "", "")
			return grant, nil
		}
		demand := auth.DemandOf(again.Status, again.Header)
		if !demand.TooNarrow() || widened == maxWidenings || grant.Holds(demand.Scopes) {
			flow.Report(auth.Failed, again, "", refusalOf(demand), refusalHint(demand, grant))
			return nil, nil
		}
		refused, before = *again, grant.Asked
	}
}

func refusalOf(d auth.Demand) string {
	text := fmt.Sprintf("the server refuses the token with HTTP %d", d.Status)
	if d.Error != "" {
		text += ", " + d.Error
	}
	return text
}

func refusalHint(d auth.Demand, g *auth.Grant) string {
	if d.Status == http.StatusForbidden {
		return "the token is good but may not do this: has the person the right, and are the scopes enough? --scope asks for others"
	}
	return "the server has to accept tokens of " + g.Issuer + " for the audience " + g.Resource + ": look at its log for issuer, audience and signature"
}

// tryServer opens a session and lists the tools. It returns the refusal, if there was one, or else what went well.
func (w *Workbench) tryServer(ctx context.Context, t wire.Target, o SignInOptions) (*wire.Frame, string, error) {
	opts := mcp.Options{Protocol: o.Protocol, Timeout: o.Timeout, Client: mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}}
	s, err := mcp.Connect(ctx, t, w.Log, &opts)
	if err != nil {
		refused, err := refusedFrame(err)
		return refused, "", err
	}
	defer func() { _ = s.Close() }()
	if s.Capabilities != nil && !s.Declares("tools") {
		return nil, "a session in " + s.Version, nil
	}
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		refused, err := refusedFrame(err)
		return refused, "", err
	}
	return nil, fmt.Sprintf("a session in %s, and tools/list brought %s", s.Version, plural(len(list.Items), "tool")), nil
}

// refusedFrame is the answer in an error that says that a token is needed, or a better one.
func refusedFrame(err error) (*wire.Frame, error) {
	var status *wire.StatusError
	if errors.As(err, &status) && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden) {
		return &wire.Frame{From: wire.Server, Status: status.Status, Header: status.Header, Body: status.Body}, nil
	}
	return nil, err
}
