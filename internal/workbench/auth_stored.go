package workbench

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
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

// authorized adds the token stored for exactly this server, refreshed if it has expired. An explicit
// Authorization header takes precedence.
func (w *Workbench) authorized(ctx context.Context, t wire.Target) wire.Target {
	if w.Tokens == nil || t.URL == "" || t.Credentials != nil || t.Header.Get("Authorization") != "" {
		return t
	}
	grant, err := w.Tokens.Load(t.URL)
	if err != nil {
		w.event(Event{Notice: err.Error()})
	}
	if grant == nil {
		return t
	}
	if w.Secrets != nil {
		w.Secrets.Add(grant.AccessToken, grant.RefreshToken, grant.Client.Secret)
	}
	flow, err := auth.New(auth.Options{Server: t.URL, AllowPrivate: grant.AllowPrivate, Insecure: t.Insecure, DialContext: t.DialContext, Secrets: w.Secrets})
	if err != nil {
		w.event(Event{Notice: "stored token not used: " + err.Error()})
		return t
	}
	credentials := auth.NewCredentials(flow, w.Tokens, grant)
	if err := credentials.Freshen(ctx); err != nil {
		w.event(Event{Notice: "stored token has expired and could not be refreshed: " + err.Error()})
	}
	w.event(Event{Chosen: "using the stored token from " + grant.Issuer})
	t.Credentials = credentials
	return t
}

// An AuthState describes a token, without the token itself.
type AuthState struct {
	Server    string    `json:"server"`
	Resource  string    `json:"resource"`
	Issuer    string    `json:"issuer"`
	ClientID  string    `json:"client_id"`
	Scopes    []string  `json:"scopes,omitempty"`
	Obtained  time.Time `json:"obtained"`
	Expires   time.Time `json:"expires,omitzero"`
	Expired   bool      `json:"expired"`
	Renewable bool      `json:"renewable"` // can be refreshed without the user

	Secret string `json:"access_token,omitempty"` // only if requested
}

func stateOf(g *auth.Grant, now time.Time) *AuthState {
	return &AuthState{Server: g.Server, Resource: g.Resource, Issuer: g.Issuer, ClientID: g.Client.ID, Scopes: g.Granted(), Obtained: g.Obtained,
		Expires: g.Expires, Expired: !g.Expires.IsZero() && now.After(g.Expires), Renewable: g.Renewable()}
}

// An AuthStatusInput is the input of AuthStatus.
type AuthStatusInput struct {
	Connection
	ShowToken bool `json:"show_token,omitempty" surface:"cli" jsonschema:"print the token itself"`
}

// An AuthStatusResult describes the token stored for a server.
type AuthStatusResult struct {
	Server string     `json:"server"`
	Token  *AuthState `json:"token"` // null if there is none
}

// Failed reports whether there is no usable token.
func (r *AuthStatusResult) Failed() bool {
	return r.Token == nil || r.Token.Expired && !r.Token.Renewable
}

// Advice returns how to get a token if there is none.
func (r *AuthStatusResult) Advice() string {
	if r.Token != nil {
		return ""
	}
	return "mcptest auth " + r.Server
}

// AuthStatus shows the token stored for a server.
var AuthStatus = Op[AuthStatusInput, *AuthStatusResult]{
	Uses:    Color,
	Omit:    []string{"command", "env", "cwd", "header", "timeout", "protocol", "insecure", "log_level"},
	Name:    "auth status",
	Doc:     "Show the stored token for a server\n\nExits with 1 if there is no usable token.",
	Example: "mcptest auth status https://mcp.example.com/mcp",
	Run: func(_ context.Context, w *Workbench, in *AuthStatusInput) (*AuthStatusResult, error) {
		address, err := w.kept(&in.Connection)
		if err != nil {
			return nil, err
		}
		return w.TokenState(address, in.ShowToken && w.Grants.Files)
	},
	Text: writeAuthStatus,
}

// TokenState returns the state of the token stored for the server at a URL.
func (w *Workbench) TokenState(address string, show bool) (*AuthStatusResult, error) {
	result := &AuthStatusResult{Server: redact.URL(address)}
	if w.Tokens == nil {
		return result, nil
	}
	grant, err := w.Tokens.Load(address)
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	if grant != nil {
		result.Token = stateOf(grant, time.Now())
		if show {
			result.Token.Secret = grant.AccessToken
		}
	}
	return result, nil
}

// An AuthLogoutInput is the input of AuthLogout.
type AuthLogoutInput struct{ Connection }

// An AuthLogoutResult reports whether there was a token to delete.
type AuthLogoutResult struct {
	Server  string `json:"server"`
	Removed bool   `json:"removed"`
}

// AuthLogout deletes the token for a server.
var AuthLogout = Op[AuthLogoutInput, *AuthLogoutResult]{
	Uses:    Color,
	Omit:    []string{"command", "env", "cwd", "header", "timeout", "protocol", "insecure", "log_level"},
	Name:    "auth logout",
	Doc:     "Delete the stored token for a server\n\nThe token is not revoked at the authorization server.",
	Example: "mcptest auth logout https://mcp.example.com/mcp",
	Run: func(_ context.Context, w *Workbench, in *AuthLogoutInput) (*AuthLogoutResult, error) {
		address, err := w.kept(&in.Connection)
		if err != nil || w.Tokens == nil {
			return nil, err
		}
		removed, err := w.Tokens.Remove(address)
		return &AuthLogoutResult{Server: redact.URL(address), Removed: removed}, err
	},
	Text: func(out io.Writer, r *AuthLogoutResult) error {
		t := newText(out)
		if r.Removed {
			t.line("deleted the token for " + t.bold("%s", r.Server))
		} else {
			t.line("no stored token for " + t.bold("%s", r.Server))
		}
		return t.err
	},
}

// kept returns the URL under which a token for the target would be stored.
func (w *Workbench) kept(c *Connection) (string, error) {
	found, err := w.find(c)
	if err != nil {
		return "", err
	}
	return serverURL(found.Target)
}

func writeAuthStatus(out io.Writer, r *AuthStatusResult) error {
	t := newText(out)
	if r.Token == nil {
		t.line("no stored token for " + t.bold("%s", r.Server))
		return t.err
	}
	t.token(r.Token)
	if r.Token.Secret != "" {
		t.line(r.Token.Secret)
	}
	return t.err
}

// token shows the state of a token.
func (t *text) token(s *AuthState) {
	t.line(t.bold("%s", s.Server))
	t.line("    issuer   " + t.dim("%s", s.Issuer))
	t.line("    client   " + t.dim("%s", s.ClientID))
	if s.Resource != s.Server {
		t.line("    resource " + t.dim("%s", s.Resource))
	}
	if len(s.Scopes) > 0 {
		t.line("    scopes   " + t.dim("%s", strings.Join(s.Scopes, " ")))
	}
	switch {
	case s.Expired && s.Renewable:
		t.line("    expired  refreshed on next use")
	case s.Expired:
		t.line("    " + t.bad("expired  %s", s.Expires.Local().Format(time.DateTime)))
	case s.Expires.IsZero():
		t.line("    expires  unknown")
	default:
		t.line("    expires  " + fmt.Sprintf("%s (in %s)", s.Expires.Local().Format(time.DateTime), time.Until(s.Expires).Round(time.Second)) + renewal(s))
	}
}

func renewal(s *AuthState) string {
	if s.Renewable {
		return ", then refreshed"
	}
	return ""
}
