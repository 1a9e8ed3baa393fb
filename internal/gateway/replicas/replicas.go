// Package replicas lets several gateway processes share the sessions of their clients: which process has which session
// is in PostgreSQL, and a process forwards the requests of sessions that it does not have.
package replicas

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Options configure a replica.
type Options struct {
	Database string        // URL of the PostgreSQL database
	URL      string        // where the other replicas reach this one, without the path of the endpoint
	Idle     time.Duration // after which a session expires
}

// Replicas is a serve.Replicas in PostgreSQL.
type Replicas struct {
	opts   Options
	id     string
	db     *sql.DB
	client *http.Client

	mu    sync.Mutex
	known map[string]location // of sessions, by key
	urls  map[string]string   // of replicas, by ID
}

// A location is a session with its owner, as last read.
type location struct {
	session *serve.SharedSession
	owner   string
	read    time.Time
}

// Limits of what a replica remembers about the others.
const (
	maxKnown = 10_000
	freshFor = 10 * time.Second
	// how long a query may take
	queryTimeout = 5 * time.Second
	// how long after its last report a replica is deleted
	deadAfter = time.Hour
)

// CheckURL rejects a URL that the other replicas could not use.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return errors.New("not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("must be http://HOST:PORT or https://HOST:PORT")
	case u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return errors.New("must have a host and a port only")
	}
	return nil
}

// Open connects to the database and registers this process.
func Open(ctx context.Context, o Options) (*Replicas, error) {
	config, err := pgx.ParseConfig(o.Database)
	if err != nil {
		return nil, fmt.Errorf("cannot parse the URL of the store: %w", err)
	}
	r := &Replicas{opts: o, id: rand.Text(), db: stdlib.OpenDB(*config), client: newClient(),
		known: map[string]location{}, urls: map[string]string{}}
	r.db.SetMaxOpenConns(8)
	if err := r.prepare(ctx); err != nil {
		_ = r.db.Close()
		return nil, fmt.Errorf("cannot register the replica at %s:%d: %w", config.Host, config.Port,
			store.ConnectProblem(err))
	}
	return r, nil
}

// lockID is the ID of the lock under which one replica at a time creates the tables.
const lockID = 0x6d637073

// The tables. Sessions are stored by the hash of their ID, so that a reader of the database cannot use them.
const tables = `
CREATE TABLE IF NOT EXISTS gateway_replicas (id text PRIMARY KEY, url text NOT NULL, seen timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS gateway_sessions (
	key text PRIMARY KEY, owner text NOT NULL, previous text NOT NULL DEFAULT '', state bytea NOT NULL, used timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS gateway_sessions_owner ON gateway_sessions (owner);
CREATE INDEX IF NOT EXISTS gateway_sessions_previous ON gateway_sessions (previous) WHERE previous <> '';
CREATE INDEX IF NOT EXISTS gateway_sessions_used ON gateway_sessions (used);`

func (r *Replicas) prepare(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*queryTimeout)
	defer cancel()
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, lockID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, tables); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = r.Beat(ctx, nil)
	return err
}

// Close removes this replica. Its sessions must have been released.
func (r *Replicas) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), queryTimeout)
	defer cancel()
	_, _ = r.db.ExecContext(ctx, `DELETE FROM gateway_replicas WHERE id = $1`, r.id)
	_ = r.db.Close()
	r.client.CloseIdleConnections()
}

// Self implements serve.Replicas.
func (r *Replicas) Self() string { return r.id }
