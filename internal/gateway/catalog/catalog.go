package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/store"
)

// A Catalog holds the tools of a store in memory. Its own changes are visible once the store has acknowledged them;
// those of other processes when the store reports them, which is within a second.
type Catalog struct {
	store  store.Store
	now    func() time.Time
	cancel context.CancelFunc
	done   sync.WaitGroup

	mu       sync.RWMutex
	tools    map[Key]*Tool   // entries are immutable
	order    []*Tool         // by server and name; nil after a change
	seen     map[Key]int64   // the revision of the last change to each key
	revision int64           // the store's changes are known up to here
	stale    map[string]bool // the servers that do not respond
	served   map[string]bool // the servers whose tools are visible; nil means all
	hidden   map[Key]*Tool   // the tools of the others, and those that the filter rejects
	filter   func(*Tool) bool
	locked   map[string]map[string]string // by server and tool: why it is quarantined
	reviews  map[Key]Review               // by the key of their record
	reviewed chan struct{}                // closed when a review changes
	index    *index
	own      map[ownID]*ownTool // the tools of listings, which are in the index
	watchers map[*watcher]bool
	embedder *embedder                       // nil without embeddings
	vectors  map[[sha256.Size]byte][]float32 // by text, of tools
}

// Options configure a catalog. Nil means the defaults.
type Options struct {
	Now     func() time.Time // the clock
	Servers []string         // as for Serve; nil means all

	// OnFollow receives the error if the store cannot be followed, so that the catalog may be outdated, and nil once it
	// can be again.
	OnFollow func(error)
}

// New returns an empty catalog that is lost when the process exits.
func New() *Catalog {
	c, err := Open(context.Background(), &store.Memory{}, nil)
	if err != nil {
		panic(err) // an empty in-memory store cannot fail
	}
	return c
}

// Open reads the catalog from a store and follows it until Close, which also closes the store.
func Open(ctx context.Context, s store.Store, opts *Options) (*Catalog, error) {
	c := &Catalog{
		store: s, now: time.Now, tools: map[Key]*Tool{}, seen: map[Key]int64{}, stale: map[string]bool{},
		hidden: map[Key]*Tool{}, reviews: map[Key]Review{}, reviewed: make(chan struct{}),
		index: newIndex(), own: map[ownID]*ownTool{}, watchers: map[*watcher]bool{},
	}
	if opts != nil && opts.Now != nil {
		c.now = opts.Now
	}
	if opts != nil && opts.Servers != nil {
		c.served = setOf(opts.Servers)
	}
	follow, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c.cancel = cancel
	changed := s.Watch(follow)
	if err := c.Refresh(ctx); err != nil {
		cancel()
		return nil, errors.Join(fmt.Errorf("cannot read the catalog: %w", err), s.Close())
	}
	c.done.Go(func() {
		lost := false
		for range changed {
			err := c.Refresh(follow)
			if opts != nil && opts.OnFollow != nil && (err != nil) != lost && follow.Err() == nil {
				opts.OnFollow(err)
			}
			lost = err != nil
		}
	})
	return c, nil
}

// Store returns the store of the catalog, which also holds the accounts.
func (c *Catalog) Store() store.Store { return c.store }

// Close stops following the store and closes it. Watches end.
func (c *Catalog) Close() error {
	c.cancel()
	err := c.store.Close()
	c.done.Wait()
	c.mu.Lock()
	watchers := c.watchers
	c.watchers = nil
	c.mu.Unlock()
	for w := range watchers {
		w.end()
	}
	return err
}

// Get returns a tool, or a *NotFoundError.
func (c *Catalog) Get(key Key) (Tool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	t, ok := c.tools[key]
	if !ok {
		return Tool{}, &NotFoundError{Key: key}
	}
	return t.clone(), nil
}

// List returns the tools that match the filter, by server and name.
func (c *Catalog) List(f Filter) []Tool {
	var found []*Tool
	for _, t := range c.sorted() {
		if f.match(t, false) {
			found = append(found, t)
		}
	}
	found = c.withOwn(found, f)
	if f.Limit > 0 {
		found = found[:min(len(found), f.Limit)]
	}
	out := slices.Grow([]Tool(nil), len(found))
	for _, t := range found {
		out = append(out, t.clone())
	}
	return out
}

// sorted returns the tools in order. The list is immutable, a change creates a new one.
func (c *Catalog) sorted() []*Tool {
	c.mu.RLock()
	order := c.order
	c.mu.RUnlock()
	if order != nil {
		return order
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.order == nil {
		c.order = make([]*Tool, 0, len(c.tools))
		for _, t := range c.tools {
			c.order = append(c.order, t)
		}
		slices.SortFunc(c.order, byKey)
	}
	return c.order
}

func byKey(a, b *Tool) int {
	if a.Server != b.Server {
		return cmp.Compare(a.Server, b.Server)
	}
	return cmp.Compare(a.Name, b.Name)
}
