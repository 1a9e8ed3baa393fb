package inspector

import (
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
)

// The states of a sign-in.
const (
	SignInRunning   = "running"
	SignInWaiting   = "waiting" // for the person, at the address
	SignInDone      = "done"
	SignInFailed    = "failed" // at the step that says so, or for the problem
	SignInCancelled = "cancelled"
)

// A NewSignIn asks for a token for a server.
type NewSignIn struct {
	Server            string   `json:"server"`
	Protocol          string   `json:"protocol,omitempty"` // auto, or a revision
	Insecure          bool     `json:"insecure,omitempty"` // accept any TLS certificate
	ClientID          string   `json:"client_id,omitempty"`
	ClientSecret      string   `json:"client_secret,omitempty"`
	ClientDocument    string   `json:"client_document,omitempty"`    // URL of a client id metadata document
	ClientCredentials bool     `json:"client_credentials,omitempty"` // a token of the client's own, with no person in it
	Scopes            []string `json:"scopes,omitempty"`             // instead of those that the server names
	Issuer            string   `json:"issuer,omitempty"`             // which authorization server, if there are several
	CallbackPort      int      `json:"callback_port,omitempty"`
	AllowPrivate      bool     `json:"allow_private,omitempty"` // let the server name private addresses
	NoStore           bool     `json:"no_store,omitempty"`      // do not keep the token
}

// A SignIn is the way to a token, as far as it was gone. Secrets are taken out of its steps.
type SignIn struct {
	ID      string     `json:"id"`
	Server  string     `json:"server"`
	Name    string     `json:"name"`  // of the server
	State   string     `json:"state"` // running, waiting, done, failed, cancelled
	Open    string     `json:"open,omitempty"`
	Steps   []AuthStep `json:"steps"`
	Needed  bool       `json:"needed"` // the server wants a token at all
	Stored  bool       `json:"stored"` // connections to this server use the token from now on
	Token   *Token     `json:"token,omitempty"`
	Problem *Problem   `json:"problem,omitempty"` // why the way ended, where no step says it
	Started time.Time  `json:"started"`
}

// SignIns are those that are kept, the oldest first, and the steps that there are.
type SignIns struct {
	SignIns []SignIn    `json:"sign_ins"`
	Funnel  []AuthTitle `json:"funnel"`
}

// An AuthTitle is what people call a step.
type AuthTitle struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// An AuthStep is one step as it was made.
type AuthStep struct {
	Seq       int          `json:"seq"`
	Name      string       `json:"name"`
	Title     string       `json:"title"`
	State     string       `json:"state"` // waiting, ok, absent, failed
	Request   *AuthRequest `json:"request,omitempty"`
	Answer    *AuthAnswer  `json:"answer,omitempty"`
	Open      string       `json:"open,omitempty"` // the address for the person to open, while it waits
	Result    string       `json:"result,omitempty"`
	Problem   string       `json:"problem,omitempty"`
	Hint      string       `json:"hint,omitempty"`
	Notes     []string     `json:"notes,omitempty"`
	ElapsedNS int64        `json:"elapsed_ns"`
}

// An AuthRequest is what was asked.
type AuthRequest struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
}

// An AuthAnswer is what came back, as it came.
type AuthAnswer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
	Cut    bool        `json:"cut,omitempty"` // it was longer than is shown
}

// A Token is what is known of a token, without the token.
type Token struct {
	Server    string     `json:"server"`
	Resource  string     `json:"resource"`
	Issuer    string     `json:"issuer"`
	ClientID  string     `json:"client_id"`
	Scopes    []string   `json:"scopes"`
	Obtained  time.Time  `json:"obtained"`
	Expires   *time.Time `json:"expires,omitempty"`
	Expired   bool       `json:"expired"`
	Renewable bool       `json:"renewable"` // without a person
}

// Tokens is the token that is kept for a server, if there is one.
type Tokens struct {
	Token *Token `json:"token,omitempty"`
}

func showStep(s auth.Step) AuthStep {
	out := AuthStep{Seq: s.Seq, Name: string(s.Name), Title: s.Title, State: string(s.State), Open: s.Open, Result: s.Result, Problem: s.Problem,
		Hint: onPage(s.Hint), Notes: s.Notes, ElapsedNS: s.Elapsed.Nanoseconds()}
	if s.Request != nil {
		out.Request = &AuthRequest{Method: s.Request.Method, URL: s.Request.URL, Header: s.Request.Header, Body: s.Request.Body}
	}
	if s.Answer != nil {
		out.Answer = &AuthAnswer{Status: s.Answer.Status, Header: s.Answer.Header, Body: s.Answer.Body, Cut: s.Answer.Cut}
	}
	return out
}
