package fault

import (
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An Injection is a fault that was injected.
type Injection struct {
	Seq    int       `json:"seq"` // of the frame, in the recording
	Time   time.Time `json:"time"`
	Rule   string    `json:"rule"`
	Effect string    `json:"effect"`
	From   wire.Side `json:"from"`
	Method string    `json:"method,omitempty"`
	Tool   string    `json:"tool,omitempty"`
}

// Kind returns the kind of the injected fault.
func (i *Injection) Kind() Kind {
	r, err := Parse("*:" + i.Effect)
	if err != nil {
		return ""
	}
	return r.Kind
}

// A Selector decides which messages get a fault. With the same seed and the same messages it decides the same: the
// decision about the n-th message that a rule matches depends on the seed, the rule and n alone.
type Selector struct {
	plan    *Plan
	unknown bool // a rule is about responses whose request is not known

	mu     sync.Mutex
	counts []int // of the messages that each rule matched
	open   map[openKey]call
}

// An openKey identifies a request that has no response yet.
type openKey struct {
	from wire.Side
	conn string
	id   string
}

// A call is the method of a request, and the tool of a tools/call.
type call struct{ method, tool string }

// maxOpen is how many requests without a response are remembered.
const maxOpen = 100_000

// NewSelector returns the selector of a session.
func NewSelector(plan *Plan) *Selector {
	s := &Selector{plan: plan, counts: make([]int, len(plan.Rules)), open: map[openKey]call{}}
	s.unknown = s.concerns("")
	return s
}

// Early decides about a message of a pipe whose beginning has arrived. Known is false if the decision takes the whole
// message; then Select decides.
func (s *Selector) Early(start []byte, from wire.Side) (rule *Rule, injected *Injection, known bool) {
	h, known := readHead(start)
	if s.ignores(&h, from) {
		return nil, nil, true
	}
	if !known {
		return nil, nil, false
	}
	rule, injected = s.Select(h, from, "", false)
	return rule, injected, true
}

// ignores reports whether no rule can be about a message, as far as its head is known, nor about its response.
func (s *Selector) ignores(h *Head, from wire.Side) bool {
	switch {
	case h.Method != "":
		return !s.concerns(h.Method)
	case h.Response:
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.open) == 0 && !s.unknown
	}
	return false
}

// concerns reports whether a rule is about a method.
func (s *Selector) concerns(method string) bool {
	return slices.ContainsFunc(s.plan.Rules, func(r *Rule) bool { return glob(r.Method, method) })
}

// Select returns the fault of a message; nil if it has none. Conn names the HTTP exchange and is empty for pipes: a
// response belongs to the request of the same exchange, otherwise to the last one with its ID. The first rule that
// selects the message decides.
func (s *Selector) Select(h Head, from wire.Side, conn string, events bool) (*Rule, *Injection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.call(&h, from, conn)
	var chosen *Rule
	for i, r := range s.plan.Rules {
		if !r.matches(&h, c, from, events) {
			continue
		}
		s.counts[i]++
		if chosen == nil && r.selects(s.plan.Seed, i, s.counts[i]) {
			chosen = r
		}
	}
	if chosen == nil {
		return nil, nil
	}
	return chosen, &Injection{Time: time.Now(), Rule: chosen.Text, Effect: chosen.Effect(), From: from, Method: c.method,
		Tool: c.tool}
}

// call returns the method and the tool of a message. Requests that a rule is about are remembered for their response.
func (s *Selector) call(h *Head, from wire.Side, conn string) call {
	c := call{h.Method, h.Tool}
	switch {
	case h.isRequest():
		if !s.concerns(h.Method) {
			delete(s.open, openKey{from, "", mcp.IDKey(h.ID)}) // of an earlier request with its ID
			return c
		}
		if len(s.open) >= maxOpen {
			clear(s.open)
		}
		for _, at := range []string{conn, ""} {
			s.open[openKey{from, at, mcp.IDKey(h.ID)}] = c
		}
	case h.Response:
		for _, at := range []string{conn, ""} {
			key := openKey{otherSide(from), at, mcp.IDKey(h.ID)}
			if request, known := s.open[key]; known && c.method == "" {
				c = request
			}
			delete(s.open, key)
		}
	}
	return c
}

func otherSide(from wire.Side) wire.Side {
	if from == wire.Client {
		return wire.Server
	}
	return wire.Client
}

// matches reports whether the rule is about a message.
func (r *Rule) matches(h *Head, c call, from wire.Side, events bool) bool {
	switch {
	case from != r.From || h.Method == "" && !h.Response: // it is not a message
		return false
	case r.Tool != "" && r.Tool != c.tool:
		return false
	case info(r.Kind).HasID && h.ID == nil:
		return false
	case r.Kind == CutSSE && !events:
		return false
	}
	return glob(r.Method, c.method)
}

// glob reports whether a name matches a pattern in which * stands for any text.
func glob(pattern, name string) bool {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' {
			for at := 0; at <= len(name); at++ {
				if glob(pattern[i+1:], name[at:]) {
					return true
				}
			}
			return false
		}
		if name == "" || pattern[i] != name[0] {
			return false
		}
		name = name[1:]
	}
	return name == ""
}

// selects reports whether the n-th message that the rule matches gets the fault.
func (r *Rule) selects(seed uint64, rule, n int) bool {
	switch {
	case r.Nth > 0:
		return n == r.Nth
	case r.Percent > 0:
		return random(seed, rule, n)*100 < r.Percent
	}
	return true
}

// random returns a number from 0 to 1 that depends on its arguments alone (SplitMix64).
func random(seed uint64, rule, n int) float64 {
	x := seed
	for _, more := range []uint64{uint64(rule), uint64(n)} {
		x += 0x9e3779b97f4a7c15 * (more + 1)
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return float64(x>>11) / (1 << 53)
}
