package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Memory is an in-memory store. The zero value is empty and ready.
type Memory struct {
	watchers watchers

	mu        sync.Mutex
	records   map[Key]Record
	removed   map[Key]time.Time // when the records without a body were removed
	revision  int64
	forgotten int64 // the last removal that was pruned
	closed    bool
}

// Get returns a record.
func (m *Memory) Get(_ context.Context, key Key) (Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return Record{}, &ClosedError{}
	}
	r, ok := m.records[key]
	if !ok || r.Body == nil {
		return Record{}, &NotFoundError{Key: key}
	}
	return r, nil
}

// Since returns the changes after a revision.
func (m *Memory) Since(_ context.Context, revision int64) ([]Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, &ClosedError{}
	}
	if revision > 0 && m.forgotten > revision {
		return nil, &GapError{Since: revision, Forgotten: m.forgotten}
	}
	var out []Record
	for _, r := range m.records {
		if r.Revision > revision && (r.Body != nil || revision > 0) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, byRevision)
	return out, nil
}

// Commit applies all changes or none.
func (m *Memory) Commit(_ context.Context, changes ...Change) ([]Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, &ClosedError{}
	}
	out := make([]Record, 0, len(changes))
	for i, c := range changes {
		r, err := next(c, m.records[c.Key], m.revision+int64(i)+1)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if m.records == nil {
		m.records, m.removed = map[Key]Record{}, map[Key]time.Time{}
	}
	for _, r := range out {
		m.records[r.Key], m.revision = r, r.Revision
		if delete(m.removed, r.Key); r.Body == nil {
			m.removed[r.Key] = time.Now()
		}
	}
	m.watchers.notify()
	return out, nil
}

// Revision returns the revision of the last change.
func (m *Memory) Revision(context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, &ClosedError{}
	}
	return m.revision, nil
}

// Prune prunes old removals.
func (m *Memory) Prune(_ context.Context, before time.Time, keep int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, &ClosedError{}
	}
	var gone []Record
	for key := range m.removed {
		gone = append(gone, m.records[key])
	}
	slices.SortFunc(gone, byRevision)
	dropped := 0
	for i, r := range gone {
		if i < len(gone)-keep || m.removed[r.Key].Before(before) {
			delete(m.records, r.Key)
			delete(m.removed, r.Key)
			m.forgotten = max(m.forgotten, r.Revision)
			dropped++
		}
	}
	return dropped, nil
}

// Watch reports changes.
func (m *Memory) Watch(ctx context.Context) <-chan struct{} { return m.watchers.add(ctx) }

// Close closes the store and its watches.
func (m *Memory) Close() error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.watchers.close()
	return nil
}

func byRevision(a, b Record) int {
	switch {
	case a.Revision < b.Revision:
		return -1
	case a.Revision > b.Revision:
		return 1
	}
	return 0
}
