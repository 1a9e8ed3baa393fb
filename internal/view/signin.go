package view

import (
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
)

// The states of a sign-in.
const (
	SignInRunning   = "running"
	SignInWaiting   = "waiting" // for the user, at the URL
	SignInDone      = "done"
	SignInFailed    = "failed" // at the failed step, or for the problem
	SignInCancelled = "cancelled"
)

// A NewSignIn requests a token for a server.
type NewSignIn struct {
	Server            string   `json:"server"`
	Protocol          string   `json:"protocol,omitempty"` // auto, or a revision
	Insecure          bool     `json:"insecure,omitempty"` // accept any TLS certificate
	ClientID          string   `json:"client_id,omitempty"`
	ClientSecret      string   `json:"client_secret,omitempty"`
	ClientDocument    string   `json:"client_document,omitempty"`    // URL of a client ID metadata document
	ClientCredentials bool     `json:"client_credentials,omitempty"` // a token for the client itself, without a user
	Scopes            []string `json:"scopes,omitempty"`             // instead of those that the server lists
	Issuer            string   `json:"issuer,omitempty"`             // which authorization server, if there are several
	CallbackPort      int      `json:"callback_port,omitempty"`
	AllowPrivate      bool     `json:"allow_private,omitempty"` // allow private addresses in server metadata
	NoStore           bool     `json:"no_store,omitempty"`      // do not store the token
	Try               []string `json:"try,omitempty"`           // refresh, expiry, step-up: with a token, instead of a new one
}

// A SignIn is an authorization flow, up to its current step. Secrets are removed from its steps.
type SignIn struct {
	ID      string     `json:"id"`
	Server  string     `json:"server"`
	Name    string     `json:"name"`  // of the server
	State   string     `json:"state"` // running, waiting, done, failed, cancelled
	Open    string     `json:"open,omitempty"`
	Steps   []AuthStep `json:"steps"`
	Needed  bool       `json:"needed"` // whether the server requires a token
	Stored  bool       `json:"stored"` // connections to this server use the token from now on
	Token   *Token     `json:"token,omitempty"`
	Problem *Problem   `json:"problem,omitempty"` // why the flow ended, if no step shows it
	Started time.Time  `json:"started"`
}

// SignIns are the stored sign-ins, oldest first, and the list of steps.
type SignIns struct {
	SignIns []SignIn    `json:"sign_ins"`
	Funnel  []AuthTitle `json:"funnel"`
}

// An AuthTitle is the display name of a step.
type AuthTitle struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// An AuthStep is one step in its current state.
type AuthStep struct {
	Seq       int          `json:"seq"`
	Name      string       `json:"name"`
	Title     string       `json:"title"`
	State     string       `json:"state"` // waiting, ok, absent, failed
	Clause    AuthClause   `json:"clause"`
	Request   *AuthRequest `json:"request,omitempty"`
	Answer    *AuthAnswer  `json:"answer,omitempty"`
	Open      string       `json:"open,omitempty"` // the URL for the user to open, while it waits
	Result    string       `json:"result,omitempty"`
	Problem   string       `json:"problem,omitempty"`
	Hint      string       `json:"hint,omitempty"`
	Notes     []string     `json:"notes,omitempty"`
	ElapsedNS int64        `json:"elapsed_ns"`
}

// An AuthClause is the part of the specification that a step follows.
type AuthClause struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// An AuthRequest is an HTTP request of a step.
type AuthRequest struct {
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
}

// An AuthAnswer is the HTTP response, unchanged.
type AuthAnswer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header,omitempty"`
	Body   string      `json:"body,omitempty"`
	Cut    bool        `json:"cut,omitempty"` // the body is truncated
}

// A Token describes a token, without the token itself.
type Token struct {
	Server    string     `json:"server"`
	Resource  string     `json:"resource"`
	Issuer    string     `json:"issuer"`
	ClientID  string     `json:"client_id"`
	Scopes    []string   `json:"scopes"`
	Obtained  time.Time  `json:"obtained"`
	Expires   *time.Time `json:"expires,omitempty"`
	Expired   bool       `json:"expired"`
	Renewable bool       `json:"renewable"` // can be refreshed without the user
}

// Tokens is the token stored for a server, if there is one.
type Tokens struct {
	Token *Token `json:"token,omitempty"`
}

func ShowStep(s auth.Step) AuthStep {
	out := AuthStep{Seq: s.Seq, Name: string(s.Name), Title: s.Title, State: string(s.State), Open: s.Open,
		Clause: AuthClause(s.Clause), Result: s.Result, Problem: s.Problem,
		Hint: s.Hint.In(pageWords), Notes: s.Notes, ElapsedNS: s.Elapsed.Nanoseconds()}
	if s.Request != nil {
		out.Request = &AuthRequest{Method: s.Request.Method, URL: s.Request.URL, Header: s.Request.Header,
			Body: s.Request.Body}
	}
	if s.Answer != nil {
		out.Answer = &AuthAnswer{Status: s.Answer.Status, Header: s.Answer.Header, Body: s.Answer.Body,
			Cut: s.Answer.Cut}
	}
	return out
}
