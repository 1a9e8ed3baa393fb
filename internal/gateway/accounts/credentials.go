package accounts

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Credentials returns the credentials of a connection that belongs to the account with this ID. When the user connects
// another account, the connection has no token any more: the server may know its session as that of the first one.
func (a *Account) Credentials(id string) wire.Credentials { return &credentials{account: a, id: id} }

type credentials struct {
	account *Account
	id      string

	mu      sync.Mutex
	grant   *auth.Grant
	headers *auth.Credentials // that add the grant to requests
}

// Authorize adds the token to a request to its server.
func (c *credentials) Authorize(req *http.Request) {
	req.Header.Del("Authorization")
	g := c.account.grant(c.id)
	if g == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.grant != g {
		f, err := auth.New(auth.Options{Server: c.account.settings().URL})
		if err != nil {
			return // not a URL that a token may be sent to
		}
		f.Close()
		c.grant, c.headers = g, auth.NewCredentials(f, nil, g)
	}
	c.headers.Authorize(req)
}

// Renew gets a better token after a rejection.
func (c *credentials) Renew(ctx context.Context, req *http.Request, refused wire.Frame, repeated int) (bool, error) {
	a := c.account
	demand := auth.DemandOf(refused.Status, refused.Header)
	switch {
	case demand.TooNarrow():
		return false, a.tooNarrow(demand.Scopes)
	case refused.Status != http.StatusUnauthorized:
		return false, nil
	case repeated > 0:
		return false, a.notConnected("the server rejects a new token with HTTP 401")
	}
	a.mu.Lock()
	a.refused = &refused
	id := a.record.ID
	a.mu.Unlock()
	if c.id != "" && c.id != id {
		return false, a.notConnected("the account was changed or disconnected")
	}
	_, used, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if err := a.renew(ctx, used); err != nil {
		return false, err
	}
	return true, nil
}

// failure is the error of a request that could not be authorized, for another reason than a missing account.
func (a *Account) failure(err error) error {
	if isAuthorization(err) {
		return err
	}
	return &upstream.AuthorizationError{Server: a.settings().Name, Reason: err.Error(), Advice: "try again later",
		Temporary: true, Err: err}
}

func isAuthorization(err error) bool {
	var e *upstream.AuthorizationError
	return errors.As(err, &e) && !e.Temporary
}

func asMissing(err error, missing **store.NotFoundError) bool { return errors.As(err, missing) }
