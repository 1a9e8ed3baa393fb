package quarantine

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// known returns the approved definitions of a name, the latest first: those in the store, then that of the lock file.
// The guard is locked.
func (g *Guard) known(server string, what id) []approved {
	return slices.Concat(g.reviews[server][what], g.locked[server][what])
}

func nameOf(definition json.RawMessage) string {
	raw, _ := schema.Get(definition, "/name")
	name, _ := schema.Text(raw)
	return name
}

// decide decides about everything that a server lists. It reports whether anything changed. The guard is locked.
func (g *Guard) decide(name string) bool {
	s := g.servers[name]
	old := s.entries
	s.entries = map[id]*entry{}
	if g.policy == nil || s.lists == nil {
		return len(old) > 0
	}
	for _, one := range s.lists.definitions() {
		g.decideOne(name, s, old, one)
	}
	return !sameDecisions(old, s.entries)
}

// decideOne decides about one definition. What was found out about it before is kept.
func (g *Guard) decideOne(name string, s *server, old map[id]*entry, one listed) {
	e := &entry{hash: one.hash, listed: one.raw, seen: s.lists.at}
	known := g.known(name, one.id)
	if i := slices.IndexFunc(known, func(a approved) bool { return a.hash == e.hash }); i >= 0 {
		e.served = known[i].definition // and not what is listed, which another reader may read otherwise
	} else if e.differs = true; len(known) > 0 {
		e.reason, e.base, e.served = catalog.ReasonChanged, known[0].definition, known[0].definition
	} else if g.policy.Servers[name] != nil {
		e.reason = catalog.ReasonNew
	} else {
		e.reason = catalog.ReasonUnlocked
	}
	if twin := s.entries[one.id]; twin != nil && twin.hash != e.hash {
		twin.reason, twin.differs, twin.item = catalog.ReasonDuplicate, true, nil
		return
	}
	if was := old[one.id]; was != nil && was.hash == e.hash && was.differs && e.differs && string(was.base) ==
		string(e.base) && was.reason != catalog.ReasonDuplicate {
		e.item, e.seen, e.suspicious = was.item, was.seen, was.suspicious
		g.release(e)
	}
	s.entries[one.id] = e
}

// release releases a definition if its difference from the approved one is harmless. The guard is locked.
func (g *Guard) release(e *entry) {
	if e.item == nil || e.suspicious || e.reason == catalog.ReasonDuplicate {
		return
	}
	switch v := e.item.Verdict; {
	case e.reason == catalog.ReasonChanged && (v == change.Cosmetic || g.policy.Keep && v == change.Compatible):
		e.reason = ""
	case e.reason == catalog.ReasonNew && g.policy.AllowNew:
		e.reason, e.served = "", e.listed
	}
}

func sameDecisions(a, b map[id]*entry) bool {
	if len(a) != len(b) {
		return false
	}
	for id, e := range a {
		o := b[id]
		if o == nil || o.hash != e.hash || o.reason != e.reason || string(o.served) != string(e.served) {
			return false
		}
	}
	return true
}

// Evaluate compares what a server lists with what was approved, which can take seconds, and releases what is harmless.
// It reports whether a decision changed.
func (g *Guard) Evaluate(name string) bool {
	before, after, judging := g.surfaces(name)
	if judging == nil {
		return false
	}
	d := change.Compare(before, after)
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.servers[name]
	if g.policy == nil || s == nil || s.lists != judging {
		return false // it has listed something else meanwhile
	}
	s.checked = judging
	changed := false
	for id, e := range s.entries {
		if !e.differs || e.item != nil {
			continue
		}
		fresh := *e
		if fresh.item = find(d, id); fresh.item == nil {
			continue // it stays refused
		}
		fresh.suspicious = len(fresh.item.Suspicions) > 0
		g.release(&fresh)
		changed = changed || fresh.reason != e.reason
		s.entries[id] = &fresh
	}
	return changed
}

func find(d *change.Diff, id id) *change.Item {
	for i := range d.Items {
		item := &d.Items[i]
		if item.Kind == id.kind && item.Name == id.name || item.Kind == change.ServerItem && id.kind == Instructions {
			return item
		}
	}
	return nil
}

// surfaces returns what was approved of a server and what it lists now; nil if nothing has to be compared.
func (g *Guard) surfaces(name string) (before, after *change.Surface, judging *lists) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	s := g.servers[name]
	if g.policy == nil || s == nil || s.lists == nil || s.checked == s.lists || !s.incomplete() {
		return nil, nil, nil
	}
	before = &change.Surface{Source: "approved", Unordered: true}
	latest := map[id]json.RawMessage{}
	for _, source := range []approvals{g.locked, g.reviews} {
		for what, list := range source[name] {
			latest[what] = list[0].definition
		}
	}
	for what, definition := range latest {
		add(before, what.kind, definition)
	}
	after = &change.Surface{Source: "listed", Unordered: true, Tools: s.lists.tools, Prompts: s.lists.prompts,
		Instructions: s.lists.instructions}
	return before, after, s.lists
}

// incomplete reports whether a difference was not compared yet.
func (s *server) incomplete() bool {
	for _, e := range s.entries {
		if e.differs && e.item == nil && e.reason != catalog.ReasonDuplicate {
			return true
		}
	}
	return false
}
