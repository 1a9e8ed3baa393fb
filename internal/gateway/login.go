package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A LoginInput is the input of Login.
type LoginInput struct {
	Server       string `json:"server" cli:"arg" jsonschema:"name of the server in the config"`
	Config       string `json:"config,omitempty" placeholder:"FILE" jsonschema:"config file of the gateway"`
	Store        string `json:"store,omitempty" placeholder:"ADDRESS" jsonschema:"store of the gateway: a SQLite file or postgres:// URL (default: as of the gateway with this config)"`
	Open         bool   `json:"open,omitempty" jsonschema:"open the URL in the browser instead of only printing it"`
	CallbackPort int    `json:"callback_port,omitempty" placeholder:"PORT" jsonschema:"port for the OAuth callback (default: any free port)"`
}

// A LoginResult is the account of a gateway at a server.
type LoginResult struct {
	Server  string    `json:"server"`
	URL     string    `json:"url"`
	Issuer  string    `json:"issuer"`
	Scopes  []string  `json:"scopes"`
	Expires time.Time `json:"expires,omitzero"`
	Renewed bool      `json:"refreshed"` // whether it is refreshed without a user
	Shared  bool      `json:"shared"`    // whether all callers use it
}

// Login connects the account of a gateway at a server.
var Login = workbench.Op[LoginInput, *LoginResult]{
	Uses: workbench.Color,
	Name: "gateway login",
	Doc: "Connect the account of a gateway at a server with OAuth\n\n" +
		"Opens the authorization server of the server in a browser, and stores the token, encrypted, in the store of the " +
		"gateway.\n" +
		"A running gateway uses it immediately: for all callers if the account is shared, or else to list what the " +
		"server\noffers. Callers connect their own accounts at /connect of the gateway.",
	Example: "mcptest gateway login github --config mcp.json",
	Run:     runLogin,
	Text:    writeLogin,
}

func runLogin(ctx context.Context, w *workbench.Workbench, in *LoginInput) (*LoginResult, error) {
	if in.Config == "" {
		return nil, &workbench.UsageError{Message: "missing --config", Hint: "pass the config file of the gateway"}
	}
	if in.CallbackPort < 0 || in.CallbackPort > 65535 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --callback-port", in.CallbackPort),
			Hint: "use a number from 1 to 65535"}
	}
	if in.Store == MemoryStore {
		return nil, &workbench.UsageError{Message: "--store memory is only for a gateway: the account would be lost here"}
	}
	servers, settings, err := gatewayConfig(w, in.Config)
	if err != nil {
		return nil, err
	}
	s, err := loginServer(in, servers)
	if err != nil {
		return nil, err
	}
	// before the user does anything for nothing
	if err := needKeys(in.Config, settings, []gatewayServer{*s}, false); err != nil {
		return nil, err
	}
	g, err := loginFlow(ctx, w, in, s)
	if err != nil {
		return nil, err
	}
	return storeLogin(ctx, w, in, s, settings, g)
}

// loginServer finds the server whose account is connected.
func loginServer(in *LoginInput, servers []gatewayServer) (*gatewayServer, error) {
	var known []string
	for _, s := range servers {
		if s.name != in.Server {
			known = append(known, s.name)
			continue
		}
		if o := s.settings.OAuth; o == nil || !o.stored() {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("server %q has no account to log in to", s.name),
				Hint: hint.Text(fmt.Sprintf(`set oauth of the server in the config: "gateway": {"servers": {%q: `+
					`{"oauth": …}}}, with the grant authorization_code`, s.name))}
		}
		return &s, nil
	}
	advice := "use one of: " + strings.Join(known, ", ")
	if near := typo.Best(in.Server, known); near != "" {
		advice = "did you mean " + near + "?"
	}
	return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown server %q", in.Server), Hint: hint.Text(advice)}
}

// loginFlow runs the flow in a browser of this machine.
func loginFlow(ctx context.Context, w *workbench.Workbench, in *LoginInput, s *gatewayServer) (*auth.Grant, error) {
	a := s.account()
	o := auth.Options{Server: a.URL, Identity: a.Identity, Scopes: a.Scopes, Issuer: a.Issuer,
		AllowPrivate: a.AllowPrivate, Insecure: a.Insecure, DialContext: a.DialContext, CallbackPort: in.CallbackPort,
		Secrets: w.Secrets, Reveal: w.Reveal, OnStep: func(s auth.Step) { w.Event(workbench.Event{Auth: &s}) }}
	if in.Open {
		o.Browse = w.Browse
	}
	f, err := auth.New(o)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	defer f.Close()
	return f.Run(ctx, wire.Frame{}, nil)
}

// storeLogin stores the token.
func storeLogin(ctx context.Context, w *workbench.Workbench, in *LoginInput, s *gatewayServer,
	settings gatewaySettings, g *auth.Grant) (out *LoginResult, err error) {
	address := in.Store
	if address == "" {
		if address, err = DefaultStore(w.System, in.Config); err != nil {
			return nil, err
		}
	}
	if u, err := url.Parse(address); err == nil && u.User != nil {
		if password, ok := u.User.Password(); ok {
			w.Secrets.Add(password)
		}
	}
	st, err := store.Open(ctx, address)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	all, err := openAccounts(in.Config, settings, []gatewayServer{*s}, st, "", nil)
	if err != nil {
		return nil, err
	}
	if err := all.Of(s.account(), "").Connect(ctx, g); err != nil {
		return nil, err
	}
	return &LoginResult{Server: s.name, URL: s.target.URL, Issuer: g.Issuer, Scopes: g.Granted(), Expires: g.Expires,
		Renewed: g.Renewable(), Shared: s.settings.OAuth.shared()}, nil
}

func writeLogin(w io.Writer, r *LoginResult) error {
	use := "to list what it offers; callers connect their own accounts at /connect of the gateway"
	if r.Shared {
		use = "for all callers"
	}
	text := fmt.Sprintf("connected to %s through %s\nused %s\n", r.Server, r.Issuer, use)
	if len(r.Scopes) > 0 {
		text += "scopes: " + strings.Join(r.Scopes, " ") + "\n"
	}
	if !r.Renewed {
		text += "no refresh token was issued: log in again when the token has expired\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
