package auth_test

import (
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/golden"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

var update = flag.Bool("update", false, "write docs/auth-clients.md")

// predicted are the servers of the table, with what is wrong with each.
var predicted = []struct {
	fault oauth.Fault
	what  string
}{
	{"", "correct"},
	{oauth.Silent, "401 without `WWW-Authenticate`"},
	{oauth.ResourceMissing, "no protected resource metadata"},
	{oauth.ResourceClosed, "protected resource metadata needs a token"},
	{oauth.ResourceFails, "protected resource metadata: HTTP 500"},
	{oauth.ResourceHTML, "protected resource metadata is HTML"},
	{oauth.ResourceMismatch, "`resource` is another server"},
	{oauth.ResourceParent, "`resource` is a parent; tokens only for the exact URL"},
	{oauth.ResourceNobody, "no `authorization_servers`"},
	{oauth.ServerMissing, "no authorization server metadata"},
	{oauth.ServerFails, "authorization server metadata: HTTP 502"},
	{oauth.ServerText, "authorization server metadata is not JSON"},
	{oauth.ServerNoToken, "no `token_endpoint`"},
	{oauth.OpenID, "only OpenID discovery, without its required fields"},
	{oauth.ServerIssuer, "`issuer` of another host"},
	{oauth.ServerSlash, "`issuer` with a trailing slash"},
	{oauth.ServerNoPKCE, "no `code_challenge_methods_supported`"},
	{oauth.ServerWeakPKCE, "`code_challenge_methods_supported` without `S256`"},
	{oauth.RegistrationNone, "no registration of any kind"},
	{oauth.RegistrationClosed, "registration: HTTP 403"},
	{oauth.RegistrationInvalid, "registration: HTTP 400, `invalid_redirect_uri`"},
	{oauth.LocalhostRefused, "registration rejects `localhost` redirect URIs"},
	{oauth.RegistrationNoID, "registration returns no `client_id`"},
	{oauth.RegistrationBare, "registration returns only `client_id`"},
	{oauth.ClientDocuments, "client ID metadata documents announced, but not accepted"},
}

// predict follows one client with one server.
func predict(t *testing.T, server *oauth.Server, fault oauth.Fault, client string) (*auth.Prediction, []auth.Step) {
	t.Helper()
	flow, err := auth.New(auth.Options{Server: server.URL(fault)})
	if err != nil {
		t.Fatal(err)
	}
	defer flow.Close()
	ladder, err := auth.LadderOf(client)
	if err != nil {
		t.Fatal(err)
	}
	p, err := flow.Predict(t.Context(), refusal(t, server.URL(fault)), ladder)
	if err != nil {
		t.Fatal(err)
	}
	return p, flow.Steps()
}

// cell is a prediction in the table.
func cell(p *auth.Prediction) string {
	switch p.Outcome {
	case auth.ReachesConsent:
		return "consent"
	case auth.AsksUser:
		return "asks for a client ID"
	case auth.MayFail:
		return string(p.Step) + "?"
	}
	return "**" + string(p.Step) + "**"
}

// observed is where Claude Code 2.1.325 and Codex 0.166.0 stopped when they were run against these servers on
// 2026-11-17 (claude mcp login, codex mcp login; the page was then requested without a session).
var observed = map[string]map[oauth.Fault]string{
	"claude-code": {
		"": "consent", oauth.Silent: "consent", oauth.ResourceMissing: "**registration**",
		oauth.ResourceClosed: "**registration**", oauth.ResourceFails: "**registration**",
		oauth.ResourceHTML: "**registration**", oauth.ResourceMismatch: "**resource-metadata**",
		oauth.ResourceNobody: "**registration**", oauth.ServerMissing: "**registration**",
		oauth.ServerFails: "**registration**", oauth.ServerText: "**server-metadata**",
		oauth.ServerNoToken: "**server-metadata**", oauth.OpenID: "**server-metadata**", oauth.ServerIssuer: "consent",
		oauth.ServerSlash: "consent", oauth.ServerNoPKCE: "consent", oauth.RegistrationNone: "**registration**",
		oauth.RegistrationClosed: "**registration**", oauth.RegistrationInvalid: "**registration**",
		oauth.LocalhostRefused: "**registration**", oauth.RegistrationNoID: "**registration**",
		oauth.ServerWeakPKCE: "**authorization**", oauth.RegistrationBare: "**registration**",
		oauth.ResourceParent: "**authorization**", oauth.ClientDocuments: "**authorization**"},
	"codex": {
		"": "consent", oauth.Silent: "consent", oauth.OpenID: "consent", oauth.ResourceMissing: "**registration**",
		oauth.ResourceClosed: "**registration**", oauth.ResourceFails: "**resource-metadata**",
		oauth.ResourceHTML: "**registration**", oauth.ResourceMismatch: "**resource-metadata**",
		oauth.ResourceParent: "**authorization**", oauth.ResourceNobody: "**registration**",
		oauth.ServerMissing: "**server-metadata**", oauth.ServerFails: "**server-metadata**",
		oauth.ServerText: "**server-metadata**", oauth.ServerNoToken: "**server-metadata**",
		oauth.ServerIssuer: "**server-metadata**", oauth.ServerSlash: "**server-metadata**",
		oauth.ServerNoPKCE: "consent", oauth.RegistrationNone: "**registration**",
		oauth.RegistrationClosed: "**registration**", oauth.RegistrationInvalid: "**registration**",
		oauth.ServerWeakPKCE: "**server-metadata**", oauth.RegistrationBare: "**registration**",
		oauth.LocalhostRefused: "consent", oauth.RegistrationNoID: "**registration**",
		oauth.ClientDocuments: "**authorization**"},
}

// TestPredictions compares the predictions with what was observed, and with the table in the documentation.
func TestPredictions(t *testing.T) {
	server := oauth.Start(t)
	var table strings.Builder
	fmt.Fprintf(&table, "| server | %s |\n|---|%s\n", strings.Join(auth.LadderIDs(), " | "),
		strings.Repeat("---|", len(auth.LadderIDs())))
	for _, row := range predicted {
		fmt.Fprintf(&table, "| %s |", row.what)
		for _, client := range auth.LadderIDs() {
			p, _ := predict(t, server, row.fault, client)
			fmt.Fprintf(&table, " %s |", cell(p))
			if want, known := observed[client][row.fault]; known && cell(p) != want {
				t.Errorf("%s with %q: predicted %s, observed %s", client, row.fault, cell(p), want)
			}
			if p.Outcome == auth.Fails && slices.ContainsFunc(p.Because,
				func(u auth.UsedClaim) bool { return !u.Certain() }) {
				t.Errorf("%s with %q fails for certain, with a claim without evidence", client, row.fault)
			}
			if (p.Outcome == auth.Fails || p.Outcome == auth.MayFail) && (p.Problem == "" || p.Change == "") {
				t.Errorf("%s with %q: no problem or no change: %+v", client, row.fault, p)
			}
		}
		table.WriteString("\n")
	}
	golden.Check(t, "../../../docs/auth-clients.md", page(table.String()), *update)
}

// page is the page of the documentation about the clients.
func page(predictions string) string {
	var b strings.Builder
	b.WriteString("# Authorization of clients\n\n`mcptest auth --as CLIENT` follows the steps of a client up to the " +
		"consent of the user, with these rules. They are data:\n`internal/protocol/auth/ladders.json`. " +
		"[Authorization](auth.md#predict-where-a-client-fails) describes the command.\n\n## Predictions\n\nThe step at " +
		"which each client stops, with servers that have one fault each. A question mark means that it follows from a rule " +
		"without\nevidence. `consent`: nothing stops the client before the user consents. The columns of python-sdk and ts-sdk " +
		"are verified by tests that run\nthese SDKs; those of claude-code and codex by runs of Claude Code 2.1.325 and Codex " +
		"0.166.0 on 2026-11-17.\n\n")
	b.WriteString(predictions)
	b.WriteString("\n## Evidence\n\n- `run`: the client was run against a server with the fault.\n- `source`: the code of " +
		"the client.\n- `documentation`: the documentation of its vendor.\n- `report`: issues and pages of others. A failure " +
		"is not certain.\n- `none`: assumed from the specification. A failure is not certain.\n")
	for _, l := range auth.Ladders() {
		fmt.Fprintf(&b, "\n## %s\n\n`--as %s`", strings.TrimSpace(l.Name+" "+l.Version), l.ID)
		if l.Document != "" {
			fmt.Fprintf(&b, "; client ID metadata document `%s`", l.Document)
		}
		b.WriteString("\n\n| rule | behavior | evidence | source, date |\n|---|---|---|---|\n")
		for _, r := range auth.LadderRules {
			claim := l.Rules[r.Name]
			source := strings.Trim(claim.Source+", "+claim.Date, ", ")
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.Title, meaning(r, claim.Value), claim.Evidence, source)
		}
	}
	return b.String()
}

func meaning(r auth.Rule, value string) string {
	for _, known := range r.Values {
		if known[0] == value {
			return known[1]
		}
	}
	return "`" + strings.ReplaceAll(value, " ", "`, `") + "`"
}

// TestLadders checks that every client has every rule with a known value, and every claim its source.
func TestLadders(t *testing.T) {
	if len(auth.Ladders()) != 8 {
		t.Errorf("%d clients, expected 8", len(auth.Ladders()))
	}
	for _, l := range auth.Ladders() {
		if len(l.Rules) != len(auth.LadderRules) {
			t.Errorf("%s: %d rules, expected %d", l.ID, len(l.Rules), len(auth.LadderRules))
		}
		for _, r := range auth.LadderRules {
			claim := l.Rules[r.Name]
			known := r.Values == nil && claim.Value != "" ||
				slices.ContainsFunc(r.Values, func(v [2]string) bool { return v[0] == claim.Value })
			if !known {
				t.Errorf("%s, %s: unknown value %q", l.ID, r.Name, claim.Value)
			}
			if sourced := claim.Source != "" && claim.Date != ""; sourced == (claim.Evidence == auth.Assumed) {
				t.Errorf("%s, %s: evidence %q with source %q of %q", l.ID, r.Name, claim.Evidence, claim.Source, claim.Date)
			}
		}
	}
}

// TestPredictionStopsBeforeConsent checks that no token is requested, no code is shown, and the client is deleted.
func TestPredictionStopsBeforeConsent(t *testing.T) {
	server, stop := oauth.Run()
	defer stop()
	var mu sync.Mutex
	var deleted string
	server.OnRequest = func(r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodDelete {
			deleted = r.URL.Path
		}
	}
	p, steps := predict(t, server, oauth.ManagedClient, "codex")
	if p.Outcome != auth.ReachesConsent || !slices.Equal(p.NotTried, []auth.Name{auth.Callback, auth.Token, auth.Call}) {
		t.Errorf("%+v", p)
	}
	if shown := fmt.Sprintf("%+v %+v", steps[len(steps)-1].Answer, steps[len(steps)-1].Request); strings.Contains(shown,
		"canary-") {
		t.Errorf("a secret is shown: %s", shown)
	}
	for _, seen := range server.Seen() {
		if strings.HasSuffix(seen, "/token") || strings.HasSuffix(seen, "/callback") {
			t.Errorf("request after the consent: %s", seen)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.HasPrefix(deleted, "/managed-client/as/register/client-") {
		t.Errorf("the registered client was not deleted: %q", deleted)
	}
}

// TestPredictionDeletesOnlyThere checks that the registration token goes to no other origin.
func TestPredictionDeletesOnlyThere(t *testing.T) {
	server := oauth.Start(t)
	predict(t, server, oauth.ManagedElsewhere, "codex")
	for _, seen := range server.Seen() {
		if strings.HasPrefix(seen, http.MethodDelete) {
			t.Errorf("unexpected %s", seen)
		}
	}
}

// TestPredictionNamesTheCause checks that the change is about the first fault, not about where the client ends up.
func TestPredictionNamesTheCause(t *testing.T) {
	server := oauth.Start(t)
	for _, test := range []struct {
		fault        oauth.Fault
		client, want string
	}{
		{oauth.ResourceParent, "vscode", "set resource in the metadata"},
		{oauth.ResourceMissing, "codex", "publish protected resource metadata"},
		{oauth.ServerMissing, "python-sdk", "publish the metadata of the authorization server"},
		{oauth.RegistrationClosed, "codex", "allow dynamic client registration"},
	} {
		p, _ := predict(t, server, test.fault, test.client)
		if p.Step != auth.Registration || !strings.Contains(string(p.Change), test.want) {
			t.Errorf("%s with %q: step %s, change %q, expected %q", test.client, test.fault, p.Step, p.Change, test.want)
		}
	}
}
