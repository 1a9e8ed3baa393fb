package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/accounts"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
)

// A pagePendingFlow is an authorization that a user has started. The browser keeps it, encrypted: so only the browser
// that started it can finish it, at any replica.
type pagePendingFlow struct {
	User    string       `json:"user"`
	Server  string       `json:"server"`
	Gateway bool         `json:"gateway,omitempty"`
	Expires time.Time    `json:"expires"`
	Flow    auth.Pending `json:"flow"`
}

// pendingCookie is the name of the cookie of an authorization, so that several can be in progress.
func pendingCookie(state string) string {
	sum := sha256.Sum256([]byte(state))
	return "connect-" + hex.EncodeToString(sum[:8])
}

// An accountForm is a request of the page about one account.
type accountForm struct {
	Server  string
	Gateway bool // the account of the gateway, not that of the caller
	Scopes  []string
}

// requested returns the account that a signed-in caller asks for; nil if it has responded with an error.
func (p *connectPage) requested(w http.ResponseWriter, r *http.Request) (c *access.Caller, a *accounts.Account,
	in accountForm) {
	if !readForm(w, r, &in) {
		return nil, nil, in
	}
	if c = p.caller(r); c == nil {
		http.Error(w, "Sign in first.", http.StatusUnauthorized)
		return nil, nil, in
	}
	if a = p.account(c, in.Server, in.Gateway); a == nil {
		http.Error(w, "There is no such account.", http.StatusNotFound)
	}
	return c, a, in
}

// start begins to connect an account: the page then opens the URL of the authorization server.
func (p *connectPage) start(w http.ResponseWriter, r *http.Request) {
	c, account, in := p.requested(w, r)
	if account == nil {
		return
	}
	pending, err := account.Begin(r.Context(), p.run.public+connectPath+"/callback", validScopes(in.Scopes))
	if err != nil {
		p.log.Warn("an account cannot be connected", "server", in.Server, "caller", c.Name, "error", err.Error())
		http.Error(w, p.explain(err), http.StatusBadGateway)
		return
	}
	flow := pagePendingFlow{User: userName(c), Server: in.Server, Gateway: in.Gateway,
		Expires: time.Now().Add(pagePending), Flow: *pending}
	flow.Flow.URL = "" // the browser has it
	if err := p.setCookie(w, pendingCookie(pending.State), flow, pagePending); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"url": pending.URL}) // a disconnected client misses it
}

// callback receives the user from the authorization server. The account is stored for the user who started it, who must
// still be signed in in this browser.
func (p *connectPage) callback(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if p.finishSignIn(w, r, query) {
		return
	}
	c, name := p.caller(r), pendingCookie(query.Get("state"))
	var flow pagePendingFlow
	if c == nil || !p.readCookie(r, name, &flow) || time.Now().After(flow.Expires) || flow.User != userName(c) {
		p.write(w, r, http.StatusForbidden, "This browser did not start this authorization, or too long ago. Sign in and "+
			"connect the account again.")
		return
	}
	_ = p.setCookie(w, name, nil, 0) // nothing is encoded
	account := p.account(c, flow.Server, flow.Gateway)
	err := errors.New("the server is no longer in the config")
	if account != nil {
		err = account.Finish(r.Context(), &flow.Flow, query)
	}
	p.note(c, "connect", flow.Server, flow.Gateway, err)
	if err != nil {
		p.write(w, r, http.StatusBadGateway, p.explain(err))
		return
	}
	if flow.Gateway {
		p.retry(flow.Server)
	} else {
		p.relist(c, flow.Server)
	}
	http.Redirect(w, r, p.run.public+connectPath+"?"+url.Values{"server": {flow.Server}}.Encode(), http.StatusSeeOther)
}

// remove disconnects an account.
func (p *connectPage) remove(w http.ResponseWriter, r *http.Request) {
	c, account, in := p.requested(w, r)
	if account == nil {
		return
	}
	err := account.Remove(r.Context())
	p.note(c, "disconnect", in.Server, in.Gateway, err)
	if err != nil {
		http.Error(w, p.explain(err), http.StatusInternalServerError)
		return
	}
	if !in.Gateway {
		p.relist(c, in.Server)
	}
}

// relist notifies the clients of a user that a server may list something else for them.
func (p *connectPage) relist(c *access.Caller, server string) {
	user := p.run.userOf(c.Name)
	p.changed(server, func(caller string) bool { return p.run.userOf(caller) == user })
}

// explain is an error for the user, with what to do.
func (p *connectPage) explain(err error) string {
	text := err.Error()
	var failed *auth.Error
	if errors.As(err, &failed) && failed.Advice != "" {
		none := func(hint.Mark) (string, bool) { return "", false } // the page has no options and commands
		if advice := failed.Advice.In(none); advice != "" {
			text += "; " + advice
		}
	}
	return p.run.w.Secrets.Text(text)
}

// note writes to the log and the audit log who connected or disconnected an account.
func (p *connectPage) note(c *access.Caller, action, server string, gateway bool, err error) {
	outcome := string(invoke.Success)
	if err != nil {
		outcome = string(invoke.Failure)
	}
	attributes := []any{"action", action, "server", server, "caller", c.Name, "outcome", outcome}
	if gateway {
		action += "-gateway"
	}
	if err != nil {
		attributes = append(attributes, "error", p.run.w.Secrets.Text(err.Error()))
	}
	p.log.Info("account", attributes...)
	p.audit(invoke.Record{Time: time.Now(), Action: action, Caller: c.Name, Server: server, Outcome: outcome})
}
