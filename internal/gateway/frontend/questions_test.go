package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A server's questions reach the client whose call they belong to, in the older era as they are.
func TestQuestionsReachTheClient(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"ask": func(c *toyCall) string { return text(strings.ReplaceAll(c.ask("elicitation/create"), `"`, "'")) }}})})
	asked := mcp.Options{Elicitation: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
	}}
	for _, protocol := range protocols {
		s := r.dial(t, protocol, "ada", asked)
		if got := call(t, s, "a__ask", `{}`); !strings.Contains(got, "{'name':'Ada'}") {
			t.Errorf("%s: %s, want the answer of the client", protocol, got)
		}
	}
	s := r.dial(t, "2025-11-25", "ada", mcp.Options{})
	if got := call(t, s, "a__ask", `{}`); strings.Contains(got, "Ada") {
		t.Errorf("a client without elicitation: %s", got)
	}
}

// A process does not say for whom it asks. Its clients take turns once it has asked, and each answers its own question;
// one that thinks about its answer keeps no other waiting.
func TestQuestionsOfSeveralClients(t *testing.T) {
	r := newRig(t, All, nil, map[string]wire.Target{"a": inProcess(&toy{tools: map[string]func(*toyCall) string{
		"ask":  func(c *toyCall) string { return text(strings.ReplaceAll(c.ask("elicitation/create"), `"`, "'")) },
		"echo": echoing}})})
	thinking, think := make(chan string, 1), make(chan struct{})
	client := func(protocol, caller string) *mcp.Session {
		return r.dial(t, protocol, caller, mcp.Options{Elicitation: func(context.Context,
			json.RawMessage) (json.RawMessage, error) {
			if caller == "thinker" {
				thinking <- caller
				<-think
			}
			return json.RawMessage(`{"action":"accept","content":{"name":"` + caller + `"}}`), nil
		}})
	}
	thinker := client("2025-11-25", "thinker")
	thought := make(chan string, 1)
	go func() { thought <- call(t, thinker, "a__ask", `{}`) }()
	soon(t, "the first question", thinking)
	var wg sync.WaitGroup
	for i := range 10 {
		caller := fmt.Sprint("caller", i)
		s := client(protocols[i%2], caller)
		wg.Go(func() {
			for range 3 {
				if got := call(t, s, "a__ask", `{}`); !strings.Contains(got, "{'name':'"+caller+"'}") {
					t.Errorf("%s: %s, want its own answer", caller, got)
				}
				if got := call(t, s, "a__echo", `{"n":1}`); !strings.Contains(got, `{"n":1}`) {
					t.Errorf("%s: %s", caller, got)
				}
			}
		})
	}
	wg.Wait()
	close(think)
	if got := <-thought; !strings.Contains(got, "{'name':'thinker'}") {
		t.Errorf("the thinker: %s", got)
	}
}
