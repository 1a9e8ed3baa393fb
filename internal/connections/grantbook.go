package connections

import (
	"context"
	"errors"
	"net/netip"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// How long a grant lasts, as the user answers.
const (
	GrantOnce    = "once"    // for this call
	GrantSession = "session" // until serve ends
	GrantAlways  = "always"  // for exactly this, until the user deletes it
	GrantNo      = "no"
)

// grantBook remembers what the user granted.
type grantBook struct {
	approvals *target.Approvals // for good; may be nil

	mu      sync.Mutex
	session map[string]bool
}

// Grant remembers an answer of the user. GrantOnce needs no memory: see Granting.
func (d *Set) Grant(r *workbench.GrantRequest, how string) error {
	return d.grants.save(r, how)
}

func (b *grantBook) save(r *workbench.GrantRequest, how string) error {
	switch how {
	case GrantSession:
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.session == nil {
			b.session = map[string]bool{}
		}
		b.session[r.ID] = true
		if r.Session != "" {
			b.session[r.Session] = true
		}
	case GrantAlways:
		if b.approvals == nil {
			return errors.New("there is no folder to keep approvals in")
		}
		return b.approvals.Remember(r.ID, r.What, r.Lines)
	}
	return nil
}

type grantKey struct{}

// Granting returns a context of a call in which the user has granted what the IDs name, for as long as the values say.
func Granting(ctx context.Context, answers map[string]string) context.Context {
	return context.WithValue(ctx, grantKey{}, answers)
}

// answered returns how the user granted this in the call; empty if they did not.
func answered(ctx context.Context, id string) string {
	answers, _ := ctx.Value(grantKey{}).(map[string]string)
	return answers[id]
}

// granted reports whether the user granted exactly this: for this call, this session, or always.
func (b *grantBook) granted(ctx context.Context, id string) bool {
	if answered(ctx, id) != "" {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session[id] || b.approvals != nil && b.approvals.Remembered(id)
}

type askKey struct{}

// WithQuestions returns a context of a caller whose user can be asked.
func WithQuestions(ctx context.Context) context.Context {
	return context.WithValue(ctx, askKey{}, true)
}

func canAsk(ctx context.Context) bool { return ctx.Value(askKey{}) != nil }

// GrantRequestOf returns what the user could grant to avoid the error; nil if nothing helps.
func GrantRequestOf(err error) *workbench.GrantRequest {
	var refused *RefusedError
	var usage *workbench.UsageError
	switch {
	case errors.As(err, &refused):
		return refused.Request
	case errors.As(err, &usage):
		return usage.Request
	}
	return nil
}

// useRequest asks for the use of a configured server.
func (p *Policy) useRequest(name string, found *target.Resolved) (*workbench.GrantRequest, error) {
	hash, err := p.Approvals.Hash(found)
	if err != nil {
		return nil, err
	}
	permission := p.Approvals.Permission(name, found)
	return &workbench.GrantRequest{ID: "use " + hash, What: permission.What(), Lines: permission.Lines()}, nil
}

// addressRequest asks for a private address that the guard refused; nil if no user can grant it.
func addressRequest(err error, address string) *workbench.GrantRequest {
	var blocked *netguard.BlockedError
	if !errors.As(err, &blocked) || !blocked.Private {
		return nil
	}
	origin, err := workbench.OriginOf(address)
	if err != nil || !blocked.Target.IsValid() {
		return nil
	}
	r := &workbench.GrantRequest{ID: addressID(blocked.Target.String()),
		What: "connect to an address on this machine or in a private network",
		Lines: []target.PermissionLine{{Label: "server", Value: origin},
			{Label: "address", Value: blocked.Target.String()}, {Label: "network", Value: blocked.Rule}}}
	if isLoopback(blocked.Target) {
		r.Session = loopbackID
		r.Lines = append(r.Lines, target.PermissionLine{Label: "session",
			Value: "this answer covers all loopback addresses and ports of this machine"})
	}
	return r
}

// loopbackID is the grant of all loopback addresses, for a session: a server under development changes its port.
const loopbackID = "loopback"

func isLoopback(address netip.AddrPort) bool { return address.Addr().Unmap().IsLoopback() }

// addressGranted reports whether the user granted an address.
func (b *grantBook) addressGranted(ctx context.Context, address netip.AddrPort) bool {
	return b.granted(ctx, addressID(address.String())) || isLoopback(address) && b.sessionHas(loopbackID)
}

func (b *grantBook) sessionHas(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session[id]
}

func addressID(address string) string { return "address " + address }
