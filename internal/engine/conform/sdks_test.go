package conform

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// TestAsSDKsDo runs checks on servers that do what servers made with widespread SDKs were seen to do, and wants each
// judged as severely as the specification speaks, with a command that shows it again.
func TestAsSDKsDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, rule, revision string
		defect               func(*exemplar.Server)
		severity             finding.Severity
		reproduce            string // how the command begins
	}{
		{"an empty version", "LIFE-006", "2025-11-25", reply("initialize", set("/result/serverInfo/version", `""`)),
			finding.Warning, "mcptest conform --rules LIFE-006"},
		{"no version", "LIFE-006", "2025-11-25", reply("initialize", remove("/result/serverInfo/version")),
			finding.Error, "mcptest conform --rules LIFE-006"},
		{"the first request alone is judged", "LIFE-022", "2026-07-28", oneLook, finding.Error,
			"mcptest conform --rules LIFE-022"},
		{"two eras, one of them listed", "LIFE-023", "2026-07-28", sociable(true), finding.Warning,
			"mcptest raw --body"},
		{"one era", "LIFE-023", "2026-07-28", sociable(false), finding.Error, "mcptest raw --body"},
		{"two eras, anybody is served", "LIFE-028", "2026-07-28", sociable(true), finding.Warning,
			"mcptest raw --body"},
		{"cancellation is the older era", "CANCEL-002", "2026-07-28", turning, finding.Error,
			"mcptest conform --rules CANCEL-002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := judged(t, mutant{defect: c.defect}.target(t, c.rule, OnPipe), calm(c.revision, c.rule))
			if err != nil {
				t.Fatal(err)
			}
			found := out.Report.Findings()
			if len(found) != 1 || found[0].Rule != c.rule || found[0].Severity != c.severity ||
				!strings.HasPrefix(found[0].Reproduce, c.reproduce) {
				t.Errorf("found\n%s%+v\nwant one %s of %s that %s… shows again", shown(found), found, c.severity,
					c.rule, c.reproduce)
			}
		})
	}
}

// TestNumberForARevision refuses a number where a revision should stand because the header says something else, which
// is true.
func TestNumberForARevision(t *testing.T) {
	t.Parallel()
	mismatch := faultily(func(c *exemplar.Call) []byte {
		if !strings.Contains(string(c.Params), ":20260728") {
			return nil
		}
		return c.Refuse(-32020, "the header does not match the body")
	})
	for place, want := range map[Transports]int{OnHTTP: 0, OnPipe: 1} {
		out, err := judged(t, mutant{defect: mismatch}.target(t, "LIFE-029", place), calm("2026-07-28", "LIFE-029"))
		if err != nil {
			t.Fatal(err)
		}
		if found := out.Report.Findings(); len(found) != want {
			t.Errorf("over %s %d findings, want %d:\n%s", place, len(found), want, shown(found))
		}
	}
}

// TestRefusalInManyLines has a server refuse with a message of many lines, as validators write them: a finding has one.
func TestRefusalInManyLines(t *testing.T) {
	t.Parallel()
	talks := reply("mcptest/no-such-method", set("/error",
		`{"code":-32602,"message":"4 errors\nmethod\n  Input should be valid\n`+strings.Repeat("more ", 200)+`"}`))
	out, err := judged(t, mutant{defect: talks}.target(t, "RPC-003", OnPipe), calm("2025-11-25", "RPC-003"))
	if err != nil {
		t.Fatal(err)
	}
	found := out.Report.Findings()
	if len(found) != 1 || strings.Contains(found[0].Message, "\n") || len(found[0].Message) > 500 {
		t.Errorf("found %q, want one finding of one line", shown(found))
	}
}

// TestChangedSessionIsNotPassedOn has a server follow the older era in a connection after a cancellation. The results of
// that era are not held against it in a later check, which gets a connection of its own.
func TestChangedSessionIsNotPassedOn(t *testing.T) {
	t.Parallel()
	options := calm("2026-07-28", "RPC-004", "RPC-024", "WIRE-001")
	out, err := judged(t, mutant{defect: older}.target(t, "WIRE-001", OnPipe), options)
	if err != nil {
		t.Fatal(err)
	}
	if found := out.Report.Findings(); len(found) > 0 {
		t.Errorf("found\n%s, want nothing", shown(found))
	}
}

// older follows the older era in a connection after a cancellation.
func older(s *exemplar.Server) {
	var turned sync.Map
	s.Input = func(line *exemplar.Line, message []byte) bool {
		if strings.Contains(string(message), "notifications/cancelled") {
			turned.Store(line.Peer, true)
		}
		return false
	}
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if _, ok := turned.Load(c.Peer); !ok {
				return next(c)
			}
			if c.Method == "server/discover" {
				return c.Refuse(-32601, "Method not found")
			}
			return edited(next(c), remove("/result/resultType"))
		}
	}
}

// oneLook judges the revision of the first request of a connection, server/discover aside, and takes any after it.
func oneLook(s *exemplar.Server) {
	var pinned sync.Map
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			_, known := pinned.Load(c.Peer)
			if c.Fault == nil && c.Method != "server/discover" {
				pinned.Store(c.Peer, true)
			}
			if known && c.Fault != nil && c.Fault.Code == -32022 {
				return succeed(c, `{"tools":[],"ttlMs":1,"cacheScope":"public"}`)
			}
			return next(c)
		}
	}
}

// sociable serves requests without metadata, and lists the newest revision alone; whether it also answers the handshake
// of the others is the caller's choice.
func sociable(shakesHands bool) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		faultily(func(c *exemplar.Call) []byte {
			if At(c.Params, "/_meta") != nil || c.Method != "tools/list" {
				return nil
			}
			return succeed(c, `{"tools":[],"ttlMs":1,"cacheScope":"public"}`)
		})(s)
		wrapped := s.Wrap
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			next = wrapped(next)
			return func(c *exemplar.Call) []byte {
				if c.Method == "initialize" && !shakesHands {
					return c.Refuse(-32601, "no such method")
				}
				return edited(next(c), set("/result/supportedVersions", `["2026-07-28"]`))
			}
		}
	}
}

// turning takes a cancellation for the beginning of a conversation of the older era, until the next connection.
func turning(s *exemplar.Server) {
	var older atomic.Bool
	s.Start = func(*exemplar.Line) { older.Store(false) }
	s.Input = func(_ *exemplar.Line, line []byte) bool {
		if strings.Contains(string(line), "notifications/cancelled") {
			older.Store(true)
		}
		return false
	}
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		return func(c *exemplar.Call) []byte {
			if older.Load() {
				return c.Refuse(-32601, "Method not found")
			}
			return next(c)
		}
	}
}
