package npm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A result is what the tests look at in a server's answer.
type result struct {
	Content           []content
	StructuredContent json.RawMessage
	IsError           bool
	Contents          []struct{ URI, MimeType, Text, Blob string }
	Messages          []struct{ Content content }
	Completion        struct{ Values []string }
	Tasks             []struct{ TaskID, Status string }
	TaskID, Status    string
	Task              struct{ TaskID, Status string }
}

type content struct{ Type, Text, Data, MimeType, URI string }

func (r result) text() string {
	var all []string
	for _, c := range r.Content {
		all = append(all, c.Text)
	}
	return strings.Join(all, "\n")
}

// tool calls a tool and wants an answer that is no error.
func tool(t *testing.T, s *mcp.Session, name, arguments string) result {
	t.Helper()
	return ask(t, s, mcp.Request{Method: "tools/call",
		Params: mcp.Object("name", name, "arguments", json.RawMessage(arguments))})
}

// ask makes a call and wants an answer that is no error.
func ask(t *testing.T, s *mcp.Session, r mcp.Request) result {
	t.Helper()
	ex, err := s.Do(deadline(t), r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.Params, err)
	}
	if ex.Reply.Error != nil {
		t.Fatalf("%s %s: %v", r.Method, r.Params, ex.Reply.Error)
	}
	if len(ex.Reply.Odd) > 0 {
		t.Errorf("%s %s: odd answer: %q", r.Method, r.Params, ex.Reply.Odd)
	}
	var out result
	if err := json.Unmarshal(ex.Reply.Result, &out); err != nil {
		t.Fatalf("%s %s: %v in %s", r.Method, r.Params, err, ex.Reply.Result)
	}
	if out.IsError {
		t.Fatalf("%s %s: isError: %s", r.Method, r.Params, ex.Reply.Result)
	}
	return out
}

// names lists the names of a list that must have come in full.
func names(t *testing.T, s *mcp.Session, method string) []string {
	t.Helper()
	list, err := s.List(deadline(t), method)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	if list.Refused != nil || len(list.Problems) > 0 {
		t.Fatalf("%s: refused %v, problems %q", method, list.Refused, list.Problems)
	}
	var all []string
	for _, item := range list.Items {
		if item.Odd != "" {
			t.Errorf("%s: %s is odd: %s", method, item.Raw, item.Odd)
		}
		all = append(all, item.Name)
	}
	return all
}

func wantText(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("text is %q, want it to hold %q", got, want)
	}
}
