package workbench

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// An AuthInput asks for a token.
type AuthInput struct {
	Connection
	AuthSettings
	Open bool `json:"open,omitempty" surface:"cli" jsonschema:"open the address in the browser of this machine"`
}

// AuthSettings say who we are to the authorization server and what to ask it for.
type AuthSettings struct {
	ClientID          string   `json:"client_id,omitempty" empty:"no" placeholder:"ID" jsonschema:"the id of a client that the authorization server knows"`
	ClientSecret      string   `json:"client_secret,omitempty" empty:"no" placeholder:"@FILE|$VAR" jsonschema:"its secret, read from a file or a variable, so that it stands in no process list"`
	ClientKey         string   `json:"client_key,omitempty" surface:"cli" empty:"no" placeholder:"FILE" jsonschema:"its private key in PEM, instead of a secret (private_key_jwt)"`
	ClientDocument    string   `json:"client_document,omitempty" empty:"no" placeholder:"URL" jsonschema:"a client id metadata document of yours, where the server takes one"`
	ClientCredentials bool     `json:"client_credentials,omitempty" jsonschema:"ask for a token of the client's own, with no person in it"`
	Assertion         string   `json:"assertion,omitempty" empty:"no" placeholder:"@FILE|$VAR" jsonschema:"ask with a signed statement of another authority, such as a workload's (jwt-bearer)"`
	IdentityEndpoint  string   `json:"identity_endpoint,omitempty" empty:"no" placeholder:"URL" jsonschema:"the token endpoint of an identity provider that gives the assertion"`
	IdentityClient    string   `json:"identity_client,omitempty" empty:"no" placeholder:"ID" jsonschema:"the client id there"`
	IdentityToken     string   `json:"identity_token,omitempty" empty:"no" placeholder:"@FILE|$VAR" jsonschema:"the id token by which the person signed in there"`
	DPoP              bool     `json:"dpop,omitempty" jsonschema:"have the token bound to a key (DPoP), even if the server does not ask for it"`
	Scope             []string `json:"scope,omitempty" empty:"no" placeholder:"SCOPE" jsonschema:"a scope to ask for, instead of those that the server names"`
	Issuer            string   `json:"issuer,omitempty" empty:"no" placeholder:"URL" jsonschema:"which authorization server, if the server trusts several"`
	CallbackPort      int      `json:"callback_port,omitempty" placeholder:"PORT" jsonschema:"the port that the browser is sent back to (default: any free one)"`
	AllowPrivate      bool     `json:"allow_private,omitempty" jsonschema:"let the server name addresses on this machine and in private networks"`
	NoStore           bool     `json:"no_store,omitempty" jsonschema:"do not keep the token"`
}

// Auth gets a token for a server and shows every step of the way.
var Auth = Op[AuthInput, *AuthResult]{
	Name: "auth",
	Doc: "Get a token for a server and show every step of the way (OAuth 2.1)\n\n" +
		"Asks the server without a token, finds its authorization server, registers there, lets you agree in a browser, and\n" +
		"exchanges the answer for a token. Where a step fails it shows what was asked, what came back, and what to do. The token\n" +
		"is kept in a file that only you can read; other commands use it for exactly this server, and renew it.",
	Example: "mcptest auth https://mcp.example.com/mcp",
	Run:     runAuth,
	Text:    writeAuth,
}

func runAuth(ctx context.Context, w *Workbench, in *AuthInput) (*AuthResult, error) {
	if err := in.Connection.check(); err != nil {
		return nil, err
	}
	found, err := w.find(&in.Connection)
	if err != nil {
		return nil, err
	}
	o := SignInOptions{Protocol: in.Protocol, Timeout: in.Timeout, OnStep: func(s auth.Step) { w.event(Event{Auth: &s}) }}
	if in.Open {
		o.Browse = w.Browse
	}
	return w.SignIn(ctx, found, &in.AuthSettings, o)
}

// serverURL is the URL that a target is reached by; only such servers can want a token.
func serverURL(t wire.Target) (string, error) {
	if t.URL == "" {
		return "", &UsageError{Message: fmt.Sprintf("%s is not reached over HTTP, so no token can be had for it", t.String()),
			Hint: "give a command its secrets with --env; mcptest auth is for URLs"}
	}
	if _, err := auth.Canonical(t.URL); err != nil {
		return "", &UsageError{Message: err.Error()}
	}
	return t.URL, nil
}

// flow prepares the way to a token.
func (w *Workbench) flow(found *target.Resolved, in *AuthSettings, how SignInOptions) (*auth.Flow, error) {
	address, err := serverURL(found.Target)
	if err != nil {
		return nil, err
	}
	if found.Target.Header.Get("Authorization") != "" {
		return nil, &UsageError{Message: "an Authorization header is given for this server already", Hint: "leave it out to get a token"}
	}
	if in.CallbackPort < 0 || in.CallbackPort > 65535 {
		return nil, &UsageError{Message: fmt.Sprintf("--callback-port is %d", in.CallbackPort), Hint: "a number from 1 to 65535"}
	}
	o := auth.Options{Server: address, Issuer: in.Issuer, CallbackPort: in.CallbackPort, AllowPrivate: in.AllowPrivate,
		Insecure: found.Target.Insecure, Reveal: w.Reveal, DialContext: found.Target.DialContext, Secrets: w.Secrets, Browse: how.Browse, OnStep: how.OnStep}
	for _, given := range in.Scope {
		o.Scopes = append(o.Scopes, strings.Fields(given)...)
	}
	if err := w.grantOf(in, &o); err != nil {
		return nil, err
	}
	if o.Identity, err = w.identity(in); err != nil {
		return nil, err
	}
	flow, err := auth.New(o)
	if err != nil {
		return nil, &UsageError{Message: err.Error()}
	}
	return flow, nil
}

// grantOf chooses the way to a token.
func (w *Workbench) grantOf(in *AuthSettings, o *auth.Options) (err error) {
	o.DPoP = in.DPoP
	provider := in.IdentityEndpoint != "" || in.IdentityClient != "" || in.IdentityToken != ""
	switch {
	case in.ClientCredentials && (in.Assertion != "" || provider), in.Assertion != "" && provider:
		return &UsageError{Message: "more than one way to a token is given", Hint: "--client-credentials, --assertion, or --identity-endpoint with its client and token"}
	case provider && (in.IdentityEndpoint == "" || in.IdentityClient == "" || in.IdentityToken == ""):
		return &UsageError{Message: "--identity-endpoint, --identity-client and --identity-token are needed together"}
	case in.ClientCredentials:
		o.Grant = auth.ClientCredentials
	case provider:
		o.Grant, o.Provider = auth.JWTBearer, &auth.IdentityProvider{TokenEndpoint: in.IdentityEndpoint, ClientID: in.IdentityClient}
		o.Provider.IDToken, err = w.secret("--identity-token", in.IdentityToken)
	case in.Assertion != "":
		o.Grant = auth.JWTBearer
		o.Assertion, err = w.secret("--assertion", in.Assertion)
	}
	return err
}

// identity is who we are to the authorization server.
func (w *Workbench) identity(in *AuthSettings) (who auth.Identity, err error) {
	who = auth.Identity{ID: in.ClientID, Document: in.ClientDocument}
	switch {
	case in.ClientID == "" && (in.ClientSecret != "" || in.ClientKey != ""):
		return who, &UsageError{Message: "a secret or a key is given, but no --client-id"}
	case in.ClientSecret != "" && in.ClientKey != "":
		return who, &UsageError{Message: "both --client-secret and --client-key", Hint: "a client proves itself by one of them"}
	}
	if who.Secret, err = w.secret("--client-secret", in.ClientSecret); err != nil || in.ClientKey == "" {
		return who, err
	}
	if !w.Grants.Files {
		return who, &UsageError{Message: "--client-key is a file, and only the command line reads files"}
	}
	text, err := w.readFile(w.path(in.ClientKey))
	if err == nil {
		who.Key, err = auth.ParseKey(text)
	}
	if err != nil {
		return who, &UsageError{Message: "the file of --client-key cannot be used, " + err.Error()}
	}
	return who, nil
}

// maxSecretFile bounds what is read for a secret.
const maxSecretFile = 64 << 10

// secret reads a value from where it is kept. What comes from a page is the value itself.
func (w *Workbench) secret(flag, given string) (string, error) {
	if given == "" || !w.Grants.Files {
		return given, nil
	}
	if file, ok := strings.CutPrefix(given, "@"); ok {
		text, err := w.readFile(w.path(file))
		if err != nil || len(text) > maxSecretFile {
			return "", &UsageError{Message: fmt.Sprintf("%s: %s cannot be read, or is no secret: %v", flag, file, err)}
		}
		return strings.TrimSpace(string(text)), nil
	}
	if name, ok := strings.CutPrefix(given, "$"); ok {
		value, set := w.variable(strings.Trim(name, "{}"))
		if !set || value == "" {
			return "", &UsageError{Message: fmt.Sprintf("%s: the environment variable %s is not set", flag, name)}
		}
		return value, nil
	}
	return "", &UsageError{Message: flag + " is a plain value, which everybody on this machine can see in the process list",
		Hint: "write " + flag + " @FILE or " + flag + " '$VAR'"}
}

// path is a file as the person named it.
func (w *Workbench) path(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(w.System.Dir, file)
}
