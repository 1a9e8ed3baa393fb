package mcp

import (
	"encoding/json"
)

// notified passes a notification to the calls that it belongs to and to the listeners.
func (s *Session) notified(m *Message) {
	s.mu.Lock()
	c := s.callOf(m)
	var report func()
	if m.Method == "notifications/progress" && c != nil {
		report = s.progressedLocked(c, m)
	}
	s.storeBetweenLocked(m, c)
	subs := s.listenersOf(m)
	var hear func(Message)
	if c != nil {
		hear = c.onMessage
	}
	s.mu.Unlock()

	switch m.Method {
	case "notifications/cancelled":
		s.cancelServing(m)
	case "notifications/progress":
		if c == nil {
			s.notice(m.Frame.Seq, "progress for token %s, which belongs to no call in flight",
				orAbsent(progressToken(m.Params)))
		}
	}
	if report != nil {
		report()
	}
	for _, sub := range subs {
		sub.take(*m)
	}
	if hear != nil {
		hear(*m)
	} else if s.opts.OnNotification != nil {
		s.opts.OnNotification(*m)
	}
}

// callOf finds the call that a notification belongs to: by progress token, or by stream.
func (s *Session) callOf(m *Message) *call {
	if m.Method == "notifications/progress" {
		if c := s.byToken[progressToken(m.Params)]; c != nil {
			return c
		}
		id, _ := asInteger(json.RawMessage(progressToken(m.Params)))
		return s.pending[id]
	}
	return s.byStream[m.Frame.Stream]
}

func progressToken(params json.RawMessage) string {
	token, _ := member(params, "progressToken")
	return string(token)
}

// storeBetweenLocked adds the message to its call; over stdio a message without a specific call is added to all
// calls in flight.
func (s *Session) storeBetweenLocked(m *Message, c *call) {
	if c != nil {
		c.store(m)
		return
	}
	if onPipe(m.Frame) {
		for _, c := range s.pending {
			c.store(m)
		}
	}
}

func (c *call) store(m *Message) {
	if c.onMessage == nil && len(c.between) < maxBetween {
		c.between = append(c.between, *m)
	}
}

// expectProgress registers a token that the caller has set in the params; ours is the ID of the request.
func (s *Session) expectProgress(c *call, params json.RawMessage) {
	meta, _ := member(params, "_meta")
	token := progressToken(meta)
	s.mu.Lock()
	defer s.mu.Unlock()
	if token != "" && s.byToken[token] == nil {
		c.token = token
		s.byToken[token] = c
	}
}

// progressedLocked records progress and returns what to report, outside the lock.
func (s *Session) progressedLocked(c *call, m *Message) func() {
	if c.timer != nil {
		c.timer.Touch()
	}
	var p struct {
		Progress, Total float64
		Message         string
	}
	_ = json.Unmarshal(m.Params, &p)
	if c.reached != nil && p.Progress <= *c.reached {
		s.noticeLocked(m.Frame.Seq, "progress went from %v to %v, expected it to increase", *c.reached, p.Progress)
	}
	c.reached = &p.Progress
	if c.progress == nil {
		return nil
	}
	return func() { c.progress(Progress{Done: p.Progress, Total: p.Total, Message: p.Message}) }
}
