package mcptest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// An Option changes a call, or what is expected of it.
type Option func(M)

// Expect sets expectations, as in a suite: an object such as {"contains": "text"} or {"exact": {"sum": 3}}, or a list of
// objects with a target. Without them, a call must succeed.
func Expect(expectations any) Option { return func(m M) { m["expect"] = expectations } }

// Golden expects the result of the first run of the test, which is stored in testdata: the matcher snapshot.
func Golden() Option { return Expect(M{"snapshot": true}) }

// Timeout sets the time limit of a call. It is one minute by default.
func Timeout(d time.Duration) Option { return func(m M) { m["timeout"] = d.String() } }

// XFail marks a call that is expected to fail: the test is then skipped with the reason. If the call passes, the test
// fails.
func XFail(reason string) Option { return func(m M) { m["xfail"] = reason } }

// Answers sets the responses to requests of the server, as in a suite. See Server.Offers.
func Answers(answers any) Option { return func(m M) { m["answers"] = answers } }

// A Response is the response of a server.
type Response struct {
	Result        json.RawMessage `json:"result"` // nil if there is none
	Error         json.RawMessage `json:"error"`  // the JSON-RPC error; nil if there is none
	Text          string          `json:"text"`   // all text blocks of the result of a tool
	IsError       bool            `json:"is_error"`
	DurationMS    float64         `json:"duration_ms"`
	Stderr        string          `json:"stderr"`       // what the server wrote to stderr during the call
	StdoutNoise   string          `json:"stdout_noise"` // the last line on stdout that is not a message
	Notifications json.RawMessage `json:"notifications"`

	ID      int `json:"id"`
	session *Session
}

// A verdict is the result of a test.
type verdict struct {
	Status   string
	Message  string
	Response *Response
}

// Call calls a tool and checks the response. A failed expectation ends the test.
func (s *Session) Call(tool string, args any, options ...Option) *Response {
	s.t.Helper()
	return s.test("call", M{"tool": tool, "args": args}, options)
}

// Read reads a resource and checks the response.
func (s *Session) Read(uri string, options ...Option) *Response {
	s.t.Helper()
	return s.test("read", M{"uri": uri}, options)
}

// Prompt gets a prompt and checks the response.
func (s *Session) Prompt(prompt string, args any, options ...Option) *Response {
	s.t.Helper()
	return s.test("prompt", M{"prompt": prompt, "args": args}, options)
}

// Request sends a request of any method and checks the response.
func (s *Session) Request(method string, params any, options ...Option) *Response {
	s.t.Helper()
	return s.test("request", M{"method": method, "params": params}, options)
}

// Try calls a tool without checking the response, so that the test can do it. If the server exits or does not respond,
// the test fails anyway.
func (s *Session) Try(tool string, args any, options ...Option) *Response {
	s.t.Helper()
	v := s.send("call", M{"tool": tool, "args": args}, options)
	if v.Response == nil || v.Status == "broken" || v.Response.Result == nil && v.Response.Error == nil {
		s.report(v)
	}
	return s.response(v)
}

// Expect checks the response again, against more expectations.
func (r *Response) Expect(expectations any) *Response {
	s := r.session
	s.t.Helper()
	params := s.withSnapshots(M{"server": s.name, "response": r.ID, "expect": expectations})
	var v verdict
	if err := s.driver.call("assert", params, &v); err != nil {
		s.t.Fatal(err)
	}
	s.report(&v)
	return r
}

// MustConform checks the server for protocol conformance and fails the test on any error.
func (s *Session) MustConform(options ...Option) {
	s.t.Helper()
	s.test("conform", M{}, options)
}

// Fuzz fuzzes the safe tools of the server and fails the test if it crashes or hangs.
func (s *Session) Fuzz(options ...Option) {
	s.t.Helper()
	s.test("fuzz", M{}, options)
}

// With sets options of MustConform and Fuzz, as in a suite: {"rules": ["TOOL"]}, {"cases": 500}.
func With(engine M) Option { return func(m M) { m["with"] = engine } }

// Tools lists the definitions of the tools, as the server sent them.
func (s *Session) Tools() []json.RawMessage {
	s.t.Helper()
	var out struct{ Items []json.RawMessage }
	if err := s.driver.call("list", M{"server": s.name}, &out); err != nil {
		s.t.Fatal(err)
	}
	return out.Items
}

func (s *Session) test(method string, params M, options []Option) *Response {
	s.t.Helper()
	v := s.send(method, params, options)
	s.report(v)
	return s.response(v)
}

// send makes a test. An invalid one ends the Go test.
func (s *Session) send(method string, params M, options []Option) *verdict {
	s.t.Helper()
	params["server"] = s.name
	for _, key := range []string{"args", "params"} {
		if value, ok := params[key]; ok && value == nil {
			delete(params, key)
		}
	}
	for _, o := range options {
		o(params)
	}
	var v verdict
	if err := s.driver.call(method, s.withSnapshots(params), &v); err != nil {
		s.t.Fatal(err)
	}
	return &v
}

// withSnapshots adds the file of snapshots, if one is needed.
func (s *Session) withSnapshots(params M) M {
	raw, err := json.Marshal(params["expect"])
	if err == nil && strings.Contains(string(raw), `"snapshot"`) {
		params["snapshots"], params["key"] = s.snapshots(), fmt.Sprintf("call %d", s.calls.Add(1))
	}
	return params
}

// report fails the test if the verdict requires it.
func (s *Session) report(v *verdict) {
	s.t.Helper()
	switch v.Status {
	case "passed":
	case "skipped":
		s.t.Skip(v.Message)
	default:
		if s.soft {
			s.t.Error(v.Message)
			return
		}
		s.t.Fatal(v.Message)
	}
}

func (s *Session) response(v *verdict) *Response {
	if v.Response == nil {
		return &Response{session: s}
	}
	v.Response.session = s
	return v.Response
}
