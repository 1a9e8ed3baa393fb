// Package signin has the operations that sign in to a server and manage the stored tokens.
package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An Input is the input of Auth.
type Input struct {
	workbench.Connection
	Settings
	Open bool     `json:"open,omitempty" surface:"cli" jsonschema:"open the authorization URL in the local browser"`
	Try  []string `json:"try,omitempty" surface:"cli" empty:"no" placeholder:"LIST" jsonschema:"try with the stored token, or after a sign-in, what happens later: refresh, expiry, or step-up (with --scope, the scopes to start with)"`
	As   string   `json:"as,omitempty" surface:"cli" empty:"no" placeholder:"CLIENT" jsonschema:"predict where a client fails, without a sign-in: claude-code, codex, claude-ai, chatgpt, vscode, cursor, python-sdk or ts-sdk"`
}

// Settings define the client identity and the grant for the authorization server.
type Settings struct {
	ClientID          string   `json:"client_id,omitempty" empty:"no" placeholder:"ID" jsonschema:"client ID registered with the authorization server"`
	ClientSecret      string   `json:"client_secret,omitempty" empty:"no" placeholder:"@FILE|$VAR" jsonschema:"client secret, read from a file or an environment variable to keep it out of the process list"`
	ClientKey         string   `json:"client_key,omitempty" surface:"cli" empty:"no" placeholder:"FILE" jsonschema:"private key of the client in PEM format, instead of a secret (private_key_jwt)"`
	ClientDocument    string   `json:"client_document,omitempty" empty:"no" placeholder:"URL" jsonschema:"URL of your client ID metadata document, if the server supports it"`
	ClientCredentials bool     `json:"client_credentials,omitempty" jsonschema:"use the client credentials grant (no user sign-in)"`
	Assertion         string   `json:"assertion,omitempty" empty:"no" placeholder:"@FILE|$VAR" jsonschema:"use a JWT assertion (jwt-bearer grant)"`
	IdentityEndpoint  string   `json:"identity_endpoint,omitempty" empty:"no" placeholder:"URL" jsonschema:"token endpoint of the identity provider that issues the assertion"`
	IdentityClient    string   `json:"identity_client,omitempty" empty:"no" placeholder:"ID" jsonschema:"client ID at the identity provider"`
	IdentityToken     string   `json:"identity_token,omitempty" empty:"no" placeholder:"@FILE|$VAR" jsonschema:"ID token of the user from the identity provider"`
	DPoP              bool     `json:"dpop,omitempty" jsonschema:"request a DPoP-bound token even if the server does not require it"`
	Scope             []string `json:"scope,omitempty" empty:"no" placeholder:"SCOPE" jsonschema:"scope to request, instead of those that the server lists"`
	Issuer            string   `json:"issuer,omitempty" empty:"no" placeholder:"URL" jsonschema:"issuer to use, if the server lists several authorization servers"`
	CallbackPort      int      `json:"callback_port,omitempty" placeholder:"PORT" jsonschema:"port for the OAuth callback (default: any free port)"`
	AllowPrivate      bool     `json:"allow_private,omitempty" jsonschema:"allow loopback and private addresses in server metadata"`
	NoStore           bool     `json:"no_store,omitempty" jsonschema:"do not store the token"`
}

// Auth gets a token for a server and shows every step.
var Auth = workbench.Op[Input, *Result]{
	Uses: workbench.Frames,
	Omit: []string{"command", "env", "cwd", "log_level", "extensions"},
	Name: "auth",
	Doc: "Authorize with a server and show every OAuth 2.1 step\n\n" +
		"Sends a request without a token, discovers the authorization server, registers a client, opens the browser " +
		"for consent,\n" +
		"and exchanges the code for a token. If a step fails, it shows the request, the response and how to fix it. " +
		"The token is\n" +
		"stored in a file that only you can read; other commands use it for exactly this server and refresh it.\n\n" +
		"With --as, the command follows the steps of another client up to the consent, and reports where that client " +
		"would fail\nand what the server must change. Nothing is stored.\n\n" +
		"With --try, it shows what happens to a token later: a refresh, an expired token, or a request that needs more " +
		"scopes.",
	Example: "mcptest auth https://mcp.example.com/mcp\nmcptest auth --as claude-code https://mcp.example.com/mcp",
	Run:     runAuth,
	Text:    writeAuth,
}

func runAuth(ctx context.Context, w *workbench.Workbench, in *Input) (*Result, error) {
	if err := in.Connection.Check(); err != nil {
		return nil, err
	}
	found, err := w.Find(&in.Connection)
	if err != nil {
		return nil, err
	}
	o := Options{Protocol: in.Protocol, Timeout: in.Timeout,
		OnStep: func(s auth.Step) { w.Event(workbench.Event{Auth: &s}) }}
	if in.As != "" && len(in.Try) > 0 {
		return nil, &workbench.UsageError{Message: "--as and --try are mutually exclusive"}
	}
	if in.As != "" {
		return predict(ctx, w, found, in, o)
	}
	o.Try = workbench.Commas(in.Try)
	if in.Open {
		o.Browse = w.Browse
	}
	result, err := SignIn(ctx, w, found, &in.Settings, o)
	if err != nil && result != nil && len(result.Steps) == 0 && ctx.Err() == nil {
		o.OnStep(unreached(w, found.Target.URL, err))
	}
	return result, err
}

// unreached returns the first step of a flow that could not reach the server.
func unreached(w *workbench.Workbench, server string, err error) auth.Step {
	problem := err.Error()
	if failed := (*wire.Error)(nil); errors.As(err, &failed) && strings.HasPrefix(problem, failed.Doing+" ") {
		problem = "cannot " + problem
	}
	if !w.Reveal {
		server, problem = redact.URL(server), w.Secrets.Text(problem)
	}
	return auth.Step{Seq: 1, Name: auth.Challenge, Title: auth.Challenge.Title(), State: auth.Failed,
		Clause: auth.Challenge.Clause(), Request: &auth.Request{Method: http.MethodPost, URL: server}, Problem: problem}
}

// serverURL returns the URL of a target; only HTTP servers can require a token.
func serverURL(t wire.Target) (string, error) {
	if t.URL == "" {
		return "", &workbench.UsageError{Message: fmt.Sprintf("%s does not use HTTP; OAuth is available only for "+
			"HTTP servers",
			t.String()),
			Hint: "pass secrets to a command with {--env}; {mcptest auth} requires a URL"}
	}
	if _, err := auth.Canonical(t.URL); err != nil {
		return "", &workbench.UsageError{Message: err.Error()}
	}
	return t.URL, nil
}

// flow prepares the authorization flow.
func flow(w *workbench.Workbench, found *target.Resolved, in *Settings, how Options) (*auth.Flow, error) {
	address, err := serverURL(found.Target)
	if err != nil {
		return nil, err
	}
	if found.Target.Header.Get("Authorization") != "" {
		return nil, &workbench.UsageError{Message: "this server already has an Authorization header",
			Hint: "remove the header to get a token"}
	}
	if in.CallbackPort < 0 || in.CallbackPort > 65535 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --callback-port", in.CallbackPort),
			Hint: "use a number from 1 to 65535"}
	}
	o := auth.Options{Server: address, Issuer: in.Issuer, CallbackPort: in.CallbackPort, AllowPrivate: in.AllowPrivate,
		Insecure: found.Target.Insecure, Reveal: w.Reveal, DialContext: found.Target.DialContext, Secrets: w.Secrets,
		Browse: how.Browse, OnStep: how.OnStep}
	for _, given := range in.Scope {
		o.Scopes = append(o.Scopes, strings.Fields(given)...)
	}
	if err := grantOf(w, in, &o); err != nil {
		return nil, err
	}
	if o.Identity, err = identity(w, in); err != nil {
		return nil, err
	}
	flow, err := auth.New(o)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	return flow, nil
}

// grantOf selects the grant type.
func grantOf(w *workbench.Workbench, in *Settings, o *auth.Options) (err error) {
	o.DPoP = in.DPoP
	provider := in.IdentityEndpoint != "" || in.IdentityClient != "" || in.IdentityToken != ""
	switch {
	case in.ClientCredentials && (in.Assertion != "" || provider), in.Assertion != "" && provider:
		return &workbench.UsageError{Message: "conflicting grant options",
			Hint: "use one of {--client-credentials}, {--assertion}, or {--identity-endpoint} with its client and token"}
	case provider && (in.IdentityEndpoint == "" || in.IdentityClient == "" || in.IdentityToken == ""):
		return &workbench.UsageError{Message: "--identity-endpoint, --identity-client and --identity-token must be " +
			"used together"}
	case in.ClientCredentials:
		o.Grant = auth.ClientCredentials
	case provider:
		o.Grant, o.Provider = auth.JWTBearer, &auth.IdentityProvider{TokenEndpoint: in.IdentityEndpoint,
			ClientID: in.IdentityClient}
		o.Provider.IDToken, err = secret(w, "--identity-token", in.IdentityToken)
	case in.Assertion != "":
		o.Grant = auth.JWTBearer
		o.Assertion, err = secret(w, "--assertion", in.Assertion)
	}
	return err
}

// identity returns the client identity for the authorization server.
func identity(w *workbench.Workbench, in *Settings) (who auth.Identity, err error) {
	who = auth.Identity{ID: in.ClientID, Document: in.ClientDocument}
	switch {
	case in.ClientID == "" && (in.ClientSecret != "" || in.ClientKey != ""):
		return who, &workbench.UsageError{Message: "--client-secret and --client-key require --client-id"}
	case in.ClientSecret != "" && in.ClientKey != "":
		return who, &workbench.UsageError{Message: "--client-secret and --client-key are mutually exclusive",
			Hint: "use one of them"}
	}
	if who.Secret, err = secret(w, "--client-secret", in.ClientSecret); err != nil || in.ClientKey == "" {
		return who, err
	}
	if !w.Grants.Files {
		return who, &workbench.UsageError{Message: "--client-key reads a file, which only the command line can do"}
	}
	text, err := w.ReadFile(path(w, in.ClientKey))
	if err == nil {
		who.Key, err = auth.ParseKey(text)
	}
	if err != nil {
		return who, &workbench.UsageError{Message: "cannot use the file of --client-key (" + err.Error() + ")"}
	}
	return who, nil
}

// maxSecretFile is the maximum size of a secret file.
const maxSecretFile = 64 << 10

// secret reads a secret from a file or an environment variable. Without file access, the input is the secret
// itself.
func secret(w *workbench.Workbench, flag, given string) (string, error) {
	if given == "" || !w.Grants.Files {
		return given, nil
	}
	if file, ok := strings.CutPrefix(given, "@"); ok {
		text, err := w.ReadFile(path(w, file))
		if err != nil || len(text) > maxSecretFile {
			return "", &workbench.UsageError{Message: fmt.Sprintf("cannot read the value of %s from %s: %v", flag, file,
				err)}
		}
		return strings.TrimSpace(string(text)), nil
	}
	if name, ok := strings.CutPrefix(given, "$"); ok {
		value, set := w.Variable(strings.Trim(name, "{}"))
		if !set || value == "" {
			return "", &workbench.UsageError{Message: fmt.Sprintf("environment variable %s of %s is not set", name,
				flag)}
		}
		return value, nil
	}
	return "", &workbench.UsageError{Message: "a literal value of " + flag +
		" is visible to all local users in the process list",
		Hint: hint.Text("use " + flag + " @FILE or " + flag + " '$VAR'")}
}

// Secret reads the value of a flag from a file (@FILE) or an environment variable ($VAR).
func Secret(w *workbench.Workbench, flag, given string) (string, error) {
	return secret(w, flag, given)
}

// path resolves a file name that the user passed.
func path(w *workbench.Workbench, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(w.System.Dir, file)
}
