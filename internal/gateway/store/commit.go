package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Commit applies all changes or none.
func (s *database) Commit(ctx context.Context, changes ...Change) ([]Record, error) {
	if err := s.refused(); err != nil {
		return nil, err
	}
	if len(changes) == 0 {
		return nil, nil
	}
	var out []Record
	err := s.within(ctx, func(tx *sql.Tx) error {
		var err error
		out, err = s.change(ctx, tx, changes)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.watchers.notify()
	return out, nil
}

// within runs f in a transaction. After an error that leaves the state on disk unknown, the store rejects further
// calls: later reads might return data that was lost.
func (s *database) within(ctx context.Context, f func(*sql.Tx) error) error {
	conn, tx, err := s.begin(ctx)
	if conn != nil {
		defer conn.Close()
	}
	if err != nil {
		return s.classify(fmt.Errorf("cannot begin a transaction: %w", err))
	}
	if err := f(tx); err != nil {
		if undone := tx.Rollback(); undone != nil && !errors.Is(undone, sql.ErrTxDone) { // done: its context ended
			err = errors.Join(err, undone)
		}
		return s.classify(err)
	}
	if err := tx.Commit(); err != nil {
		return s.classify(fmt.Errorf("cannot commit a change: %w", err))
	}
	return nil
}

// begin begins a transaction. While it waits for other processes it keeps its connection, so that callers in this
// process take turns.
func (s *database) begin(ctx context.Context) (conn *sql.Conn, tx *sql.Tx, err error) {
	err = s.withRetry(ctx, func() (err error) {
		if conn != nil && s.dialect.fresh {
			_ = conn.Close() // it is the one that failed
			conn = nil
		}
		if conn == nil {
			if conn, err = s.db.Conn(ctx); err != nil {
				return err
			}
		}
		tx, err = conn.BeginTx(ctx, nil)
		return err
	})
	return conn, tx, err
}

func (s *database) classify(err error) error {
	if s.dialect.fatal(err) {
		s.stop(&ClosedError{Cause: err})
		return s.refused()
	}
	return err
}

func (s *database) change(ctx context.Context, tx *sql.Tx, changes []Change) ([]Record, error) {
	var last int64
	row := tx.QueryRowContext(ctx,
		s.dialect.sql(`UPDATE catalog_state SET revision = revision + ?1 RETURNING revision`), len(changes))
	if err := row.Scan(&last); err != nil {
		return nil, fmt.Errorf("cannot increment the revision: %w", err)
	}
	out := make([]Record, 0, len(changes))
	for i, c := range changes {
		old, err := s.get(ctx, tx, c.Key)
		if err != nil {
			return nil, err
		}
		r, err := next(c, old, last-int64(len(changes)-1-i))
		if err != nil {
			return nil, err
		}
		_, err = tx.ExecContext(ctx,
			s.dialect.sql(`INSERT INTO catalog_tools (server, name, version, revision, body, removed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
			ON CONFLICT (server, name) DO UPDATE SET version = excluded.version, revision = excluded.revision, body = excluded.body, removed_at = excluded.removed_at`),
			r.Key.Server, r.Key.Name, r.Version, r.Revision, r.Body, removedAt(r))
		if err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", c.Key, err)
		}
		out = append(out, r)
	}
	if s.dialect.notify != "" {
		if _, err := tx.ExecContext(ctx, s.dialect.notify); err != nil {
			return nil, fmt.Errorf("cannot notify other processes: %w", err)
		}
	}
	return out, nil
}

// removedAt is when a record was removed, in seconds; nil if it was not.
func removedAt(r Record) any {
	if r.Body != nil {
		return nil
	}
	return time.Now().Unix()
}
