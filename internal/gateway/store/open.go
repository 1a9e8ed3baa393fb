package store

import (
	"context"
	"strings"
)

// Open opens the store at a URL or path: postgres://… is a database, anything else a file.
func Open(ctx context.Context, address string) (Store, error) {
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return PostgreSQL(ctx, address)
	}
	return SQLite(ctx, address)
}
