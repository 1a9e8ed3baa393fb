package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

const (
	renewTimeout = 35 * time.Second // of one refresh; longer than that of its request
	renewPoll    = 50 * time.Millisecond
)

// renew gets a token to replace the used one. Of many requests with the same token, in all replicas, one does so; the
// others get its result.
func (a *Account) renew(ctx context.Context, used string) error {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s := a.settings()
	if g := a.grant(""); g != nil && g.AccessToken != used && !stale(g, a.owner.opts.Now()) {
		return nil // another request has obtained it
	}
	// a caller that goes away must not lose a refresh token that was rotated
	work, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewTimeout)
	defer cancel()
	if !s.stored() {
		return a.obtain(work, s)
	}
	return a.refresh(work, s, used)
}

// refresh uses the refresh token, unless another replica has done so or is doing so. The store is written before and
// after it, so that no two use the same one.
func (a *Account) refresh(ctx context.Context, s Server, used string) error {
	me := rand.Text()
	for {
		r, version, err := load[record](ctx, a.owner, recordKey(s, a.user))
		if err != nil {
			return a.failure(err)
		}
		a.adopt(r, version)
		now := a.owner.opts.Now()
		switch {
		case r.Grant == nil:
			return a.notConnected("no account is connected")
		case r.Ended != "":
			return a.notConnected(r.Ended)
		case r.Grant.AccessToken != used && !stale(r.Grant, now):
			return nil // another replica has refreshed it
		case !r.Grant.Renewable():
			return a.end(ctx, s, r, version, "the token was rejected, and the authorization server issued no refresh token")
		case r.Busy.After(now):
			if !sleep(ctx, renewPoll) {
				return a.failure(errors.New("another replica refreshes the token"))
			}
			continue
		}
		r.By, r.Busy = me, now.Add(renewTimeout)
		if version, err = save(ctx, a.owner, recordKey(s, a.user), version, r); conflicts(err) {
			continue
		} else if err != nil {
			return a.failure(err)
		}
		return a.redeem(ctx, s, r, version)
	}
}

// redeem refreshes the token of a record that is marked as busy by this process.
func (a *Account) redeem(ctx context.Context, s Server, r record, version int) error {
	f, secrets, err := a.owner.flow(s, auth.Options{})
	if err != nil {
		return a.failure(err)
	}
	defer f.Close()
	old := *r.Grant
	if s.Identity.ID == old.Client.ID {
		old.Client.Secret = s.Identity.Secret // it may have been changed since
	}
	renewed, err := f.Renew(ctx, &old)
	r.By, r.Busy = "", time.Time{}
	if err != nil {
		err = scrubbed(secrets, err)
		if final(err) {
			return a.end(ctx, s, r, version, "the authorization server no longer accepts the refresh token ("+err.Error()+
				")")
		}
		if version, saved := save(ctx, a.owner, recordKey(s, a.user), version, r); saved == nil {
			a.adopt(r, version)
		}
		return a.failure(err)
	}
	r.Grant = renewed
	// a refresh token that is used up must not be lost: the new one is stored before the token is used
	if version, err = save(ctx, a.owner, recordKey(s, a.user), version, r); err != nil {
		if conflicts(err) {
			return a.notConnected("the account was changed or disconnected")
		}
		return a.failure(err)
	}
	a.adopt(r, version)
	a.owner.opts.Log.Debug("token refreshed", "server", s.Name, "user", a.user)
	return nil
}

// end records that an account has to be connected again.
func (a *Account) end(ctx context.Context, s Server, r record, version int, reason string) error {
	r.Ended, r.By, r.Busy = reason, "", time.Time{}
	if version, err := save(ctx, a.owner, recordKey(s, a.user), version, r); err == nil {
		a.adopt(r, version)
	}
	a.owner.opts.Log.Warn("an account must be connected again", "server", s.Name, "user", a.user, "reason", reason)
	return a.notConnected(reason)
}

// obtain gets a token without a user: with our own credentials, or with the token that the user has for the gateway.
func (a *Account) obtain(ctx context.Context, s Server) error {
	o := auth.Options{Grant: s.Grant}
	if s.Grant == auth.TokenExchange {
		if o.Subject = a.owner.subject(a.user); a.user == "" {
			o.Grant = auth.ClientCredentials // the gateway has no token to exchange; its own account reads the lists
		} else if o.Subject == "" {
			return a.notConnected("there is no token of the caller to exchange")
		}
	}
	f, secrets, err := a.owner.flow(s, o)
	if err != nil {
		return a.failure(err)
	}
	defer f.Close()
	a.mu.Lock()
	refused := wire.Frame{}
	if a.refused != nil {
		refused = *a.refused
	}
	a.mu.Unlock()
	g, err := f.Run(ctx, refused, nil)
	if err != nil {
		if err = scrubbed(secrets, err); final(err) {
			return a.notConnected(err.Error())
		}
		return a.failure(err)
	}
	a.mu.Lock()
	a.record.Grant, a.record.At = g, a.owner.opts.Now()
	a.mu.Unlock()
	return nil
}

// final reports whether a response of the authorization server means that repeating the request will not help.
func final(err error) bool {
	var failed *auth.Error
	return errors.As(err, &failed) && failed.Cause == nil && failed.Status >= 400 && failed.Status < 500 &&
		failed.Status != 429 && failed.Status != 408
}

// scrubbed removes the secrets of a flow from its error: an authorization server may repeat what was sent to it.
func scrubbed(secrets *redact.Secrets, err error) error {
	var failed *auth.Error
	if errors.As(err, &failed) {
		clean := *failed
		clean.Problem = secrets.Text(failed.Problem)
		return &clean
	}
	return fmt.Errorf("%s", secrets.Text(err.Error()))
}

func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
