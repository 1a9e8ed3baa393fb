package workbench

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// forgetEvery is how often the catalog prunes old removals.
const forgetEvery = time.Hour

// forgetting prunes old removals from the catalog periodically, until the returned function is called.
func forgetting(tools *catalog.Catalog, log *slog.Logger) func() {
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			if _, err := tools.Forget(ctx); err != nil && ctx.Err() == nil {
				log.Warn("cannot prune old removals", "error", err.Error())
			}
			select {
			case <-time.After(forgetEvery):
			case <-ctx.Done():
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
