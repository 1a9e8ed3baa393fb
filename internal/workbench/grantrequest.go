package workbench

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// How long a grant lasts, as the user answers.
const (
	GrantOnce    = "once"    // for this call
	GrantSession = "session" // until serve ends
	GrantAlways  = "always"  // for exactly this, until the user deletes it
	GrantNo      = "no"
)

// A GrantRequest is what the user is asked before an assistant gets something that its surface does not grant. It has no
// text that a server under test supplies, and no secrets.
type GrantRequest struct {
	ID    string // what exactly is asked for: another command, folder, variable or address has another ID
	What  string // such as: start the server "files"
	Lines []target.PermissionLine
}

// Question is the whole question, in the words that every surface uses.
func (r *GrantRequest) Question() string {
	text := "The assistant asks to " + r.What + ":\n"
	for _, line := range r.Lines {
		text += fmt.Sprintf("  %s: %s\n", line.Label, line.Value)
	}
	return text + "Allow it?"
}

// grantBook remembers what the user granted.
type grantBook struct {
	approvals *target.Approvals // for good; may be nil

	mu      sync.Mutex
	session map[string]bool
}

// Grant remembers an answer of the user. GrantOnce needs no memory: see Granting.
func (d *Desk) Grant(r *GrantRequest, how string) error {
	switch how {
	case GrantSession:
		d.grants.mu.Lock()
		defer d.grants.mu.Unlock()
		if d.grants.session == nil {
			d.grants.session = map[string]bool{}
		}
		d.grants.session[r.ID] = true
	case GrantAlways:
		if d.grants.approvals == nil {
			return errors.New("there is no folder to keep approvals in")
		}
		return d.grants.approvals.Remember(r.ID, r.What, r.Lines)
	}
	return nil
}

type grantKey struct{}

// Granting returns a context in which the user has granted what the IDs name.
func Granting(ctx context.Context, ids ...string) context.Context {
	return context.WithValue(ctx, grantKey{}, ids)
}

// granted reports whether the user granted exactly this: for this call, this session, or always.
func (b *grantBook) granted(ctx context.Context, id string) bool {
	ids, _ := ctx.Value(grantKey{}).([]string)
	for _, one := range ids {
		if one == id {
			return true
		}
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
func GrantRequestOf(err error) *GrantRequest {
	var refused *RefusedError
	var usage *UsageError
	switch {
	case errors.As(err, &refused):
		return refused.Request
	case errors.As(err, &usage):
		return usage.Request
	}
	return nil
}

// useRequest asks for the use of a configured server.
func (p *Policy) useRequest(name string, found *target.Resolved) (*GrantRequest, error) {
	hash, err := p.Approvals.Hash(found)
	if err != nil {
		return nil, err
	}
	permission := p.Approvals.Permission(name, found)
	return &GrantRequest{ID: "use " + hash, What: permission.What(), Lines: permission.Lines()}, nil
}

// addressRequest asks for a private address that the guard refused; nil if no user can grant it.
func addressRequest(err error, address string) *GrantRequest {
	var blocked *guard.BlockedError
	if !errors.As(err, &blocked) || !blocked.Private {
		return nil
	}
	origin, err := originOf(address)
	if err != nil || !blocked.Target.IsValid() {
		return nil
	}
	return &GrantRequest{ID: addressID(blocked.Target.String()), What: "connect to an address on this machine or in a private network",
		Lines: []target.PermissionLine{{Label: "server", Value: origin}, {Label: "address", Value: blocked.Target.String()}, {Label: "network", Value: blocked.Rule}}}
}

func addressID(address string) string { return "address " + address }

// What may disturb a remote server. A grant of one is not a grant of another.
const (
	sendLoad   = "load"
	sendFrames = "malformed frames"
	sendBursts = "malformed frames and bursts of requests"
)

// disturbRequest asks to send load or malformed frames to a server that is not on this machine; nil if it has no URL.
func disturbRequest(address, how string) *GrantRequest {
	origin, err := originOf(address)
	if err != nil {
		return nil
	}
	return &GrantRequest{ID: disturbID(origin, how), What: "send " + how + " to a server that is not on this machine",
		Lines: []target.PermissionLine{{Label: "server", Value: origin}}}
}

func disturbID(origin, how string) string { return "disturb " + origin + " with " + how }

// mayDisturb reports whether the user allowed to send load or malformed frames to a server.
func (w *Workbench) mayDisturb(allowed bool, address, how string) bool {
	if allowed && w.Grants.Disruptive {
		return true
	}
	origin, err := originOf(address)
	return err == nil && w.Granted != nil && w.Granted(disturbID(origin, how))
}
