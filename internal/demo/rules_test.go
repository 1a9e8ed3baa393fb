package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

// A rule is one exchange whose outcome each era fixes. Params holds members that go before _meta, with a comma.
type rule struct {
	name, method, params string
	legacy, modern       int // wanted error codes, 0 for a result
}

func rules() []rule {
	return []rule{
		{"unknown method", "no/such", "", codeMethodNotFound, codeMethodNotFound},
		{"tasks are not offered", "tasks/list", "", codeMethodNotFound, codeMethodNotFound},
		{"ping", "ping", "", 0, codeMethodNotFound},
		{"discover", "server/discover", "", codeMethodNotFound, 0},
		{"unknown tool", "tools/call", `"name":"nobody","arguments":{},`, codeInvalidParams, codeInvalidParams},
		{"tool without name", "tools/call", ``, codeInvalidParams, codeInvalidParams},
		{"tool name number", "tools/call", `"name":7,`, codeInvalidParams, codeInvalidParams},
		{"arguments array", "tools/call", `"name":"echo","arguments":[],`, codeInvalidParams, codeInvalidParams},
		{"invalid arguments", "tools/call", `"name":"echo","arguments":{},`, 0, 0},
		{"bad cursor", "tools/list", `"cursor":"nonsense",`, codeInvalidParams, codeInvalidParams},
		{"cursor number", "tools/list", `"cursor":1,`, codeInvalidParams, codeInvalidParams},
		{"bad cursor, resources", "resources/list", `"cursor":"!",`, codeInvalidParams, codeInvalidParams},
		{"bad cursor, templates", "resources/templates/list", `"cursor":"!",`, codeInvalidParams, codeInvalidParams},
		{"bad cursor, prompts", "prompts/list", `"cursor":"!",`, codeInvalidParams, codeInvalidParams},
		{"resource", "resources/read", `"uri":"demo://welcome",`, 0, 0},
		{"unknown resource", "resources/read", `"uri":"demo://nowhere\u0001",`, codeResourceNotFound, codeInvalidParams},
		{"unknown planet", "resources/read", `"uri":"demo://planets/Pluto",`, codeResourceNotFound, codeInvalidParams},
		{"resource without uri", "resources/read", ``, codeInvalidParams, codeInvalidParams},
		{"unknown prompt", "prompts/get", `"name":"nobody",`, codeInvalidParams, codeInvalidParams},
		{"prompt", "prompts/get", `"name":"greet","arguments":{"name":"Ada"},`, 0, 0},
		{"prompt argument missing", "prompts/get", `"name":"greet",`, codeInvalidParams, codeInvalidParams},
		{"prompt argument number", "prompts/get", `"name":"greet","arguments":{"name":1},`, codeInvalidParams, codeInvalidParams},
		{"prompt argument unknown", "prompts/get", `"name":"introduce","arguments":{"x":"1"},`, codeInvalidParams, codeInvalidParams},
		{"bad level", "logging/setLevel", `"level":"loud",`, codeInvalidParams, codeMethodNotFound},
		{"level", "logging/setLevel", `"level":"info",`, 0, codeMethodNotFound},
		{"no level", "logging/setLevel", ``, codeInvalidParams, codeMethodNotFound},
		{"subscribe", "resources/subscribe", `"uri":"demo://note",`, 0, codeMethodNotFound},
		{"subscribe to nothing", "resources/subscribe", `"uri":"demo://nowhere",`, codeResourceNotFound, codeMethodNotFound},
		{"unsubscribe", "resources/unsubscribe", `"uri":"demo://note",`, 0, codeMethodNotFound},
		{"complete", "completion/complete", `"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"tone","value":"f"},`, 0, 0},
		{"complete nobody", "completion/complete", `"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"tone","value":""},`, codeInvalidParams, codeInvalidParams},
		{"complete odd ref", "completion/complete", `"ref":{"type":"ref/odd"},"argument":{"name":"tone","value":""},`, codeInvalidParams, codeInvalidParams},
		{"complete no ref", "completion/complete", `"argument":{"name":"tone","value":""},`, codeInvalidParams, codeInvalidParams},
		{"complete no argument", "completion/complete", `"ref":{"type":"ref/prompt","name":"greet"},`, codeInvalidParams, codeInvalidParams},
		{"listen without filter", "subscriptions/listen", ``, codeMethodNotFound, codeInvalidParams},
		{"second initialize", "initialize", `"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"},`,
			codeInvalidRequest, codeMethodNotFound},
		{"a name twice", "tools/call", `"name":"echo","arguments":{"message":"","message":1},`, codeInvalidRequest, codeInvalidRequest},
		{"question without capability", "tools/call", `"name":"ask_user","arguments":{"question":"?"},`, 0, codeMissingCapability},
	}
}

func TestRulesOverStream(t *testing.T) {
	for _, revision := range revisions() {
		t.Run(revision, func(t *testing.T) {
			w := dial(t, "demo")
			if revision != rev2026July {
				w.open(revision)
			}
			for _, r := range rules() {
				want, line := r.legacy, `{"jsonrpc":"2.0","id":5,"method":"`+r.method+`","params":{`+strings.TrimSuffix(r.params, ",")+`}}`
				if revision == rev2026July {
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
	if has := strings.Contains(got.raw, `"resultType":"complete"`); has != (revision == rev2026July) {
		t.Errorf("%s: resultType there: %v; revision %s\n%.300s", name, has, revision, got.raw)
	}
	if has := strings.Contains(got.raw, `"ttlMs"`); has && revision != rev2026July {
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
	r = w.ask(modernRequest("1", "tools/call", `"name":"price_order","arguments":{"items":[{"article":"lamp","quantity":0,"x":1}],"express":"yes"},`, "{}"))
	for _, want := range []string{"/express", "/items/0/quantity", "'x'"} {
		if !strings.Contains(r.text(), want) || !strings.Contains(r.raw, `"isError":true`) {
			t.Errorf("invalid arguments: %s; want isError that names %s", r.raw, want)
		}
	}
}

func TestEraBoundaries(t *testing.T) {
	version := func(v string) string {
		return `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"` + metaVersion + `":` + v + `,"` + metaCapabilities + `":{}}}}`
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
		{"no _meta, no handshake", `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, codeInvalidParams},
		{"future", version(`"2099-01-01"`), codeUnsupportedVersion},
		{"between", version(`"2026-07-27"`), codeUnsupportedVersion},
		{"old", version(`"1900-01-01"`), codeUnsupportedVersion},
		{"of the other era", version(`"2025-11-25"`), codeUnsupportedVersion},
		{"number", version(`5`), codeInvalidParams},
		{"right", version(`"2026-07-28"`), 0},
		{"still no _meta after modern traffic", `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`, codeInvalidParams},
		{"no capabilities", `{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"` + metaVersion + `":"2026-07-28"}}}`, codeInvalidParams},
		{"bad log level", strings.Replace(version(`"2026-07-28"`), `{}}}}`, `{},"`+metaLogLevel+`":"loud"}}}`, 1), codeInvalidParams},
		{"initialize without revision", `{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`, codeInvalidParams},
		{"initialize without anything", `{"jsonrpc":"2.0","id":5,"method":"initialize"}`, codeInvalidParams},
		{"initialize with future", strings.Replace(initialize("2099-01-01", "{}"), `"init"`, "5", 1), 0},
		{"modern beside legacy", version(`"2026-07-28"`), 0},
	}
}
