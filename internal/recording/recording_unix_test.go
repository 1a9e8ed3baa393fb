//go:build unix

package recording

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// read reads a conversation: "conn stream side body" per line.
func read(t *testing.T, talk string) *Session {
	t.Helper()
	var file bytes.Buffer
	for i, line := range strings.Split(strings.TrimSpace(talk), "\n") {
		parts := strings.SplitN(line, " ", 4)
		f := wire.Frame{Seq: i + 1, From: wire.Side(parts[2]), Stream: parts[1], Body: []byte(parts[3])}
		_, _ = fmt.Sscan(parts[0], &f.Conn)
		text, err := wire.RecordLine(f)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(text)
	}
	s, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// describe returns a session as lines.
func describe(s *Session) string {
	var b strings.Builder
	for _, x := range s.Exchanges {
		fmt.Fprintf(&b, "%s %s", x.Method, x.Params)
		for _, st := range x.Steps {
			fmt.Fprintf(&b, " [%s %s", st.Method, st.Params)
			if st.Request {
				fmt.Fprintf(&b, " -> %s", st.Reply)
			}
			b.WriteString("]")
		}
		if x.Error != nil {
			fmt.Fprintf(&b, " = %v\n", x.Error)
			continue
		}
		fmt.Fprintf(&b, " = %s\n", x.Result)
	}
	for _, e := range s.Events {
		fmt.Fprintf(&b, "event %s\n", e.Method)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, talk, want string }{
		{"responses out of order, two connections with the same ids", `
1 stdio client {"jsonrpc":"2.0","id":1,"method":"a"}
1 stdio client {"jsonrpc":"2.0","id":2,"method":"b"}
2 stdio client {"jsonrpc":"2.0","id":1,"method":"c"}
1 stdio server {"jsonrpc":"2.0","id":2,"result":2}
2 stdio server {"jsonrpc":"2.0","id":1,"result":3}
1 stdio server {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`,
			"a  = error -1: no\nb  = 2\nc  = 3\n"},
		{"progress by token, a request of the server, an event", `
1 stdio client {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":5}}}
1 stdio client {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":6}}}
1 stdio server {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":6,"progress":1}}
1 stdio server {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}
1 stdio client {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}
1 stdio server {"jsonrpc":"2.0","id":2,"result":{}}
1 stdio server {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
1 stdio server {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
			`tools/call {"name":"x"} [elicitation/create {"message":"?"} -> {"action":"decline"}] = {"content":[]}` + "\n" +
				`tools/list {} [notifications/progress {"progressToken":6,"progress":1}] = {}` + "\n" +
				"event notifications/tools/list_changed\n"},
		{"a request of the server is not part of a list", `
1 stdio client {"jsonrpc":"2.0","id":1,"method":"tools/list"}
1 stdio server {"jsonrpc":"2.0","id":1,"method":"roots/list"}
1 stdio server {"jsonrpc":"2.0","id":1,"result":{}}`,
			"tools/list  = {}\nevent roots/list\n"},
		{"rounds are one exchange", `
1 post-1 client {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"b":1,"a":2}}}
1 post-1 server {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?"}}}}}
1 post-2 client {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"requestState":"s","inputResponses":{"q":{"action":"accept"}},"name":"x","arguments":{"a":2,"b":1}}}
1 post-2 server {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}`,
			`tools/call {"name":"x","arguments":{"b":1,"a":2}} [elicitation/create {"message":"?"} -> ` +
				`{"action":"accept"}] = {"resultType":"complete","content":[]}` + "\n"},
		{"redacted cursors", `
1 stdio client {"jsonrpc":"2.0","id":1,"method":"tools/list"}
1 stdio server {"jsonrpc":"2.0","id":1,"result":{"nextCursor":"[redacted]"}}
1 stdio client {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"[redacted]"}}
1 stdio server {"jsonrpc":"2.0","id":2,"result":{"nextCursor":"[redacted]"}}
1 stdio client {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"[redacted]"}}
1 stdio server {"jsonrpc":"2.0","id":3,"result":{}}`,
			`tools/list  = {"nextCursor":"cursor-1"}` + "\n" + `tools/list {"cursor":"cursor-1"} = ` +
				`{"nextCursor":"cursor-3"}` + "\n" + `tools/list {"cursor":"cursor-3"} = {}` + "\n"},
		{"what is not a message is skipped", `
1 stdio server starting
1 stdio client {"jsonrpc":"2.0","id":1,"method":"ping"}
1 stdio server ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `
1 stdio server {"jsonrpc":"2.0","id":9,"result":{}}
1 stdio server {"jsonrpc":"2.0","id":1,"result":{}}`,
			"ping  = {}\n"},
	} {
		if got := describe(read(t, c.talk)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, large, many, folder := filepath.Join(dir, "pipe"), filepath.Join(dir, "large"), filepath.Join(dir, "many"), dir
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(large)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(MaxBytes + 1); err != nil {
		t.Fatal(err)
	}
	_ = file.Close()
	line := `{"from":"client"}` + "\n"
	if err := os.WriteFile(many, []byte(strings.Repeat(line, MaxFrames+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pipe: "not a regular file", folder: "not a regular file",
		large: "larger than 128 MiB", many: "more than 200000 frames", filepath.Join(dir, "none"): "no such file"} {
		if _, err := ReadFile(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := Read(strings.NewReader(`{"from":"nobody"}`)); err == nil {
		t.Error("an invalid frame was accepted")
	}
	if _, err := Read(strings.NewReader("")); err == nil || !strings.Contains(err.Error(), "no requests") {
		t.Errorf("an empty file: %v", err)
	}
}
