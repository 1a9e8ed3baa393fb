package auth

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed ladders.json
var laddersJSON []byte

// A Ladder is how one client gets a token: what it requests in which order, and what it rejects. Each rule has its
// source.
type Ladder struct {
	ID       string             `json:"id"`
	Name     string             `json:"name"`
	Version  string             `json:"version"`
	Document string             `json:"document"` // its client ID metadata document, if it has one
	Rules    map[RuleName]Claim `json:"rules"`
}

// A Claim is what is known about one rule of a client.
type Claim struct {
	Value    string   `json:"value"`
	Evidence Evidence `json:"evidence"`
	Source   string   `json:"source"`
	Date     string   `json:"date"` // when the source was read
}

// Evidence is what a claim is based on.
type Evidence string

// The kinds of evidence. With one of the last two a failure is never certain.
const (
	ByRun           Evidence = "run"           // the client was run
	BySource        Evidence = "source"        // its code
	ByDocumentation Evidence = "documentation" // of its vendor, or a public statement of its staff
	ByLog           Evidence = "log"           // requests or error messages of the client that others published
	ByReport        Evidence = "report"        // of others
	Assumed         Evidence = "none"          // what the specification requires
)

// Certain reports whether a failure that follows from the claim is certain.
func (c Claim) Certain() bool {
	return c.Evidence != ByReport && c.Evidence != Assumed
}

// A RuleName names a rule of a ladder.
type RuleName string

// The rules, in the order in which they apply.
const (
	ruleResourceOrder RuleName = "resource-order"
	ruleResourceError RuleName = "resource-error"
	ruleResourceMatch RuleName = "resource-match"
	ruleNoResource    RuleName = "no-resource"
	ruleServerError   RuleName = "server-error"
	ruleServerInvalid RuleName = "server-invalid"
	ruleServerFields  RuleName = "server-fields"
	ruleServerMissing RuleName = "server-missing"
	ruleIssuer        RuleName = "issuer"
	rulePKCE          RuleName = "pkce"
	ruleDocument      RuleName = "document"
	ruleNoRegistrar   RuleName = "no-registration"
	ruleTokenAuth     RuleName = "token-auth"
	ruleRejected      RuleName = "registration-rejected"
	ruleRegistered    RuleName = "registration-response"
	ruleRedirect      RuleName = "redirect"
	ruleScopes        RuleName = "scopes"
	ruleResource      RuleName = "resource-parameter"
)

// A Rule describes a rule and its values.
type Rule struct {
	Name   RuleName
	Title  string
	Values [][2]string // value and meaning; empty if the value is free text
}

// LadderRules are the rules of the ladders.
var LadderRules = []Rule{
	{ruleResourceOrder, "Where it looks for protected resource metadata", [][2]string{
		{"challenge-path-root", "the URL of the challenge, then the path, then the root"},
		{"challenge-only", "only the URL of the challenge; without one, the path, then the root"}}},
	{ruleResourceError, "Protected resource metadata: no response, HTTP 429 or 5xx", [][2]string{
		{"fail", "fails unless another URL has it"}, {"next", "tries the next URL"}, {"legacy", "goes on without it"}}},
	{ruleResourceMatch, "`resource` is not the URL of the server", [][2]string{
		{"parent", "fails unless it is a parent of the URL"}, {"exact", "fails"},
		{"exact-or-ignored", "ignores the metadata"}, {"ignored", "goes on"}}},
	{ruleNoResource, "No protected resource metadata", [][2]string{
		{"legacy", "uses the origin of the server as the authorization server"},
		{"legacy-rfc8414", "uses the origin of the server as the authorization server, without OpenID discovery"},
		{"fail", "fails"}}},
	{ruleServerError, "Authorization server metadata: no response, or HTTP 5xx", [][2]string{
		{"fail", "fails"}, {"next", "tries the next URL"}, {"next-on-502", "tries the next URL after 502, else fails"},
		{"default", "stops looking"}}},
	{ruleServerInvalid, "Authorization server metadata is invalid", [][2]string{
		{"fail", "fails"}, {"next", "tries the next URL"}}},
	{ruleServerFields, "Required fields of authorization server metadata", [][2]string{
		{"issuer", "`issuer`"}, {"endpoints", "`issuer`, the two endpoints"},
		{"endpoints-and-openid", "also `response_types_supported`, and for OpenID its required fields"}}},
	{ruleServerMissing, "The named authorization server has no metadata", [][2]string{
		{"fail", "fails"}, {"default-server", "uses `/authorize`, `/token`, `/register` of the MCP server"},
		{"default-issuer", "uses `/authorize`, `/token`, `/register` of the authorization server"}}},
	{ruleIssuer, "`issuer` differs from `authorization_servers`", [][2]string{
		{"exact", "fails"}, {"exact-or-slash", "fails, except for a slash that only the list has"},
		{"ignored", "goes on"}}},
	{rulePKCE, "`code_challenge_methods_supported`", [][2]string{
		{"listed", "must list `S256`"}, {"not-excluded", "must list `S256` if it is there"},
		{"not-excluded-early", "must list `S256` if it is there; checked before the registration"}, {"ignored", "ignored"}}},
	{ruleDocument, "Client ID metadata document", [][2]string{
		{"announced", "used if the server supports it"},
		{"announced-and-none", "used if the server supports it and the method `none`"},
		{"if-configured", "if the application has one"}, {"never", "not used"}}},
	{ruleNoRegistrar, "No way to register", [][2]string{
		{"fail", "fails; needs a configured client ID"}, {"asks", "asks the user for a client ID"},
		{"default", "tries `/register` of the MCP server"}}},
	{ruleTokenAuth, "Requested token endpoint authentication", nil},
	{ruleRejected, "Registration is rejected", [][2]string{
		{"fail", "fails"}, {"asks", "asks the user for a client ID"}}},
	{ruleRegistered, "Required in the registration response", [][2]string{
		{"client-id", "`client_id`"}, {"client-id-and-redirects", "`client_id`, `redirect_uris`"}}},
	{ruleRedirect, "Redirect URIs", nil},
	{ruleScopes, "Scopes, the first that exists", [][2]string{
		{"challenge-resource", "challenge, resource metadata"},
		{"challenge-resource-server", "challenge, resource metadata, server metadata"},
		{"resource", "resource metadata"}, {"server", "server metadata"}}},
	{ruleResource, "Parameter `resource`", [][2]string{{"sent", "sent"}}},
}

// Describe returns the rule and what the client does, in words with code in backticks.
func (u UsedClaim) Describe() string {
	for _, r := range LadderRules {
		if r.Name == u.Rule {
			return r.Title + ": " + r.Meaning(u.Value)
		}
	}
	return string(u.Rule) + ": " + u.Value
}

// Meaning returns a value in words; free text is code.
func (r Rule) Meaning(value string) string {
	for _, known := range r.Values {
		if known[0] == value {
			return known[1]
		}
	}
	return "`" + strings.ReplaceAll(value, " ", "`, `") + "`"
}

// Ladders returns the known clients.
var Ladders = sync.OnceValue(func() []Ladder {
	var file struct {
		Clients []Ladder `json:"clients"`
	}
	if err := json.Unmarshal(laddersJSON, &file); err != nil {
		panic(fmt.Sprintf("ladders.json: %v", err)) // a test reads it
	}
	return file.Clients
})

// LadderOf returns the client with an ID.
func LadderOf(id string) (*Ladder, error) {
	all := Ladders()
	if i := slices.IndexFunc(all, func(l Ladder) bool { return l.ID == id }); i >= 0 {
		return &all[i], nil
	}
	return nil, fmt.Errorf("unknown client %q", id)
}

// LadderIDs returns the IDs of the known clients.
func LadderIDs() []string {
	var ids []string
	for _, l := range Ladders() {
		ids = append(ids, l.ID)
	}
	return ids
}

// redirects returns the redirect URIs that the client registers.
func (l *Ladder) redirects() []string {
	return strings.Fields(strings.NewReplacer("PORT", "49152", "CALLBACK", "mcptest").Replace(l.Rules[ruleRedirect].Value))
}
