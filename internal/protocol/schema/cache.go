package schema

import (
	"container/list"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
)

// A Cache stores compiled schemas by content, the most recently used ones. The zero value is ready and stores
// [DefaultCacheSize] schemas. Errors are also cached: an invalid schema is compiled once.
type Cache struct {
	Size int // maximum number of schemas; read at first use

	mu      sync.Mutex
	entries map[[sha256.Size]byte]*list.Element
	recent  list.List // of *cached, most recently used first
}

// DefaultCacheSize is the default number of schemas in a Cache.
const DefaultCacheSize = 1024

type cached struct {
	key    [sha256.Size]byte
	schema *Schema
	err    error
}

// Compile is like the function [Compile], with caching.
func (c *Cache) Compile(raw json.RawMessage, options *Options) (*Schema, error) {
	key := contentKey(raw, options)
	if hit := c.get(key); hit != nil {
		return hit.schema, hit.err
	}
	compiled, err := Compile(raw, options)
	c.put(&cached{key, compiled, err})
	return compiled, err
}

// contentKey distinguishes the same bytes compiled with different options.
func contentKey(raw json.RawMessage, options *Options) [sha256.Size]byte {
	if options == nil || *options == (Options{}) {
		return sha256.Sum256(raw)
	}
	var limits Limits
	if options.Limits != nil {
		limits = *options.Limits
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%t %q %v\n", options.AssertFormat, options.Dialect, limits)
	hash.Write(raw)
	return [sha256.Size]byte(hash.Sum(nil))
}

func (c *Cache) get(key [sha256.Size]byte) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(element)
	return element.Value.(*cached)
}

func (c *Cache) put(entry *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[[sha256.Size]byte]*list.Element{}
	}
	if _, raced := c.entries[entry.key]; raced {
		return
	}
	c.entries[entry.key] = c.recent.PushFront(entry)
	size := c.Size
	if size <= 0 {
		size = DefaultCacheSize
	}
	for c.recent.Len() > size {
		oldest := c.recent.Remove(c.recent.Back()).(*cached)
		delete(c.entries, oldest.key)
	}
}

// Len returns the number of cached schemas.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recent.Len()
}
