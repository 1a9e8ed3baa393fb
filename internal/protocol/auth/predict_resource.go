package auth

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// readAsClients decodes a document as clients do: of duplicate names the last counts.
func readAsClients(body []byte, into any) error {
	return json.Unmarshal(body, into, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

const resourceChange hint.Text = "publish protected resource metadata (RFC 9728) at the URL of the challenge, and at " +
	"/.well-known/oauth-protected-resource followed by the path of the server, readable without a token"

// findResource looks for the metadata of the MCP server where the client does.
func (w *walk) findResource(ctx context.Context, d WWWAuthenticate) *resource {
	places := w.resourceLocations(WWWAuthenticate{})
	if d.Metadata != "" && w.value(ruleResourceOrder) == "challenge-only" {
		places = []string{d.Metadata}
	} else if d.Metadata != "" {
		places = append([]string{d.Metadata}, slices.DeleteFunc(places, func(p string) bool { return p == d.Metadata })...)
	}
	broken := ""
	for _, place := range places {
		s := w.begin(ResourceMetadata)
		found, failed, last := w.resourceAsClient(ctx, s, place)
		w.emit(s)
		if found != nil || w.stopped() {
			return found
		}
		broken = first(broken, failed)
		if last {
			break
		}
	}
	s := w.begin(ResourceMetadata)
	defer func() { w.emit(s) }()
	if broken != "" && w.value(ruleResourceError) == "fail" {
		w.rule(ruleResourceError)
		w.stop(s, resourceChange, "%s fails if this metadata cannot be read: %s", w.ladder.Name, broken)
		return nil
	}
	origin := w.server.Scheme + "://" + w.server.Host
	if w.rule(ruleNoResource) == "fail" {
		w.stop(s, resourceChange, "%s requires protected resource metadata", w.ladder.Name)
		return nil
	}
	if w.unusable && !w.ladder.Rules[ruleResourceError].Certain() {
		w.rule(ruleResourceError) // it is not known whether the client goes on
	}
	w.misses(resourceChange)
	w.goesOn(s, "uses %s as the authorization server, as in revision 2025-03-26", origin)
	return &resource{Resource: w.server.String(), AuthorizationServers: []string{origin}, guessed: true}
}

// resourceAsClient reads the metadata at one URL. failed is why it cannot be read, last whether the client then looks
// no further.
func (w *walk) resourceAsClient(ctx context.Context, s *Step, place string) (found *resource, failed string,
	last bool) {
	var body []byte
	_, err := checkURL(place)
	if err == nil {
		body, err = w.call.get(ctx, s, place)
	}
	switch {
	case err != nil:
		s.Problem, s.Hint = "", ""
		w.goesOn(s, "gets no response: %v", err)
		return nil, err.Error(), w.value(ruleResourceError) == "legacy"
	case s.Answer.Status >= 500 || s.Answer.Status == http.StatusTooManyRequests:
		w.goesOn(s, "cannot read this document")
		return nil, http.StatusText(s.Answer.Status), w.value(ruleResourceError) == "legacy"
	case s.Answer.Status != http.StatusOK:
		_ = s.absent()
		return nil, "", false
	}
	found = &resource{}
	if err := readAsClients(body, found); err != nil || found.Resource == "" {
		w.unusable = true
		w.goesOn(s, "ignores this document: it is not the metadata of a resource")
		return nil, "", w.value(ruleResourceError) == "legacy"
	}
	if !w.matches(s, found, place) {
		return nil, "", false
	}
	if len(found.AuthorizationServers) == 0 {
		w.unusable = true
		w.goesOn(s, "finds no authorization_servers in this document")
		return nil, "", true
	}
	s.State, s.Result = OK, "authorization server: "+found.AuthorizationServers[0]
	return found, "", true
}

// matches compares the resource in the metadata at a URL with the URL of the server as the client does.
func (w *walk) matches(s *Step, found *resource, place string) bool {
	const change hint.Text = "set resource in the protected resource metadata to the URL that users enter, with its path"
	if found.Resource == w.server.String() {
		return true
	}
	switch value := w.rule(ruleResourceMatch); {
	case value == "ignored", value == "parent" && covers(found.Resource, w.server):
		return true
	case value == "exact-or-ignored":
		origin := w.server.Scheme + "://" + w.server.Host // the metadata at the root is that of the origin
		if place == origin+"/.well-known/oauth-protected-resource" && strings.TrimSuffix(found.Resource, "/") == origin {
			return true
		}
		w.misses(change)
		w.goesOn(s, "ignores this document: resource is %q", found.Resource)
	default:
		w.stop(s, change, "resource: got %q, expected %q", found.Resource, w.server.String())
	}
	return false
}
