package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLargeAnswers gets a result that is too large for one message: the answer says what it cut and how to get it.
func TestLargeAnswers(t *testing.T) {
	t.Parallel()
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			c := newUser(t).stdio(revision)
			c.call("connect_to_server", `{"url":"demo-guide"}`).ok()
			tool := c.call("list_tools", `{}`).ok().at("/tools/0/name")
			large := fmt.Sprintf(`{"name":%q,"skip_validation":true,"arguments":{"long":"%s"}`, tool,
				strings.Repeat("ab ", 2<<20))
			cut := c.call("call_tool", large+`}`)
			if len(cut.raw) > 1<<20 {
				t.Errorf("the answer has %d bytes", len(cut.raw))
			}
			cut.contains("/tool_call/cut", "get_frame with number").contains("/tool_call/arguments", "cut_bytes")
			number := strings.Fields(cut.at("/tool_call/cut")[strings.Index(cut.at("/tool_call/cut"), "number"):])[1]
			piece := c.call("get_frame", fmt.Sprintf(`{"number":%s,"byte_offset":1000000,"byte_limit":9}`,
				number)).ok()
			if body := piece.at("/frame/body"); len(body) != 9 || strings.Trim(body, "ab ") != "" {
				t.Errorf("the piece is %q", body)
			}
			brief := c.call("call_tool", fmt.Sprintf(`{"name":%q,"skip_validation":true,"verbosity":"brief",`+
				`"arguments":{"long":"%s"}}`, tool, strings.Repeat("ab ", 1000))).ok()
			brief.contains("/tool_call/cut", "verbosity full")
		})
	}
}

// TestWaitingForAnAnswer lets more time pass than the server may stay silent: it is the assistant who is silent.
func TestWaitingForAnAnswer(t *testing.T) {
	c := newUser(t).stdio(eras["legacy"])
	for _, revision := range eras {
		c.call("connect_to_server", fmt.Sprintf(`{"url":"demo","protocol":%q}`, revision)).ok()
		asked := c.call("call_tool",
			`{"name":"ask_user","arguments":{"question":"?"},"timeout_ms":500}`).fits("call_tool (pending)")
		c.call("call_tool", `{"name":"echo","arguments":{"message":"meanwhile"}}`).ok()
		second := c.call("call_tool",
			`{"name":"ask_user","arguments":{"question":"and?"},"timeout_ms":5000}`).fits("call_tool (pending)")
		if second.at("/tool_call/pending/id") == asked.at("/tool_call/pending/id") {
			t.Error("two calls wait under one id")
		}
		time.Sleep(600 * time.Millisecond)
		c.call("answer", fmt.Sprintf(`{"id":%q,"answers":[{"request":%q,"action":"accept",`+
			`"content_json":"{\"name\":\"Ada\"}"}]}`,
			asked.at("/tool_call/pending/id"),
			asked.at("/tool_call/pending/requests/0/id"))).ok().contains("/tool_call/result", "Ada")
		c.call("disconnect", `{}`).ok()
	}
}
