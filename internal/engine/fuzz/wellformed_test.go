package fuzz

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// TestWellFormed judges results by the tables of each revision, and wants those that are not asked about to be fine by
// them.
func TestWellFormed(t *testing.T) {
	for _, c := range []struct{ result, wrong string }{
		{`{"resultType":"complete","content":[]}`, ""},
		{`{"resultType":"complete","content":[{"type":"text","text":"x"}],"isError":true,"structuredContent":{"a":1}}`,
			""},
		{`{"resultType":"complete","content":[{"text":"x","type":"text"},{"type":"image","data":"eA==",` +
			`"mimeType":"image/png"}],"_meta":{"a":1}}`, ""},
		{`{"resultType":"complete","content":[{"type":"text","text":1}]}`, "/content/0/text"},
		{`{"resultType":"complete","content":[{"type":"text","text":"x"},{"type":"image","data":"eA=="}]}`,
			"/content/1/mimeType"},
		{`{"resultType":"complete","content":[{"type":"text","text":"x"}],"isError":"no"}`, "/isError"},
		{`{"resultType":"complete","content":"x"}`, "/content"},
		{`{"resultType":"complete"}`, "/content"},
		{`{"resultType":"complete","content":[{"text":"x"}]}`, "/content/0"},
		{`{"resultType":"complete","content":[{"type":"text","text":"x","annotations":{"priority":"high"}}]}`,
			"/content/0/annotations/priority"},
	} {
		for _, revision := range spec.Revisions() {
			s := &observation{revision: &revision,
				Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(c.result)}}}
			b := wellFormed(s)
			switch {
			case c.wrong == "" && b != nil:
				t.Errorf("%s, %s: %s, want nothing", revision.ID, c.result, b.message)
			case c.wrong != "" && (b == nil || !strings.HasPrefix(b.message, c.wrong+" ") &&
				!strings.HasPrefix(b.message, c.wrong+"/")):
				t.Errorf("%s, %s: %v, want that %s is wrong", revision.ID, c.result, b, c.wrong)
			}
			if wrong := revision.ValidateResult(spec.Client, "tools/call", s.Exchange.Reply.Result); s.surelyFine() &&
				len(wrong) > 0 {
				t.Errorf("%s, %s: not asked about, although %v", revision.ID, c.result, wrong)
			}
		}
	}
	newest := spec.Newest()
	modern := &observation{revision: &newest,
		Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(`{"content":[]}`)}}}
	if b := wellFormed(modern); b == nil || !strings.HasPrefix(b.message, "/resultType") {
		t.Errorf("a result that does not say whether it is complete: %v, want that resultType is missing", b)
	}
}

// TestLinesThatEndWithCRLF wants no violation of what every client reads, and one of what some do not.
func TestLinesThatEndWithCRLF(t *testing.T) {
	newest := spec.Newest()
	const line = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}` + "\r"
	for line, wrong := range map[string]string{
		line:            "",
		"\uFEFF" + line: "a byte order mark at byte 0",
	} {
		reply, got := mcp.Read(wire.Frame{Body: []byte(line)}), ""
		if b := wellFormed(&observation{revision: &newest, Exchange: &mcp.Exchange{Reply: &reply}}); b != nil {
			got = b.message
		}
		if got != wrong {
			t.Errorf("%q: %q, want %q", line, got, wrong)
		}
	}
}

// TestStatusInsteadOfResponse wants a message for each call: 202 is for notifications, and 5xx for nobody.
func TestStatusInsteadOfResponse(t *testing.T) {
	for status, wrong := range map[int]bool{200: true, 202: true, 400: false, 404: false, 500: true, 0: false} {
		if got := wellFormed(&observation{Status: status}) != nil; got != wrong {
			t.Errorf("status %d without a message: a violation is %v, want %v", status, got, wrong)
		}
	}
}
