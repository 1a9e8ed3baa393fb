package hosts

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// runLimit is the time limit of a host on a busy machine.
const runLimit = 5 * time.Minute

// options returns the options for a real host with a server named server. Its model finds a tool by the end of its name.
func options(t *testing.T, folder, host, server string, command []string, script ...hostrun.Call) hostrun.Options {
	t.Helper()
	h, ok := hostrun.Find(host)
	if !ok {
		t.Fatalf("unknown host %s", host)
	}
	program, err := hostrun.Locate(h, folder, nil)
	if err != nil {
		t.Fatal(err)
	}
	return hostrun.Options{Host: h, Program: program, Server: server, Target: wire.Target{Command: command},
		Script: script, Limit: runLimit, Self: built.mcptest, Supervisor: []string{built.mcptest, "__supervise"},
		Find: func(given []hosts.Tool, name string) (hosts.Tool, bool) {
			i := slices.IndexFunc(given, func(g hosts.Tool) bool {
				return h.Owns(server, g) && strings.HasSuffix(strings.ReplaceAll(g.Name, "-", "_"),
					strings.ReplaceAll(name, "-", "_"))
			})
			if i < 0 {
				return hosts.Tool{}, false
			}
			return given[i], true
		}}
}

// call returns a call of a script.
func call(tool, arguments string) hostrun.Call {
	return hostrun.Call{Tool: tool, Arguments: json.RawMessage(arguments)}
}

// started runs a host.
func started(t *testing.T, o hostrun.Options) *hostrun.Run {
	t.Helper()
	run, err := hostrun.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if run.TimedOut || run.Exit != "" || run.Uncalled != "" || len(run.Results) != len(o.Script) {
		t.Fatalf("%s: timed out %v, exit %q, not called %q, %d results of %d calls, stderr of the server %q, output:\n%s",
			o.Host.ID, run.TimedOut, run.Exit, run.Uncalled, len(run.Results), len(o.Script), run.Session.Stderr,
			run.Output)
	}
	return run
}
