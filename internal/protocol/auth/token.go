package auth

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// The grant types.
const (
	AuthorizationCode = "authorization_code"
	ClientCredentials = "client_credentials"
	refreshGrant      = "refresh_token"
)

// maxLife is the maximum token lifetime that is accepted: ten years.
const maxLife = 10 * 365 * 24 * time.Hour

// tokens is the response of a token endpoint.
type tokens struct {
	AccessToken  string         `json:"access_token"`
	TokenType    string         `json:"token_type"`
	ExpiresIn    jsontext.Value `json:"expires_in"`
	RefreshToken string         `json:"refresh_token"`
	Scope        string         `json:"scope"`
}

// life returns the lifetime of the token, 0 if unknown. Some servers write the number as a string.
func (t *tokens) life() time.Duration {
	text := strings.Trim(string(t.ExpiresIn), `"`)
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, maxLife.Seconds()) * float64(time.Second))
}

// redeem requests a token from the token endpoint.
func (f *Flow) redeem(ctx context.Context, name Name, as *server, c *Client, form url.Values) (*tokens, error) {
	s := f.begin(name)
	defer func() { f.emit(s) }()
	if _, err := checkURL(as.TokenEndpoint); err != nil {
		return nil, s.fail("endpoints of an authorization server must use https", "token_endpoint: %v", err)
	}
	header := http.Header{}
	if err := f.prove(c, as, form, header); err != nil {
		return nil, s.fail("check {--client-key}", "%v", err)
	}
	body, err := f.postForm(ctx, s, as.TokenEndpoint, form, header)
	if err != nil {
		return nil, err
	}
	if s.Answer.Status != http.StatusOK {
		return nil, f.refused(s, body, "the token endpoint should return 200 with a token")
	}
	noteType(s, s.Answer)
	got := &tokens{}
	if err := read(body, got); err != nil {
		return nil, s.fail("the token endpoint should return a JSON object", "invalid response: %v", err)
	}
	f.call.secrets.Add(got.AccessToken, got.RefreshToken)
	return got, f.checkTokens(s, got)
}

const formType = "application/x-www-form-urlencoded"

// postForm sends a form, with a proof if tokens are bound to a key. If the server requires a nonce in the
// proof, the request is repeated once.
func (f *Flow) postForm(ctx context.Context, s *Step, endpoint string, form url.Values, header http.Header) ([]byte,
	error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	for again := false; ; again = true {
		if f.signer != nil {
			proof, err := f.signer.proof(http.MethodPost, u, "")
			if err != nil {
				return nil, err
			}
			f.call.secrets.Add(proof)
			header.Set("Dpop", proof)
		}
		body, err := f.call.post(ctx, s, endpoint, formType, []byte(form.Encode()), displayForm(form), header)
		if err != nil || again || f.signer == nil || !f.signer.updateNonce(u, s.Answer.Header) ||
			s.Answer.Status == http.StatusOK {
			return body, err
		}
		s.note("the server required a nonce in the proof (HTTP %d); request repeated with it", s.Answer.Status)
	}
}

func (f *Flow) checkTokens(s *Step, got *tokens) error {
	switch {
	case got.AccessToken == "":
		return s.fail("the token endpoint should return access_token", "no access_token in the response")
	case strings.Trim(got.AccessToken, tokenBytes) != "":
		return s.fail("a bearer token consists of letters, digits and -._~+/=",
			"access_token contains characters that are not allowed in a header")
	case f.signer != nil && strings.EqualFold(got.TokenType, dpopScheme):
	case !strings.EqualFold(got.TokenType, bearerScheme):
		return s.fail("the token endpoint should return token_type Bearer", "token_type: got %q, expected Bearer",
			got.TokenType)
	}
	s.State, s.Result = OK, "received a token"
	if life := got.life(); life > 0 {
		s.Result += " for " + life.String()
	} else {
		s.note("expires_in is missing: the token lifetime is unknown")
	}
	if got.RefreshToken != "" {
		s.Result += ", with a refresh token"
	}
	if got.Scope != "" {
		s.Result += "; scopes: " + got.Scope
	}
	return nil
}

const tokenBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/="

// refused fails a step whose request the server rejected.
func (f *Flow) refused(s *Step, body []byte, advice hint.Text) error {
	var said struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if read(body, &said) == nil && said.Error != "" {
		if s.Name != Registration { // there, any code leads to a client that is registered otherwise
			advice = adviceFor(said.Error)
		}
		return s.fail(advice, "HTTP %d, %s%s", s.Answer.Status, said.Error, described(said.Description))
	}
	return s.fail(advice, "HTTP %d %s", s.Answer.Status, http.StatusText(s.Answer.Status))
}

// displayForm formats a form without its secrets.
func displayForm(form url.Values) string {
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	var pairs []string
	for _, name := range names {
		for _, value := range form[name] {
			if secretField(name) && value != "" {
				pairs = append(pairs, url.QueryEscape(name)+"="+redact.Placeholder)
			} else {
				pairs = append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(value))
			}
		}
	}
	return strings.Join(pairs, "&")
}

func secretField(name string) bool {
	switch name {
	case "code", "code_verifier", "client_secret", "refresh_token", "client_assertion", "assertion", "subject_token",
		"actor_token":
		return true
	}
	return false
}
