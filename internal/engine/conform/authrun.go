package conform

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// An AuthClass says what a check of authorization does to the servers. Checks of the zero class are part of every run.
type AuthClass uint8

// The classes of checks that need [Options.Auth].
const (
	AuthSafe AuthClass = iota + 1 // reads, and requests that must be rejected: safe on a production server
	AuthOwn                       // uses tokens and a client registration of its own
	AuthLab                       // makes the servers connect to this machine: only for local or test servers
)

// String returns how to enable the class.
func (c AuthClass) String() string {
	switch c {
	case AuthSafe:
		return "--auth"
	case AuthOwn:
		return "--auth-as"
	case AuthLab:
		return "--auth-lab"
	}
	return ""
}

// AuthOptions select the checks of authorization instead of all others. The zero value sends only requests that are
// safe on a production server, at most one per second.
type AuthOptions struct {
	As  []Identity // own identities, for checks that need a token
	Lab bool       // the servers are local or for tests; requests are not delayed

	// Tool needs a token, in a server that requires it only for some tools; it is called. Empty means the whole server.
	Tool string

	// Upstream is an address of this machine that the server uses as another service; empty if it uses none.
	Upstream string

	// Client is the ID of a public client at the authorization server, with loopback redirect URIs; empty registers one.
	Client string

	// Browse opens a URL for the user, who signs in; nil if nobody can.
	Browse func(ctx context.Context, address string) error

	// Secret is called with the tokens that the run gets, which the report must not contain; may be nil.
	Secret func(values ...string)

	sleep func(ctx context.Context, d time.Duration) error // for tests; nil waits
	now   func() time.Time                                 // for tests; nil is the time
}

// An Identity is a user or client of the server that may be used for tests.
type Identity struct {
	Token  string // an access token
	SignIn bool   // instead: get one by signing in
}

// Local reports whether a URL has a loopback or private address, so that no other users are disturbed.
func Local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return isLoopback(u) || err == nil && (ip.IsPrivate() || ip.IsLoopback())
}

// authExcluded reports whether the kind of run excludes a check.
func (o *Options) authExcluded(c *Check) bool {
	if o.Auth == nil {
		return c.Auth != 0
	}
	return c.Family() != "AUTH"
}

// authFlags returns the flags that select the same kind of run, without secrets.
func (o *Options) authFlags() string {
	if o.Auth == nil {
		return ""
	}
	flags := " " + AuthSafe.String()
	if o.Auth.Lab {
		flags += " " + AuthLab.String()
	}
	if o.Auth.Tool != "" {
		flags += " --auth-tool " + quote(o.Auth.Tool)
	}
	if o.Auth.Client != "" {
		flags += " --auth-client " + quote(o.Auth.Client)
	}
	if o.Auth.Upstream != "" {
		flags += " --auth-upstream " + quote(o.Auth.Upstream)
	}
	return flags + signInFlag(o.Auth)
}

// signInFlag returns the flag for the first identity. A token is not repeated, only where the user has it.
func signInFlag(o *AuthOptions) string {
	switch {
	case len(o.As) == 0:
		return ""
	case o.As[0].SignIn:
		return " " + AuthOwn.String() + " sign-in"
	}
	return " " + AuthOwn.String() + " '$TOKEN'"
}

// authInapplicable returns why a check of authorization is not tried; empty if it is.
func (o *Options) authInapplicable(c *Check) string {
	switch {
	case c.Auth == AuthLab && !o.Auth.Lab:
		return "makes the servers connect to this machine; enable it for a local or test server with --auth-lab"
	case c.Auth == AuthOwn && len(o.Auth.As) == 0:
		return "needs an own token; use --auth-as"
	}
	return ""
}

// authRound is the round of a run with checks of authorization only. It opens no session: the revision is the
// requested one, or the newest.
func (r *run) authRound() *revisionRun {
	one := newRound(r, r.opts.Protocol)
	known, ok := spec.Find(r.opts.Protocol)
	if !ok {
		known = spec.Newest()
	}
	one.locked, one.revision, one.protocol = true, known, known.ID
	return one
}

// validateAuth rejects options that have no effect.
func (o *Options) validateAuth() error {
	if o.Auth == nil {
		for _, id := range o.Rules {
			if c, ok := Find(id); ok && c.Auth != 0 {
				return &SelectionError{fmt.Sprintf("%s is not part of this run", c.ID), c.Auth.String()}
			}
		}
		return nil
	}
	if o.Protocol == All {
		return &SelectionError{"--protocol all and --auth are mutually exclusive", "one revision"}
	}
	for _, pattern := range o.Rules {
		if !strings.HasPrefix(strings.ToUpper(pattern), "AUTH") {
			return &SelectionError{fmt.Sprintf("%q selects no check of authorization", pattern), "AUTH or AUTH-NNN"}
		}
	}
	return nil
}
