package distill

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// notes is a server whose responses have values that differ from run to run. Its fields change what it returns.
type notes struct {
	saved   string // the text of a result
	missing string // the text of an error
	extra   string // more fields of a result, as JSON
	texts   map[string]string
	calls   int
}

func (n *notes) serve(_ context.Context, in io.Reader, out io.Writer) error {
	n.texts = map[string]string{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments map[string]any
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		body := `"error":{"code":-32601,"message":"unknown method"}`
		switch m.Method {
		case "initialize":
			body = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
				`"serverInfo":{"name":"notes","version":"1"}}`
		case "tools/list":
			body = `"result":{"tools":[{"name":"read","inputSchema":{"type":"object"},` +
				`"annotations":{"readOnlyHint":true}}]}`
		case "tools/call":
			body = `"result":` + n.call(m.Params.Name, m.Params.Arguments)
		}
		if _, err := fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, body); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (n *notes) call(name string, args map[string]any) string {
	n.calls++
	text := func(s string) string {
		return `{"content":[{"type":"text","text":` + string(rawjson.Quote(s)) + `}]}`
	}
	arg := func(name string) string { s, _ := args[name].(string); return s }
	id := fmt.Sprintf("%x-%s", time.Now().UnixNano(), rand.Text())
	switch name {
	case "create": // the ID is in structured content
		n.texts[id] = arg("text")
		return `{"content":[],"structuredContent":{"noteId":"` + id + `","size":` + fmt.Sprint(len(arg("text"))) +
			n.extra + `}}`
	case "create_json": // in JSON in a text
		n.texts[id] = arg("text")
		return text(fmt.Sprintf(`{"note": {"id": %q, "rank": -5}, "at": %q, "tags": ["a"]}`, id,
			time.Now().Format(time.RFC3339)))
	case "create_text": // in a text
		id = strings.ToLower(fmt.Sprintf("%016x", time.Now().UnixNano()) + "abcdef")
		n.texts[id] = arg("text")
		return text("Saved as " + id + ".")
	case "read":
		if saved, found := n.texts[arg("id")]; found {
			return text(n.saved + saved)
		}
		return `{"isError":true,` + strings.TrimPrefix(text(n.missing), "{")
	case "clock":
		return text("It is " + time.Now().Format("15:04:05") + " in ${town}.")
	case "login":
		return text("welcome")
	}
	return text("calls: " + fmt.Sprint(n.calls))
}

// record runs a client against a server and returns the recording.
func record(t *testing.T, n *notes, use func(call func(name, args string) string)) *recording.Session {
	t.Helper()
	var file bytes.Buffer
	log := wire.NewTranscript(&wire.TranscriptOptions{Out: &file})
	s, err := mcp.Connect(t.Context(), wire.Target{Name: "notes", Serve: n.serve}, log,
		&mcp.Options{Protocol: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context(), "tools/list"); err != nil {
		t.Fatal(err)
	}
	use(func(name, args string) string {
		ex, err := s.Do(t.Context(), mcp.Request{Method: "tools/call",
			Params: json.RawMessage(`{"name":` + string(rawjson.Quote(name)) + `,"arguments":` + args + `}`)})
		if err != nil {
			t.Fatal(err)
		}
		return string(ex.Reply.Result)
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	recorded, err := recording.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return recorded
}

// run runs a suite against a server and returns what fails, by test.
func run(t *testing.T, made *Suite, n *notes, env map[string]string) map[string]string {
	t.Helper()
	files := suite.Files{Read: func(path string) ([]byte, error) {
		if path != "s.yaml" {
			return nil, fs.ErrNotExist
		}
		return made.YAML, nil
	},
		Write: func(string, []byte) error { return fs.ErrPermission }}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	plan, problems := suite.Load(files, lookup, "s.yaml")
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, made.YAML)
	}
	report, err := suite.Run(t.Context(), plan, suite.Options{Files: files,
		Dial: func(ctx context.Context, s *suite.Server, _ suite.Offers) (*mcp.Session, error) {
			return mcp.Connect(ctx, wire.Target{Name: "notes", Serve: n.serve}, nil, &mcp.Options{Protocol: s.Protocol})
		}})
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]string{}
	for _, r := range report.Results {
		if r.Status() != finding.Passed {
			failed[strings.TrimPrefix(r.Name, "s.yaml/")] = fmt.Sprint(r.Broken, r.Skipped, r.Findings)
		}
	}
	return failed
}

const server = "  local: {target: notes, protocol: \"2025-11-25\"}\n"

// tour uses an ID from structured content, from JSON in a text and from a text, and provokes errors.
func tour(t *testing.T) func(call func(name, args string) string) {
	return func(call func(name, args string) string) {
		between := func(text, before, after string) string {
			_, rest, found := strings.Cut(text, before)
			id, _, ended := strings.Cut(rest, after)
			if !found || !ended {
				t.Fatalf("no ID in %s", text)
			}
			return id
		}
		for range 2 { // the second time is folded
			id := between(call("create", `{"text":"one"}`), `"noteId":"`, `"`)
			call("read", `{"id":"`+id+`"}`)
		}
		id := between(call("create_json", `{"text":"two"}`), `{\"id\": \"`, `\"`)
		call("read", `{"id":"`+id+`"}`)
		id = between(call("create_text", `{"text":"three"}`), "Saved as ", ".")
		call("read", `{"id":"`+id+`"}`)
		call("clock", `{}`)
		call("clock", `{}`)
		call("count", `{}`)
		call("count", `{}`) // the text differs
		call("read", `{"id":"nosuch"}`)
		call("read", `{"id":"none"}`) // the same error
	}
}

func TestSuitePassesInAnotherRun(t *testing.T) {
	made := From(record(t, &notes{saved: "Text: ", missing: "no such note"}, tour(t)), server)
	if failed := run(t, made, &notes{saved: "Text: ", missing: "no such note"}, nil); len(failed) > 0 {
		t.Fatalf("failed on the same server: %v\n%s", failed, made.YAML)
	}
	if made.Tests != 7 {
		t.Errorf("%d tests, want 3 sequences, 3 calls and a list\n%s", made.Tests, made.YAML)
	}
	for _, want := range []string{
		`args: {"id": "${noteId}"}`,
		`id: "result.content[0].text | fromjson | .[\"note\"][\"id\"]"`,
		`- {target: "result.structuredContent.size", exact: 3}`,
		`- {regex: "^It is [0-9A-Za-z:/.,+ \\x{202f}-]+ in \\$\\{town\\}\\.$"}`,
		`- {is_error: true}`,
	} {
		if !strings.Contains(string(made.YAML), want) {
			t.Errorf("no %s in\n%s", want, made.YAML)
		}
	}
	if n := strings.Count(string(made.YAML), "\n    tags: [unsafe]\n"); n != 5 {
		t.Errorf("%d tests are unsafe, want all except the one that only reads\n%s", n, made.YAML)
	}
}

func TestSuiteFailsOnChanges(t *testing.T) {
	same := notes{saved: "Text: ", missing: "no such note"}
	made := From(record(t, &same, tour(t)), server)
	for _, c := range []struct {
		changed notes
		fails   string
		tests   int
	}{
		{notes{saved: "Note: ", missing: "no such note"}, "sequences/create, read", 3},
		{notes{saved: "Text: ", missing: "not found"}, `tools/read {"id":"nosuch"}: isError`, 1},
		{notes{saved: "Text: ", missing: "no such note", extra: `,"draft":true`}, "sequences/create, read", 1},
	} {
		failed := run(t, made, &c.changed, nil)
		if failed[c.fails] == "" || len(failed) != c.tests {
			t.Errorf("%+v: failed %v, want %d tests with %s", c.changed, failed, c.tests, c.fails)
		}
	}
}

// Secrets of the recording are environment variables of the suite.
func TestSecretsBecomeVariables(t *testing.T) {
	recorded := record(t, &notes{}, func(call func(name, args string) string) {
		call("login", `{"api_key":"[redacted]","header":"Bearer [redacted]"}`)
	})
	made := From(recorded, server)
	if got := strings.Join(made.Variables, " "); got != "API_KEY SECRET_HEADER" {
		t.Errorf("variables %q, want API_KEY SECRET_HEADER\n%s", got, made.YAML)
	}
	if failed := run(t, made, &notes{}, map[string]string{"API_KEY": "a", "SECRET_HEADER": "b"}); len(failed) > 0 {
		t.Errorf("failed: %v\n%s", failed, made.YAML)
	}
}
