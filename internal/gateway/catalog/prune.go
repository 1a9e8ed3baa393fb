package catalog

import (
	"context"
	"time"
)

// How long the version of a removed tool is stored: an update made for that version is rejected if the tool is
// registered again.
const (
	rememberFor  = 30 * 24 * time.Hour
	rememberMost = 10_000
)

// Prune prunes the versions of tools in the store that were removed long ago, or that exceed the limit. It returns how
// many were pruned.
func (c *Catalog) Prune(ctx context.Context) (int, error) {
	return c.store.Prune(ctx, c.now().Add(-rememberFor), rememberMost)
}
