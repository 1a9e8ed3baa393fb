package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// next is the next notification of a subscription.
func next(t testing.TB, sub *Subscription) Message {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	m, ok, err := sub.Next(ctx)
	if err != nil || !ok {
		t.Fatalf("no notification: %v, %v", ok, err)
	}
	return m
}

const (
	acknowledge = `send {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",` +
		`"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id},"notifications":{"toolsListChanged":true}}}`
	toolsNews = `send {"jsonrpc":"2.0","method":"notifications/tools/list_changed",` +
		`"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$id}}}`
)

func TestModernSubscription(t *testing.T) {
	for name, open := range map[string]func(testing.TB, string, string, Options) (*Session,
		*wiretest.Server){"in process": play, "http": playHTTP} {
		t.Run(name, func(t *testing.T) {
			sse := ""
			if name == "http" {
				sse = "sse\n\t"
			}
			s, server := open(t, spec.NewestModern,
				"on subscriptions/listen\n\t"+sse+acknowledge+"\n\t"+toolsNews+"\n\thang\n", Options{})
			sub, err := s.Listen(context.Background(), Filter{Tools: true, URIs: []string{"a:b"}})
			if err != nil {
				t.Fatal(err)
			}
			if got := await(t, server, "subscriptions/listen", 1); !strings.Contains(got,
				`"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:b"]}`) {
				t.Errorf("asked by %s", got)
			}
			if string(sub.Honoured) != `{"toolsListChanged":true}` {
				t.Errorf("honoured %s", sub.Honoured)
			}
			if m := next(t, sub); m.Method != "notifications/tools/list_changed" {
				t.Errorf("heard %s", m.Method)
			}
			sub.Close()
			sub.Close()
			if _, ok, err := sub.Next(context.Background()); ok || err != nil {
				t.Errorf("after Close: %v, %v", ok, err)
			}
			if name == "in process" {
				await(t, server, "notifications/cancelled", 1)
			}
		})
	}
}

func TestModernSubscriptionEndings(t *testing.T) {
	for name, tt := range map[string]struct{ steps, listen, ends string }{
		"refused":          {"error -32601 no", "error -32601: no", ""},
		"ends at once":     {"result {}", "ended immediately", ""},
		"begins with news": {toolsNews, "started with notifications/tools/list_changed", ""},
		"silent":           {"sleep 1h", "no response within", ""},
		"ended by server":  {acknowledge + "\n\tsleep 10ms\n\tresult {}", "", "<nil>"},
		"server goes":      {acknowledge + "\n\tsleep 10ms\n\texit 2", "", "exit status 2"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := play(t, spec.NewestModern, "on subscriptions/listen\n\t"+tt.steps+"\n", Options{})
				defer s.Close()
				sub, err := s.Listen(context.Background(), Filter{Tools: true})
				if (err == nil) != (tt.listen == "") || err != nil && !strings.Contains(err.Error(), tt.listen) {
					t.Fatalf("Listen: %v, want %q", err, tt.listen)
				}
				if err != nil {
					return
				}
				_, ok, err := sub.Next(context.Background())
				if got := "<nil>"; ok || err == nil && tt.ends != got ||
					err != nil && !strings.Contains(err.Error(), tt.ends) {
					t.Errorf("ended with %v, want %s", err, tt.ends)
				}
			})
		})
	}
}

// A notification without its tag is taken for that of the stream that it came on.
func TestModernSubscriptionWithoutTag(t *testing.T) {
	rules := "on subscriptions/listen\n\tsse\n\tnotify notifications/subscriptions/acknowledged {}\n\tnotify " +
		"notifications/tools/list_changed {}\n\thang\n"
	s, _ := playHTTP(t, spec.NewestModern, rules, Options{})
	sub, err := s.Listen(context.Background(), Filter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	next(t, sub)
	noticed(t, s, "without its io.modelcontextprotocol/subscriptionId")
}

// In the older era every subscription hears what it asked for, and only that.
func TestLegacySubscriptions(t *testing.T) {
	rules := `on resources/subscribe
	result {}
on resources/unsubscribe
	result {}
on news
	notify notifications/tools/list_changed {}
	notify notifications/resources/updated {"uri":"a:1/part"}
	notify notifications/resources/updated {"uri":"b:1"}
	result {}
`
	s, server := play(t, spec.NewestLegacy, rules, Options{})
	var subs []*Subscription
	for _, f := range []Filter{{Tools: true, URIs: []string{"a:1"}}, {URIs: []string{"a:1", "b:1"}}, {Prompts: true}} {
		sub, err := s.Listen(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		subs = append(subs, sub)
	}
	result(t, s, "news", nil)
	for i, want := range []string{"tools/list_changed, a:1/part", "a:1/part, b:1"} {
		var heard []string
		for range 2 {
			m := next(t, subs[i])
			if uri := text(m.Params, "uri"); uri != "" {
				heard = append(heard, uri)
			} else {
				heard = append(heard, strings.TrimPrefix(m.Method, "notifications/"))
			}
		}
		if got := strings.Join(heard, ", "); got != want {
			t.Errorf("subscription %d heard %s, want %s", i, got, want)
		}
	}
	for _, sub := range subs {
		sub.Close()
		if _, ok, err := sub.Next(context.Background()); ok || err != nil {
			t.Errorf("after Close: %v, %v", ok, err)
		}
	}
	if got := len(server.Got("resources/unsubscribe")); got != 3 {
		t.Errorf("unsubscribed %d times, want 3", got)
	}
}

func TestLegacySubscriptionRefused(t *testing.T) {
	s, _ := play(t, spec.NewestLegacy, "on resources/subscribe\n\terror -32002 no such\non "+
		"resources/unsubscribe\n\tresult {}\n", Options{})
	if _, err := s.Listen(context.Background(), Filter{URIs: []string{"x:y"}}); err == nil ||
		!strings.Contains(err.Error(), "subscribe to x:y: error -32002") {
		t.Errorf("Listen: %v", err)
	}
}

// A subscriber that does not listen holds nobody up.
func TestSlowSubscriber(t *testing.T) {
	s, _ := play(t, spec.NewestLegacy, "on x\n\trepeat 5000 notify notifications/tools/list_changed {}\n\tresult 1\n",
		Options{})
	sub, err := s.Listen(context.Background(), Filter{Tools: true})
	if err != nil {
		t.Fatal(err)
	}
	result(t, s, "x", nil)
	_ = s.Close()
	n := 0
	for {
		_, ok, err := sub.Next(context.Background())
		if !ok {
			if err == nil || errors.Is(err, context.Canceled) {
				t.Errorf("ended with %v, want that the session is closed", err)
			}
			break
		}
		n++
	}
	if n == 0 || n > 256 {
		t.Errorf("%d notifications were kept", n)
	}
}
