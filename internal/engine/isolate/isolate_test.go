package isolate_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/isolate"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/tenants"
)

// identity returns a user of the server at a URL.
func identity(name, url, token string, private ...string) isolate.Identity {
	return identityIn("2025-11-25", name, url, token, private...)
}

// identityIn is identity in a revision.
func identityIn(revision, name, url, token string, private ...string) isolate.Identity {
	target := wire.Target{URL: url, Header: http.Header{"Authorization": {"Bearer " + token}}}
	return isolate.Identity{Name: name, Target: target, Key: token, Secrets: []string{token}, Private: private,
		Open: func(ctx context.Context, log *wire.Transcript) (*mcp.Session, error) {
			return mcp.Connect(ctx, target, log, &mcp.Options{LogLevel: "debug", Tasks: true, Protocol: revision})
		}}
}

// outcome tests the server with a leak.
func outcome(t *testing.T, leak string, private bool) *isolate.Outcome {
	t.Helper()
	return outcomeIn(t, "2025-11-25", leak, private)
}

// outcomeIn is outcome in a revision.
func outcomeIn(t *testing.T, revision, leak string, private bool) *isolate.Outcome {
	t.Helper()
	server := httptest.NewServer(tenants.New(leak))
	defer server.Close()
	a := identityIn(revision, "A", server.URL, tenants.AliceToken)
	b := identityIn(revision, "B", server.URL, tenants.BobToken)
	if private {
		a.Private, b.Private = []string{"alice@example.com"}, []string{"bob@example.com"}
	}
	out, err := isolate.Run(t.Context(), isolate.Options{Identities: []isolate.Identity{a, b},
		May: func(tool json.RawMessage) safety.Verdict { return safety.Of(tool) }})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLeaksWithoutSessions repeats the leaks that 2026-07-28 can have: it has no sessions, and tasks are an extension.
func TestLeaksWithoutSessions(t *testing.T) {
	found := 0
	for _, leak := range append(tenants.Leaks(), tenants.Leak{}) {
		if leak.OfSessions {
			continue
		}
		found++
		t.Run(cmp.Or(leak.Name, "none"), func(t *testing.T) {
			t.Parallel()
			out := outcomeIn(t, "2026-07-28", leak.Name, leak.Private)
			if got := rulesOf(out.Report); !slices.Equal(got, leak.Rules) {
				t.Errorf("found %v, expected %v", got, leak.Rules)
			}
			for _, f := range out.Report.Findings() {
				t.Logf("%s %s", f.Rule, f.Line())
			}
		})
	}
	if found < 13 {
		t.Errorf("%d servers, expected 12 with a leak and one without", found)
	}
}

// rulesOf lists the rules with findings, sorted.
func rulesOf(r *finding.Report) []string {
	var all []string
	for _, f := range r.Findings() {
		if !slices.Contains(all, f.Rule) {
			all = append(all, f.Rule)
		}
	}
	slices.Sort(all)
	return all
}

func TestLeaksAreFound(t *testing.T) {
	for _, leak := range tenants.Leaks() {
		t.Run(leak.Name, func(t *testing.T) {
			t.Parallel()
			out := outcome(t, leak.Name, leak.Private)
			if got := rulesOf(out.Report); !slices.Equal(got, leak.Rules) {
				t.Errorf("found %v, expected %v", got, leak.Rules)
			}
			for _, f := range out.Report.Findings() {
				t.Logf("%s %s", f.Rule, f.Line())
				if strings.Contains(f.Message, tenants.AliceToken) {
					t.Errorf("the message has a token: %s", f.Message)
				}
			}
		})
	}
}

func TestCorrectServerHasNoFindings(t *testing.T) {
	for _, private := range []bool{false, true} {
		t.Run(fmt.Sprint("private ", private), func(t *testing.T) {
			t.Parallel()
			out := outcome(t, "", private)
			for _, f := range out.Report.Findings() {
				t.Errorf("%s %s", f.Rule, f.Line())
			}
			for _, r := range out.Report.Results {
				if r.Skipped != "" {
					t.Errorf("%s was not tested: %s", r.Rule, r.Skipped)
				}
			}
		})
	}
}

// TestEndlessAnswers expects the run to end although no stream and no response to DELETE does.
func TestEndlessAnswers(t *testing.T) {
	t.Parallel()
	correct := tenants.New("")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			correct.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 0; r.Context().Err() == nil; i++ {
			fmt.Fprintf(w, "id: %d\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n", i)
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := isolate.Run(ctx, isolate.Options{Timeout: 300 * time.Millisecond,
		May: func(tool json.RawMessage) safety.Verdict { return safety.Of(tool) },
		Identities: []isolate.Identity{identity("A", server.URL, tenants.AliceToken),
			identity("B", server.URL, tenants.BobToken)}}); err != nil {
		t.Errorf("%v, expected the run to end", err)
	}
}
