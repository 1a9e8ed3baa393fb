package gateway

import (
	"cmp"
	"embed"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/accounts"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
)

// connectPath is the path of the page where callers connect their accounts at servers.
const connectPath = "/connect"

//go:embed connect
var connectFiles embed.FS

var connectTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(connectFiles, "connect/page.html"))
})

// isConnectPage reports whether a user may be sent to a URL by a link or another site.
func isConnectPage(r *http.Request) bool {
	return r.URL.Path == connectPath || r.URL.Path == connectPath+"/callback"
}

// A connectPage lets callers connect, see and remove their accounts. A browser is signed in with a token of the caller;
// links cannot sign in, so that nobody can make another user connect an account for them.
type connectPage struct {
	run     *gatewayRun
	servers func() []gatewayServer
	retry   func(server string)
	changed func(server string, is func(caller string) bool)
	audit   func(invoke.Record)
	log     *slog.Logger
}

func (p *connectPage) routes(mux *http.ServeMux) {
	files, _ := fs.Sub(connectFiles, "connect")
	for _, name := range []string{"page.js", "style.css"} {
		mux.HandleFunc("GET "+connectPath+"/"+name, func(w http.ResponseWriter, r *http.Request) {
			secure(w.Header())
			http.ServeFileFS(w, r, files, name)
		})
	}
	mux.HandleFunc("GET "+connectPath, p.show)
	mux.HandleFunc("GET "+connectPath+"/callback", p.callback)
	mux.HandleFunc("POST "+connectPath+"/signin", p.signIn)
	mux.HandleFunc("POST "+connectPath+"/issuer", p.startSignIn)
	mux.HandleFunc("POST "+connectPath+"/signout", p.signOut)
	mux.HandleFunc("POST "+connectPath+"/start", p.start)
	mux.HandleFunc("POST "+connectPath+"/remove", p.remove)
}

// secure restricts what the page may load, and who may embed it.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "+
		"frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Cache-Control", "no-store")
}

// A connectRow is an account on the page.
type connectRow struct {
	Server, URL, Text, Class, Action string
	Scopes, More                     []string
	Gateway, Known, Marked           bool
}

// MoreText is the additional scopes in one attribute.
func (r connectRow) MoreText() string { return strings.Join(r.More, " ") }

// show serves the page.
func (p *connectPage) show(w http.ResponseWriter, r *http.Request) {
	p.write(w, r, http.StatusOK, "")
}

func (p *connectPage) write(w http.ResponseWriter, r *http.Request, status int, problem string) {
	data := struct {
		Base, Caller, Problem, Issuer string
		Rows                          []connectRow
	}{Base: p.run.public + connectPath, Problem: problem, Issuer: p.issuer()}
	if c := p.caller(r); c != nil {
		data.Caller = c.Name
		data.Rows = p.rows(r, c)
	}
	secure(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if err := connectTemplate().ExecuteTemplate(w, "page.html", data); err != nil {
		p.log.Debug("the page was not sent", "error", err.Error())
	}
}

// rows lists the accounts of a caller, and those of the gateway if it may manage them.
func (p *connectPage) rows(r *http.Request, c *access.Caller) []connectRow {
	var rows []connectRow
	for _, s := range p.servers() {
		if !p.offers(s, c) {
			continue
		}
		if user := p.run.userOf(c.Name); user != "" && !s.settings.OAuth.shared() {
			rows = append(rows, p.row(r, s, user))
		}
		if c.Manage {
			rows = append(rows, p.row(r, s, ""))
		}
	}
	return rows
}

// offers reports whether a caller may see the account of a server.
func (p *connectPage) offers(s gatewayServer, c *access.Caller) bool {
	return s.settings.OAuth != nil && s.settings.OAuth.stored() && c.Sees(s.name)
}

func (p *connectPage) row(r *http.Request, s gatewayServer, user string) connectRow {
	row := connectRow{Server: s.name, URL: s.target.URL, Gateway: user == "", Action: "Connect", Class: "off",
		Text: "Not connected"}
	if q := r.URL.Query(); q.Get("server") == s.name {
		row.Marked = true
		row.More = validScopes(q["scope"])
	}
	state, err := p.run.accounts.Of(s.account(), user).State(r.Context())
	switch {
	case err != nil:
		row.Class, row.Text = "bad", p.run.w.Secrets.Text(err.Error())
	case state.Connected:
		row.Class, row.Text = "ok", "Connected through "+state.Issuer+" since "+state.Since.Format("2006-01-02 15:04 MST")
	case state.Problem != "":
		row.Class, row.Text = "bad", "Must be connected again: "+state.Problem
	}
	if state.Connected || state.Problem != "" {
		row.Known, row.Scopes, row.Action = true, state.Scopes, "Connect again"
	}
	row.More = slices.DeleteFunc(row.More, func(scope string) bool { return slices.Contains(row.Scopes, scope) })
	if len(row.More) > 0 {
		row.Action = "Grant more"
	}
	return row
}

// maxScopes is how many scopes a link may request.
const maxScopes = 20

// validScopes returns what may be requested as scopes (RFC 6749, section 3.3).
func validScopes(given []string) []string {
	var valid []string
	for _, text := range given {
		for _, scope := range strings.Fields(text) {
			if len(valid) < maxScopes && len(scope) <= 200 && !strings.ContainsFunc(scope, func(r rune) bool {
				return r < '!' || r > '~' || r == '"' || r == '\\'
			}) {
				valid = append(valid, scope)
			}
		}
	}
	return valid
}

// account returns the account that a request of the page is about; nil if the caller may not have it.
func (p *connectPage) account(c *access.Caller, server string, gateway bool) *accounts.Account {
	user := p.run.userOf(c.Name)
	for _, s := range p.servers() {
		if s.name != server || !p.offers(s, c) {
			continue
		}
		switch {
		case gateway && c.Manage:
			return p.run.accounts.Of(s.account(), "")
		case !gateway && user != "" && user != nobody && !s.settings.OAuth.shared():
			return p.run.accounts.Of(s.account(), user)
		}
	}
	return nil
}

// userName is the user of a caller as it is compared between two requests of one browser.
func userName(c *access.Caller) string { return cmp.Or(c.User, c.Name) }
