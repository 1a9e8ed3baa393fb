package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A database is a store in SQL. The row of catalog_state is changed by every commit, first of all: so commits happen one
// after the other, revisions are given in the order in which commits become visible, and nobody who reads "all since
// revision n" can miss one that comes later with a smaller number.
type database struct {
	db       *sql.DB
	dialect  dialect
	watchers watchers
	cancel   context.CancelFunc // ends what follows other processes
	done     sync.WaitGroup

	mu     sync.Mutex
	closed error // why calls are refused; nil while they are not
}

// A dialect is what differs between the databases.
type dialect struct {
	sql    func(query string) string                          // from ?1 to the database's own placeholders
	notify string                                             // tells other processes, within a commit; empty if they find out themselves
	busy   func(err error) bool                               // whether a call was refused that may be made again, such as one that met another process
	fresh  bool                                               // whether it is to be made on another connection
	fatal  func(err error) bool                               // whether after this error nothing can be promised any more
	follow func(ctx context.Context, tell func())             // calls tell when another process has changed something
	steps  []string                                           // the migrations; the schema's version is how many were made
	schema func(ctx context.Context, tx *sql.Tx) (int, error) // the version of the schema, which it locks
	made   func(ctx context.Context, tx *sql.Tx, version int) error
}

// start brings the schema up to date and begins to follow other processes.
func start(ctx context.Context, db *sql.DB, d dialect) (*database, error) {
	s := &database{db: db, dialect: d}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	follow, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	s.done.Go(func() { d.follow(follow, s.watchers.tell) })
	return s, nil
}

func (s *database) migrate(ctx context.Context) error {
	return s.within(ctx, func(tx *sql.Tx) error {
		version, err := s.dialect.schema(ctx, tx)
		if err != nil {
			return err
		}
		if version > len(s.dialect.steps) {
			return fmt.Errorf("the store has schema %d; this program knows schemas up to %d: use a newer one", version, len(s.dialect.steps))
		}
		for _, step := range s.dialect.steps[version:] {
			if _, err := tx.ExecContext(ctx, step); err != nil {
				return fmt.Errorf("migrate from schema %d: %w", version, err)
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
	err := s.patiently(ctx, func() (err error) {
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

// get returns a record, removed or not; the zero one if the key was never used.
func (s *database) get(ctx context.Context, q querier, key Key) (Record, error) {
	r := Record{Key: key}
	row := q.QueryRowContext(ctx, s.dialect.sql(`SELECT version, revision, body FROM catalog_tools WHERE server = ?1 AND name = ?2`), key.Server, key.Name)
	err := row.Scan(&r.Version, &r.Revision, &r.Body)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read %s: %w", key, err)
	}
	return r, nil
}

// Since returns what changed after a revision.
func (s *database) Since(ctx context.Context, revision int64) ([]Record, error) {
	if err := s.refused(); err != nil {
		return nil, err
	}
	var out []Record
	err := s.patiently(ctx, func() (err error) {
		out, err = s.since(ctx, revision)
		return err
	})
	return out, err
}

func (s *database) since(ctx context.Context, revision int64) ([]Record, error) {
	query := `SELECT server, name, version, revision, body FROM catalog_tools WHERE revision > ?1`
	if revision == 0 {
		query = `SELECT server, name, version, revision, body FROM catalog_tools WHERE body IS NOT NULL AND ?1 = 0` // as they lie
	}
	rows, err := s.db.QueryContext(ctx, s.dialect.sql(query), revision)
	if err != nil {
		return nil, fmt.Errorf("read the changes since %d: %w", revision, err)
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

// gap tells whether removals after a revision are forgotten. It is asked after the records were read, so that none can be
// forgotten in between.
func (s *database) gap(ctx context.Context, revision int64) error {
	if revision == 0 {
		return nil
	}
	var forgotten int64
	if err := s.db.QueryRowContext(ctx, `SELECT forgotten FROM catalog_state`).Scan(&forgotten); err != nil {
		return fmt.Errorf("read what is forgotten: %w", err)
	}
	if forgotten > revision {
		return &GapError{Since: revision, Forgotten: forgotten}
	}
	return nil
}

// Revision returns that of the last change.
func (s *database) Revision(ctx context.Context) (revision int64, err error) {
	if err := s.refused(); err != nil {
		return 0, err
	}
	err = s.patiently(ctx, func() error {
		return s.db.QueryRowContext(ctx, `SELECT revision FROM catalog_state`).Scan(&revision)
	})
	return revision, err
}

// Watch tells of changes.
func (s *database) Watch(ctx context.Context) <-chan struct{} { return s.watchers.add(ctx) }

// Close ends the store and its watches.
func (s *database) Close() error {
	if !s.stop(&ClosedError{}) {
		return nil
	}
	s.watchers.close()
	s.cancel()
	s.done.Wait()
	return s.db.Close()
}

// stop refuses all further calls. It tells whether they were not refused before.
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
