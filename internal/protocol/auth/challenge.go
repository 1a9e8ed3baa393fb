package auth

import (
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A WWWAuthenticate is what a 401 or 403 response requires.
type WWWAuthenticate struct {
	Status   int
	Error    string   // such as invalid_token or insufficient_scope
	Scopes   []string // that a request requires
	Metadata string   // the metadata URL of the server
	DPoP     bool     // the token must be bound to a key
	Odd      string   // why WWW-Authenticate could not be parsed
}

// DemandOf parses the WWW-Authenticate headers of a rejection.
func DemandOf(status int, header http.Header) WWWAuthenticate {
	d := WWWAuthenticate{Status: status}
	challenges, err := oauthex.ParseWWWAuthenticate(header.Values("Www-Authenticate"))
	if err != nil {
		d.Odd = err.Error()
		return d
	}
	for _, c := range challenges {
		if c.Scheme != "bearer" && c.Scheme != "dpop" {
			continue
		}
		d.DPoP = d.DPoP || c.Scheme == "dpop"
		d.Error = first(d.Error, c.Params["error"])
		d.Metadata = first(d.Metadata, c.Params["resource_metadata"])
		if d.Scopes == nil {
			d.Scopes = strings.Fields(c.Params["scope"])
		}
	}
	return d
}

// TooNarrow reports whether the token is valid but lacks a scope.
func (d WWWAuthenticate) TooNarrow() bool {
	return d.Status == http.StatusForbidden && d.Error == "insufficient_scope"
}

func first(known, other string) string {
	if known != "" {
		return known
	}
	return other
}

// refusal shows the rejected request, and parses what the response requires.
func (f *Flow) refusal(refused wire.Frame) WWWAuthenticate {
	d := DemandOf(refused.Status, refused.Header)
	s := f.begin(Challenge)
	s.State = OK
	s.Request = &Request{Method: http.MethodPost, URL: f.call.url(f.server.String())}
	s.Answer = newResponse(refused.Status, f.call.header(refused.Header), refused.Body)
	switch {
	case d.Odd != "":
		s.note("invalid WWW-Authenticate header: %s", d.Odd)
	case refused.Header.Get("Www-Authenticate") == "":
		s.note("missing WWW-Authenticate header; it should contain the metadata URL: Bearer resource_metadata=\"…\"")
	case d.Metadata == "":
		s.note("no resource_metadata in WWW-Authenticate; trying the well-known URLs")
	}
	s.Result = "the server requires a token"
	if refused.Status == 0 {
		s.Answer, s.Notes = nil, nil
		s.Result = "the server responds without a token, but has metadata for clients with a token"
	}
	if d.TooNarrow() {
		s.Title, s.Result = "Request with too few scopes", "the token lacks a scope"
	}
	if len(d.Scopes) > 0 {
		s.Result += "; scopes: " + strings.Join(d.Scopes, " ")
	}
	f.emit(s)
	return d
}

// union adds the scopes of more that are not yet in scopes.
func union(scopes, more []string) []string {
	all := slices.Clone(scopes)
	for _, scope := range more {
		if !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return all
}
