package frontend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A log message of the process of a session that belongs to no request reaches that session only, and the process gets
// the level that its session sets.
func TestLogsOfProcesses(t *testing.T) {
	r := isolated(t, keeper(), upstream.PerSession, 0, 0)
	heard := make(chan string, 20)
	client := func(name, level string) *mcp.Session {
		s := r.dial(t, "2025-11-25", name, mcp.Options{OnNotification: func(m mcp.Message) {
			if m.Method == "notifications/message" {
				heard <- name + " " + serve.Text(serve.Members(m.Params)["data"])
			}
		}})
		call(t, s, "a__tell", `{}`) // its process exists
		rawCall(t, s, "logging/setLevel", `{"level":"`+level+`"}`)
		return s
	}
	ada, bob := client("ada", "debug"), client("bob", "debug")
	files := t.TempDir()
	// logs makes a process write a log message once its response has arrived
	logs := func(s *mcp.Session, value string) {
		t.Helper()
		until := filepath.Join(files, value)
		call(t, s, "a__log", `{"value":"`+value+`","until":"`+until+`"}`)
		if err := os.WriteFile(until, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, s := range map[string]*mcp.Session{"ada": ada, "bob": bob} {
		eventually(t, "the message of "+name, func() bool {
			logs(s, "of "+name) // again, since the level may not have arrived yet
			select {
			case text := <-heard:
				if receiver, sender, _ := strings.Cut(text, " of "); receiver != sender {
					t.Errorf("%s heard the message of %s", receiver, sender)
				}
				return strings.HasPrefix(text, name)
			case <-time.After(50 * time.Millisecond):
				_ = os.Remove(filepath.Join(files, "of "+name))
				return false
			}
		})
	}
	rawCall(t, ada, "logging/setLevel", `{"level":"error"}`)
	logs(ada, "too late")
	for over := time.After(100 * time.Millisecond); ; {
		select {
		case text := <-heard: // messages of the calls before may still arrive
			if strings.Contains(text, "too late") {
				t.Errorf("heard %q, expected nothing below the level of the session", text)
			}
		case <-over:
			return
		}
	}
}

// The result of a task names it, beside what the server has in _meta.
func TestRelatedTask(t *testing.T) {
	const related = `"io.modelcontextprotocol/related-task":{"taskId":"7"}`
	for result, want := range map[string]string{
		`{"content":[]}`:                    `{"content":[],"_meta":{` + related + `}}`,
		`{"_meta":{"a":1},"content":[]}`:    `{"_meta":{"a":1,` + related + `},"content":[]}`,
		`{"_meta":{` + related + `},"a":1}`: `{"_meta":{` + related + `},"a":1}`,
		`7`:                                 `7`,
	} {
		if got := string(withRelated(json.RawMessage(result), "7")); got != want {
			t.Errorf("got %s, expected %s", got, want)
		}
	}
}
