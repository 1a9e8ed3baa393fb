package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Limits of overlapping requests.
const (
	maxOverlappingTools = 4 // tools that are called alone to find two different results
	overlaps            = 5 // how often two clients make their requests at the same moment
	// how long the request of a client may take whose response another client received
	strayGrace = 500 * time.Millisecond
)

// A knownRequest is a request that returns the same result each time.
type knownRequest struct {
	method string
	params json.RawMessage
	result json.RawMessage
	took   time.Duration
}

// sameAs reports whether a result is that of the request.
func (r knownRequest) sameAs(result json.RawMessage) bool {
	if r.method == "tools/call" {
		return sameResult(r.result, result)
	}
	return equalJSON(r.result, result)
}

// knownPair returns two requests with different results, tool calls if possible, and the slowest ones: they are likely
// to be in progress at the same moment.
func (p *CheckContext) knownPair(ctx context.Context, s *mcp.Session) (pair [2]knownRequest, err error) {
	all, err := p.knownRequests(ctx, s)
	if err != nil {
		return pair, err
	}
	slices.SortStableFunc(all, func(a, b knownRequest) int {
		if (a.method == "tools/call") != (b.method == "tools/call") {
			if a.method == "tools/call" {
				return -1
			}
			return 1
		}
		return int(b.took - a.took)
	})
	for i, a := range all {
		for _, b := range all[i+1:] {
			if !a.sameAs(b.result) && !b.sameAs(a.result) {
				return [2]knownRequest{a, b}, nil
			}
		}
	}
	return pair, p.Skip("every repeated request returns the same result, so a swapped one is not noticed")
}

// knownRequests makes requests alone, twice, and returns those whose result does not change.
func (p *CheckContext) knownRequests(ctx context.Context, s *mcp.Session) ([]knownRequest, error) {
	tools, err := p.working(ctx)
	if skip := (*errSkip)(nil); err != nil && !errors.As(err, &skip) {
		return nil, err
	}
	var all []knownRequest
	tools = p.mostTelling(ctx, tools)
	for _, t := range tools[:min(len(tools), maxOverlappingTools)] {
		for _, arguments := range twoSamples(t) {
			all = append(all, knownRequest{method: "tools/call",
				params: mcp.Object("name", t.Name, "arguments", arguments)})
		}
	}
	for _, capability := range []string{"tools", "resources", "prompts"} {
		if p.round.offers(capability) {
			all = append(all, knownRequest{method: capability + "/list"})
		}
	}
	all = append(all, knownRequest{method: p.pinged()})
	for range 2 {
		var same []knownRequest
		for _, r := range all {
			ex, err := p.sendKnown(ctx, s, r, s.ReserveID())
			if err != nil {
				return nil, err
			}
			if ex.Reply.Error == nil && !calls.IsError(ex.Reply.Result) && (r.result == nil || r.sameAs(ex.Reply.Result)) {
				r.result, r.took = ex.Reply.Result, ex.Elapsed
				same = append(same, r)
			}
		}
		all = same
	}
	return all, nil
}

// sendKnown makes a request with an ID.
func (p *CheckContext) sendKnown(ctx context.Context, s *mcp.Session, r knownRequest, id int64) (*mcp.Exchange, error) {
	return p.Send(ctx, s, fmt.Sprint(id), fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, r.method,
		p.Params(string(r.params))))
}

// A strayResponse is a request that got the response of another client, or none.
type strayResponse struct {
	method   string
	exchange *mcp.Exchange
	foreign  bool // it got the response of the other client
}

// overlapping makes both requests at the same moment several times, each in the session of another client, with the
// same ID or with different ones. It returns the first that got a wrong response, and nil if there is none.
func (p *CheckContext) overlapping(ctx context.Context, clients [2]*mcp.Session, pair [2]knownRequest,
	sameID bool) *strayResponse {
	for n := range overlaps {
		if ctx.Err() != nil {
			return nil
		}
		a, b := pair[n%2], pair[1-n%2] // some servers fail only if the slower request comes second
		ids := [2]int64{commonID(clients)}
		if ids[1] = ids[0]; !sameID {
			ids[1] = clients[1].ReserveID()
		}
		delay := min(a.took, b.took) / 4 // some mix up only requests that begin one after the other
		if n >= 2 {
			delay = 0
		}
		if stray := p.overlap(ctx, clients, [2]knownRequest{a, b}, ids, delay); stray != nil {
			return stray
		}
	}
	return nil
}

// overlap makes two requests, the second one shortly after the first one.
func (p *CheckContext) overlap(ctx context.Context, clients [2]*mcp.Session, requests [2]knownRequest, ids [2]int64,
	delay time.Duration) *strayResponse {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	strays := make(chan *strayResponse, len(clients))
	for i := range clients {
		go func() {
			time.Sleep(time.Duration(i) * delay)
			ex, err := p.sendKnown(ctx, clients[i], requests[i], ids[i])
			strays <- strayOf(requests[i], requests[1-i], ex, err, p.isSlow(requests[i].took))
		}()
	}
	stray := <-strays
	if stray != nil && stray.foreign { // the other request may never end
		time.AfterFunc(strayGrace, cancel)
	}
	if other := <-strays; stray == nil || other != nil && other.foreign {
		stray = other
	}
	return stray
}

// strayOf returns what is wrong with the outcome of a request; nil if nothing is. An error may have other causes, such
// as a limit of concurrent requests, and a request that is slow alone may take too long.
func strayOf(r, other knownRequest, ex *mcp.Exchange, err error, slow bool) *strayResponse {
	stray := &strayResponse{method: r.method, exchange: ex}
	switch {
	case err != nil && slow:
		return nil
	case err != nil:
		return stray
	case ex.Reply.Error != nil || r.sameAs(ex.Reply.Result) || !other.sameAs(ex.Reply.Result):
		return nil
	}
	stray.foreign = true
	return stray
}

// stillKnown reports whether each request alone returns its result, many times: that of a tool that rolls dice is the
// same twice by chance.
func (p *CheckContext) stillKnown(ctx context.Context, clients [2]*mcp.Session, pair [2]knownRequest) (bool, error) {
	for range chanceCalls {
		for i, r := range pair {
			ex, err := p.sendKnown(ctx, clients[i], r, clients[i].ReserveID())
			if err != nil {
				return false, err
			}
			if ex.Reply.Error != nil || !r.sameAs(ex.Reply.Result) {
				return false, nil
			}
		}
	}
	return true, nil
}

// commonID reserves an ID that no other request has in either session.
func commonID(clients [2]*mcp.Session) int64 {
	a, b := clients[0].ReserveID(), clients[1].ReserveID()
	for a != b {
		if a < b {
			a = clients[0].ReserveID()
		} else {
			b = clients[1].ReserveID()
		}
	}
	return a
}
