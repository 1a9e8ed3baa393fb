// Package auth is OAuth 2.1 as an MCP client does it, as a sequence of steps that a person can look at: what was asked,
// what came back byte for byte, what is wrong with it and what to do about it.
//
// Servers name the addresses of nearly every step. So every address has to be https (or loopback), is dialled through
// the guard, and may answer only so much in only so long.
package auth

import (
	"fmt"
	"net/http"
	"time"
)

// A Name is a step of the funnel.
type Name string

// The steps, in their order. A run shows those that it needs; one that looks in several places shows the step as often.
const (
	Challenge        Name = "challenge"         // a request without a token is refused
	ResourceMetadata Name = "resource-metadata" // which authorization servers the server trusts (RFC 9728)
	ServerMetadata   Name = "server-metadata"   // what the authorization server can do (RFC 8414, OpenID discovery)
	Registration     Name = "registration"      // who we are to it: a given id, a metadata document, or RFC 7591
	Authorization    Name = "authorization"     // the person agrees in a browser
	Callback         Name = "callback"          // the browser brings the answer
	Exchange         Name = "exchange"          // an identity provider vouches for the person, where it is asked instead
	Token            Name = "token"             // the answer is exchanged for a token
	Call             Name = "call"              // a request with the token is accepted
	Refresh          Name = "refresh"           // a new token for an old one; not part of the first way
)

// Titles tell people what each step is, in order.
var Titles = []struct {
	Name  Name
	Title string
}{
	{Challenge, "Ask without a token"},
	{ResourceMetadata, "Find the authorization server"},
	{ServerMetadata, "Read what it can do"},
	{Registration, "Be known to it"},
	{Authorization, "Ask for permission in a browser"},
	{Callback, "Take the answer"},
	{Exchange, "Ask the identity provider"},
	{Token, "Get a token"},
	{Call, "Ask with the token"},
	{Refresh, "Renew the token"},
}

// Title is what people call the step.
func (n Name) Title() string {
	for _, t := range Titles {
		if t.Name == n {
			return t.Title
		}
	}
	return string(n)
}

// A State is how a step stands.
type State string

// The states.
const (
	Waiting State = "waiting" // for the person
	OK      State = "ok"
	Absent  State = "absent" // nothing was found at this place; there are others
	Failed  State = "failed"
)

// A Step is one step as it was made. Secrets are taken out of what it shows.
type Step struct {
	Seq     int           `json:"seq"` // from 1; a step that waited comes again under its number when it is over
	Name    Name          `json:"name"`
	Title   string        `json:"title"`
	State   State         `json:"state"`
	Request *Request      `json:"request,omitempty"`
	Answer  *Answer       `json:"answer,omitempty"`
	Open    string        `json:"open,omitempty"`    // the address for the person to open, while it waits
	Result  string        `json:"result,omitempty"`  // what was learned
	Problem string        `json:"problem,omitempty"` // what is wrong
	Hint    string        `json:"hint,omitempty"`    // what to do about it
	Notes   []string      `json:"notes,omitempty"`   // what is odd but can be lived with
	Elapsed time.Duration `json:"elapsed_ns"`
}

// A Request is what was asked.
type Request struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
}

// An Answer is what came back, as it came.
type Answer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
	Cut    bool        `json:"cut,omitempty"` // it was longer than is shown
}

func (s *Step) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// fail marks the step as the one that stops everything.
func (s *Step) fail(hint, format string, args ...any) *Error {
	s.State, s.Problem, s.Hint = Failed, fmt.Sprintf(format, args...), hint
	return &Error{Step: s.Name, Problem: s.Problem, Advice: hint}
}

// An Error says at which step the way to a token ended.
type Error struct {
	Step    Name
	Problem string
	Advice  string // what to do about it
	Cause   error  // why there was no answer, if there was none
}

// Error names the step and the problem.
func (e *Error) Error() string {
	return fmt.Sprintf("authorization stopped at %s: %s", e.Step, e.Problem)
}

// Hint tells what to do about it.
func (e *Error) Hint() string { return e.Advice }

// Unwrap returns why there was no answer.
func (e *Error) Unwrap() error { return e.Cause }
