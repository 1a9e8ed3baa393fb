package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/surface/mcpserver"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// TestHostFailsToAsk expects a host that declares elicitation, and then fails the request, to get the answer of a host
// without it: the command that the user has to run.
func TestHostFailsToAsk(t *testing.T) {
	r := newRemote(t)
	u := newUser(t)
	file := u.configure(map[string]any{"shop": misbehaving("works"), "named": misbehaving("works")})
	args := []string{"--config", file, "--agent-may-spawn", "named"}
	connect := func(c *client) {
		c.call("connect_to_server", fmt.Sprintf(`{"url":%q,"connection":"remote"}`, r.url)).ok()
	}
	type attempt struct{ tool, arguments, command string }
	attempts := []attempt{
		{"connect_to_server", `{"url":"shop"}`, "--agent-may-spawn shop --approve"},
		{"connect_to_server", `{"url":"named"}`, "--agent-may-spawn named --approve"},
	}
	for _, d := range disturbances(r.url) {
		attempts = append(attempts, attempt{d.tool, d.arguments, d.command})
	}
	without := u.stdio(eras["legacy"], append(args, "--allow-private")...)
	connect(without)
	refusals := make([]string, len(attempts)) // of a host without elicitation
	for i, a := range attempts {
		refusals[i] = without.call(a.tool, a.arguments).at("/error")
	}
	for _, failure := range []string{"an error", "an unknown action", "no content", "a number", "maybe"} {
		t.Run(failure, func(t *testing.T) {
			t.Parallel()
			p := &person{answer: failure}
			c := u.in(t).asked(eras["legacy"], p.reply, append(args, "--allow-private")...)
			connect(c)
			for i, a := range attempts {
				got := c.call(a.tool, a.arguments)
				p.questions(t, 1)
				if got.at("/error") != refusals[i] {
					t.Errorf("%s %s: %s; expected the error of a host without elicitation: %s", a.tool, a.arguments,
						got.at("/error"), refusals[i])
				}
				got.contains("/error/suggestion", a.command)
			}
		})
	}
	t.Run("a private address", func(t *testing.T) {
		t.Parallel()
		p := &person{answer: "an error"}
		u.in(t).asked(eras["legacy"], p.reply).call("connect_to_server",
			`{"url":"http://127.0.0.1:1/"}`).fails("connection_failed").
			contains("/error/suggestion", "--allow-private")
		p.questions(t, 1)
	})
}

// TestHostDoesNotAnswer expects a host that never answers to get the same, after a while.
func TestHostDoesNotAnswer(t *testing.T) {
	u := newUser(t)
	system := target.System{}
	system.Home, system.Dir = u.home, u.home
	system.Lookup = func(string) (string, bool) { return "", false }
	server := mcpserver.New(&workbench.Workbench{System: system},
		connections.Policy{AskTimeout: 100 * time.Millisecond})
	toServer, fromHost := io.Pipe()
	toHost, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.Stream(t.Context(), toServer, fromServer) }()
	p := &person{answer: "nothing at all"}
	c := &client{t: t, progress: &progress{}, stderr: &strings.Builder{}, elicit: p.reply}
	c.connect(&sdk.IOTransport{Reader: toHost, Writer: fromHost}, eras["legacy"])
	c.call("connect_to_server",
		`{"url":"http://127.0.0.1:1/"}`).fails("connection_failed").contains("/error/suggestion", "--allow-private")
	p.questions(t, 1)
	_ = c.Close()
	_ = fromHost.Close()
	<-ended
}

// byHand is a host from 2026-07-28 on, whose questions the test sees in the results.
func (u *user) byHand(args ...string) *client {
	u.t.Helper()
	return u.start(&client{elicit: func(string) string { return "no" }, byHand: true},
		u.command(append([]string{"serve"}, args...)...), eras["modern"])
}

// ask calls a tool, and returns the ID of the question in the result; empty if there is none.
func (c *client) ask(tool, arguments string, answers sdk.InputResponseMap) (id string, result *sdk.CallToolResult) {
	c.t.Helper()
	result, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments),
		InputResponses: answers})
	if err != nil {
		c.t.Fatal(err)
	}
	for id = range result.InputRequests {
		return id, result
	}
	return "", result
}

// TestUnansweredQuestions expects a host that leaves questions unanswered to be asked again and again: the oldest ones
// lapse.
func TestUnansweredQuestions(t *testing.T) {
	u := newUser(t)
	c := u.byHand("--config", u.configure(map[string]any{"shop": misbehaving("works")}))
	const connect = `{"url":"shop"}`
	first, _ := c.ask("connect_to_server", connect, nil)
	last := ""
	for n := range 70 {
		if last, _ = c.ask("connect_to_server", connect, nil); last == "" {
			t.Fatalf("no question after %d unanswered ones", n+1)
		}
	}
	yes := &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": "always"}}
	if _, result := c.ask("connect_to_server", connect, sdk.InputResponseMap{first: yes}); !result.IsError {
		t.Error("the answer to a question that has lapsed was accepted")
	}
	if _, result := c.ask("connect_to_server", connect, sdk.InputResponseMap{last: yes}); result.IsError {
		t.Errorf("the answer to the last question was not accepted: %v", result.StructuredContent)
	}
}

// TestGarbledAnswer expects an answer in a result that is not one of the form to count as none.
func TestGarbledAnswer(t *testing.T) {
	u := newUser(t)
	c := u.byHand("--config", u.configure(map[string]any{"shop": misbehaving("works")}))
	//lint:ignore SA1019 a response to another request
	roots := &sdk.ListRootsResult{Roots: []*sdk.Root{{URI: "file:///"}}}
	for _, garbled := range []sdk.InputResponse{&sdk.ElicitResult{Action: "accept"}, &sdk.ElicitResult{Action: "yes"},
		&sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": true}}, roots} {
		id, _ := c.ask("connect_to_server", `{"url":"shop"}`, nil)
		_, result := c.ask("connect_to_server", `{"url":"shop"}`, sdk.InputResponseMap{id: garbled})
		raw, _ := json.Marshal(result.StructuredContent)
		answer{t, "connect_to_server", raw, result.IsError}.fails("connection_failed").has("/error/details/reason",
			"not_allowed").
			contains("/error/suggestion", "--agent-may-spawn shop --approve")
	}
}
