package gateway

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// pruneInterval is how often the catalog prunes old removals.
const pruneInterval = time.Hour

// startPruning prunes old removals from the catalog periodically, until the returned function is called.
func startPruning(tools *catalog.Catalog, log *slog.Logger) func() {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			if _, err := tools.Prune(ctx); err != nil && ctx.Err() == nil {
				log.Warn("cannot prune old removals", "error", err.Error())
			}
			select {
			case <-time.After(pruneInterval):
			case <-ctx.Done():
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
