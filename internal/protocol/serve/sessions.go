package serve

import (
	lru "container/list"
	"crypto/rand"
	"sync"
	"time"
)

// sessions are the legacy HTTP sessions, least recently used first.
type sessions struct {
	limit int
	idle  time.Duration

	mu   sync.Mutex
	byID map[string]*lru.Element
	used lru.List // of *session
}

type session struct {
	peer *Peer
	last time.Time
}

func (s *sessions) init(limit int, idle time.Duration) {
	s.limit, s.idle, s.byID = limit, idle, map[string]*lru.Element{}
}

// add stores the peer, with a new ID if it has none, and returns the evicted sessions; false means that there is no room.
func (s *sessions) add(p *Peer) (evicted []*Peer, ok bool) {
	if p.ID == "" {
		p.ID = rand.Text() + rand.Text()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for e := s.used.Front(); e != nil; {
		old, next := e.Value.(*session), e.Next()
		expired := now.Sub(old.last) > s.idle
		if !expired && len(s.byID) < s.limit {
			break
		}
		if !old.peer.busy() {
			s.used.Remove(e)
			delete(s.byID, old.peer.ID)
			evicted = append(evicted, old.peer)
		}
		e = next
	}
	if len(s.byID) >= s.limit {
		return evicted, false
	}
	s.byID[p.ID] = s.used.PushBack(&session{p, now})
	return evicted, true
}

// find returns a session of the caller; those of other callers are not found.
func (s *sessions) find(id, caller string) *Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byID[id]
	if e == nil {
		return nil
	}
	found := e.Value.(*session)
	if found.peer.Caller != caller {
		return nil
	}
	found.last = time.Now()
	s.used.MoveToBack(e)
	return found.peer
}

func (s *sessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID[id]; e != nil {
		s.used.Remove(e)
		delete(s.byID, id)
	}
}

func (s *sessions) all() []*Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var peers []*Peer
	for _, e := range s.byID {
		peers = append(peers, e.Value.(*session).peer)
	}
	return peers
}

func (s *sessions) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byID)
}

// usedSince lists the keys of the sessions with requests since then, or now.
func (s *sessions) usedSince(then time.Time) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := []string{}
	for id, e := range s.byID {
		if one := e.Value.(*session); one.last.After(then) || one.peer.busy() {
			keys = append(keys, sessionKey(id))
		}
	}
	return keys
}

// expired lists the sessions that have been idle for too long.
func (s *sessions) expired(now time.Time) []*Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var peers []*Peer
	for _, e := range s.byID {
		if one := e.Value.(*session); now.Sub(one.last) > s.idle && !one.peer.busy() {
			peers = append(peers, one.peer)
		}
	}
	return peers
}
