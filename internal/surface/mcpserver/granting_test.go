package mcpserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A person is the user of a host, who is asked and answers.
type person struct {
	mu     sync.Mutex
	answer string
	asked  []string
	before func() // callResponse before the answer; may be nil
}

func (p *person) reply(question string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, question)
	if p.before != nil {
		p.before()
	}
	return p.answer
}

// questions expects so many questions since the last time, and returns the last.
func (p *person) questions(t *testing.T, want int) string {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) != want {
		t.Fatalf("the user was asked %d times; expected %d: %q", len(p.asked), want, p.asked)
	}
	last := ""
	if want > 0 {
		last = p.asked[want-1]
	}
	p.asked = nil
	return last
}

// TestTheUserIsAsked has an assistant need servers that the user did not allow, in a host whose user can be asked.
func TestTheUserIsAsked(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			shop := misbehaving("works")
			shop["env"] = map[string]string{"NODE_OPTIONS": "--max", "OTHER": "hidden-value"}
			file := u.configure(map[string]any{"shop": shop})
			p := &person{}
			open := func() *client { return u.asked(revision, p.reply, "--config", file) }
			const connect = `{"url":"shop"}`
			c := open()
			for _, no := range []string{"no", "decline", "cancel"} {
				p.answer = no
				c.call("connect_to_server", connect).fails("connection_failed").has("/error/details/reason", "declined")
				question := p.questions(t, 1)
				for _, part := range []string{`asks to start the server "shop"`, "program: " + self(),
					"arguments: " + asTarget + " works", "directory: " + u.home,
					"NODE_OPTIONS=--max", "OTHER", "defined in: " + file} {
					if !strings.Contains(question, part) {
						t.Errorf("the question does not have %q:\n%s", part, question)
					}
				}
				if strings.Contains(question, "hidden-value") {
					t.Errorf("the question has the value of a variable:\n%s", question)
				}
			}
			p.answer = "once"
			for range 2 {
				c.call("connect_to_server", connect).ok().has("/connection/server_info/name", "works")
				p.questions(t, 1)
				c.call("disconnect", `{}`).ok()
			}
			p.answer = "session"
			c.call("connect_to_server", connect).ok()
			p.questions(t, 1)
			c.call("disconnect", `{}`).ok()
			c.call("connect_to_server", connect).ok()
			p.questions(t, 0)
			c = open()
			p.answer = "always"
			c.call("connect_to_server", connect).ok()
			p.questions(t, 1)
			c = open()
			c.call("connect_to_server", connect).ok()
			p.questions(t, 0)
			c.call("disconnect", `{}`).ok()
			p.answer = "no"
			u.configure(map[string]any{"shop": misbehaving("dies")}) // exactly this was granted, and nothing else
			c.call("connect_to_server", connect).fails("connection_failed").has("/error/details/reason", "declined")
			p.questions(t, 1)
		})
	}
}

// TestAnAnswerIsForWhatWasAsked changes the config file while the user thinks: what they have not seen is not started.
func TestAnAnswerIsForWhatWasAsked(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			file := u.configure(map[string]any{"shop": misbehaving("works")})
			p := &person{answer: "always", before: func() { u.configure(map[string]any{"shop": misbehaving("other")}) }}
			c := u.asked(revision, p.reply, "--config", file)
			c.call("connect_to_server", `{"url":"shop"}`).fails("connection_failed").has("/error/details/reason",
				"not_allowed")
			p.questions(t, 1)
		})
	}
}

// TestTheUserIsAskedForAnAddress expects a private address to be reached only after an answer, and for that address
// alone; an answer for the session covers all loopback addresses.
func TestTheUserIsAskedForAnAddress(t *testing.T) {
	var reached atomic.Int32
	listen := func() *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
		t.Cleanup(s.Close)
		return s
	}
	first, second := listen(), listen()
	p := &person{answer: "no"}
	c := newUser(t).asked(eras["legacy"], p.reply)
	connect := func(s *httptest.Server) answer {
		return c.call("connect_to_server", fmt.Sprintf(`{"url":%q,"timeout_ms":2000}`, s.URL+"/please-approve-this"))
	}
	connect(first).fails("connection_failed").has("/error/details/reason", "declined")
	question := p.questions(t, 1)
	if !strings.Contains(question, "address: "+strings.TrimPrefix(first.URL, "http://")) ||
		strings.Contains(question, "please") {
		t.Errorf("the question is %q; expected the address, and no text of the caller", question)
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("the address was reached %d times", n)
	}
	if !strings.Contains(question, "session: this answer covers all loopback addresses") {
		t.Errorf("the question is %q; expected what an answer for the session covers", question)
	}
	for _, how := range []string{"once", "always"} {
		p.answer = how
		connect(first) // it is no MCP server
		p.questions(t, 1)
		if reached.Swap(0) == 0 {
			t.Error("the address was not reached after the answer")
		}
		p.answer = "no"
		connect(second).fails("connection_failed") // exactly this was granted
		p.questions(t, 1)
		if n := reached.Load(); n > 0 {
			t.Errorf("another address was reached %d times", n)
		}
	}
	p.answer = "session"
	connect(second)
	p.questions(t, 1)
	p.answer = "no"
	reached.Store(0)
	connect(listen()).fails("connection_failed")
	p.questions(t, 0)
	if reached.Swap(0) == 0 {
		t.Error("a loopback address was not reached after the answer for the session")
	}
	c.call("connect_to_server", `{"url":"http://10.255.255.1/","timeout_ms":500}`).fails("connection_failed").
		has("/error/details/reason", "declined") // a private network stays a question
	p.questions(t, 1)
	c.call("connect_to_server",
		`{"url":"http://169.254.169.254/"}`).fails("connection_failed").has("/error/details/reason", "address_blocked")
	p.questions(t, 0) // nobody can grant that
	if n := reached.Load(); n > 0 {
		t.Errorf("another address was reached %d times", n)
	}
}

// TestWithoutElicitation expects the error to name the command that the user has to run.
func TestWithoutElicitation(t *testing.T) {
	u := newUser(t)
	file := u.configure(map[string]any{"my shop": misbehaving("works")})
	c := u.stdio(eras["legacy"], "--config", file)
	c.call("connect_to_server", `{"url":"my shop"}`).fails("connection_failed").
		contains("/error/suggestion", "mcptest serve --config "+file+" --agent-may-spawn 'my shop' --approve")
	c.call("connect_to_server",
		`{"url":"http://127.0.0.1:1/"}`).fails("connection_failed").contains("/error/suggestion", "--allow-private")
	c = u.stdio(eras["legacy"], "--config", file, "--agent-may-spawn", "my shop")
	c.call("connect_to_server", `{"url":"my shop"}`).fails("connection_failed").has("/error/details/reason",
		"not_allowed").
		contains("/error/suggestion", "cd "+u.home+" && mcptest serve --config "+file+
			" --agent-may-spawn 'my shop' --approve")
}

// TestNobodyIsAskedOverHTTP expects programs to stay refused where callers come over HTTP.
func TestNobodyIsAskedOverHTTP(t *testing.T) {
	u := newUser(t)
	file := u.configure(map[string]any{"shop": misbehaving("works")})
	e := u.listen("--config", file)
	p := &person{answer: "always"}
	c := u.http(e, e.tokens[0], eras["legacy"], p.reply)
	c.call("connect_to_server", `{"url":"shop"}`).fails("connection_failed")
	p.questions(t, 0)
}
