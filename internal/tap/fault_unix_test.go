//go:build unix

package tap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// faultsOf returns the plan of faults that are separated by spaces; nil if there are none.
func faultsOf(specs string) *fault.Plan {
	if specs == "" {
		return nil
	}
	plan := &fault.Plan{Seed: 1}
	for spec := range strings.FieldsSeq(specs) {
		rule, err := fault.Parse(spec)
		if err != nil {
			panic(err)
		}
		plan.Rules = append(plan.Rules, rule)
	}
	return plan
}

// answer is a server that responds to every request with its method and ID, and writes each message to stderr.
func answer(in io.Reader, out, stderr io.Writer) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var m struct {
			Method string
			ID     json.RawMessage
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			fmt.Fprintln(stderr, "not JSON")
			continue
		}
		fmt.Fprintf(stderr, "got %s %s %d\n", m.Method, m.ID, len(lines.Bytes()))
		if m.ID != nil {
			fmt.Fprintln(out, result(m.Method, string(m.ID)))
		}
	}
	time.Sleep(100 * time.Millisecond) // a fault that ends it is earlier
}

func result(method, id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"text":"%s"}}`, id, method)
}

func toolCall(id int, text string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"x":"%s"}}}`,
		id, text)
}

// Every kind over stdio does to the client and the server what its documentation says.
func TestStdioFaults(t *testing.T) {
	one, two, three := result("tools/call", "1"), result("tools/call", "2"), result("tools/call", "3")
	injectedError := `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"error injected by mcptest tap"}}`
	wrongID := strings.Replace(two, `"id":2`, `"id":"mcptest-wrong-id"`, 1)
	for spec, tt := range map[string]struct {
		out    []string // lines of stdout
		check  func(stdout, stderr string, took time.Duration) bool
		killed bool
		server string // what the server writes about the second call
	}{
		"tools/call:#1:delay=400ms": {out: []string{two, three, one},
			check: func(_, _ string, took time.Duration) bool { return took > 400*time.Millisecond }},
		"tools/call:#2:hang":      {out: []string{one}},
		"tools/call:#2:drop":      {out: []string{one, three}},
		"tools/call:#2:duplicate": {out: []string{one, two, two, three}},
		"tools/call:#1:reorder":   {out: []string{two, one, three}},
		"tools/call:#3:reorder":   {out: []string{one, two, three}},
		"tools/call:#2:error":     {out: []string{one, injectedError, three}},
		"tools/call:#2:wrong-id":  {out: []string{one, wrongID, three}},
		"tools/call:#2:garbage":   {out: []string{one, "mcptest tap: this line is not JSON {", two, three}},
		"tools/call:#2:cut":       {out: []string{one, two[:len(two)/2], three}},
		"tools/call:#2:close":     {out: []string{one}},
		"tools/call:#2:slow=500ms": {out: []string{one, two, three},
			check: func(_, _ string, took time.Duration) bool { return took > 500*time.Millisecond }},
		"tools/call:#2:oversize=300000": {check: func(out, _ string, _ time.Duration) bool {
			lines := strings.Split(out, "\n")
			return len(lines) == 4 && len(lines[1]) == 300_000 && strings.ReplaceAll(lines[1], " ", "") == two
		}},
		"tools/call:#2:invalid-utf8": {check: func(out, _ string, _ time.Duration) bool {
			lines := strings.Split(out, "\n")
			return len(lines) == 4 && lines[0] == one && !utf8.ValidString(lines[1]) && lines[2] == three
		}},
		"tools/call:#2:stderr-flood=200000": {out: []string{one, two, three},
			check: func(_, stderr string, _ time.Duration) bool { return len(stderr) > 200_000 }},
		"tools/call:#2:exit": {out: []string{one}, killed: true},

		"tools/call:from=client:#2:drop":          {out: []string{one, three}, server: "none"},
		"tools/call:from=client:#2:error":         {server: "none"},
		"tools/call:from=client:#2:duplicate":     {out: []string{one, two, two, three}},
		"tools/call:from=client:#2:hang":          {out: []string{one}, server: "none"},
		"tools/call:from=client:#2:close":         {out: []string{one}, server: "none"},
		"tools/call:from=client:#1:reorder":       {out: []string{two, one, three}},
		"tools/call:from=client:#1:delay=200ms":   {out: []string{two, three, one}},
		"tools/call:from=client:#2:wrong-id":      {out: []string{one, wrongID, three}, server: "none"},
		"tools/call:from=client:#2:cut":           {out: []string{one, three}, server: "none"},
		"tools/call:from=client:#2:garbage":       {out: []string{one, two, three}},
		"tools/call:from=client:#2:slow=200ms":    {out: []string{one, two, three}},
		"tools/call:from=client:#2:invalid-utf8":  {},
		"tools/call:from=client:#2:oversize=9000": {out: []string{one, two, three}, server: "got tools/call 2 9000\n"},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := tapped(t, dir, self(t), "__answer")
			cmd.Env = append(os.Environ(), "TAP_FAULTS="+spec)
			cmd.Stdin = strings.NewReader(toolCall(1, "a") + "\n" + toolCall(2, "b") + "\n" + toolCall(3, "c") + "\n")
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			start := time.Now()
			if err := cmd.Run(); (err != nil) != tt.killed {
				t.Errorf("tap exits with %v", err)
			}
			took := time.Since(start)
			if got := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n"); tt.out != nil &&
				!slices.Equal(got, tt.out) {
				t.Errorf("the client receives\n%.500s\nwant\n%s", stdout.String(), strings.Join(tt.out, "\n"))
			}
			if tt.check != nil && !tt.check(stdout.String(), stderr.String(), took) {
				t.Errorf("after %s: stdout %.300s, stderr of %d bytes", took, stdout.String(), stderr.Len())
			}
			if got := strings.Contains(stderr.String(), "got tools/call 2 "); tt.server == "none" && got ||
				tt.server != "none" && !strings.Contains(stderr.String(), tt.server) {
				t.Errorf("the server received\n%.500s", stderr.String())
			}
			if !strings.Contains(stderr.String(), "mcptest tap: faults: 1 injected (seed 1)\n") {
				t.Errorf("no report: %.300s", stderr.String())
			}
			s, frames := recorded(t, dir)
			if killed := s.Exit.Signal == "killed"; killed != tt.killed {
				t.Errorf("the server exits with %+v", s.Exit)
			}
			checkInjected(t, s, frames, spec)
		})
	}
}

// checkInjected checks that the recording lists one fault, and has the message as its sender sent it with a note.
func checkInjected(t *testing.T, s *Session, frames []wire.Frame, spec string) {
	t.Helper()
	if s.Faults == nil || s.Faults.Count != 1 || len(s.Faults.Injected) != 1 {
		t.Fatalf("recorded faults %+v, want one", s.Faults)
	}
	injected := s.Faults.Injected[0]
	at := slices.IndexFunc(frames, func(f wire.Frame) bool { return f.Seq == injected.Seq && !wire.IsStderr(f) })
	if at < 0 || !strings.Contains(frames[at].Fault, "fault injected: "+spec) || injected.Method != "tools/call" {
		t.Fatalf("injection %+v; the frame has no note", injected)
	}
	m := mcp.Read(frames[at])
	if m.ID == nil || string(m.ID) == `"mcptest-wrong-id"` {
		t.Errorf("the recording has %.200s, want what the %s sent", frames[at].Body, injected.From)
	}
}

// The report shows what a client did next, from a session with a scripted client.
func TestReactions(t *testing.T) {
	type step struct {
		send string
		read int // lines to read after it
	}
	hello := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"c","version":"1"}}}`
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	for name, tt := range map[string]struct {
		fault string
		steps []step
		want  string
		grade string
	}{
		"retried": {"tools/call:#1:error", []step{{toolCall(1, "a"), 1}, {toolCall(2, "a"), 1}},
			"retried after ", "A"},
		"with another call": {"tools/call:#1:error", []step{{toolCall(1, "a"), 1}, {toolCall(2, "b"), 1}},
			"continued after ", "A"},
		"reconnected": {"tools/call:#1:drop", []step{{toolCall(1, "a"), 0}, {hello, 1}}, "reconnected after ", "A"},
		"canceled":    {"tools/call:#1:drop", []step{{toolCall(1, "a"), 0}, {cancel, 0}}, "aborted after ", "F"},
		"closed":      {"tools/call:#1:drop", []step{{toolCall(1, "a"), 0}}, "aborted after ", "F"},
		"no evidence": {"tools/call:#1:duplicate", []step{{toolCall(1, "a"), 2}}, "no evidence: ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := tapped(t, dir, self(t), "__answer")
			cmd.Env = append(os.Environ(), "TAP_FAULTS="+tt.fault)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, out := start(t, cmd)
			for _, s := range tt.steps {
				fmt.Fprintln(in, s.send)
				eventually(t, "a fault", func() bool { // a client reacts to the fault, not before it
					session, err := Find(dir, "")
					return err == nil && session.Faults.Count == 1
				})
				for range s.read {
					out.Scan()
				}
			}
			_ = in.Close()
			for out.Scan() {
				continue
			}
			_ = cmd.Wait()
			if !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("report\n%s\nwant %q", stderr.String(), tt.want)
			}
			if want := "resilience of the client: " + tt.grade + ","; tt.grade != "" &&
				!strings.Contains(stderr.String(), want) || tt.grade == "" && !strings.Contains(stderr.String(), "no grade") {
				t.Errorf("report\n%s\nwant %q", stderr.String(), want)
			}
		})
	}
}

// start starts a command and returns its input and the lines of its output.
func start(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, *bufio.Scanner) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, bufio.NewScanner(out)
}

// A message that no fault is about passes as it arrives, before its end.
func TestPassesAsItArrives(t *testing.T) {
	cmd := tapped(t, t.TempDir(), self(t), "__cat")
	cmd.Env = append(os.Environ(), "TAP_FAULTS=tools/list:drop")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	text := toolCall(1, strings.Repeat("x", 4*relayBuffer)) + "\n"
	got := make([]byte, len(text))
	half := len(text) / 2
	if _, err := io.WriteString(in, text[:half]); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, got[:relayBuffer]); err != nil { // it would wait for ever
		t.Fatal(err)
	}
	go func() {
		_, _ = io.WriteString(in, text[half:])
		_ = in.Close()
	}()
	if _, err := io.ReadFull(out, got[relayBuffer:]); err != nil || string(got) != text {
		t.Errorf("other bytes come back, %v", err)
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
