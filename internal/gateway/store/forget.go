package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Prune prunes old removals. Readers that have not seen them detect this by the revision up to which removals were
// pruned.
func (s *database) Prune(ctx context.Context, before time.Time, keep int) (int, error) {
	if err := s.refused(); err != nil {
		return 0, err
	}
	dropped := 0
	err := s.within(ctx, func(tx *sql.Tx) (err error) {
		dropped, err = s.prune(ctx, tx, before, keep)
		return err
	})
	return dropped, err
}

func (s *database) prune(ctx context.Context, tx *sql.Tx, before time.Time, keep int) (int, error) {
	query := func(text string, args ...any) error {
		_, err := tx.ExecContext(ctx, s.dialect.sql(text), args...)
		return err
	}
	// The row of catalog_state is updated first, as in every commit, so that they are serialized.
	if err := query(`UPDATE catalog_state SET revision = revision`); err != nil {
		return 0, fmt.Errorf("cannot lock the store: %w", err)
	}
	// An older program without this column may have removed records.
	if err := query(`UPDATE catalog_tools SET removed_at = ?1 WHERE body IS NULL AND removed_at IS NULL`,
		time.Now().Unix()); err != nil {
		return 0, fmt.Errorf("cannot date removals: %w", err)
	}
	var tooMany int64 // the newest removal above the limit
	row := tx.QueryRowContext(ctx, s.dialect.sql(`SELECT revision FROM catalog_tools WHERE body IS NULL ORDER BY `+
		`revision DESC LIMIT 1 OFFSET ?1`), keep)
	if err := row.Scan(&tooMany); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("cannot count removals: %w", err)
	}
	dropped, last, err := s.drop(ctx, tx, before, tooMany)
	if err != nil || dropped == 0 {
		return dropped, err
	}
	return dropped, query(`UPDATE catalog_state SET forgotten = ?1 WHERE forgotten < ?1`, last)
}

// drop deletes removals and returns their number, and the revision of the last of them.
func (s *database) drop(ctx context.Context, tx *sql.Tx, before time.Time, upTo int64) (dropped int, last int64,
	err error) {
	rows, err := tx.QueryContext(ctx, s.dialect.sql(`DELETE FROM catalog_tools WHERE body IS NULL AND (removed_at < `+
		`?1 OR revision <= ?2) RETURNING revision`), before.Unix(), upTo)
	if err != nil {
		return 0, 0, fmt.Errorf("cannot prune removals: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var revision int64
		if err := rows.Scan(&revision); err != nil {
			return 0, 0, err
		}
		dropped, last = dropped+1, max(last, revision)
	}
	return dropped, last, rows.Err()
}
