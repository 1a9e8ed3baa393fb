package frontend

import (
	"errors"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
)

// A server where each caller has its own account may list something else for each of them. So each caller sees only what
// its own session with the server lists.

// Limits of the lists of callers in memory. Those that were used last are kept; the others are read again when they are
// needed.
const (
	maxCallerLists     = 2000
	maxCallerListBytes = 128 << 20
	callerListTTL      = 5 * time.Minute // a server need not announce that the rights of a user have changed
	retryListAfter     = 10 * time.Second
)

// A callerList is what a server lists for one caller.
type callerList struct {
	view                *view // of this server alone
	listing             *catalog.Listing
	title, instructions string
	size                int
}

// A listKey is whose list it is: a caller's, or that of one of its sessions.
type listKey struct {
	server, caller string
	session        any
}

// A listRecord is what is known about a list.
type listRecord struct {
	account string        // the account of the caller at the server that the list is for
	list    *callerList   // nil if there is none
	read    time.Time     // when it was read; zero if it must be read again
	err     error         // why the last reading failed
	failed  time.Time     // when
	reading chan struct{} // closed when the reading in progress ends; nil if there is none
	begun   time.Time     // when it began
	shown   *view         // what clients have seen last; nil if nothing
	used    time.Time
}

// callerLists are the lists of callers. The listings of dropped records are removed from the catalog.
type callerLists struct {
	catalog *catalog.Catalog

	mu    sync.Mutex
	all   map[listKey]*listRecord
	bytes int
}

// recordLocked returns the record of a list for an account, which is created if necessary. The lists of another account are
// dropped.
func (l *callerLists) recordLocked(key listKey, account string) *listRecord {
	r := l.all[key]
	if r == nil {
		if l.all == nil {
			l.all = map[listKey]*listRecord{}
		}
		r = &listRecord{account: account}
		l.all[key] = r
	}
	if r.account != account {
		l.setLocked(r, nil)
		r.account, r.err, r.failed, r.reading = account, nil, time.Time{}, nil
	}
	r.used = time.Now()
	l.evictLocked(r)
	return r
}

func (l *callerLists) setLocked(r *listRecord, list *callerList) {
	if old := r.list; old != nil {
		l.bytes -= old.size
		l.catalog.RemoveListing(old.listing)
	}
	r.list, r.read = list, time.Time{}
	if list != nil {
		r.read, r.err = time.Now(), nil
		l.bytes += list.size
	}
}

// evictLocked drops the records that were used least recently while there are too many, except for one.
func (l *callerLists) evictLocked(keep *listRecord) {
	for len(l.all) > maxCallerLists || l.bytes > maxCallerListBytes {
		var oldest listKey
		found := false
		for key, r := range l.all {
			if r != keep && r.reading == nil && (!found || r.used.Before(l.all[oldest].used)) {
				oldest, found = key, true
			}
		}
		if !found {
			return
		}
		l.setLocked(l.all[oldest], nil)
		delete(l.all, oldest)
	}
}

// drop drops the records that match.
func (l *callerLists) drop(match func(listKey) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, r := range l.all {
		if match(key) {
			l.setLocked(r, nil)
			delete(l.all, key)
		}
	}
}

// fresh reports whether a list can be used without reading it again.
func (r *listRecord) fresh() bool { return r.list != nil && time.Since(r.read) < callerListTTL }

// lists reports whether a server lists a tool for a caller, as far as that is known.
func (l *callerLists) lists(server, caller, tool string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, r := range l.all {
		if key.server == server && key.caller == caller && r.list != nil && r.list.view.byTool[tool] != nil {
			return true
		}
	}
	return false
}

// store makes a list the current one of an account. It returns the changes for clients that have seen another one.
func (l *callerLists) store(key listKey, account string, list *callerList) (changes []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r := l.all[key]; r != nil && r.account != account {
		l.catalog.RemoveListing(list.listing) // of a session that still uses an old account
		return nil
	}
	r := l.recordLocked(key, account)
	if l.setLocked(r, list); r.shown != nil {
		changes = list.view.changes(r.shown)
		r.shown = list.view
	}
	l.evictLocked(r)
	return changes
}

// show returns the list of a record for a client, which has then seen it.
func (l *callerLists) show(server string, r *listRecord) (*callerList, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case r.list != nil:
		r.shown = r.list.view
		return r.list, nil
	case r.shown == nil:
		r.shown = &view{}
	}
	if r.err == nil {
		return nil, &upstream.StartingError{Server: server, Err: errors.New("its lists have not been read yet")}
	}
	return nil, r.err
}
