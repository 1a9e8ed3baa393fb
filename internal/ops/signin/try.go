package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// What can be tried on purpose with a token.
const (
	TryRefresh = "refresh" // get a new token with the refresh token, and use it
	TryExpiry  = "expiry"  // use a token that is no longer valid, then refresh
	TryStepUp  = "step-up" // sign in with the given scopes, and get those that a request lacks
)

var tries = []string{TryRefresh, TryExpiry, TryStepUp}

// checkTries rejects what cannot be tried.
func checkTries(in *Settings, list []string) error {
	for _, name := range list {
		if !slices.Contains(tries, name) {
			text := fmt.Sprintf("invalid value %q for --try, expected refresh, expiry or step-up", name)
			if near := typo.Best(name, tries); near != "" {
				text += "; did you mean " + near + "?"
			}
			return &workbench.UsageError{Message: text}
		}
		if name == TryStepUp && len(in.Scope) == 0 {
			return &workbench.UsageError{Message: "--try step-up requires --scope, the scopes to start with",
				Hint: "name fewer scopes than a request needs"}
		}
	}
	return nil
}

// A trial tries what happens to a token later: it is refreshed, expires, or has too few scopes.
type trial struct {
	w      *workbench.Workbench
	flow   *auth.Flow
	target wire.Target
	in     *Settings
	o      Options
	result *Result
	grant  *auth.Grant
}

// run tries everything in order. Failed steps are part of the result.
func (t *trial) run(ctx context.Context) error {
	err := t.start(ctx)
	if err == nil && t.grant != nil && slices.Contains(t.o.Try, TryExpiry) {
		if err = t.expire(ctx); err == nil {
			err = t.refresh(ctx)
		}
	}
	if err == nil && t.grant != nil && slices.Contains(t.o.Try, TryRefresh) {
		err = t.refresh(ctx)
	}
	var stopped *auth.Error
	if errors.As(err, &stopped) && ctx.Err() == nil {
		return nil // reported in the steps
	}
	if err == nil && t.grant != nil {
		t.result.OK, t.result.Token = true, stateOf(t.grant, time.Now())
	}
	return err
}

// start loads the stored token, or signs in.
func (t *trial) start(ctx context.Context) error {
	stepUp := slices.Contains(t.o.Try, TryStepUp)
	if t.w.Tokens != nil && !stepUp {
		stored, err := t.w.Tokens.Load(t.target.URL)
		if err != nil {
			return err
		}
		if t.grant = stored; stored != nil {
			t.result.Needed = true
			return nil
		}
	}
	refused, said, err := tryServer(ctx, t.w, t.target, t.o)
	if err != nil {
		return err
	}
	if refused == nil {
		t.flow.Report(auth.Failed, nil, "", "no token required: "+said, "there is nothing to try without a token")
		return nil
	}
	t.result.Needed = true
	grant, widened, err := authorizeUntilAccepted(ctx, t.w, t.flow, t.target, t.o, *refused)
	if err != nil || grant == nil {
		return err
	}
	if t.grant = grant; stepUp && widened == 0 {
		t.flow.Report(auth.Failed, nil, "", "no request was rejected for lack of a scope",
			"start with fewer scopes: {--scope}; the session and tools/list are tried")
		t.grant = nil
		return nil
	}
	return t.save()
}

// expire uses a token that is not valid any more. A changed token stands for an expired one, which would have to be
// waited for: a server must treat both alike.
func (t *trial) expire(ctx context.Context) error {
	old := *t.grant
	old.AccessToken, old.RefreshToken, old.Client.Secret = changed(old.AccessToken), "", ""
	target := t.target
	target.Credentials = auth.NewCredentials(t.flow, nil, &old)
	refused, said, err := tryServer(ctx, t.w, target, t.o)
	if err != nil {
		return err
	}
	if refused == nil {
		return t.flow.Expired(nil, "the server accepted a changed token: "+said, "the server must check the token")
	}
	demand := auth.DemandOf(refused.Status, refused.Header)
	if refused.Status != http.StatusUnauthorized {
		return t.flow.Expired(refused, fmt.Sprintf("expected HTTP 401, got %d", refused.Status),
			"clients refresh their token after 401 only")
	}
	note := ""
	if demand.Error != "invalid_token" {
		note = `WWW-Authenticate has no error="invalid_token": to a client, an expired token looks like a missing one`
	}
	return t.flow.Expired(refused, "", "", note)
}

// changed returns a token that differs in one character, not in the last ones, which may have unused bits.
func changed(token string) string {
	at := max(0, len(token)-8)
	other := "A"
	if strings.HasPrefix(token[at:], other) {
		other = "B"
	}
	return token[:at] + other + token[min(at+1, len(token)):]
}

// refresh gets a new token and uses it.
func (t *trial) refresh(ctx context.Context) error {
	renewed, err := t.flow.Renew(ctx, t.grant)
	if err != nil {
		return err
	}
	t.grant = renewed
	if err := t.save(); err != nil {
		return err
	}
	target := t.target
	target.Credentials = auth.NewCredentials(t.flow, nil, renewed)
	refused, said, err := tryServer(ctx, t.w, target, t.o)
	switch {
	case err != nil:
		return err
	case refused != nil:
		demand := auth.DemandOf(refused.Status, refused.Header)
		t.flow.Report(auth.Failed, refused, "", refusalOf(demand), hint.Text(refusalHint(demand, renewed)))
		t.grant = nil
		return nil
	}
	t.flow.Report(auth.OK, nil, said, "", "")
	return nil
}

// save stores the token: a refresh token that was replaced is not valid any more.
func (t *trial) save() error {
	if t.in.NoStore || t.w.Tokens == nil {
		return nil
	}
	t.result.Stored = true
	return t.w.Tokens.Save(t.grant)
}
