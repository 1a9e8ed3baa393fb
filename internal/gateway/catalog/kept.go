package catalog

import (
	"maps"
	"slices"
	"sync"
)

// maxKept is the number of scopes that are kept: with 10,000 tools, each takes up to 300 KB.
const maxKept = 16

// keptScopes keeps the scopes of callers that searched lately, until the catalog changes: which tools a caller may see,
// and the statistics of those, are the same for all of its searches.
type keptScopes struct {
	mu  sync.Mutex
	all []keptScope // the oldest first
}

// A keptScope is a scope with what it depends on.
type keptScope struct {
	key   string
	own   map[string]*Listing
	scope *scope
}

func (k *keptScopes) get(key string, own map[string]*Listing) *scope {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.all {
		if s.key == key && maps.Equal(s.own, own) {
			return s.scope
		}
	}
	return nil
}

func (k *keptScopes) add(key string, own map[string]*Listing, s *scope) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) == maxKept {
		k.all = slices.Delete(k.all, 0, 1)
	}
	k.all = append(k.all, keptScope{key, maps.Clone(own), s})
}

// clear is called when the catalog changes.
func (k *keptScopes) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = nil
}

// keepable reports whether the scope of a filter can be kept: if it depends only on the caller.
func (f *Filter) keepable() bool {
	return f.Name == "" && f.Server == "" && len(f.Tags) == 0 && len(f.Annotations) == 0 && f.Source == "" &&
		(f.Allow == nil) == (f.AllowKey == "")
}
