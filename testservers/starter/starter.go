// Package starter is a server that tests how a client starts and stops processes: it starts slowly, exits on the probe,
// ignores it, or holds a lock file. It writes each start and exit to a file.
package starter

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// A Kind is how a server handles server/discover and initialize.
type Kind string

// The kinds.
const (
	Handshake Kind = "handshake" // only initialize; an error for anything else before it
	Stateless Kind = "stateless" // only server/discover
	Both      Kind = "both"      // both; after initialize only the handshake, as in Python SDK 2
	Exits     Kind = "exits"     // only initialize; exits on anything else before it
	Ignores   Kind = "ignores"   // only initialize; ignores anything else before it
)

// Options define the behavior of a server.
type Options struct {
	Kind   Kind
	Delay  time.Duration // before it reads its input
	Buffer bool          // it reads its input immediately, and handles it after the delay
	Leave  time.Duration // between the end of its input and its exit
	Lock   string        // a file that must not exist at the start and exists until the exit
	Log    string        // the file that starts and exits are written to
}

const variable = "MCPTEST_STARTER"

// Command returns the argv and the environment of the server: the running test binary, whose TestMain calls Play.
func Command(o Options) (argv, env []string) {
	text, _ := json.Marshal(o)
	return []string{os.Args[0]}, []string{variable + "=" + string(text), "PATH=" + os.Getenv("PATH")}
}

// Play runs the server that the environment describes and exits. Without one it returns immediately.
func Play() {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	var o Options
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(o.main())
}

func (o Options) main() int {
	o.log("start")
	defer o.log("exit")
	if o.Lock != "" {
		file, err := os.OpenFile(o.Lock, os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, "locked by another process:", err)
			return 1
		}
		_ = file.Close()
		defer os.Remove(o.Lock)
	}
	lines := make(chan string)
	begin := make(chan struct{})
	go o.read(lines, begin)
	time.Sleep(o.Delay)
	close(begin)
	s := &session{kind: o.Kind}
	for line := range lines {
		if status := s.handle(line); status != 0 {
			return status
		}
	}
	time.Sleep(o.Leave)
	return 0
}

// read reads lines after its start delay.
func (o Options) read(lines chan<- string, begin <-chan struct{}) {
	defer close(lines)
	if !o.Buffer {
		<-begin
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		lines <- in.Text()
	}
}

func (o Options) log(event string) {
	if o.Log == "" {
		return
	}
	file, err := os.OpenFile(o.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	fmt.Fprintln(file, event)
}

// Events returns the contents of a log, in one line.
func Events(log string) string {
	text, _ := os.ReadFile(log)
	return strings.Join(strings.Fields(string(text)), " ")
}

// A session is the server's state of a client.
type session struct {
	kind        Kind
	initialized bool
}

// handle handles one message. The result is the exit status if the server exits.
func (s *session) handle(line string) int {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal([]byte(line), &m) != nil || m.ID == nil {
		return 0
	}
	modern := strings.Contains(line, "io.modelcontextprotocol/protocolVersion")
	switch {
	case m.Method == "initialize" && s.kind != Stateless:
		s.initialized = true
		result(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"starter",`+
			`"version":"1"}}`)
	case s.kind == Exits && !s.initialized:
		return 1
	case s.kind == Ignores && !s.initialized:
	case modern && (s.kind == Handshake || s.initialized):
		failure(m.ID, -32600, "requests with the 2026-07-28 envelope are not accepted")
	case m.Method == "server/discover" && (s.kind == Stateless || s.kind == Both):
		versions := `"2026-07-28"`
		if s.kind == Both {
			versions += `,"2025-11-25"`
		}
		result(m.ID, `{"resultType":"complete","supportedVersions":[`+versions+
			`],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}`)
	case m.Method == "tools/list":
		result(m.ID, `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"ping",`+
			`"description":"Returns pong.",`+
			`"inputSchema":{"type":"object","properties":{},"additionalProperties":false},`+
			`"annotations":{"readOnlyHint":true}}]}`)
	case m.Method == "tools/call":
		result(m.ID, `{"resultType":"complete","content":[{"type":"text","text":"pong"}]}`)
	case m.Method == "ping" && s.initialized:
		result(m.ID, `{}`)
	default:
		failure(m.ID, -32601, "unknown method")
	}
	return 0
}

func result(id json.RawMessage, text string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, text)
}

func failure(id json.RawMessage, code int, message string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`+"\n", id, code, message)
}
