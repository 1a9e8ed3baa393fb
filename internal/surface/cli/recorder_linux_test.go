package cli_test

import (
	"bufio"
	"encoding/json"
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

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

// The test binary is two programs: the tests, and a server that records what it receives.
const asRecorder = "__recorder"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asRecorder {
		recordLines(os.Args[2])
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "__supervise" {
		os.Exit(cli.Main(cli.System()))
	}
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
		"initialize": `{"protocolVersion":"` + revisionOf(line) + `","capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},` +
			`"completions":{},"logging":{}},"serverInfo":{"name":"recorder","version":"1"}}`,
		"tools/list": `{"tools":[{"name":"echo","description":"Returns the message.","inputSchema":{"type":"object","properties":{` +
			`"message":{"type":"string","description":"The message.","maxLength":99}},"additionalProperties":false},"annotations":{"readOnlyHint":true,"openWorldHint":false}}]}`,
		"tools/call":               `{"content":[{"type":"text","text":"hi"}]}`,
		"resources/list":           `{"resources":[{"uri":"demo://welcome","name":"welcome"}]}`,
		"resources/read":           `{"contents":[{"uri":"demo://welcome","text":"hi"},{"uri":"demo://p","mimeType":"image/png","blob":"iVBORw0KGgo="}]}`,
		"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"demo://{name}","name":"any"}]}`,
		"prompts/list":             `{"prompts":[{"name":"greet","arguments":[{"name":"name"}]}]}`,
		"prompts/get":              `{"messages":[{"role":"user","content":{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="}}]}`,
		"completion/complete":      `{"completion":{"values":["ada"]}}`,
		"ping":                     `{}`, "logging/setLevel": `{}`, "resources/subscribe": `{}`,
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

// recordLines serves over stdin and stdout, and writes its environment, its directory and all that it receives to a file. After the
// handshake it asks for the roots, and responds to nothing before it has them.
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
	mu   sync.Mutex
	text strings.Builder
	slow time.Duration // before it responds to a handshake
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	fmt.Fprintf(&r.text, "server: %s X-Probe=%s %s\n", req.Method, req.Header.Get("X-Probe"), body)
	r.mu.Unlock()
	if req.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if strings.Contains(string(body), "server/discover") || strings.Contains(string(body), `"initialize"`) {
		time.Sleep(r.slow)
	}
	reply := respond(body)
	if reply == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(reply)
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
