package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// becomeClient gets a client ID as the client does. It returns an empty ID if the walk has stopped.
func (w *walk) becomeClient(ctx context.Context, as *clientServer) string {
	s := w.begin(Registration)
	defer func() { w.emit(s) }()
	if id := w.opts.Identity.ID; id != "" {
		s.State, s.Result = OK, "using the given client ID: "+id
		return id
	}
	if document := w.document(as); document != "" {
		s.State, s.Result = OK, "client ID metadata document: "+document
		return document
	}
	endpoint := as.RegistrationEndpoint
	if endpoint == "" {
		w.noDocument(as)
		const change hint.Text = "announce client_id_metadata_document_supported or a registration_endpoint in the " +
			"metadata of the authorization server, or register a client for these users: its ID is tried with {--client-id}"
		switch w.rule(ruleNoRegistrar) {
		case "asks":
			w.asksUser(s, change)
			return ""
		case "fail":
			w.stop(s, change, "the authorization server has no registration_endpoint")
			return ""
		}
		endpoint = w.Flow.server.Scheme + "://" + w.Flow.server.Host + "/register"
		s.note("%s tries %s", w.ladder.Name, endpoint)
	}
	w.noDocument(as)
	return w.registerAs(ctx, s, endpoint)
}

// asksUser ends the walk: the client asks for a client ID.
func (w *walk) asksUser(s *Step, change hint.Text) {
	s.State, s.Result = Absent, w.ladder.Name+" asks the user for a client ID"
	w.misses(change)
	w.result.Outcome, w.result.Step, w.result.Change = AsksUser, Registration, w.cause
	w.result.NotTried = append([]Name{Authorization}, w.result.NotTried...)
}

// noDocument records that the client has no metadata document, if one would have helped.
func (w *walk) noDocument(as *clientServer) {
	if as.ClientDocuments {
		w.rule(ruleDocument)
	}
}

// document returns the client ID metadata document that the client uses with a server.
func (w *walk) document(as *clientServer) string {
	own := first(w.opts.Identity.Document, w.ladder.Document)
	switch rule := w.value(ruleDocument); {
	case !as.ClientDocuments, rule == "never",
		rule == "announced-and-none" && !slices.Contains(as.AuthMethods, methodNone):
		return ""
	}
	return own
}

// registerAs registers a client with the redirect URIs of the client, under our own name.
func (w *walk) registerAs(ctx context.Context, s *Step, endpoint string) string {
	const change hint.Text = "allow dynamic client registration with these redirect URIs, or support client ID metadata " +
		"documents, or register a client for these users: its ID is tried with {--client-id}"
	body, err := w.postRegistration(ctx, s, endpoint)
	if err == nil && s.Answer.Status/100 == 2 {
		return w.registered(s, endpoint, body)
	}
	if s.Answer != nil && s.Answer.Status == http.StatusBadRequest {
		w.rule(ruleRedirect)
	}
	switch rejected := w.rule(ruleRejected); {
	case rejected == "asks":
		s.Problem, s.Hint = "", ""
		w.asksUser(s, change)
	case err != nil:
		w.stop(s, change, "%v", err)
	default:
		w.stop(s, change, "the authorization server rejects the registration: HTTP %d", s.Answer.Status)
	}
	return ""
}

// registered reads the response to a registration as the client does.
func (w *walk) registered(s *Step, endpoint string, body []byte) string {
	var got struct {
		ID        string    `json:"client_id"`
		Redirects *[]string `json:"redirect_uris"`
		Secret    string    `json:"client_secret"`
		Manage    string    `json:"registration_client_uri"`
		Token     string    `json:"registration_access_token"`
	}
	parsed := readAsClients(body, &got)
	w.call.secrets.Add(got.Secret)
	w.call.secrets.Add(got.Token)
	if got.Token != "" && sameOrigin(got.Manage, endpoint) {
		w.undo = append(w.undo, func(ctx context.Context) { w.unregister(ctx, got.Manage, got.Token) })
	}
	const answer hint.Text = "return the registered client with client_id and redirect_uris (RFC 7591, section 3.2.1)"
	switch {
	case (parsed != nil || got.ID == "") && w.value(ruleRejected) == "asks":
		w.rule(ruleRejected)
		w.asksUser(s, answer)
	case parsed != nil || got.ID == "":
		w.stop(s, answer, "no client_id in the response")
	case got.Redirects == nil && w.value(ruleRegistered) == "client-id-and-redirects":
		w.rule(ruleRegistered)
		w.stop(s, answer, "no redirect_uris in the response, which %s requires", w.ladder.Name)
	default:
		s.State, s.Result = OK, "registered as "+got.ID
		return got.ID
	}
	return ""
}

func (w *walk) postRegistration(ctx context.Context, s *Step, endpoint string) ([]byte, error) {
	if _, err := checkURL(endpoint); err != nil {
		return nil, err
	}
	text, err := json.Marshal(registration{Name: w.opts.Identity.name(), RedirectURIs: w.ladder.redirects(),
		GrantTypes: []string{AuthorizationCode, refreshGrant}, ResponseTypes: []string{"code"},
		Method: w.value(ruleTokenAuth), ApplicationType: applicationType(w.ladder.redirects()[0])})
	if err != nil {
		return nil, err
	}
	return w.call.post(ctx, s, endpoint, "application/json", text, string(text), nil)
}

// applicationType returns the type that fits a redirect URI.
func applicationType(redirect string) string {
	if strings.HasPrefix(redirect, "https:") {
		return "web"
	}
	return "native"
}

func sameOrigin(a, b string) bool {
	u, err := checkURL(a)
	v, err2 := checkURL(b)
	return err == nil && err2 == nil && originOf(u) == originOf(v)
}

// unregister deletes the registered client (RFC 7592).
func (w *walk) unregister(ctx context.Context, address, token string) {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, address, nil)
	if err != nil {
		return
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if resp, err := w.call.client.Do(req); err == nil {
		resp.Body.Close()
	}
}
