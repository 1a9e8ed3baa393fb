package accounts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
)

// A record is what the store has about one account, encrypted.
type record struct {
	ID    string      `json:"id"` // a new one each time an account is connected
	Grant *auth.Grant `json:"grant"`
	Ended string      `json:"ended,omitempty"` // why the token cannot be refreshed any more
	At    time.Time   `json:"at"`              // when it was connected

	// who refreshes the token at the moment, and until when others wait for it
	By   string    `json:"by,omitempty"`
	Busy time.Time `json:"busy,omitzero"`
}

// A registration is our client at an authorization server.
type registration struct {
	Issuer   string      `json:"issuer"`
	Redirect string      `json:"redirect"`
	Client   auth.Client `json:"client"`
}

func recordKey(s Server, user string) store.Key {
	if user == "" {
		user = "gateway"
	}
	return store.Key{Server: store.AccountMark + s.Name, Name: "of " + user + " at " + s.URL}
}

func registrationKey(s Server) store.Key {
	return store.Key{Server: store.AccountMark + s.Name, Name: "client at " + s.URL}
}

// load reads a record; version 0 means that there is none.
func load[T any](ctx context.Context, m *Accounts, key store.Key) (value T, version int, err error) {
	r, err := m.opts.Store.Get(ctx, key)
	var missing *store.NotFoundError
	if errors.As(err, &missing) {
		return value, 0, nil
	}
	if err != nil {
		return value, 0, err
	}
	text, err := open(m.opts.Keys, key.Server+" "+key.Name, r.Body)
	if err != nil {
		return value, 0, fmt.Errorf("cannot decrypt a stored account: %w; configure its key, or connect the account again",
			err)
	}
	return value, r.Version, json.Unmarshal(text, &value)
}

// save writes a record if it has this version.
func save[T any](ctx context.Context, m *Accounts, key store.Key, seen int, value T) (version int, err error) {
	text, err := json.Marshal(value)
	if err != nil {
		return 0, err
	}
	written, err := m.opts.Store.Commit(ctx, store.Change{Key: key, Seen: seen,
		Body: seal(m.opts.Keys, key.Server+" "+key.Name, text)})
	if err != nil {
		return 0, err
	}
	return written[0].Version, nil
}

func conflicts(err error) bool {
	var conflict *store.ConflictError
	return errors.As(err, &conflict)
}
