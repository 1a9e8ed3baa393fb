package inspector

import (
	"container/list"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// maxKeys limits the number of objects in a journal; the oldest are evicted first.
const maxKeys = 20_000

// A ChangeFeed reports what has changed since an event. It stores only the latest change of each object, and reads
// the object when requested: a slow or late reader gets the current state, and memory does not grow with the
// number of changes.
type ChangeFeed struct {
	mu      sync.Mutex
	seq     int
	order   *list.List // of changes, the latest last
	byKey   map[string]*list.Element
	changed chan struct{} // closed at the next change
}

// A change is one changed object.
type change struct {
	seq  int
	key  string
	tell func() (view.Event, bool) // false if it no longer exists
}

func newJournal() *ChangeFeed {
	return &ChangeFeed{order: list.New(), byKey: map[string]*list.Element{}, changed: make(chan struct{})}
}

// Last returns the ID of the latest event.
func (j *ChangeFeed) Last() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.seq
}

// After returns what has changed after an event, in order, and a channel that is closed at the next change. An
// ID of another run means everything.
func (j *ChangeFeed) After(id int) ([]view.Event, <-chan struct{}) {
	j.mu.Lock()
	if id > j.seq {
		id = 0
	}
	var changes []change
	for at := j.order.Back(); at != nil && at.Value.(change).seq > id; at = at.Prev() {
		changes = append(changes, at.Value.(change))
	}
	next := j.changed
	j.mu.Unlock()
	events := make([]view.Event, 0, len(changes))
	for n := len(changes) - 1; n >= 0; n-- {
		if e, ok := changes[n].tell(); ok {
			e.ID = changes[n].seq
			events = append(events, e)
		}
	}
	return events, next
}

// touch records that the object of the key has changed. Keys of a connection begin with its ID and a slash.
func (j *ChangeFeed) touch(key string, tell func() (view.Event, bool)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	if at, ok := j.byKey[key]; ok {
		j.order.Remove(at)
	}
	j.byKey[key] = j.order.PushBack(change{seq: j.seq, key: key, tell: tell})
	if j.order.Len() > maxKeys {
		oldest := j.order.Remove(j.order.Front()).(change)
		delete(j.byKey, oldest.key)
	}
	close(j.changed)
	j.changed = make(chan struct{})
}

// drop deletes the object of a key.
func (j *ChangeFeed) drop(key string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if at, ok := j.byKey[key]; ok {
		j.order.Remove(at)
		delete(j.byKey, key)
	}
}

// remove deletes everything that belongs to a connection, and reports its removal.
func (j *ChangeFeed) remove(link string) {
	j.mu.Lock()
	for key, at := range j.byKey {
		if strings.HasPrefix(key, link+"/") {
			j.order.Remove(at)
			delete(j.byKey, key)
		}
	}
	j.mu.Unlock()
	j.touch("gone/"+link, func() (view.Event, bool) { return view.Event{Kind: "link_gone", Link: link}, true })
}
