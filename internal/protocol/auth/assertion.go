package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// JWTBearer is the grant for clients with an assertion of another authority: a workload, or an employee (RFC
// 7523).
const JWTBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"

// An IdentityProvider issues, for the ID token of a user, an assertion for another authorization server (RFC
// 8693, enterprise-managed authorization).
type IdentityProvider struct {
	TokenEndpoint string
	ClientID      string // ours there
	IDToken       string // of the user
}

// byAssertion requests a token with an assertion: the given one, or one from the identity provider. A rejection
// is final: no other grant is tried after it.
func (f *Flow) byAssertion(ctx context.Context, as *server, r *resource, scopes []string) (*Grant, error) {
	client, err := f.register(ctx, as, "")
	if err != nil {
		return nil, err
	}
	assertion := f.opts.Assertion
	if f.opts.Provider != nil {
		if assertion, err = f.exchange(ctx, as, r, scopes); err != nil {
			return nil, err
		}
	}
	f.call.secrets.Add(assertion)
	form := url.Values{"grant_type": {JWTBearer}, "assertion": {assertion}, "resource": {r.Resource}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	got, err := f.redeem(ctx, Token, as, client, form)
	if err != nil {
		return nil, err
	}
	return f.grant(as, r, client, scopes, got)
}

// exchange requests an assertion from the identity provider.
func (f *Flow) exchange(ctx context.Context, as *server, r *resource, scopes []string) (string, error) {
	p := f.opts.Provider
	f.call.secrets.Add(p.IDToken)
	s := f.begin(Exchange)
	defer func() { f.emit(s) }()
	if _, err := checkURL(p.TokenEndpoint); err != nil {
		return "", s.fail("the identity provider must use https", "token endpoint of the identity provider: %v", err)
	}
	form := url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:token-exchange"}, "client_id": {p.ClientID},
		"requested_token_type": {"urn:ietf:params:oauth:token-type:id-jag"}, "audience": {as.Issuer},
		"resource":      {r.Resource},
		"subject_token": {p.IDToken}, "subject_token_type": {"urn:ietf:params:oauth:token-type:id_token"}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	body, err := f.call.post(ctx, s, p.TokenEndpoint, formType, []byte(form.Encode()), displayForm(form), nil)
	if err != nil {
		return "", err
	}
	if s.Answer.Status != http.StatusOK {
		return "", f.refused(s, body, "the identity provider should return 200 with an assertion")
	}
	var got struct {
		Assertion string `json:"access_token"`
		Issued    string `json:"issued_token_type"`
	}
	if err := read(body, &got); err != nil || got.Assertion == "" {
		return "", s.fail("the identity provider should return access_token (RFC 8693)",
			"no assertion in the response: %v", err)
	}
	f.call.secrets.Add(got.Assertion)
	if got.Issued != "urn:ietf:params:oauth:token-type:id-jag" {
		s.note("issued_token_type: got %q, expected urn:ietf:params:oauth:token-type:id-jag", got.Issued)
	}
	s.Result = "assertion for " + as.Issuer
	return got.Assertion, nil
}
