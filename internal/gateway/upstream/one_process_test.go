package upstream

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/testservers/starter"
)

// A server of both eras that allows one process at a time serves clients of both with that process.
func TestOneProcessForBothEras(t *testing.T) {
	dir := t.TempDir()
	argv, env := starter.Command(starter.Options{Kind: starter.Both, Lock: filepath.Join(dir, "lock"),
		Log: filepath.Join(dir, "log"), Leave: 400 * time.Millisecond})
	s := Start("locked", wire.Target{Command: argv, Env: env, Supervisor: []string{os.Args[0], supervise.Command}},
		&Options{BothEras: true})
	t.Cleanup(s.Close)
	for range 2 {
		for _, era := range []spec.Era{spec.Modern, spec.Legacy} {
			m, spoken, err := s.Do(t.Context(), Request{Method: "tools/call",
				Params: json.RawMessage(`{"name":"ping"}`), Era: era, Owner: "test"})
			if err != nil || m.Error != nil || spoken != spec.Modern {
				t.Fatalf("a call of the %s era: %v %v in the %s era, want a result in the modern era", era, m, err,
					spoken)
			}
		}
	}
	if got := starter.Events(filepath.Join(dir, "log")); got != "start start exit" {
		t.Errorf("the processes %q, want the second one tried once", got)
	}
}
