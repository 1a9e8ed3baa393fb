package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A Client is our registration at an authorization server.
type Client struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
	Method string `json:"method"` // its authentication method at the token endpoint
}

// The client authentication methods.
const (
	methodNone  = "none"
	methodBasic = "client_secret_basic"
	methodPost  = "client_secret_post"
	methodKey   = "private_key_jwt"
)

// register selects the client: the ID from the user, a metadata document if the server supports it, or a
// dynamically registered ID. An ID is valid only for its issuer.
func (f *Flow) register(ctx context.Context, as *server, redirect string) (*Client, error) {
	s := f.begin(Registration)
	defer func() { f.emit(s) }()
	who := f.opts.Identity
	switch {
	case who.ID != "":
		c := &Client{ID: who.ID, Secret: who.Secret, Method: f.givenMethod(as)}
		s.State, s.Result = OK, "using the given client ID: "+c.ID+", authenticated by "+c.Method
		if who.Secret == "" && !offers(as.AuthMethods, []string{methodNone}, c.Method) {
			s.note("token_endpoint_auth_methods_supported is %s; a client without a secret may be rejected",
				list(as.AuthMethods))
		}
		return c, nil
	case who.Document != "" && as.ClientDocuments:
		s.State, s.Result = OK, "client ID metadata document: "+who.Document
		return &Client{ID: who.Document, Method: methodNone}, nil
	case f.opts.Grant != AuthorizationCode:
		return nil, s.fail("provide {--client-id} and {--client-secret} or {--client-key}",
			"this grant requires a registered client")
	}
	if who.Registered != nil {
		if c := who.Registered(as.Issuer, redirect); c != nil {
			f.call.secrets.Add(c.Secret)
			s.State, s.Result = OK, "using the registered client "+c.ID
			return c, nil
		}
	}
	if as.RegistrationEndpoint != "" {
		return f.dynamic(ctx, s, as, redirect)
	}
	return nil, s.fail("register a client manually with the redirect URI "+hint.Text(redirect)+
		" (use {--callback-port} for a fixed port), and provide its ID with {--client-id}",
		"the authorization server has no registration_endpoint, and no client ID was given")
}

// givenMethod returns the authentication method of a client from the user.
func (f *Flow) givenMethod(as *server) string {
	switch {
	case f.opts.Identity.Key != nil:
		return methodKey
	case f.opts.Identity.Secret == "":
		return methodNone
	case offers(as.AuthMethods, []string{methodBasic}, methodBasic), !slices.Contains(as.AuthMethods, methodPost):
		return methodBasic
	}
	return methodPost
}

// registration is the client metadata of RFC 7591.
type registration struct {
	Name            string   `json:"client_name"`
	RedirectURIs    []string `json:"redirect_uris"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	Method          string   `json:"token_endpoint_auth_method"`
	ApplicationType string   `json:"application_type"`
}

// dynamic registers a client. We are a program on the user's machine, which cannot keep a secret: none is
// requested unless the server requires it.
func (f *Flow) dynamic(ctx context.Context, s *Step, as *server, redirect string) (*Client, error) {
	wanted := registration{Name: f.opts.Identity.name(), RedirectURIs: []string{redirect},
		GrantTypes:    []string{AuthorizationCode},
		ResponseTypes: []string{"code"}, Method: publicMethod(as), ApplicationType: "native"}
	if strings.HasPrefix(redirect, "https:") {
		wanted.ApplicationType = "web"
	}
	if offers(as.GrantTypes, []string{refreshGrant}, refreshGrant) {
		wanted.GrantTypes = append(wanted.GrantTypes, refreshGrant)
	}
	text, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	body, err := f.call.post(ctx, s, as.RegistrationEndpoint, "application/json", text, string(text), nil)
	if err != nil {
		return nil, err
	}
	var got struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
		Method string `json:"token_endpoint_auth_method"`
	}
	if s.Answer.Status != http.StatusCreated && s.Answer.Status != http.StatusOK {
		return nil, f.refused(s, body, "the server does not allow dynamic registration: register a client manually "+
			"and provide {--client-id}, or pass an existing token: {--header} 'Authorization: Bearer …'")
	}
	if err := read(body, &got); err != nil {
		return nil, s.fail("the server should return the client metadata (RFC 7591)", "invalid response: %v", err)
	}
	f.call.secrets.Add(got.Secret)
	if got.ID == "" {
		return nil, s.fail("the server should return the client metadata (RFC 7591)", "no client_id in the response")
	}
	if s.Answer.Status == http.StatusOK {
		s.note("HTTP 200, expected 201 (RFC 7591)")
	}
	c := &Client{ID: got.ID, Secret: got.Secret, Method: first(got.Method, wanted.Method)}
	s.State, s.Result = OK, "registered as "+c.ID+", authenticated by "+c.Method
	return c, nil
}

// publicMethod returns the method to request.
func publicMethod(as *server) string {
	for _, method := range []string{methodNone, methodBasic, methodPost} {
		if offers(as.AuthMethods, []string{methodBasic}, method) {
			return method
		}
	}
	return methodNone
}

// prove adds the client authentication to a token request.
func (f *Flow) prove(c *Client, as *server, form url.Values, header http.Header) error {
	switch c.Method {
	case methodBasic:
		req := http.Request{Header: header}
		req.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret))
	case methodPost:
		form.Set("client_id", c.ID)
		form.Set("client_secret", c.Secret)
	case methodKey:
		assertion, err := f.opts.Identity.Key.assertion(c.ID, as.Issuer)
		if err != nil {
			return err
		}
		form.Set("client_id", c.ID)
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", assertion)
	default:
		form.Set("client_id", c.ID)
	}
	return nil
}
