package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Filter selects changes.
type Filter struct {
	Tools, Prompts, Resources bool     // changes of the lists
	URIs                      []string // updates of these resources
}

// A Subscription is a stream of notifications, the same in both eras.
type Subscription struct {
	Honoured json.RawMessage // what the server acknowledged; nil in the legacy era

	session *Session
	call    *call
	filter  Filter
	events  chan Message
	stop    func()
	once    sync.Once

	mu    sync.Mutex
	ended bool
	err   error
}

// Listen subscribes: with subscriptions/listen in the modern era, with resources/subscribe in the legacy era,
// where list changes are sent without a subscription. An error response of the server is an error that wraps
// its *RPCError, here and in Next.
func (s *Session) Listen(ctx context.Context, f Filter) (*Subscription, error) {
	sub := &Subscription{session: s, filter: f, events: make(chan Message, 256)}
	if s.Era == spec.Modern {
		return sub, s.listenModern(ctx, sub)
	}
	return sub, s.listenLegacy(ctx, sub)
}

func (s *Session) listenLegacy(ctx context.Context, sub *Subscription) error {
	s.mu.Lock()
	s.nextID++
	key := -s.nextID // not the ID of a request
	s.listeners[key] = sub
	s.mu.Unlock()
	sub.stop = func() {
		s.mu.Lock()
		delete(s.listeners, key)
		s.mu.Unlock()
		for _, uri := range sub.filter.URIs {
			ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
			_, _ = s.Call(ctx, "resources/unsubscribe", Object("uri", uri))
			cancel()
		}
	}
	for _, uri := range sub.filter.URIs {
		ex, err := s.Call(ctx, "resources/subscribe", Object("uri", uri))
		if err == nil && ex.Reply.Error != nil {
			err = fmt.Errorf("subscribe to %s: %w", uri, ex.Reply.Error)
		}
		if err != nil {
			sub.Close()
			return err
		}
	}
	return nil
}

func (s *Session) listenModern(ctx context.Context, sub *Subscription) error {
	var uris any
	if len(sub.filter.URIs) > 0 {
		uris = sub.filter.URIs
	}
	wish := Object("toolsListChanged", orAbsentBool(sub.filter.Tools), "promptsListChanged",
		orAbsentBool(sub.filter.Prompts),
		"resourcesListChanged", orAbsentBool(sub.filter.Resources), "resourceSubscriptions", uris)
	r := Request{Method: "subscriptions/listen", Params: Object("notifications", wish)}
	c, err := s.begin(r)
	if err != nil {
		return err
	}
	sub.call = c
	s.mu.Lock()
	s.listeners[c.id] = sub
	s.mu.Unlock()
	sub.stop = func() {
		s.mu.Lock()
		delete(s.listeners, c.id)
		s.mu.Unlock()
		s.cancelPending(c, "was cancelled", context.Canceled)
	}
	params := s.decorate(r, c.id)
	if _, err := s.transmit(ctx, c, 0, wire.Frame{Header: s.header(r.Method, params, nil),
		Body: encodeRequest(c.id, r.Method, params)}); err != nil {
		sub.Close()
		return err
	}
	if err := sub.acknowledged(ctx); err != nil {
		sub.Close()
		return err
	}
	s.wg.Go(func() { <-c.done; sub.end(sub.outcome()) })
	return nil
}

// outcome returns why a modern subscription has ended; nil for a normal end.
func (sub *Subscription) outcome() error {
	if sub.call.err != nil {
		return sub.call.err
	}
	if refusal := sub.call.reply.Error; refusal != nil {
		return fmt.Errorf("subscriptions/listen: %w", refusal)
	}
	return nil
}

func orAbsentBool(b bool) any {
	if b {
		return true
	}
	return nil
}

// acknowledged waits for the first message, which lists what the server acknowledged.
func (sub *Subscription) acknowledged(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, sub.session.opts.timeout(),
		&TimeoutError{Method: "subscriptions/listen", After: sub.session.opts.timeout()})
	defer cancel()
	select {
	case m := <-sub.events:
		if m.Method != "notifications/subscriptions/acknowledged" {
			return sub.session.protocolError("subscriptions/listen started with %s, expected "+
				"notifications/subscriptions/acknowledged", m.Method)
		}
		sub.Honoured, _ = member(m.Params, "notifications")
		return nil
	case <-sub.call.done:
		if err := sub.outcome(); err != nil {
			return err
		}
		return sub.session.protocolError("subscriptions/listen ended immediately")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// listenersOf finds the subscriptions that a notification belongs to. The caller holds the session's lock.
func (s *Session) listenersOf(m *Message) []*Subscription {
	if len(s.listeners) == 0 {
		return nil
	}
	var subs []*Subscription
	if s.negotiated.Load().era == spec.Modern {
		if sub := s.listeners[s.taggedLocked(m)]; sub != nil {
			subs = append(subs, sub)
		}
		return subs
	}
	for _, sub := range s.listeners {
		if sub.matches(m) {
			subs = append(subs, sub)
		}
	}
	return subs
}

// taggedLocked returns the ID of the subscription in a notification. A notification without one belongs to the
// stream on which it arrived.
func (s *Session) taggedLocked(m *Message) int64 {
	meta, _ := member(m.Params, "_meta")
	if tag, ok := member(meta, metaSubscription); ok {
		id, _ := asInteger(tag)
		return id
	}
	if c := s.byStream[m.Frame.Stream]; c != nil && s.listeners[c.id] != nil {
		s.noticeLocked(m.Frame.Seq, "%s on a subscription stream without its %s", m.Method, metaSubscription)
		return c.id
	}
	return 0
}

func (sub *Subscription) matches(m *Message) bool {
	kind, _ := strings.CutPrefix(m.Method, "notifications/")
	switch kind {
	case "tools/list_changed":
		return sub.filter.Tools
	case "prompts/list_changed":
		return sub.filter.Prompts
	case "resources/list_changed":
		return sub.filter.Resources
	case "resources/updated":
		uri := text(m.Params, "uri")
		return slices.ContainsFunc(sub.filter.URIs, func(wanted string) bool {
			return strings.HasPrefix(uri, wanted) // it may be a part of the resource
		})
	}
	return false
}

// take queues a notification; if the queue is full the newest ones are dropped, since each only means that
// something changed.
func (sub *Subscription) take(m Message) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if sub.ended {
		return
	}
	select {
	case sub.events <- m:
	default:
	}
}

// Next waits for the next notification. After the end it returns the reason: nil with ok false for a normal
// end.
func (sub *Subscription) Next(ctx context.Context) (m Message, ok bool, err error) {
	select {
	case m, ok = <-sub.events:
		if ok {
			return m, true, nil
		}
		sub.mu.Lock()
		defer sub.mu.Unlock()
		return Message{}, false, sub.err
	case <-ctx.Done():
		return Message{}, false, context.Cause(ctx)
	}
}

// end closes the stream of notifications, once.
func (sub *Subscription) end(err error) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	if !sub.ended {
		sub.ended, sub.err = true, err
		close(sub.events)
	}
}

// Close ends the subscription and notifies the server.
func (sub *Subscription) Close() {
	sub.end(nil)
	sub.once.Do(sub.stop)
}
