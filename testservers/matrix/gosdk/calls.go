package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// calls are the calls that a server process holds, by the key that the client gave them.
type calls struct {
	mu       sync.Mutex
	states   map[string]string
	released map[string]chan struct{}
}

func newCalls() *calls {
	return &calls{states: map[string]string{}, released: map[string]chan struct{}{}}
}

// pause waits until the call is cancelled and records that it was.
func (c *calls) pause(ctx context.Context, key string) (string, error) {
	c.set(key, "running")
	select {
	case <-ctx.Done():
		c.set(key, "cancelled")
		return "", ctx.Err()
	case <-time.After(15 * time.Second):
		c.set(key, "finished")
		return "finished", nil
	}
}

func (c *calls) set(key, state string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.states[key] = state
}

func (c *calls) state(key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.states[key]; ok {
		return s
	}
	return "unknown"
}

// hold waits until the client releases the call.
func (c *calls) hold(ctx context.Context, key string) error {
	select {
	case <-c.gate(key):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(15 * time.Second):
		return errors.New("the client did not release the call")
	}
}

func (c *calls) release(key string) { close(c.gate(key)) }

func (c *calls) gate(key string) chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.released[key] == nil {
		c.released[key] = make(chan struct{})
	}
	return c.released[key]
}
