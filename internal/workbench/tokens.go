package workbench

import (
	"context"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// TokenDir returns the directory of the user's tokens.
func TokenDir(sys target.System) string { return filepath.Join(StateDir(sys), "tokens") }

// StateDir returns the directory for mcptest's per-user state.
func StateDir(sys target.System) string {
	lookup := func(name, otherwise string) string {
		if sys.Lookup != nil {
			if value, ok := sys.Lookup(name); ok && filepath.IsAbs(value) {
				return value
			}
		}
		return otherwise
	}
	state := lookup("XDG_STATE_HOME", filepath.Join(sys.Home, ".local", "state"))
	switch sys.GOOS {
	case "windows":
		state = lookup("LocalAppData", filepath.Join(sys.Home, "AppData", "Local"))
	case "darwin":
		state = filepath.Join(sys.Home, "Library", "Application Support")
	}
	return filepath.Join(state, "mcptest")
}

// Authorized adds the token stored for exactly this server, refreshed if it has expired. An explicit
// Authorization header takes precedence.
func (w *Workbench) Authorized(ctx context.Context, t wire.Target) wire.Target {
	if w.Tokens == nil || t.URL == "" || t.Credentials != nil || t.Header.Get("Authorization") != "" {
		return t
	}
	grant, err := w.Tokens.Load(t.URL)
	if err != nil {
		w.Event(Event{Notice: err.Error()})
	}
	if grant == nil {
		return t
	}
	if w.Secrets != nil {
		w.Secrets.Add(grant.AccessToken, grant.RefreshToken, grant.Client.Secret)
	}
	flow, err := auth.New(auth.Options{Server: t.URL, AllowPrivate: grant.AllowPrivate, Insecure: t.Insecure,
		DialContext: t.DialContext, Secrets: w.Secrets})
	if err != nil {
		w.Event(Event{Notice: "stored token not used: " + err.Error()})
		return t
	}
	credentials := auth.NewCredentials(flow, w.Tokens, grant)
	if err := credentials.Freshen(ctx); err != nil {
		w.Event(Event{Notice: "stored token has expired and could not be refreshed: " + err.Error()})
	}
	w.Event(Event{Chosen: "using the stored token from " + grant.Issuer})
	t.Credentials = credentials
	return t
}
