package catalog

import (
	"crypto/sha256"
	"slices"
)

// A Listing is what a server lists for one caller. In a filter it takes the place of the server's tools in the catalog.
// It is not stored, and nobody else finds its tools.
type Listing struct {
	own    map[string]*Tool // by name
	shared map[string]bool  // the names of the tools of the catalog that the caller sees
	ids    []ownID
}

// An ownID identifies a definition. Listings with the same definition share one tool, so that the index grows with the
// number of different definitions and not with that of callers.
type ownID struct {
	key  Key
	hash [sha256.Size]byte
}

type ownTool struct {
	tool *Tool
	uses int
}

// SharedListing returns a listing of the server's tools in the catalog that have these names.
func SharedListing(names []string) *Listing { return &Listing{shared: setOf(names)} }

// AddListing adds a listing of these tools of a server, until RemoveListing. Of two tools with the same name the first
// counts.
func (c *Catalog) AddListing(server string, tools []Tool) *Listing {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, fresh := &Listing{own: map[string]*Tool{}}, false
	now := c.now().UTC()
	for i := range tools {
		t := tools[i].clone()
		if t.Server, t.Source, t.Version = server, FromUpstream, 1; l.own[t.Name] != nil {
			continue
		}
		id := ownID{t.Key(), sha256.Sum256(t.Raw)}
		known := c.own[id]
		if known == nil {
			t.RegisteredAt, t.UpdatedAt = now, now
			known = &ownTool{tool: &t}
			c.own[id] = known
			c.index.insertOwn(&t)
			fresh = true
		}
		known.uses++
		l.own[t.Name], l.ids = known.tool, append(l.ids, id)
	}
	if fresh {
		c.index.settle()
	}
	if fresh && c.embedder != nil {
		c.embedder.wakeUp()
	}
	return l
}

// RemoveListing removes a listing from the index. Nil is none.
func (c *Catalog) RemoveListing(l *Listing) {
	if l == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	gone := false
	for _, id := range l.ids {
		known := c.own[id]
		if known.uses--; known.uses == 0 {
			delete(c.own, id)
			c.index.remove(known.tool)
			gone = true
		}
	}
	if l.ids = nil; gone {
		c.index.settle()
	}
}

// Find is Get for a caller with listings, by server.
func (c *Catalog) Find(key Key, own map[string]*Listing) (Tool, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	f := Filter{Own: own, catalog: c}
	if t := c.tools[key]; t != nil && f.match(t, false) {
		return t.clone(), nil
	}
	if l := own[key.Server]; l != nil && l.own[key.Name] != nil && f.match(l.own[key.Name], true) {
		return l.own[key.Name].clone(), nil
	}
	return Tool{}, &NotFoundError{Key: key}
}

// withOwn adds the tools of the listings of a filter that it selects to sorted tools.
func (c *Catalog) withOwn(found []*Tool, f Filter) []*Tool {
	if len(f.Own) == 0 {
		return found
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	f.catalog = c
	for _, l := range f.Own {
		if l == nil {
			continue
		}
		for _, t := range l.own {
			if f.match(t, true) {
				found = append(found, t)
			}
		}
	}
	slices.SortFunc(found, byKey)
	return found
}

// matchOwn reports whether a caller with listings sees a tool: one of the catalog, or one of a listing. A registered
// tool takes precedence over one that a server lists under the same name.
func (f *Filter) matchOwn(t *Tool, own bool) bool {
	l, replaced := f.Own[t.Server]
	switch {
	case own:
		registered := f.catalog.tools[t.Key()]
		return l != nil && l.own[t.Name] == t && (registered == nil || registered.Source == FromUpstream)
	case replaced && t.Source == FromUpstream:
		return l != nil && l.shared[t.Name]
	}
	return true
}
