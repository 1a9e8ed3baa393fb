package cli_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary is two programs: the tests, and a server that records what it receives.
const asRecorder = "__recorder"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asRecorder {
		recordLines(os.Args[2])
		return
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "6") // most of the time is spent waiting
	os.Exit(m.Run())
}

// respond is the response of the recording server to a message; empty for a notification.
func respond(line []byte) []byte {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil || m.Method == "" {
		return nil
	}
	result := map[string]string{
		"initialize": `{"protocolVersion":"` + revisionOf(line) +
			`","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},` +
			`"completions":{},"logging":{},"tasks":{"requests":{"tools":{"call":{}}}}},` +
			`"serverInfo":{"name":"recorder","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"echo","description":"Returns the message.","inputSchema":{"type":"object",` +
			`"properties":{` +
			`"message":{"type":"string","description":"The message.","maxLength":99}},"additionalProperties":false},` +
			`"execution":{"taskSupport":"optional"},"annotations":{"readOnlyHint":true,"openWorldHint":false}},` +
			`{"name":"change","description":"Changes the state.","inputSchema":{"type":"object",` +
			`"properties":{"n":{"type":"integer","description":"A number."}}}}]}`,
		"tools/call":     `{"content":[{"type":"text","text":"hi"}]}`,
		"resources/list": `{"resources":[{"uri":"demo://welcome","name":"welcome"}]}`,
		"resources/read": `{"contents":[{"uri":"demo://welcome","text":"hi"},{"uri":"demo://p",` +
			`"mimeType":"image/png","blob":"iVBORw0KGgo="}]}`,
		"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"demo://{name}","name":"any"}]}`,
		"prompts/list":             `{"prompts":[{"name":"greet","arguments":[{"name":"name"}]}]}`,
		"prompts/get": `{"messages":[{"role":"user","content":{"type":"image","mimeType":"image/png",` +
			`"data":"iVBORw0KGgo="}}]}`,
		"completion/complete": `{"completion":{"values":["ada"]}}`,
		"ping":                `{}`, "logging/setLevel": `{}`, "resources/subscribe": `{}`,
	}[m.Method]
	if result == "" {
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`, m.ID)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// revisionOf is the revision that a handshake asks for.
func revisionOf(line []byte) string {
	_, rest, found := strings.Cut(string(line), `"protocolVersion":"`)
	if !found || len(rest) < 10 {
		return "2025-11-25"
	}
	return rest[:10]
}

// recordLines serves over stdin and stdout, and writes its environment, its directory and all that it receives to a
// file. After the handshake it asks for the roots, and responds to nothing before it has them.
func recordLines(file string) {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	dir, _ := os.Getwd()
	fmt.Fprintf(out, "server: directory %s\nserver: variable PROBE=%s\n", dir, os.Getenv("PROBE"))
	in := bufio.NewScanner(os.Stdin)
	answered, waiting := true, [][]byte{}
	for in.Scan() {
		line := in.Text()
		fmt.Fprintf(out, "server: %s\n", line)
		switch {
		case strings.Contains(line, "notifications/initialized"):
			answered = false
			fmt.Println(`{"jsonrpc":"2.0","id":"roots","method":"roots/list"}`)
		case strings.Contains(line, `"id":"roots"`):
			answered = true
		default:
			waiting = append(waiting, respond([]byte(line)))
		}
		for ; answered && len(waiting) > 0; waiting = waiting[1:] {
			if waiting[0] != nil {
				fmt.Printf("%s\n", waiting[0])
			}
		}
	}
}

// A recorder is the same server over HTTP.
type recorder struct {
	mu    sync.Mutex
	text  strings.Builder
	calls int           // in flight
	slow  time.Duration // before it responds to a handshake
	lazy  time.Duration // before it responds to a call
}

// note records a line.
func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.text, "server: "+format+"\n", args...)
}

// call records whether a call runs at the same time as another.
func (r *recorder) call(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls += n; r.calls > 1 {
		r.text.WriteString("server: calls at the same time\n")
	}
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	if req.URL.Path != "/mcp" {
		r.authorize(w, req, string(body))
		return
	}
	r.note("%s X-Probe=%s %s", req.Method, req.Header.Get("X-Probe"), body)
	if req.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if strings.Contains(string(body), "server/discover") || strings.Contains(string(body), `"initialize"`) {
		time.Sleep(r.slow)
	}
	if strings.Contains(string(body), `"tools/call"`) {
		r.call(1)
		defer r.call(-1)
		time.Sleep(r.lazy)
	}
	reply := respond(body)
	if reply == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(reply)
}

// authorize is a server that requires a token, and its two authorization servers. No token is issued: what was asked
// for is recorded.
func (r *recorder) authorize(w http.ResponseWriter, req *http.Request, body string) {
	origin := "http://" + req.Host
	answer := func(text string) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, strings.ReplaceAll(text, "ORIGIN", origin))
	}
	switch path := req.URL.Path; {
	case path == "/locked":
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+origin+`/resource"`)
		w.WriteHeader(http.StatusUnauthorized)
	case path == "/resource":
		answer(`{"resource":"ORIGIN/locked","authorization_servers":["ORIGIN/as","ORIGIN/other"]}`)
	case strings.HasPrefix(path, "/.well-known/oauth-authorization-server/"):
		name := strings.TrimPrefix(path, "/.well-known/oauth-authorization-server/")
		answer(strings.ReplaceAll(`{"issuer":"ORIGIN/NAME","authorization_endpoint":"ORIGIN/NAME/authorize",`+
			`"token_endpoint":"ORIGIN/NAME/token",`+
			`"registration_endpoint":"ORIGIN/NAME/register","response_types_supported":["code"],`+
			`"code_challenge_methods_supported":["S256"],`+
			`"grant_types_supported":["authorization_code","urn:ietf:params:oauth:grant-type:jwt-bearer"],`+
			`"client_id_metadata_document_supported":true,`+
			`"authorization_grant_profiles_supported":["urn:ietf:params:oauth:grant-profile:id-jag"],`+
			`"token_endpoint_auth_methods_supported":["none"],"dpop_signing_alg_values_supported":["ES256"]}`, "NAME",
			name))
	case strings.HasSuffix(path, "/register"):
		w.WriteHeader(http.StatusCreated)
		answer(`{"client_id":"registered","redirect_uris":["http://127.0.0.1/callback"],` +
			`"token_endpoint_auth_method":"none"}`)
	case path == "/identity":
		r.note("identity %s", body)
		answer(`{"access_token":"exchanged","issued_token_type":"urn:ietf:params:oauth:token-type:id-jag",` +
			`"token_type":"N_A"}`)
	default:
		r.note("%s DPoP=%t %s", path, req.Header.Get("DPoP") != "", body)
		w.WriteHeader(http.StatusBadRequest)
		answer(`{"error":"invalid_grant"}`)
	}
}

func (r *recorder) seen() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// startHTTP serves the recorder, over TLS with a certificate that nobody signed if asked.
func startHTTP(t *testing.T, r *recorder, tls bool) string {
	t.Helper()
	s := httptest.NewUnstartedServer(r)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that reject the certificate
	if tls {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}
