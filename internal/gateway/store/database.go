package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A database is a store in SQL. Every commit first updates the row of catalog_state: so commits are serialized,
// revisions are assigned in the order in which commits become visible, and a reader of "all since revision n" cannot
// miss one that becomes visible later with a smaller number.
type database struct {
	db       *sql.DB
	dialect  dialect
	watchers watchers
	cancel   context.CancelFunc // stops following other processes
	done     sync.WaitGroup

	mu     sync.Mutex
	closed error // why calls are rejected; nil if they are not
}

// A dialect is the differences between databases.
type dialect struct {
	sql func(query string) string // converts ?1 to the database's own placeholders
	// notifies other processes, within a commit; empty if they detect changes themselves
	notify string
	// whether a call failed but may be retried, such as after a conflict with another process
	busy  func(err error) bool
	fresh bool                 // whether it must be retried on another connection
	fatal func(err error) bool // whether the state is undefined after this error
	// calls the function when another process has made a change
	follow func(ctx context.Context, tell func())
	// the migrations; the schema version is the number of applied ones
	steps  []string
	schema func(ctx context.Context, tx *sql.Tx) (int, error) // the schema version, which it locks
	made   func(ctx context.Context, tx *sql.Tx, version int) error
}

// start migrates the schema and starts to follow other processes.
func start(ctx context.Context, db *sql.DB, d dialect) (*database, error) {
	s := &database{db: db, dialect: d}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	follow, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	s.done.Go(func() { d.follow(follow, s.watchers.notify) })
	return s, nil
}

func (s *database) migrate(ctx context.Context) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		version, err := s.dialect.schema(ctx, tx)
		if err != nil {
			return err
		}
		if version > len(s.dialect.steps) {
			return fmt.Errorf("store schema is version %d, but this binary supports up to %d; upgrade mcptest", version,
				len(s.dialect.steps))
		}
		for _, step := range s.dialect.steps[version:] {
			if _, err := tx.ExecContext(ctx, step); err != nil {
				return fmt.Errorf("cannot migrate from schema %d: %w", version, err)
			}
			version++
		}
		return s.dialect.made(ctx, tx, version)
	})
}

// Get returns a record.
func (s *database) Get(ctx context.Context, key Key) (Record, error) {
	if err := s.refused(); err != nil {
		return Record{}, err
	}
	var r Record
	err := s.withRetry(ctx, func() (err error) {
		r, err = s.get(ctx, s.db, key)
		return err
	})
	if err == nil && r.Body == nil {
		return Record{}, &NotFoundError{Key: key}
	}
	return r, err
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// get returns a record, removed or not; the zero value if the key was never used.
func (s *database) get(ctx context.Context, q querier, key Key) (Record, error) {
	r := Record{Key: key}
	row := q.QueryRowContext(ctx, s.dialect.sql(`SELECT version, revision, body FROM catalog_tools WHERE server = ?1 `+
		`AND name = ?2`), key.Server, key.Name)
	err := row.Scan(&r.Version, &r.Revision, &r.Body)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("cannot read %s: %w", key, err)
	}
	return r, nil
}

// Since returns the changes after a revision.
func (s *database) Since(ctx context.Context, revision int64) ([]Record, error) {
	if err := s.refused(); err != nil {
		return nil, err
	}
	var out []Record
	err := s.withRetry(ctx, func() (err error) {
		out, err = s.since(ctx, revision)
		return err
	})
	return out, err
}

func (s *database) since(ctx context.Context, revision int64) ([]Record, error) {
	query := `SELECT server, name, version, revision, body FROM catalog_tools WHERE revision > ?1`
	if revision == 0 {
		// unordered
		query = `SELECT server, name, version, revision, body FROM catalog_tools WHERE body IS NOT NULL AND ?1 = 0`
	}
	rows, err := s.db.QueryContext(ctx, s.dialect.sql(query), revision)
	if err != nil {
		return nil, fmt.Errorf("cannot read the changes since %d: %w", revision, err)
	}
	defer rows.Close()
	var out []Record
	for rows.Next() {
		var r Record
		if err := rows.Scan(&r.Key.Server, &r.Key.Name, &r.Version, &r.Revision, &r.Body); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	slices.SortFunc(out, byRevision)
	return out, s.gap(ctx, revision)
}

// gap reports whether removals after a revision were pruned. It is called after the records were read, so that none can
// be pruned in between.
func (s *database) gap(ctx context.Context, revision int64) error {
	if revision == 0 {
		return nil
	}
	var forgotten int64
	if err := s.db.QueryRowContext(ctx, `SELECT forgotten FROM catalog_state`).Scan(&forgotten); err != nil {
		return fmt.Errorf("cannot read the pruned revision: %w", err)
	}
	if forgotten > revision {
		return &GapError{Since: revision, Forgotten: forgotten}
	}
	return nil
}

// Revision returns the revision of the last change.
func (s *database) Revision(ctx context.Context) (revision int64, err error) {
	if err := s.refused(); err != nil {
		return 0, err
	}
	err = s.withRetry(ctx, func() error {
		return s.db.QueryRowContext(ctx, `SELECT revision FROM catalog_state`).Scan(&revision)
	})
	return revision, err
}

// Watch reports changes.
func (s *database) Watch(ctx context.Context) <-chan struct{} { return s.watchers.add(ctx) }

// Close closes the store and its watches.
func (s *database) Close() error {
	if !s.stop(&ClosedError{}) {
		return nil
	}
	s.watchers.close()
	s.cancel()
	s.done.Wait()
	return s.db.Close()
}

// stop rejects all further calls. It reports whether the store was open before.
func (s *database) stop(why *ClosedError) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var before *ClosedError
	first := !errors.As(s.closed, &before) || before.Cause != nil && why.Cause == nil
	if first {
		s.closed = why
	}
	return first
}

func (s *database) refused() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
