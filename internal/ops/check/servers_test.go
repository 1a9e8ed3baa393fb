package check

import (
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// checked runs a check on a server and returns its result with what a person reads.
func checked(t *testing.T, in *Input) (*Result, string) {
	t.Helper()
	sys := target.System{}
	sys.Home, sys.Dir = t.TempDir(), t.TempDir()
	w := &workbench.Workbench{Version: "test", System: sys, Secrets: redact.New(), Grants: workbench.CommandLine}
	defer w.Close()
	r, err := runCheck(t.Context(), w, in)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := writeCheck(&out, r); err != nil {
		t.Fatal(err)
	}
	return r, out.String()
}

// scriptedServer is the connection to a process that answers from a script.
func scriptedServer(script string) workbench.Connection {
	argv, env := wiretest.Command(script)
	return workbench.Connection{Command: foreign(argv), Env: env}
}

const scriptedStart = `on server/discover
	error -32601 unknown
on ping
	result {}
on *
	error -32601 unknown
`

func initialized(capabilities string) string {
	return `on initialize
	result {"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"serverInfo":{"name":"scripted","version":"1"}}
`
}

// A server without tools that offers something else has nothing to test there: no test is missing.
func TestNoToolsButPrompts(t *testing.T) {
	t.Parallel()
	for prompts, want := range map[string]bool{`[{"name":"p"}]`: true, `[]`: false} {
		r, text := checked(t, &Input{Connection: scriptedServer(scriptedStart + initialized(`{"tools":{},"prompts":{}}`) +
			"on tools/list\n\tresult {\"tools\":[]}\non prompts/list\n\tresult {\"prompts\":" + prompts + "}\n")})
		if r.Areas[1].absent != want || r.Areas[2].absent != want {
			t.Errorf("prompts %s: %+v\n%s", prompts, r.Areas, text)
		}
	}
}

// No area gets a grade for what was not tested, and the verdict says so in its own words.
func TestNoGradeWithoutEvidence(t *testing.T) {
	t.Parallel()
	writes := `on tools/list
	result {"tools":[{"name":"write","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}]}
`
	for _, c := range []struct {
		name, script string
		budget       time.Duration
		word         Word
		grades       map[string]string // by area; "?" is any letter
		says         []string
	}{
		{"no tools", scriptedStart + initialized(`{"prompts":{}}`) + "on prompts/list\n\tresult {\"prompts\":[]}\n", 0,
			CheckPassed,
			map[string]string{"protocol": "?"},
			[]string{"–  schemas     not tested: the server has no tools (no tools)",
				"–  robustness  not tested: the server has no tools (no calls)",
				"; schemas not tested, robustness not tested"}},
		{"writing tools only", scriptedStart + initialized(`{"tools":{}}`) + writes, 0, CheckPassed,
			map[string]string{"protocol": "?", "schemas": "?"},
			[]string{"–  robustness  not tested: none of 1 tool may be called without permission (no calls)",
				"; robustness not tested"}},
		{"slow to initialize", scriptedStart + "on initialize\n\tsleep 4s\n" +
			strings.TrimPrefix(initialized(`{"tools":{}}`), "on initialize\n") + writes,
			12 * time.Second, CheckIncomplete, map[string]string{"schemas": "?"},
			[]string{"–  protocol    incomplete: ", "incomplete, no grade; protocol incomplete"}},
		{"hangs at once", "on nothing\n\thang\n", 2 * time.Second, CheckUnreachable, nil,
			[]string{"–  protocol    not tested: no connection", "–  schemas     not tested: no connection",
				"–  robustness  not tested: no connection", "unreachable, no grade"}},
		{"hangs in a call", scriptedStart + initialized(`{"tools":{}}`) +
			strings.NewReplacer(`"readOnlyHint":false`, `"readOnlyHint":true`, `"write"`, `"read"`).Replace(writes) +
			"on tools/call\n\thang\n", 29 * time.Second, "", map[string]string{"protocol": "?", "schemas": "?"},
			[]string{"–  robustness  incomplete: read did not respond to a call in time"}},
		{"hangs in tools/list", scriptedStart + initialized(`{"tools":{}}`) + "on tools/list\n\thang\n",
			12 * time.Second, "", nil,
			[]string{"–  schemas     incomplete: tools/list: no response within 2s", "–  robustness  incomplete: "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, text := checked(t, &Input{Connection: scriptedServer(c.script), Budget: c.budget})
			if c.word != "" && r.Word != c.word {
				t.Errorf("verdict %s, want %s", r.Word, c.word)
			}
			for _, a := range r.Areas {
				if want := c.grades[a.Name]; (a.Grade != "") != (want != "") {
					t.Errorf("%s has the grade %q, want %q", a.Name, a.Grade, want)
				}
			}
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("missing: %s", want)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}
