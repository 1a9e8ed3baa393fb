package catalog

import (
	"context"
	"time"
)

// How long it is remembered which version a removed tool had: an update that was made for that version is refused if the
// tool is registered again.
const (
	rememberFor  = 30 * 24 * time.Hour
	rememberMost = 10_000
)

// Forget lets the store drop what it remembers of tools that were removed long ago, or that are too many. It returns how
// many those were.
func (c *Catalog) Forget(ctx context.Context) (int, error) {
	return c.store.Forget(ctx, c.now().Add(-rememberFor), rememberMost)
}
