package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// PostgreSQL opens the store in a database, for several replicas. Each change is announced to the others by NOTIFY.
func PostgreSQL(ctx context.Context, address string) (Store, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("cannot parse the URL of the store: %w", err)
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(8)
	placeholder := regexp.MustCompile(`\?(\d)`)
	s, err := start(ctx, db, dialect{
		sql:    func(query string) string { return placeholder.ReplaceAllString(query, "$$$1") },
		notify: `NOTIFY ` + channel,
		busy:   isUnavailable,
		fresh:  true,
		// an acknowledged commit is on the server's disk; a lost connection is replaced
		fatal:  func(error) bool { return false },
		follow: func(ctx context.Context, tell func()) { listen(ctx, config, tell) },
		steps:  postgresSteps(),
		schema: postgresSchema,
		made: func(ctx context.Context, tx *sql.Tx, version int) error {
			_, err := tx.ExecContext(ctx, `UPDATE catalog_schema SET version = $1`, version)
			return err
		},
	})
	if err != nil {
		return nil, fmt.Errorf("cannot open the store at %s:%d: %w", config.Host, config.Port, ConnectProblem(err))
	}
	return s, nil
}

// isUnavailable reports whether the server has closed a connection, or accepts none yet, because it is being stopped or
// started.
func isUnavailable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && slices.Contains([]string{"57P01", "57P02", "57P03"}, e.Code)
}

// ConnectProblem returns why the database server cannot be reached, without the addresses and system calls of every attempt.
func ConnectProblem(err error) error {
	var failed *pgconn.ConnectError
	var number syscall.Errno
	var dns *net.DNSError
	switch {
	case !errors.As(err, &failed):
		return err
	case errors.As(err, &dns):
		return fmt.Errorf("cannot resolve the host name %q", dns.Name)
	case errors.As(err, &number):
		return number
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return errors.New("connecting timed out")
	}
	return err
}

// channel is the NOTIFY channel for changes.
const channel = "mcptest_catalog"

// migrationLock is the ID of the lock under which one replica at a time migrates the schema.
const migrationLock = 0x6d637074

func postgresSchema(ctx context.Context, tx *sql.Tx) (version int, err error) {
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, migrationLock); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx,
		`CREATE TABLE IF NOT EXISTS catalog_schema (version integer NOT NULL)`); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO catalog_schema SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM `+
		`catalog_schema)`); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `SELECT version FROM catalog_schema`).Scan(&version)
	return version, err
}

// postgresSteps are the migrations. Names are compared by bytes, as everywhere else.
func postgresSteps() []string {
	return []string{`
CREATE TABLE catalog_tools (
	server text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, version integer NOT NULL, revision bigint NOT NULL UNIQUE,
	body bytea, PRIMARY KEY (server, name)
);
CREATE TABLE catalog_state (revision bigint NOT NULL);
INSERT INTO catalog_state VALUES (0);`, `
ALTER TABLE catalog_tools ADD COLUMN removed_at bigint;
ALTER TABLE catalog_state ADD COLUMN forgotten bigint NOT NULL DEFAULT 0;`,
		// records of reviews, which older versions would read as tools
		`SELECT 1`,
		// records of accounts, which older versions would read as tools
		`SELECT 1`}
}

// listen waits for notifications until the context ends. While it has no connection it retries, and after reconnecting
// it reports a change, because it may have missed some.
func listen(ctx context.Context, config *pgx.ConnConfig, tell func()) {
	for ctx.Err() == nil {
		listenOnce(ctx, config, tell)
		select {
		case <-time.After(reconnectAfter):
		case <-ctx.Done():
		}
	}
}

const (
	reconnectAfter = 250 * time.Millisecond
	pingAfter      = 10 * time.Second // an idle connection is checked after this time
	pingWait       = 5 * time.Second
)

func listenOnce(ctx context.Context, config *pgx.ConnConfig, tell func()) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return // the next round retries
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return
	}
	tell()
	defer tell() // readers now get the error that the database is down
	for {
		wait, cancel := context.WithTimeout(ctx, pingAfter)
		_, err := conn.WaitForNotification(wait)
		silent := wait.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			tell()
		case !silent || !alive(ctx, conn):
			return
		}
	}
}

func alive(ctx context.Context, conn *pgx.Conn) bool {
	ctx, cancel := context.WithTimeout(ctx, pingWait)
	defer cancel()
	return conn.Ping(ctx) == nil
}
