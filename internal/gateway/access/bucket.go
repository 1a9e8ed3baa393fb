package access

import (
	"math"
	"sync"
	"time"
)

// A bucket fills at a steady rate up to its size; each call takes one out.
type bucket struct {
	rate, size float64

	mu    sync.Mutex
	level float64
	at    time.Time
}

func newBucket(rate float64, burst int) *bucket {
	size := float64(burst)
	if burst <= 0 {
		size = math.Max(1, rate)
	}
	return &bucket{rate: rate, size: size, level: size, at: time.Now()}
}

func (b *bucket) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.level = math.Min(b.size, b.level+b.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}
