package mcpserver_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/netguard"
)

// A remote is a server that mcptest takes for one on another machine: its name is not that of this one.
type remote struct {
	url  string
	sent atomic.Int32 // messages that it received
}

func newRemote(t *testing.T) *remote {
	t.Helper()
	r := &remote{}
	server, _ := demo.Lookup("demo")
	handler, stop := server.Handler()
	t.Cleanup(stop)
	listener, err := net.Listen("tcp", ":0") // on every address of this machine
	if err != nil {
		t.Fatal(err)
	}
	listening := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Method == http.MethodPost {
			r.sent.Add(1)
		}
		req.Host = "localhost" // the demo accepts no other name
		handler.ServeHTTP(w, req)
	})}
	go func() { _ = listening.Serve(listener) }()
	t.Cleanup(func() { _ = listening.Close() })
	r.url = "http://" + otherName(t, listener.Addr().(*net.TCPAddr).Port) + "/mcp"
	return r
}

// forget waits for requests that mcptest sent and no longer waits for, which a busy machine handles late, and then counts from zero. It
// returns what was counted before.
func (r *remote) forget() int32 {
	for seen := r.sent.Load(); ; seen = r.sent.Load() {
		time.Sleep(500 * time.Millisecond)
		if r.sent.CompareAndSwap(seen, 0) {
			return seen
		}
	}
}

// otherName is a name or address of this machine, with the port, that does not look like this machine.
func otherName(t *testing.T, port int) string {
	t.Helper()
	var names []string
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	addresses, _ := net.InterfaceAddrs()
	for _, address := range addresses {
		if ip, _, err := net.ParseCIDR(address.String()); err == nil && !ip.IsLoopback() {
			names = append(names, ip.String())
		}
	}
	dialer := netguard.Dialer(&netguard.DialOptions{AllowPrivate: true})
	for _, name := range names {
		place := net.JoinHostPort(name, strconv.Itoa(port))
		if c, err := dialer.DialContext(t.Context(), "tcp", place); err == nil {
			_ = c.Close()
			return place
		}
	}
	t.Skip("skipped: this machine has no name and no address besides those of localhost")
	return ""
}

// disturbances are the calls that disturb a remote server, and the command that a user runs instead.
func disturbances(url string) []struct{ tool, arguments, sends, command string } {
	return []struct{ tool, arguments, sends, command string }{
		{"load_server", `{"tool":"echo","rate":"50/s","duration":"100ms"}`, "send load to",
			"mcptest load " + url + " --allow-disruptive"},
		{"fuzz_tool", `{"tool":["echo"],"cases":2,"wire":true}`, "send malformed frames to",
			"mcptest fuzz " + url + " --wire --allow-disruptive"},
		{"check_conformance", `{"rules":["RPC-005,RPC-006"]}`, "send malformed frames and bursts of requests to",
			"mcptest conform " + url + " --rules 'RPC-005,RPC-006' --allow-disruptive"},
	}
}

// TestTheUserIsAskedToDisturb expects load and malformed frames to reach a remote server only after an answer of the
// user, each for itself.
func TestTheUserIsAskedToDisturb(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			r, p := newRemote(t), &person{}
			c := newUser(t).asked(revision, p.reply, "--allow-private")
			c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, r.url)).ok()
			r.forget()
			origin, _ := strings.CutSuffix(r.url, "/mcp")
			for _, d := range disturbances(r.url) {
				for _, no := range []string{"no", "decline", "cancel"} {
					p.answer = no
					c.call(d.tool, d.arguments).fails("connection_failed").has("/error/details/reason", "declined")
					question := p.questions(t, 1)
					if !strings.Contains(question, d.sends+" a server that is not on this machine") ||
						!strings.Contains(question, "server: "+origin+"\n") {
						t.Errorf("%s: the question is %q", d.tool, question)
					}
				}
				if n := r.sent.Load(); n > 0 {
					t.Errorf("%s: %d messages were sent before an answer", d.tool, n)
				}
				p.answer = "once"
				for range 2 {
					c.call(d.tool, d.arguments).ok()
					p.questions(t, 1)
				}
				if r.forget() == 0 {
					t.Errorf("%s: nothing was sent after the answer", d.tool)
				}
			}
			for _, d := range disturbances(r.url) { // a grant of one is not a grant of another
				p.answer = "session"
				c.call(d.tool, d.arguments).ok()
				p.questions(t, 1)
				c.call(d.tool, d.arguments).ok()
				p.questions(t, 0)
			}
		})
	}
}
