package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
)

// SQLite opens the store in a file, which is created if it does not exist. Several processes may have it open.
func SQLite(ctx context.Context, file string) (Store, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("cannot create the directory of the store: %w", err)
	}
	// The catalog may contain URLs and headers of calls, so only the owner may read it. SQLite creates its companion
	// files with the mode of the file itself.
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot open the store: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("cannot open the store: %w", err)
	}
	connector, err := sqlite.NewConnector(dataSource(file))
	if err != nil {
		return nil, fmt.Errorf("cannot open the store %s: %w", file, err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1) // the data_version of this single connection reflects all others
	s, err := start(ctx, db, dialect{
		sql:    func(query string) string { return query },
		busy:   func(err error) bool { return code(err) == codeBusy },
		fatal:  broken,
		follow: func(ctx context.Context, tell func()) { poll(ctx, db, tell) },
		steps:  sqliteSteps(),
		schema: func(ctx context.Context, tx *sql.Tx) (version int, err error) {
			err = tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version)
			return version, err
		},
		made: func(ctx context.Context, tx *sql.Tx, version int) error {
			_, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, version))
			return err
		},
	})
	if code(err) == codeNotDatabase {
		return nil, fmt.Errorf("cannot open the store %s: the file is not a database", file)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open the store %s: %w", file, err)
	}
	return s, nil
}

// dataSource returns the file with its options: a commit is on disk when it returns, and transactions take the write
// lock immediately, so that none has to be aborted midway.
func dataSource(file string) string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(2)", "journal_mode(wal)", "synchronous(full)", "fullfsync(1)", "checkpoint_fullfsync(1)",
	}}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath(), RawQuery: q.Encode()}
	return u.String()
}

func sqliteSteps() []string {
	return []string{`
CREATE TABLE catalog_tools (
	server TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, revision INTEGER NOT NULL UNIQUE, body BLOB,
	PRIMARY KEY (server, name)
) WITHOUT ROWID;
CREATE TABLE catalog_state (revision INTEGER NOT NULL);
INSERT INTO catalog_state VALUES (0);`, `
ALTER TABLE catalog_tools ADD COLUMN removed_at INTEGER;
ALTER TABLE catalog_state ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;`,
		// records of reviews, which older versions would read as tools
		`SELECT 1`,
		// records of accounts, which older versions would read as tools
		`SELECT 1`}
}

// The relevant SQLite result codes.
const (
	codeBusy        = 5
	codeIOError     = 10
	codeCorrupt     = 11
	codeFull        = 13
	codeNotDatabase = 26
)

// code is the SQLite result code of an error, without its details; 0 if the error is not from SQLite.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// broken reports whether an error leaves the state on disk unknown. This applies to SQLite errors of reading, writing
// and syncing, of a full disk and of a damaged file.
func broken(err error) bool {
	switch code(err) {
	case codeIOError, codeCorrupt, codeFull, codeNotDatabase:
		return true
	}
	return false
}

// pollEvery is the interval for detecting changes by other processes.
const pollEvery = 200 * time.Millisecond

// poll checks whether another connection has changed the file. It takes microseconds: SQLite compares a counter in
// shared memory.
func poll(ctx context.Context, db *sql.DB, tell func()) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var known int64
	for {
		var version int64
		err := db.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
		if err == nil && version != known {
			known = version
			tell()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
