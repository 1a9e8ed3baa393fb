package gateway

import (
	"cmp"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/gateway/accounts"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// oauthSettings are how the gateway gets tokens for a server.
type oauthSettings struct {
	// authorization_code (users connect accounts in a browser; default), client_credentials (the gateway has its own), or
	// token_exchange (the token that a caller has for the gateway is exchanged for one for the server, RFC 8693)
	Grant string `json:"grant"`
	// with authorization_code: caller (each caller connects an account of its own; default) or shared (all use the one
	// of mcptest gateway login)
	Account      string        `json:"account"`
	ClientID     string        `json:"client_id"`     // without one, the gateway registers itself if possible
	ClientSecret *secretSource `json:"client_secret"` // of the client, if it has one
	ClientKey    *secretSource `json:"client_key"`    // private key of the client in PEM format, instead of a secret
	Scopes       []string      `json:"scopes"`        // requested instead of those that the server lists
	Issuer       string        `json:"issuer"`        // which authorization server, if the server lists several
	AllowPrivate bool          `json:"allow_private"` // allow loopback and private addresses in metadata
}

// The values of grant and account.
const (
	codeGrant        = "authorization_code"
	credentialsGrant = "client_credentials"
	exchangeGrant    = "token_exchange"
	callerAccount    = "caller"
	sharedAccount    = "shared"
)

// shared reports whether all callers use the account of the gateway.
func (o *oauthSettings) shared() bool {
	return o.Grant == credentialsGrant || o.Account == sharedAccount
}

// stored reports whether the tokens are in the store.
func (o *oauthSettings) stored() bool { return cmp.Or(o.Grant, codeGrant) == codeGrant }

// check returns what is wrong with the settings; nil if nothing is.
func (o *oauthSettings) check(isolation string, jwt bool) *workbench.UsageError {
	grant := cmp.Or(o.Grant, codeGrant)
	switch {
	case grant != codeGrant && grant != credentialsGrant && grant != exchangeGrant:
		return &workbench.UsageError{Message: fmt.Sprintf("oauth: invalid value %q for grant", o.Grant),
			Hint: "use authorization_code, client_credentials or token_exchange"}
	case o.Account != "" && o.Account != callerAccount && o.Account != sharedAccount:
		return &workbench.UsageError{Message: fmt.Sprintf("oauth: invalid value %q for account", o.Account),
			Hint: "use caller or shared"}
	case o.Account != "" && grant != codeGrant:
		return &workbench.UsageError{Message: "oauth: account has no effect with grant " + grant,
			Hint: "remove account: client_credentials are always shared, token_exchange is always per caller"}
	case grant != codeGrant && (o.ClientID == "" || o.ClientSecret == nil && o.ClientKey == nil):
		return &workbench.UsageError{Message: "oauth: grant " + grant + " requires client_id, and client_secret or " +
			"client_key", Hint: "register a client at the authorization server"}
	case o.ClientSecret != nil && o.ClientKey != nil:
		return &workbench.UsageError{Message: "oauth: client_secret and client_key are mutually exclusive",
			Hint: "use one of them"}
	case o.ClientID == "" && (o.ClientSecret != nil || o.ClientKey != nil):
		return &workbench.UsageError{Message: "oauth: client_secret and client_key require client_id"}
	case grant == exchangeGrant && !jwt:
		return &workbench.UsageError{Message: "oauth: token_exchange requires callers with tokens of an issuer",
			Hint: "configure jwt under gateway"}
	case !o.shared() && isolation == string(upstream.Shared):
		return &workbench.UsageError{Message: "oauth: with an account per caller, callers cannot share a session",
			Hint: "remove isolation, or use per-caller or per-session"}
	}
	return nil
}

// checkOAuth rejects oauth for a server that cannot have it.
func (s *gatewayServer) checkOAuth(file string) error {
	if s.settings.OAuth == nil {
		return nil
	}
	problem := ""
	switch _, err := auth.New(auth.Options{Server: s.target.URL}); {
	case s.target.URL == "":
		problem = "oauth requires a server at a URL"
	case s.target.Header.Get("Authorization") != "":
		problem = "the server has oauth and an Authorization header; remove one of them"
	case err != nil:
		problem = err.Error()
	}
	if problem == "" {
		return nil
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: servers: %s: %s", file, s.name, problem)}
}

// account returns how tokens for the server are obtained. The settings have been checked.
func (s *gatewayServer) account() accounts.Server {
	o := s.settings.OAuth
	grant := map[string]string{credentialsGrant: auth.ClientCredentials, exchangeGrant: auth.TokenExchange}[o.Grant]
	who := auth.Identity{ID: o.ClientID, Name: "mcptest gateway"}
	if o.ClientSecret != nil {
		who.Secret = o.ClientSecret.value
	}
	if o.ClientKey != nil {
		who.Key = o.ClientKey.key
	}
	return accounts.Server{Name: s.name, URL: s.target.URL, Grant: cmp.Or(grant, auth.AuthorizationCode),
		Shared: o.shared(), Identity: who, Scopes: o.Scopes, Issuer: o.Issuer, AllowPrivate: o.AllowPrivate,
		Insecure: s.target.Insecure, DialContext: s.target.DialContext}
}
