package signin

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

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
	return &AuthState{Server: g.Server, Resource: g.Resource, Issuer: g.Issuer, ClientID: g.Client.ID,
		Scopes: g.Granted(), Obtained: g.Obtained,
		Expires: g.Expires, Expired: !g.Expires.IsZero() && now.After(g.Expires), Renewable: g.Renewable()}
}

// An StatusInput is the input of AuthStatus.
type StatusInput struct {
	workbench.Connection
	ShowToken bool `json:"show_token,omitempty" surface:"cli" jsonschema:"print the token itself"`
}

// An StatusResult describes the token stored for a server.
type StatusResult struct {
	Server string     `json:"server"`
	Token  *AuthState `json:"token"` // null if there is none
}

// Failed reports whether there is no usable token.
func (r *StatusResult) Failed() bool {
	return r.Token == nil || r.Token.Expired && !r.Token.Renewable
}

// Advice returns how to get a token if there is none.
func (r *StatusResult) Advice() string {
	if r.Token != nil {
		return ""
	}
	return "run: mcptest auth " + r.Server
}

// Status shows the token stored for a server.
var Status = workbench.Op[StatusInput, *StatusResult]{
	Uses:    workbench.Color,
	Omit:    []string{"command", "env", "cwd", "header", "timeout", "protocol", "insecure", "log_level", "extensions"},
	Name:    "auth status",
	Doc:     "Show the stored token for a server\n\nExits with 1 if there is no usable token.",
	Example: "mcptest auth status https://mcp.example.com/mcp",
	Run: func(_ context.Context, w *workbench.Workbench, in *StatusInput) (*StatusResult, error) {
		address, err := tokenKey(w, &in.Connection)
		if err != nil {
			return nil, err
		}
		return TokenState(w, address, in.ShowToken && w.Grants.Files)
	},
	Text: writeAuthStatus,
}

// TokenState returns the state of the token stored for the server at a URL.
func TokenState(w *workbench.Workbench, address string, show bool) (*StatusResult, error) {
	result := &StatusResult{Server: redact.URL(address)}
	if w.Tokens == nil {
		return result, nil
	}
	grant, err := w.Tokens.Load(address)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	if grant != nil {
		result.Token = stateOf(grant, time.Now())
		if show {
			result.Token.Secret = grant.AccessToken
		}
	}
	return result, nil
}

// An LogoutInput is the input of AuthLogout.
type LogoutInput struct{ workbench.Connection }

// An LogoutResult reports whether there was a token to delete.
type LogoutResult struct {
	Server  string `json:"server"`
	Removed bool   `json:"removed"`
}

// Logout deletes the token for a server.
var Logout = workbench.Op[LogoutInput, *LogoutResult]{
	Uses:    workbench.Color,
	Omit:    []string{"command", "env", "cwd", "header", "timeout", "protocol", "insecure", "log_level", "extensions"},
	Name:    "auth logout",
	Doc:     "Delete the stored token for a server\n\nThe token is not revoked at the authorization server.",
	Example: "mcptest auth logout https://mcp.example.com/mcp",
	Run: func(_ context.Context, w *workbench.Workbench, in *LogoutInput) (*LogoutResult, error) {
		address, err := tokenKey(w, &in.Connection)
		if err != nil || w.Tokens == nil {
			return nil, err
		}
		removed, err := w.Tokens.Remove(address)
		return &LogoutResult{Server: redact.URL(address), Removed: removed}, err
	},
	Text: func(out io.Writer, r *LogoutResult) error {
		t := workbench.NewText(out)
		if r.Removed {
			t.Line("deleted the token for " + t.Bold("%s", r.Server))
		} else {
			t.Line("no stored token for " + t.Bold("%s", r.Server))
		}
		return t.Err
	},
}

// tokenKey returns the URL under which a token for the target would be stored.
func tokenKey(w *workbench.Workbench, c *workbench.Connection) (string, error) {
	found, err := w.Find(c)
	if err != nil {
		return "", err
	}
	return serverURL(found.Target)
}

func writeAuthStatus(out io.Writer, r *StatusResult) error {
	t := workbench.NewText(out)
	if r.Token == nil {
		t.Line("no stored token for " + t.Bold("%s", r.Server))
		return t.Err
	}
	token(t, r.Token)
	if r.Token.Secret != "" {
		t.Line(r.Token.Secret)
	}
	return t.Err
}

// token shows the state of a token.
func token(t *workbench.Text, s *AuthState) {
	t.Line(t.Bold("%s", s.Server))
	t.Line("    issuer   " + t.Dim("%s", s.Issuer))
	t.Line("    client   " + t.Dim("%s", s.ClientID))
	if s.Resource != s.Server {
		t.Line("    resource " + t.Dim("%s", s.Resource))
	}
	if len(s.Scopes) > 0 {
		t.Line("    scopes   " + t.Dim("%s", strings.Join(s.Scopes, " ")))
	}
	switch {
	case s.Expired && s.Renewable:
		t.Line("    expired  refreshed on next use")
	case s.Expired:
		t.Line("    " + t.Bad("expired  %s", s.Expires.Local().Format(time.DateTime)))
	case s.Expires.IsZero():
		t.Line("    expires  unknown")
	default:
		t.Line("    expires  " + fmt.Sprintf("%s (in %s)", s.Expires.Local().Format(time.DateTime),
			time.Until(s.Expires).Round(time.Second)) + renewal(s))
	}
}

func renewal(s *AuthState) string {
	if s.Renewable {
		return ", then refreshed"
	}
	return ""
}
