package demo

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A rule is one exchange whose outcome each era fixes. Params holds members that go before _meta, with a comma.
type rule struct {
	name, method, params string
	legacy, modern       int // wanted error codes, 0 for a result
}

func rules() []rule {
	return []rule{
		{"unknown method", "no/such", "", serve.CodeMethodNotFound, serve.CodeMethodNotFound},
		{"tasks are not offered", "tasks/list", "", serve.CodeMethodNotFound, serve.CodeMethodNotFound},
		{"ping", "ping", "", 0, serve.CodeMethodNotFound},
		{"discover", "server/discover", "", serve.CodeMethodNotFound, 0},
		{"unknown tool", "tools/call", `"name":"nobody","arguments":{},`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"tool without name", "tools/call", ``, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"tool name number", "tools/call", `"name":7,`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"arguments array", "tools/call", `"name":"echo","arguments":[],`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"invalid arguments", "tools/call", `"name":"echo","arguments":{},`, 0, 0},
		{"bad cursor", "tools/list", `"cursor":"nonsense",`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"cursor number", "tools/list", `"cursor":1,`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"bad cursor, resources", "resources/list", `"cursor":"!",`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"bad cursor, templates", "resources/templates/list", `"cursor":"!",`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"bad cursor, prompts", "prompts/list", `"cursor":"!",`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"resource", "resources/read", `"uri":"demo://welcome",`, 0, 0},
		{"unknown resource", "resources/read", `"uri":"demo://nowhere\u0001",`, serve.CodeResourceNotFound,
			serve.CodeInvalidParams},
		{"unknown planet", "resources/read", `"uri":"demo://planets/Pluto",`, serve.CodeResourceNotFound,
			serve.CodeInvalidParams},
		{"resource without uri", "resources/read", ``, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"unknown prompt", "prompts/get", `"name":"nobody",`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"prompt", "prompts/get", `"name":"greet","arguments":{"name":"Ada"},`, 0, 0},
		{"prompt argument missing", "prompts/get", `"name":"greet",`, serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"prompt argument number", "prompts/get", `"name":"greet","arguments":{"name":1},`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"prompt argument unknown", "prompts/get", `"name":"introduce","arguments":{"x":"1"},`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"bad level", "logging/setLevel", `"level":"loud",`, serve.CodeInvalidParams, serve.CodeMethodNotFound},
		{"level", "logging/setLevel", `"level":"info",`, 0, serve.CodeMethodNotFound},
		{"no level", "logging/setLevel", ``, serve.CodeInvalidParams, serve.CodeMethodNotFound},
		{"subscribe", "resources/subscribe", `"uri":"demo://note",`, 0, serve.CodeMethodNotFound},
		{"subscribe to nothing", "resources/subscribe", `"uri":"demo://nowhere",`, serve.CodeResourceNotFound,
			serve.CodeMethodNotFound},
		{"unsubscribe", "resources/unsubscribe", `"uri":"demo://note",`, 0, serve.CodeMethodNotFound},
		{"complete", "completion/complete", `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"tone",` +
			`"value":"f"},`, 0, 0},
		{"complete nobody", "completion/complete",
			`"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"tone","value":""},`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"complete odd ref", "completion/complete", `"ref":{"type":"ref/odd"},"argument":{"name":"tone","value":""},`,
			serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"complete no ref", "completion/complete", `"argument":{"name":"tone","value":""},`, serve.CodeInvalidParams,
			serve.CodeInvalidParams},
		{"complete no argument", "completion/complete", `"ref":{"type":"ref/prompt","name":"greet"},`,
			serve.CodeInvalidParams, serve.CodeInvalidParams},
		{"listen without filter", "subscriptions/listen", ``, serve.CodeMethodNotFound, serve.CodeInvalidParams},
		{"second initialize", "initialize", `"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"a","version":"1"},`,
			serve.CodeInvalidRequest, serve.CodeMethodNotFound},
		{"a name twice", "tools/call", `"name":"echo","arguments":{"message":"","message":1},`,
			serve.CodeInvalidRequest, serve.CodeInvalidRequest},
		{"question without capability", "tools/call", `"name":"ask_user","arguments":{"question":"?"},`, 0,
			serve.CodeMissingCapability},
	}
}

func TestRulesOverStream(t *testing.T) {
	for _, revision := range serve.Revisions() {
		t.Run(revision, func(t *testing.T) {
			w := dial(t, "demo")
			if revision != spec.July2026 {
				w.open(revision)
			}
			for _, r := range rules() {
				want, line := r.legacy, `{"jsonrpc":"2.0","id":5,"method":"`+r.method+`","params":{`+
					strings.TrimSuffix(r.params, ",")+`}}`
				if revision == spec.July2026 {
					want, line = r.modern, modernRequest("5", r.method, r.params, "{}")
				}
				checkReply(t, r.name, revision, w.ask(line), want)
			}
		})
	}
}

// checkReply wants the code, the id, and no member that the era does not have.
func checkReply(t *testing.T, name, revision string, got reply, want int) {
	t.Helper()
	if got.code() != want || string(got.ID) != "5" {
		t.Errorf("%s: answer %.300s; want code %d", name, got.raw, want)
		return
	}
	if want != 0 {
		return
	}
	if has := strings.Contains(got.raw, `"resultType":"complete"`); has != (revision == spec.July2026) {
		t.Errorf("%s: resultType there: %v; revision %s\n%.300s", name, has, revision, got.raw)
	}
	if has := strings.Contains(got.raw, `"ttlMs"`); has && revision != spec.July2026 {
		t.Errorf("%s: ttlMs in revision %s\n%.300s", name, revision, got.raw)
	}
}

func TestErrorsNameTheirCause(t *testing.T) {
	w := dial(t, "demo")
	r := w.ask(modernRequest("1", "resources/read", `"uri":"demo://a\"b\u00e9\u0001",`, "{}"))
	var data struct{ URI string }
	if err := json.Unmarshal(r.Error.Data, &data); err != nil || data.URI != "demo://a\"bé\x01" {
		t.Errorf("data.uri = %q (%v); want the uri asked for", data.URI, err)
	}
	r = w.ask(modernRequest("1", "tools/call", `"name":"price_order","arguments":{"items":[{"article":"lamp",`+
		`"quantity":0,"x":1}],"express":"yes"},`, "{}"))
	for _, want := range []string{"/express", "/items/0/quantity", "'x'"} {
		if !strings.Contains(r.text(), want) || !strings.Contains(r.raw, `"isError":true`) {
			t.Errorf("invalid arguments: %s; want isError that names %s", r.raw, want)
		}
	}
}

func TestEraBoundaries(t *testing.T) {
	version := func(v string) string {
		return `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"` + serve.MetaVersion + `":` + v +
			`,"` + serve.MetaCapabilities + `":{}}}}`
	}
	for _, server := range All() {
		t.Run(server.Name, func(t *testing.T) {
			w := dial(t, server.Name)
			skipNoise := func(line string) reply {
				w.send(line)
				for {
					if got := w.recv(); got[0] == '{' {
						return readReply(t, got)
					}
				}
			}
			for _, c := range eraCases(version) {
				if got := skipNoise(c.line); got.code() != c.code || string(got.ID) != "5" {
					t.Errorf("%s: answer %.200s; want code %d", c.name, got.raw, c.code)
				}
			}
		})
	}
}

type eraCase struct {
	name, line string
	code       int
}

// eraCases are sent one after the other on one connection.
func eraCases(version func(string) string) []eraCase {
	return []eraCase{
		{"no _meta, no handshake", `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, serve.CodeInvalidParams},
		{"future", version(`"2099-01-01"`), serve.CodeUnsupportedVersion},
		{"between", version(`"2026-07-27"`), serve.CodeUnsupportedVersion},
		{"old", version(`"1900-01-01"`), serve.CodeUnsupportedVersion},
		{"of the other era", version(`"2025-11-25"`), serve.CodeUnsupportedVersion},
		{"number", version(`5`), serve.CodeInvalidParams},
		{"right", version(`"2026-07-28"`), 0},
		{"still no _meta after modern traffic", `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`,
			serve.CodeInvalidParams},
		{"no capabilities", `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"` + serve.MetaVersion +
			`":"2026-07-28"}}}`, serve.CodeInvalidParams},
		{"bad log level", strings.Replace(version(`"2026-07-28"`), `{}}}}`, `{},"`+serve.MetaLogLevel+`":"loud"}}}`, 1),
			serve.CodeInvalidParams},
		{"initialize without revision", `{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"capabilities":{},` +
			`"clientInfo":{"name":"a","version":"1"}}}`, serve.CodeInvalidParams},
		{"initialize without anything", `{"jsonrpc":"2.0","id":5,"method":"initialize"}`, serve.CodeInvalidParams},
		{"initialize with future", strings.Replace(initialize("2099-01-01", "{}"), `"init"`, "5", 1), 0},
		{"modern beside legacy", version(`"2026-07-28"`), 0},
	}
}
