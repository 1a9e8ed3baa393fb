package engines

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/isolate"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

const asHint hint.Text = "use NAME, NAME=token:$VAR, NAME=token:@FILE, NAME=header:'HEADER: $VAR', " +
	"NAME=env:VARIABLE=VALUE or NAME=signin"

// An asUser is a user as --as and --private describe it.
type asUser struct {
	name        string
	header, env []string
	signIn      bool
	private     []string
}

// identities resolves the users of --as.
func (in *IsolateInput) identities(ctx context.Context, w *workbench.Workbench) ([]isolate.Identity, error) {
	users, err := in.users(w)
	if err != nil {
		return nil, err
	}
	var all []isolate.Identity
	for _, u := range users {
		id, err := in.identity(ctx, w, u)
		if err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	return all, nil
}

func (in *IsolateInput) users(w *workbench.Workbench) ([]*asUser, error) {
	var users []*asUser
	find := func(name string) *asUser {
		for _, u := range users {
			if u.name == name {
				return u
			}
		}
		return nil
	}
	for _, text := range in.As {
		name, how, _ := strings.Cut(text, "=")
		if !plainUser(name) {
			return nil, &workbench.UsageError{Message: "--as: invalid name, expected letters, digits, - and _", Hint: asHint}
		}
		u := find(name)
		if u == nil {
			u = &asUser{name: name}
			users = append(users, u)
		}
		if err := u.add(w, how); err != nil {
			return nil, err
		}
	}
	for _, text := range in.Private {
		name, private, _ := strings.Cut(text, "=")
		u := find(name)
		if u == nil || len(private) < minPrivateText {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value for --private: expected NAME=TEXT with a "+
				"name of --as and at least %d characters", minPrivateText), Hint: "such as {--private} A=alice@example.com"}
		}
		u.private = append(u.private, private)
	}
	if len(users) < 2 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("--as: %s, expected at least 2 users",
			workbench.Plural(len(users), "user")), Hint: asHint}
	}
	return users, nil
}

// minPrivateText is the minimum length of a private text: shorter ones occur by chance.
const minPrivateText = 4

func plainUser(name string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return name != "" && len(name) <= 40 && strings.Trim(name, allowed) == ""
}

// add adds credentials. Messages do not repeat values, which may be secret.
func (u *asUser) add(w *workbench.Workbench, how string) error {
	kind, value, _ := strings.Cut(how, ":")
	switch {
	case how == "":
	case how == "signin":
		u.signIn = true
	case kind == "token" && (strings.HasPrefix(value, "$") || strings.HasPrefix(value, "@")):
		token, err := referred(w, value)
		if err != nil {
			return err
		}
		u.header = append(u.header, "Authorization: Bearer "+escaped(token))
	case kind == "token":
		return &workbench.UsageError{Message: fmt.Sprintf("--as %s=token: expected $VAR or @FILE, since other users of "+
			"the machine can see command lines", u.name), Hint: asHint}
	case kind == "header" && strings.Contains(value, ":"):
		u.header = append(u.header, value)
	case kind == "env" && strings.Contains(value, "="):
		name, text, _ := strings.Cut(value, "=")
		if strings.HasPrefix(text, "$") || strings.HasPrefix(text, "@") {
			var err error
			if text, err = referred(w, text); err != nil {
				return err
			}
		}
		u.env = append(u.env, name+"="+text)
	default:
		return &workbench.UsageError{Message: fmt.Sprintf("--as %s: invalid credentials", u.name), Hint: asHint}
	}
	return nil
}

// escaped marks a header value that starts with a dollar sign as literal.
func escaped(value string) string {
	if strings.HasPrefix(value, "$") {
		return "$" + value
	}
	return value
}

// referred returns the value of $VAR, ${VAR} or @FILE.
func referred(w *workbench.Workbench, value string) (string, error) {
	if file, ok := strings.CutPrefix(value, "@"); ok {
		data, err := w.ReadFile(file)
		if err != nil {
			return "", &workbench.UsageError{Message: "--as: " + err.Error()}
		}
		return strings.TrimSpace(string(data)), nil
	}
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(value, "$"), "{"), "}")
	text, set := w.Variable(name)
	if !set || text == "" {
		return "", &workbench.UsageError{Message: fmt.Sprintf("--as: environment variable %s is not set", name),
			Hint: hint.Text("run: export " + name + "=…")}
	}
	return text, nil
}

// identity resolves the server as one user sees it.
func (in *IsolateInput) identity(ctx context.Context, w *workbench.Workbench, u *asUser) (isolate.Identity, error) {
	c := in.Connection
	c.Header, c.Env = slices.Concat(c.Header, u.header), slices.Concat(c.Env, u.env)
	t, err := w.Resolve(&c)
	if err != nil {
		return isolate.Identity{}, fmt.Errorf("--as %s: %w", u.name, err)
	}
	if u.signIn {
		if t = w.Authorized(ctx, t); t.Credentials == nil {
			return isolate.Identity{}, &workbench.UsageError{
				Message: fmt.Sprintf("--as %s=signin: no stored token for %s", u.name, t), Hint: hint.SignIn(t.String())}
		}
	}
	opts := mcp.Options{Client: mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"},
		Protocol: in.Protocol, Timeout: in.Timeout, LogLevel: "debug"}
	in.Declare(&opts)
	secrets := u.secrets(t)
	return isolate.Identity{Name: u.name, Target: t, Secrets: secrets, Private: slices.Concat(u.private, claims(secrets)),
		Key: fmt.Sprint(u.header, u.env, u.signIn),
		Open: func(ctx context.Context, log *wire.Transcript) (*mcp.Session, error) {
			defer w.ShowWaiting(t)()
			return mcp.Connect(ctx, t, log, &opts)
		}}, nil
}

// secrets lists the credentials of a user, without the name of their scheme.
func (u *asUser) secrets(t wire.Target) []string {
	var all []string
	for _, line := range u.header {
		name, _, _ := strings.Cut(line, ":")
		for _, value := range t.Header[http.CanonicalHeaderKey(strings.TrimSpace(name))] {
			all = append(all, value[strings.LastIndexByte(value, ' ')+1:])
		}
	}
	for _, pair := range u.env {
		if name, value, _ := strings.Cut(pair, "="); redact.SecretName(name) {
			all = append(all, value)
		}
	}
	return all
}

// minClaim is the minimum length of a claim that identifies a user.
const minClaim = 6

// claims returns what JSON Web Tokens say about their user. The signature does not matter here.
func claims(tokens []string) []string {
	var all []string
	for _, token := range tokens {
		parts := strings.Split(token, ".")
		if len(parts) != 3 {
			continue
		}
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		var said map[string]any
		if err != nil || json.Unmarshal(payload, &said) != nil {
			continue
		}
		for _, name := range []string{"sub", "email", "preferred_username", "upn"} {
			if text, ok := said[name].(string); ok && len(text) >= minClaim {
				all = append(all, text)
			}
		}
	}
	return all
}
