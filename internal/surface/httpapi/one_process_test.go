package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/testservers/starter"
)

// A server that holds a lock file and exits 0.4 s after the end of its input can be connected to again and checked from
// the page. Its connection is closed for the check, and open again after it.
func TestOneProcessAtATime(t *testing.T) {
	t.Parallel()
	lock := filepath.Join(t.TempDir(), "lock")
	argv, env := starter.Command(starter.Options{Kind: starter.Both, Lock: lock, Leave: 400 * time.Millisecond})
	p := newPage(t, &target.Spec{Command: argv, Env: env}, "")
	l := p.connect(view.NewLink{Server: "given"})
	for range 2 {
		ask[view.Link](p, "POST", "/api/links/"+l.ID+"/reconnect", nil)
		if l = p.settled(l.ID); l.State != view.Open {
			t.Fatalf("connected again: %+v", l.Error)
		}
	}
	for path, want := range map[string]string{"check": `"state": "graded"`, "conform": `"status": "passed"`,
		"fuzz": `"cases_run"`, "load": `"calls"`} {
		var notices []string
		all := p.runEvents(path, l.ID, inputOf[path])
		for _, e := range all {
			notices = append(notices, e.Notice)
		}
		last := all[len(all)-1]
		if last.Kind != "result" || strings.Contains(last.ResultJSON, `"incomplete"`) ||
			!strings.Contains(last.ResultJSON, want) {
			t.Errorf("%s ended with %s %+v\n%.3000s\nwant a complete result with %s", path, last.Kind, last.Error,
				last.ResultJSON, want)
		}
		if !strings.Contains(strings.Join(notices, "\n"), "one process at a time") {
			t.Errorf("%s told %q, want that the connection was closed for it", path, notices)
		}
		if l = p.settled(l.ID); l.State != view.Open {
			t.Fatalf("after %s the connection is %s: %+v, want it open", path, l.State, l.Error)
		}
		if c := p.call(l.ID, view.NewCall{Name: "ping"}); !c.OK {
			t.Errorf("the call after %s is %+v", path, c)
		}
	}
	ask[view.Link](p, "POST", "/api/links/"+l.ID+"/close", nil)
	if _, err := os.Stat(lock); err == nil {
		t.Error("the lock file was left: a process was ended before it had the time to exit")
	}
}

// inputOf are the inputs of operations, for short ones. A check runs all that conform does.
var inputOf = map[string]string{"conform": `{"rules":["LIFE"]}`, "fuzz": `{"cases":20}`,
	"load": `{"tool":"ping","duration":"1s","rate":"10/s"}`}
