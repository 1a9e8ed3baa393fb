package store

import (
	"context"
	"math/rand/v2"
	"time"
)

// patience is how long a call waits for other processes that are at the same store.
const patience = 10 * time.Second

// patiently makes a call again while another process is in the way. It asks often and at odd moments: SQLite's own way of
// waiting sleeps for longer and longer, so that a busy neighbour can keep a process out for seconds.
func (s *database) patiently(ctx context.Context, call func() error) error {
	deadline := time.Now().Add(patience)
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
