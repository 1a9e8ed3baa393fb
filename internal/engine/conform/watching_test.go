package conform

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// changeInterval is how often the resource of a moving server changes.
const changeInterval = 700 * time.Millisecond

// moving makes the text of a resource depend on the time since its first use.
func moving(text func(since time.Duration) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var once sync.Once
		var began time.Time
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				once.Do(func() { began = time.Now() })
				r := next(c)
				if c.Method != "resources/read" || schema.TextAt(c.Params, "/uri") != "note://one" {
					return r
				}
				return edited(r, set("/result/contents/0/text", fmt.Sprintf("%q", text(time.Since(began)))))
			}
		}
	}
}

// stock is a text that changes at intervals, by more than a clock does.
func stock(since time.Duration) string { return fmt.Sprintf("%d bottles", 7*(since/changeInterval)) }

// notifying makes a server notify subscribers at each change, for as long as a check takes.
func notifying(s *exemplar.Server) {
	moving(stock)(s)
	inner := s.Wrap
	s.Wrap = func(next exemplar.Handler) exemplar.Handler {
		next = inner(next)
		return func(c *exemplar.Call) []byte {
			if c.Method == "resources/subscribe" || c.Method == "subscriptions/listen" {
				for i := range time.Duration(10) {
					time.AfterFunc((i+1)*changeInterval, func() {
						c.Broadcast("notifications/resources/updated", `{"uri":"note://one"}`)
					})
				}
			}
			return next(c)
		}
	}
}

// recording makes the text of a resource depend on the tools that were called, and notifies subscribers or does not. The
// server notifies them of another resource, note://one.
func recording(notifies bool, text func(tools []string) string) func(*exemplar.Server) {
	return func(s *exemplar.Server) {
		var mu sync.Mutex
		var tools []string
		s.Wrap = func(next exemplar.Handler) exemplar.Handler {
			return func(c *exemplar.Call) []byte {
				r := next(c)
				mu.Lock()
				defer mu.Unlock()
				if c.Method == "tools/call" {
					tools = append(tools, schema.TextAt(c.Params, "/name"))
					if notifies {
						c.Broadcast("notifications/resources/updated", `{"uri":"note://three"}`)
					}
				}
				if c.Method != "resources/read" || schema.TextAt(c.Params, "/uri") != "note://three" {
					return r
				}
				return edited(r, set("/result/contents/0/text", fmt.Sprintf("%q", text(tools))))
			}
		}
	}
}

// TestNoSilentChange checks that SUB-008 finds nothing in servers that notify subscribers, and in resources whose changes no
// event announces.
func TestNoSilentChange(t *testing.T) {
	t.Parallel()
	var reads, lines atomic.Int64
	for name, defect := range map[string]func(*exemplar.Server){
		"notifies": notifying,
		"clock":    moving(func(time.Duration) string { return time.Now().Format(time.RFC1123) }),
		"uptime":   moving(func(since time.Duration) string { return fmt.Sprintf(`{"up":%.1f}`, since.Seconds()) }),
		"counts":   moving(func(time.Duration) string { return fmt.Sprintf("read %d times", reads.Add(1)) }),
		"logs its requests late": moving(func(time.Duration) string {
			time.AfterFunc(time.Second, func() { lines.Add(1) })
			text := "log:"
			for range lines.Load() {
				text += "\nresources/read"
			}
			return text
		}),
		"notifies of calls": recording(true, func(tools []string) string { return strings.Join(tools, ", ") }),
		"counts calls":      recording(false, func(tools []string) string { return fmt.Sprintf("%d calls", len(tools)) }),
		"logs calls": recording(false, func(tools []string) string {
			return strings.Repeat("request tools/call\n", len(tools))
		}),
		"changes with the first call": recording(false, func(tools []string) string { return fmt.Sprint(len(tools) > 0) }),
		"changed once":                moving(func(since time.Duration) string { return fmt.Sprintf("%t", since > 3*time.Second) }),
		"measures": func(s *exemplar.Server) {
			moving(stock)(s)
			inner := s.Wrap
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				next = inner(next)
				return func(c *exemplar.Call) []byte {
					r := next(c)
					if c.Method == "resources/list" {
						return edited(r, set("/result/resources/0/description", `"Free memory of the host"`))
					}
					return r
				}
			}
		},
	} {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			for _, place := range []Transports{OnPipe, OnHTTP} {
				if place == OnHTTP && name != "notifies" {
					continue // it waits, and the transport makes no difference
				}
				t.Run(name+" "+revision+" "+place.String(), func(t *testing.T) {
					t.Parallel()
					out, err := judged(t, mutant{defect: defect}.target(t, "SUB-008", place), calm(revision, "SUB-008"))
					if err != nil {
						t.Fatal(err)
					}
					r := out.Report.Results[0]
					if got := shown(r.Findings); got != "" || r.Skipped+r.Broken != "" {
						t.Errorf("expected nothing found, got %s%s%s", got, r.Skipped, r.Broken)
					}
				})
			}
		}
	}
}

// TestUpdatesNearby accepts an update of a part of a resource, or of what the resource is a part of.
func TestUpdatesNearby(t *testing.T) {
	for uri, want := range map[string]bool{"note://shop/stock": true, "note://shop/stock/wine": true, "note://shop": true,
		"note://shop/prices": false} {
		w := &watchedResources{h: &recordingSession{notified: []mcp.Message{
			{Method: "notifications/resources/updated", Params: mcp.Object("uri", uri)}}}}
		if got := w.notified("note://shop/stock"); got != want {
			t.Errorf("%s: got %v, expected %v", uri, got, want)
		}
	}
}

// TestMeasured distinguishes resources that are computed when they are read from data that changes.
func TestMeasured(t *testing.T) {
	for item, want := range map[string]bool{
		`{"uri":"time://now","name":"now"}`:                                                   true,
		`{"uri":"stats://server","name":"x"}`:                                                 true,
		`{"uri":"info://1","name":"a","description":"CPU of the host"}`:                       true,
		`{"uri":"info://1","name":"a","description":"The current time in UTC"}`:               true,
		`{"uri":"quote://acme","description":"Live price, changes several times a second"}`:   false,
		`{"uri":"jobs://open","name":"jobs","description":"Open jobs, updated all the time"}`: false,
	} {
		one := mcp.Item{Name: schema.TextAt([]byte(item), "/uri"), Raw: []byte(item)}
		if got := isMeasured(one); got != want {
			t.Errorf("%s: got %v, expected %v", item, got, want)
		}
	}
}
