package store

import (
	"context"
	"math/rand/v2"
	"time"
)

// retryTimeout is how long a call waits for other processes that use the same store.
const retryTimeout = 10 * time.Second

// withRetry retries a call while another process blocks it. It retries often and with random delays: SQLite's own busy
// handler sleeps longer and longer, so that a busy process can block another one for seconds.
func (s *database) withRetry(ctx context.Context, call func() error) error {
	deadline := time.Now().Add(retryTimeout)
	for {
		err := call()
		if err == nil || !s.dialect.busy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(time.Millisecond + rand.N(3*time.Millisecond)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
