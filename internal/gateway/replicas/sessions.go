package replicas

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Open implements serve.Replicas.
func (r *Replicas) Open(ctx context.Context, key string, s *serve.SharedSession) error {
	return r.exec(ctx, `INSERT INTO gateway_sessions (key, owner, state, used) VALUES ($1, $2, $3, now())`,
		key, r.id, serve.Encode(s))
}

// Save implements serve.Replicas.
func (r *Replicas) Save(ctx context.Context, key string, s *serve.SharedSession) error {
	return r.exec(ctx, `UPDATE gateway_sessions SET state = $3, used = now() WHERE key = $1 AND owner = $2`,
		key, r.id, serve.Encode(s))
}

// Remove implements serve.Replicas.
func (r *Replicas) Remove(ctx context.Context, key string) error {
	r.deleteSession(key)
	return r.exec(ctx, `DELETE FROM gateway_sessions WHERE key = $1`, key)
}

// Release implements serve.Replicas.
func (r *Replicas) Release(ctx context.Context) error {
	return r.exec(ctx, `UPDATE gateway_sessions SET owner = '' WHERE owner = $1`, r.id)
}

func (r *Replicas) exec(ctx context.Context, query string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	_, err := r.db.ExecContext(ctx, query, args...)
	return err
}

// Find implements serve.Replicas. If the database is unavailable, it returns what it has read last.
func (r *Replicas) Find(ctx context.Context, key string, fresh bool) (*serve.SharedSession, string, error) {
	r.mu.Lock()
	known, ok := r.known[key]
	r.mu.Unlock()
	if ok && !fresh && time.Since(known.read) < freshFor {
		return known.session, known.owner, nil
	}
	s, owner, err := r.find(ctx, key)
	switch {
	case errors.Is(err, serve.ErrNoSession):
		r.deleteSession(key)
	case err != nil && ok && !fresh:
		return known.session, known.owner, nil
	}
	return s, owner, err
}

func (r *Replicas) find(ctx context.Context, key string) (*serve.SharedSession, string, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	var owner, address string
	var state []byte
	err := r.db.QueryRowContext(ctx, `SELECT s.owner, s.state, coalesce(r.url, '') FROM gateway_sessions s
		LEFT JOIN gateway_replicas r ON r.id = s.owner WHERE s.key = $1 AND s.used > now() - $2 * interval '1 second'`,
		key, r.opts.Idle.Seconds()).Scan(&owner, &state, &address)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "", serve.ErrNoSession
	}
	if err != nil {
		return nil, "", err
	}
	s := &serve.SharedSession{}
	if err := json.Unmarshal(state, s); err != nil {
		return nil, "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= maxKnown {
		clear(r.known)
	}
	r.known[key] = location{s, owner, time.Now()}
	if address != "" {
		r.rememberLocked(owner, address)
	}
	return s, owner, nil
}

func (r *Replicas) deleteSession(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.known, key)
}

// Claim implements serve.Replicas. Of several replicas that claim a session from the same owner, one gets it.
func (r *Replicas) Claim(ctx context.Context, key, from string) (*serve.SharedSession, error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	r.deleteSession(key)
	var state []byte
	err := r.db.QueryRowContext(ctx, `UPDATE gateway_sessions
		SET owner = $2, previous = CASE WHEN owner IN ('', $2) THEN '' ELSE owner END, used = now()
		WHERE key = $1 AND owner = $3 RETURNING state`, key, r.id, from).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := &serve.SharedSession{}
	return s, json.Unmarshal(state, s)
}

// Beat implements serve.Replicas. It also deletes what has expired.
func (r *Replicas) Beat(ctx context.Context, used []string) (lost []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	if _, err := r.db.ExecContext(ctx, `INSERT INTO gateway_replicas VALUES ($1, $2, now())
		ON CONFLICT (id) DO UPDATE SET seen = now()`, r.id, r.opts.URL); err != nil {
		return nil, err
	}
	if len(used) > 0 {
		if _, err := r.db.ExecContext(ctx, `UPDATE gateway_sessions SET used = now() WHERE key = ANY($1) AND owner = $2`,
			used, r.id); err != nil {
			return nil, err
		}
	}
	if _, err := r.db.ExecContext(ctx, `DELETE FROM gateway_sessions WHERE used < now() - $1 * interval '1 second'`,
		r.opts.Idle.Seconds()); err != nil {
		return nil, err
	}
	if _, err := r.db.ExecContext(ctx, `DELETE FROM gateway_replicas WHERE seen < now() - $1 * interval '1 second'`,
		deadAfter.Seconds()); err != nil {
		return nil, err
	}
	rows, err := r.db.QueryContext(ctx, `UPDATE gateway_sessions SET previous = '' WHERE previous = $1 RETURNING key`, r.id)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return lost, err
		}
		lost = append(lost, key)
	}
	return lost, rows.Err()
}
