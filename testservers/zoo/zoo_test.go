package zoo

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case insideMode:
			os.Exit(lookInside())
		case parentMode:
			os.Exit(beParent(os.Args[2], os.Args[3]))
		}
	}
	Play()
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // most of the time is spent waiting
	leaktest.Main(m)
}

// TestZoo meets every server and compares what is seen with what must be seen.
func TestZoo(t *testing.T) {
	for _, server := range Servers() {
		t.Run(server.Name, func(t *testing.T) {
			t.Parallel()
			visit(t, server)
		})
	}
}

// A visitor is one session with a server of the zoo.
type visitor struct {
	*testing.T
	Sight
	log *wire.Transcript
	s   *mcp.Session
}

func visit(t *testing.T, server Server) {
	v := &visitor{T: t, Sight: server.Sight, log: wire.NewTranscript(nil)}
	target := targetOf(t, server)
	opts := &mcp.Options{Protocol: spec.NewestLegacy, Timeout: patienceFor(v.Connect)}
	if v.Auto {
		opts.Protocol = mcp.Auto
	}
	if v.Within == 0 {
		v.Within = 3 * time.Second
	}
	start := time.Now()
	var err error
	v.s, err = mcp.Connect(t.Context(), target, v.log, opts)
	if v.expect("connect", err, v.Connect) {
		v.list()
		v.call()
		v.notices()
		if err := v.s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if took := time.Since(start); took > v.Within*slack {
		t.Errorf("took %v, want at most %v", took, v.Within)
	}
	if v.Frame != "" && !v.recorded(v.Frame) {
		t.Errorf("the transcript has no frame with %q", v.Frame)
	}
}

// slack is for machines that do other things too.
const slack = 3

// patience is how long an answer may take that is to come: a busy machine must not make a server look silent.
const patience = 20 * time.Second

// patienceFor is short where the server is known to be silent.
func patienceFor(want string) time.Duration {
	if strings.Contains(want, " within") {
		return 500 * time.Millisecond
	}
	return patience
}

// until waits for what should come true, and reports whether it did.
func until(holds func() bool) bool {
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

func targetOf(t *testing.T, server Server) wire.Target {
	if handler := server.HTTPHandler(); handler != nil {
		web := httptest.NewServer(handler)
		t.Cleanup(web.Close)
		return wire.Target{URL: web.URL}
	}
	argv, env := server.Command()
	mark := "ZOO_MARK=" + t.Name() + "-" + time.Now().Format("150405.000000000")
	t.Cleanup(func() { noneLeft(t, mark) })
	return wire.Target{Name: server.Name, Command: argv, Env: append(env, mark), Grace: 300 * time.Millisecond,
		Supervisor: []string{os.Args[0], supervise.Command}}
}

// expect compares an error with the text that it must have, and reports whether there was none.
func (v *visitor) expect(what string, err error, want string) bool {
	v.Helper()
	if err == nil {
		if want != "" {
			v.Errorf("%s worked, want an error with %q", what, want)
		}
		return true
	}
	if want == "" || !strings.Contains(err.Error(), want) {
		v.Errorf("%s: %v, want an error with %q", what, err, want)
	}
	var e *wire.Error
	if errors.As(err, &e) {
		if !strings.Contains(e.Stderr, v.Stderr) {
			v.Errorf("%s: the error shows %.200q of the standard error, want %q", what, e.Stderr, v.Stderr)
		}
		if !strings.Contains(e.Hint.String(), v.Hint) {
			v.Errorf("%s: the hint is %q, want %q", what, e.Hint, v.Hint)
		}
	} else if v.Stderr+v.Hint != "" {
		v.Errorf("%s: %T has neither hint nor standard error", what, err)
	}
	return false
}

func (v *visitor) list() {
	list, err := v.s.List(context.Background(), "tools/list")
	if !v.expect("tools/list", err, v.List) {
		return
	}
	usable := 0
	for _, item := range list.Items {
		if item.Odd == "" {
			usable++
		}
	}
	if want := atLeastOne(v.Items); len(list.Items) != want {
		v.Errorf("%d items, want %d", len(list.Items), want)
	}
	if want := atLeastOne(v.Usable); usable != want {
		v.Errorf("%d usable items, want %d", usable, want)
	}
	if got := strings.Join(list.Problems, "; "); !strings.Contains(got, v.Problem) || (v.Problem == "") != (got == "") {
		v.Errorf("problems %q, want %q", got, v.Problem)
	}
}

// atLeastOne reads the counts of a Sight: 0 stands for one, -1 for none.
func atLeastOne(n int) int {
	if n == 0 {
		return 1
	}
	return max(n, 0)
}

func (v *visitor) call() {
	params := json.RawMessage(`{"name":"t","arguments":{"a":1}}`)
	if v.Args != "" {
		params = mcp.Object("name", "t", "arguments", json.RawMessage(v.Args))
	}
	call := mcp.Request{Method: "tools/call", Params: params, Timeout: patienceFor(v.Call)}
	_, err := v.s.Do(context.Background(), call)
	v.expect("tools/call", err, v.Call)
	if v.Again {
		call.Timeout = 0
		if _, err := v.s.Do(context.Background(), call); err != nil {
			v.Errorf("second tools/call: %v", err)
		}
	}
}

// notices waits for the departure that must be noticed; it may come after the answer.
func (v *visitor) notices() {
	if !until(func() bool { return v.Notice == "" || v.noticed() }) {
		v.Errorf("no notice with %q among %v", v.Notice, v.s.Notices())
	}
}

func (v *visitor) noticed() bool {
	return slices.ContainsFunc(v.s.Notices(), func(n mcp.Notice) bool { return strings.Contains(n.Text, v.Notice) })
}

func (v *visitor) recorded(text string) bool {
	for _, f := range v.log.Since(0) {
		if f.From == wire.Server && strings.Contains(string(f.Body), text) {
			return true
		}
	}
	return false
}
