package frontend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// requirements are the cases of the meta-tools' specification, each through the meta-tools over the wire.
var requirements = map[string]func(t *testing.T, s *stage){
	"TC-MTI-001": invokesWithValidParameters,
	"TC-MTI-002": tellsMissingParameters,
	"TC-MTI-003": tellsWrongTypes,
	"TC-MTV-001": passesValidInput,
	"TC-MTV-002": failsInvalidInputByRule,
	"TC-MTV-003": runsAllValidatorsInOrder,
	"TC-MTC-001": listsAllTools,
	"TC-MTC-002": filtersByName,
	"TC-MTC-003": searchesByDescription,
	"TC-MTU-001": registersATool,
	"TC-MTU-002": updatesATool,
	"TC-MTU-003": removesATool,
	"TC-MTE-001": timesOut,
	"TC-MTE-002": cancels,
	"TC-MTE-003": wrapsUnexpectedFailures,
}

// TestRequirements runs each case of the specification, in both eras. A case without a test fails, and so does a test
// without a case.
func TestRequirements(t *testing.T) {
	text, err := os.ReadFile("testdata/requirements.txt")
	if err != nil {
		t.Fatal(err)
	}
	ids := strings.Fields(string(text))
	if len(ids) != len(requirements) {
		t.Errorf("%d tests for %d cases", len(requirements), len(ids))
	}
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			run := requirements[id]
			if run == nil {
				t.Fatalf("%s has no test", id)
			}
			for _, protocol := range protocols {
				t.Run(protocol, func(t *testing.T) { run(t, newStage(t, protocol)) })
			}
		})
	}
}

// TestSafetyCases sees that each of the safety cases that concern the gateway has a test of its name somewhere.
func TestSafetyCases(t *testing.T) {
	text, err := os.ReadFile("testdata/safety.txt")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..", "..")
	var all strings.Builder
	for _, folder := range []string{"internal", "cmd", "bench"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, "_test.go") {
				source, err := os.ReadFile(path)
				all.Write(source)
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range strings.Fields(string(text)) {
		if !regexp.MustCompile(`(?m)^func Test` + id + `[A-Z]`).MatchString(all.String()) {
			t.Errorf("%s has no test", id)
		}
	}
}

// A stage is a gateway that shows the meta-tools alone, with functions of its own to register tools for, and a client.
type stage struct {
	t       *testing.T
	rig     *rig
	client  *mcp.Session
	runs    atomic.Int64 // executions of any function
	cleaned chan string  // what functions do last
	began   chan string  // what they do first
	log     lockedBuffer

	mu      sync.Mutex
	checks  []string // validators that have run, in their order
	records []invoke.Record
}

func newStage(t *testing.T, protocol string) *stage {
	t.Helper()
	s := &stage{t: t, cleaned: make(chan string, 10), began: make(chan string, 10)}
	invoker := &invoke.Invoker{Funcs: map[string]invoke.Func{"echo": s.echo, "wait": s.wait, "burst": s.burst,
		"refuse": s.refuse}, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
		Validators: map[string]invoke.ValidatorFunc{"first": s.check("first", nil),
			"second": s.check("second", errors.New("not today")), "third": s.check("third", errors.New("not ever"))},
		Audit: s.audit}
	s.rig = newRigWith(t, invoker, Meta, nil, nil)
	s.client = s.rig.dial(t, protocol, "ada", mcp.Options{})
	return s
}

func (s *stage) echo(_ context.Context, arguments json.RawMessage) (json.RawMessage, error) {
	s.runs.Add(1)
	return arguments, nil
}

// wait runs until it is stopped, and then says what it would have returned.
func (s *stage) wait(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
	s.runs.Add(1)
	s.began <- "wait"
	defer func() { s.cleaned <- "wait" }()
	<-ctx.Done()
	return json.RawMessage(`{"partial":"result"}`), nil
}

func (s *stage) burst(context.Context, json.RawMessage) (json.RawMessage, error) {
	s.runs.Add(1)
	defer func() { s.cleaned <- "burst" }()
	panic("the pipe burst")
}

// refuse answers as a server does that has an error instead of a result.
func (s *stage) refuse(context.Context, json.RawMessage) (json.RawMessage, error) {
	s.runs.Add(1)
	return nil, &mcp.RPCError{Code: -32603, Message: "no paper", Data: json.RawMessage(`{"tray":2}`)}
}

// check is a validator with a side effect: it notes that it ran.
func (s *stage) check(name string, err error) invoke.ValidatorFunc {
	return func(context.Context, json.RawMessage) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.checks = append(s.checks, name)
		return err
	}
}

func (s *stage) audit(r invoke.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = append(s.records, r)
}

// outcomes lists how the invocations so far ended.
func (s *stage) outcomes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, r := range s.records {
		if r.Action == "" { // or else it is a change of the catalog
			all = append(all, r.Outcome)
		}
	}
	return all
}

// transferTool is a definition with everything, but for its braces.
const transferTool = `"name":"transfer","description":"Moves money between accounts","tags":["money"],` +
	`"metadata":{"owner":"treasury"},` +
	`"parameters":{"type":"object","properties":{"amount":{"type":"integer","minimum":1},"to":{"type":"string"},` +
	`"day":{"type":"string","format":"date"},"card":{"type":"string"}},` +
	`"required":["amount","to"],"dependentRequired":{"card":["day"]}},"returns":{"type":"object",` +
	`"properties":{"amount":{"type":"integer"}}},"run":{"func":"echo"}`

// register registers a tool by its definition and fails the test if that fails.
func (s *stage) register(definition string) {
	s.t.Helper()
	if got := s.call("register_tool", `{"tool":{`+definition+`}}`); strings.Contains(got, `"isError":true`) ||
		strings.HasPrefix(got, "error") {
		s.t.Fatalf("register_tool: %s", got)
	}
}

func (s *stage) call(tool, arguments string) string {
	s.t.Helper()
	return call(s.t, s.client, tool, arguments)
}

// structured calls a meta-tool and reads its structured result, or the JSON in its text, into out.
func (s *stage) structured(tool, arguments string, out any) {
	s.t.Helper()
	got := s.call(tool, arguments)
	value := json.RawMessage(textsOf(got))
	if structured, ok := serve.Members(json.RawMessage(got))["structuredContent"]; ok {
		value = structured
	}
	if err := json.Unmarshal(value, out); err != nil {
		s.t.Fatalf("%s(%s) = %s: %v", tool, arguments, got, err)
	}
}

// wants fails the test unless the text has all the parts.
func (s *stage) wants(got string, parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			s.t.Errorf("got %s\nwant %s in it", got, part)
		}
	}
}

// soon takes what a channel brings.
func soon(t testing.TB, what string, from <-chan string) string {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(hang):
		t.Fatalf("%s did not happen", what)
		return ""
	}
}

// A lockedBuffer can be written and read at once.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is what was written so far.
func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
