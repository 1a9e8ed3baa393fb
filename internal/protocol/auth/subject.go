package auth

import (
	"context"
	"net/url"
	"strings"
)

// TokenExchange is the grant that gets a token for one server with the token that a user has for another (RFC 8693).
const TokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

const accessTokenType = "urn:ietf:params:oauth:token-type:access_token"

// bySubject exchanges the token of the user. It is sent to the authorization server only.
func (f *Flow) bySubject(ctx context.Context, as *server, r *resource, scopes []string) (*Grant, error) {
	client, err := f.register(ctx, as, "")
	if err != nil {
		return nil, err
	}
	f.call.secrets.Add(f.opts.Subject)
	form := url.Values{"grant_type": {TokenExchange}, "subject_token": {f.opts.Subject},
		"subject_token_type": {accessTokenType}, "requested_token_type": {accessTokenType}, "resource": {r.Resource}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	got, err := f.redeem(ctx, Token, as, client, form)
	if err != nil {
		return nil, err
	}
	got.RefreshToken = "" // the token is exchanged again instead, so that it ends with the user's own
	return f.grant(as, r, client, scopes, got)
}
