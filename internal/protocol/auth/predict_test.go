package auth_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
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

// shown is a prediction in the table, with the weakest evidence behind it if the client was not run.
func shown(p *auth.Prediction) string {
	order := []auth.Evidence{auth.ByRun, auth.BySource, auth.ByDocumentation, auth.ByLog, auth.ByReport, auth.Assumed}
	weakest := 0
	for _, used := range p.Because {
		weakest = max(weakest, slices.Index(order, used.Evidence))
	}
	if weakest < slices.Index(order, auth.ByDocumentation) {
		return cell(p)
	}
	return fmt.Sprintf("%s (%s)", cell(p), order[weakest])
}

// cell is a prediction without its evidence.
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

// observed is where Claude Code 2.1.325, Codex 0.166.0 and the MCP client of @cursor/sdk 1.0.32 stopped when they were
// run against these servers on 2026-11-17 and 2026-11-18 (claude mcp login, codex mcp login, and the function of the
// package that authorizes; the page was then requested without a session). Other tests run the other clients, and with
// MCPTEST_FULL also the first two.
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
	"cursor": {
		"": "consent", oauth.Silent: "consent", oauth.ResourceMissing: "**registration**",
		oauth.ResourceClosed: "**registration**", oauth.ResourceFails: "**registration**",
		oauth.ResourceHTML: "**registration**", oauth.ResourceMismatch: "**resource-metadata**",
		oauth.ResourceParent: "**authorization**", oauth.ResourceNobody: "**registration**",
		oauth.ServerMissing: "**registration**", oauth.ServerFails: "**server-metadata**",
		oauth.ServerText: "**server-metadata**", oauth.ServerNoToken: "**server-metadata**",
		oauth.OpenID: "**server-metadata**", oauth.ServerIssuer: "consent", oauth.ServerSlash: "consent",
		oauth.ServerNoPKCE: "consent", oauth.ServerWeakPKCE: "**authorization**",
		oauth.RegistrationNone: "**registration**", oauth.RegistrationClosed: "**registration**",
		oauth.RegistrationInvalid: "**registration**", oauth.LocalhostRefused: "**registration**",
		oauth.RegistrationNoID: "**registration**", oauth.RegistrationBare: "**registration**",
		oauth.ClientDocuments: "consent"},
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
			fmt.Fprintf(&table, " %s |", shown(p))
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
		"which each client stops, with servers that have one fault each. `consent`: nothing stops the client before the user " +
		"consents.\n\nSix clients were run with every server of the table. Tests run the Python SDK, the TypeScript SDK, the " +
		"code of Visual Studio Code,\nClaude Code (`claude mcp login`) and Codex (`codex mcp login`) again. Of Cursor, the MCP " +
		"client in its npm package was run, on 2026-11-18: the\neditor itself is not published. Claude and ChatGPT run on the " +
		"servers of their vendors; their cells name the weakest evidence that they follow\nfrom. A question mark means that this " +
		"is not enough.\n\n")
	b.WriteString(predictions)
	b.WriteString("\n## Evidence\n\n- `run`: the client was run against a server with the fault.\n- `source`: the code of " +
		"the client.\n- `documentation`: the documentation of its vendor, or what its staff wrote in a public issue.\n- `log`: " +
		"requests or error messages of the client that the author of a server published.\n- `report`: what others write " +
		"about the client. A failure is not certain.\n- `none`: assumed from the specification. A failure is not certain.\n")
	for _, l := range auth.Ladders() {
		fmt.Fprintf(&b, "\n## %s\n\n`--as %s`", strings.TrimSpace(l.Name+" "+l.Version), l.ID)
		if l.Document != "" {
			fmt.Fprintf(&b, "; client ID metadata document `%s`", l.Document)
		}
		b.WriteString("\n\n| rule | behavior | evidence | source, date |\n|---|---|---|---|\n")
		for _, r := range auth.LadderRules {
			claim := l.Rules[r.Name]
			source := strings.Trim(claim.Source+", "+claim.Date, ", ")
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.Title, r.Meaning(claim.Value), claim.Evidence, source)
		}
	}
	return b.String()
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
