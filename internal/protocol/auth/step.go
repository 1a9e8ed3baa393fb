// Package auth implements OAuth 2.1 for MCP clients, as a sequence of steps that a user can inspect: the
// request, the response byte for byte, what is wrong with it and how to fix it.
//
// Servers provide the URLs of nearly every step. So every URL must be https (or loopback), is dialed through
// the guard, and has limits for the size and the time of its response.
package auth

import (
	"fmt"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
)

// A Name is the name of a step.
type Name string

// The steps, in order. A run has only those that it needs; a step that tries several URLs is repeated.
const (
	Challenge        Name = "challenge"         // a request without a token is rejected
	ResourceMetadata Name = "resource-metadata" // the authorization servers of the server (RFC 9728)
	ServerMetadata   Name = "server-metadata"   // the metadata of the authorization server (RFC 8414, OpenID discovery)
	Registration     Name = "registration"      // our client: a given ID, a metadata document, or RFC 7591
	Authorization    Name = "authorization"     // the user consents in a browser
	Callback         Name = "callback"          // the browser is redirected back
	Exchange         Name = "exchange"          // an identity provider issues an assertion, if one is used
	Token            Name = "token"             // the code is exchanged for a token
	Call             Name = "call"              // a request with the token is accepted
	Expired          Name = "expired"           // a request with a token that is not valid; tried on purpose only
	Refresh          Name = "refresh"           // a new token for an old one; not part of the first flow
)

// Titles are the display names of the steps, in order.
var Titles = []struct {
	Name  Name
	Title string
}{
	{Challenge, "Send request without a token"},
	{ResourceMetadata, "Discover the authorization server"},
	{ServerMetadata, "Fetch authorization server metadata"},
	{Registration, "Register the client"},
	{Authorization, "Authorize in the browser"},
	{Callback, "Handle the callback"},
	{Exchange, "Get an assertion from the identity provider"},
	{Token, "Request a token"},
	{Call, "Send request with the token"},
	{Expired, "Send request with an expired token"},
	{Refresh, "Refresh the token"},
}

// Title returns the display name of the step.
func (n Name) Title() string {
	for _, t := range Titles {
		if t.Name == n {
			return t.Title
		}
	}
	return string(n)
}

// A State is the state of a step.
type State string

// The states.
const (
	Waiting State = "waiting" // for the user
	OK      State = "ok"
	Absent  State = "absent" // nothing was found at this URL; there are others
	Failed  State = "failed"
)

// A Step is one executed step. Secrets are removed from what it shows.
type Step struct {
	// from 1; a step that waited is reported again under its number when it is finished
	Seq     int           `json:"seq"`
	Name    Name          `json:"name"`
	Title   string        `json:"title"`
	State   State         `json:"state"`
	Clause  Clause        `json:"clause"` // what it follows
	Request *Request      `json:"request,omitempty"`
	Answer  *Response     `json:"answer,omitempty"`
	Open    string        `json:"open,omitempty"`    // the URL for the user to open, while it waits
	Result  string        `json:"result,omitempty"`  // the outcome
	Problem string        `json:"problem,omitempty"` // what is wrong
	Hint    hint.Text     `json:"hint,omitempty"`    // how to fix it
	Notes   []string      `json:"notes,omitempty"`   // problems that are not fatal
	Elapsed time.Duration `json:"elapsed_ns"`
}

// A Request is an HTTP request of a step.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
}

// A Response is an HTTP response, unchanged.
type Response struct {
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
	Cut    bool        `json:"cut,omitempty"` // the body is truncated
}

func (s *Step) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// fail marks the step as the one that ends the flow.
func (s *Step) fail(advice hint.Text, format string, args ...any) *Error {
	s.State, s.Problem, s.Hint = Failed, fmt.Sprintf(format, args...), advice
	e := &Error{Step: s.Name, Problem: s.Problem, Advice: advice}
	if s.Answer != nil {
		e.Status = s.Answer.Status
	}
	return e
}

// An Error reports at which step the flow failed.
type Error struct {
	Step    Name
	Problem string
	Advice  hint.Text // how to fix it
	Cause   error     // why there was no response, if there was none
	Status  int       // of the response that ended it; 0 if there was none
}

// Error returns the step and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("authorization failed at step %q: %s", e.Step, e.Problem)
}

// Hint returns how to fix it.
func (e *Error) Hint() hint.Text { return e.Advice }

// Unwrap returns why there was no response.
func (e *Error) Unwrap() error { return e.Cause }
