package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/accounts"
	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// accountSettings are the field accounts of the settings.
type accountSettings struct {
	// keys that encrypt the tokens in the store, each 32 random bytes in base64 or hex: the first one encrypts, all decrypt
	Keys []secretSource `json:"keys"`
	// the https URL under which browsers reach this gateway; callers connect their accounts at /connect there (default:
	// the address of --listen)
	PublicURL string `json:"public_url"`
	// the client of that page at the issuer of jwt: with it, callers sign in there instead of pasting a token
	SignIn *signInSettings `json:"sign_in"`
}

// signInSettings are the client of the page at the issuer of callers' tokens.
type signInSettings struct {
	ClientID     string        `json:"client_id"`     // registered with the redirect URI /connect/callback of public_url
	ClientSecret *secretSource `json:"client_secret"` // of the client, if it has one
	// requested; they must include what the roles require (default: those that jwt and its roles require)
	Scopes []string `json:"scopes"`
}

// parsedKeys returns the keys of the settings.
func (s accountSettings) parsedKeys(file string) ([]accounts.Key, error) {
	var keys []accounts.Key
	for i := range s.Keys {
		key, err := accounts.ParseKey(s.Keys[i].value)
		if err != nil {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: accounts: key %d: %v", file, i+1, err)}
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// publicURL returns the URL of the gateway for browsers; empty if there is no listener.
func (s accountSettings) publicURL(file string, listener net.Listener) (string, error) {
	if s.PublicURL == "" {
		if listener == nil {
			return "", nil
		}
		return "http://" + listener.Addr().String(), nil
	}
	u, err := url.Parse(s.PublicURL)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil ||
		u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())) {
		return "", &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: accounts: public_url is %q, expected an https "+
			"URL", file, s.PublicURL), Hint: "use the URL that browsers open, such as https://gateway.example.com"}
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// needKeys returns an error if tokens would be stored without a key.
func needKeys(file string, settings gatewaySettings, servers []gatewayServer, memory bool) error {
	for _, s := range servers {
		if o := s.settings.OAuth; o != nil && o.stored() && len(settings.Accounts.Keys) == 0 && !memory {
			return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: accounts: no key to encrypt the tokens of "+
				"server %q in the store", file, s.name),
				Hint: `create one with "openssl rand -base64 32", and set keys of accounts: [{"file": "PATH"}]`}
		}
	}
	return nil
}

// openAccounts opens the accounts in a store.
func openAccounts(file string, settings gatewaySettings, servers []gatewayServer, s store.Store, page string,
	log *slog.Logger) (*accounts.Accounts, error) {
	_, memory := s.(*store.Memory)
	if err := needKeys(file, settings, servers, memory); err != nil {
		return nil, err
	}
	keys, err := settings.Accounts.parsedKeys(file)
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		keys = []accounts.Key{accounts.RandomKey()}
	}
	return accounts.New(accounts.Options{Store: s, Keys: keys, Page: page, Log: log}), nil
}

// nobody is the user of an unknown caller. It has no accounts.
const nobody = "nobody"

// userOf returns the user of a caller, for accounts. Without callers in the config there is one user: the one who runs
// the gateway.
func (r *gatewayRun) userOf(caller string) string {
	if caller == "" || !r.settings.Lists() {
		return ""
	}
	if c := r.door.caller(caller); c != nil && c.User != "" {
		return c.User
	}
	return nobody
}

// authorize adds the accounts of a server to its settings.
func (r *gatewayRun) authorize(s gatewayServer, o *upstream.Options) {
	if s.settings.OAuth == nil {
		return
	}
	server := s.account()
	o.Account = func(owner upstream.Owner) wire.Credentials {
		return r.accounts.Of(server, r.userOf(owner.Caller)).Credentials(owner.Account)
	}
	if server.Shared {
		return
	}
	if o.Isolation == upstream.Auto {
		o.Isolation = upstream.PerCaller
	}
	o.OwnLists = r.settings.Lists() // otherwise there is one user, whose account is that of the gateway
	o.Authorize = func(ctx context.Context, caller string) (string, error) {
		if caller == "" {
			return "", errors.New("a request without a caller has no account")
		}
		return r.accounts.Of(server, r.userOf(caller)).Ready(ctx)
	}
}

// followAccounts connects to a server when the account of the gateway there was changed, by this or another process.
func (r *gatewayRun) followAccounts(ctx context.Context, s store.Store, servers func() []gatewayServer,
	retry func(server string)) {
	for range s.Watch(ctx) {
		for _, one := range servers() {
			if one.settings.OAuth != nil && r.accounts.Of(one.account(), "").Changed(ctx) {
				retry(one.name)
			}
		}
	}
}
