package gateway

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
)

// How long a browser stays signed in, and how long a user may take to connect an account.
const (
	pageSession = time.Hour
	pagePending = 10 * time.Minute
)

// maxForm is the maximum size of a request of the page.
const maxForm = 32 << 10

// A pageUser is who is signed in, as the browser keeps it, encrypted.
type pageUser struct {
	Caller  string    `json:"caller"`
	Expires time.Time `json:"expires"`
}

// cookieName is the name of a cookie. With https, browsers accept it from this host only.
func (p *connectPage) cookieName(name string) string {
	if strings.HasPrefix(p.run.public, "https:") {
		return "__Host-mcptest-" + name
	}
	return "mcptest-" + name
}

// setCookie gives the browser an encrypted value; nil removes it. The browser also sends it when the authorization server
// sends the user back, but not with requests of other sites.
func (p *connectPage) setCookie(w http.ResponseWriter, name string, value any, life time.Duration) error {
	c := &http.Cookie{Name: p.cookieName(name), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(p.run.public, "https:"), MaxAge: int(life.Seconds())}
	if value == nil {
		c.MaxAge = -1
	} else {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		c.Value = base64.RawURLEncoding.EncodeToString(p.run.accounts.Seal(name, text))
	}
	http.SetCookie(w, c)
	return nil
}

// readCookie reads a value that setCookie has set.
func (p *connectPage) readCookie(r *http.Request, name string, into any) bool {
	c, err := r.Cookie(p.cookieName(name))
	if err != nil {
		return false
	}
	sealed, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return false
	}
	text, err := p.run.accounts.Open(name, sealed)
	return err == nil && json.Unmarshal(text, into) == nil
}

// caller returns the caller that is signed in, with its current rights; nil if there is none.
func (p *connectPage) caller(r *http.Request) *access.Caller {
	if p.run.door.open {
		return p.run.door.caller(localCaller)
	}
	var user pageUser
	if !p.readCookie(r, "user", &user) || time.Now().After(user.Expires) {
		return nil
	}
	return p.run.door.caller(user.Caller)
}

// signIn signs a browser in with the token that an MCP client would send.
func (p *connectPage) signIn(w http.ResponseWriter, r *http.Request) {
	var in struct{ Token string }
	if !readForm(w, r, &in) {
		return
	}
	c := p.run.door.policy.SignIn(r.Context(), strings.TrimSpace(in.Token))
	if c == nil {
		http.Error(w, "The gateway does not accept this token.", http.StatusUnauthorized)
		return
	}
	if err := p.setUser(w, c); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// setUser signs the browser in.
func (p *connectPage) setUser(w http.ResponseWriter, c *access.Caller) error {
	return p.setCookie(w, "user", pageUser{Caller: c.Name, Expires: time.Now().Add(pageSession)}, pageSession)
}

func (p *connectPage) signOut(w http.ResponseWriter, _ *http.Request) {
	_ = p.setCookie(w, "user", nil, 0) // nothing is encoded
}

// readForm reads the JSON of a request of the page.
func readForm(w http.ResponseWriter, r *http.Request, into any) bool {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		http.Error(w, "invalid request", http.StatusBadRequest)
	}
	return err == nil
}
