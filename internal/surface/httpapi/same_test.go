package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/internal/surface/mcpserver"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// everywhere are the operations that can be run on every surface: a line each, with input that finds something.
var everywhere = []struct {
	operation, tool, server string
	input                   string // of the tool and the page
	flags                   []string
	least                   int // findings that there have to be
}{
	{"schema-lint", "lint_schemas", "demo-flawed", `{}`, nil, 15},
	{"schema-lint", "lint_schemas", "demo-flawed", `{"rules":["SCH"],"host":["all"]}`,
		[]string{"--rules", "SCH", "--host", "all"}, 10},
	{"load", "load_server", "demo", `{"tool":"fail","args":"{\"reason\":\"no\"}","rate":"20/s","duration":"500ms",` +
		`"threshold":["calls>1000"]}`,
		[]string{"--tool", "fail", "--args", `{"reason":"no"}`, "--rate", "20/s", "--duration", "500ms", "--threshold",
			"calls>1000"}, 2},
	{"conform", "check_conformance", "demo-flawed", `{}`, nil, 15},
	{"conform", "check_conformance", "demo-flawed", `{"rules":["TOOL"],"skip":["TOOL-010"]}`,
		[]string{"--rules", "TOOL", "--skip", "TOOL-010"}, 10},
	{"fuzz", "fuzz_tool", "demo-flawed", `{"tool":["divide","get_weather","run"],"cases":90}`,
		[]string{"--tool", "divide", "--tool", "get_weather", "--tool", "run", "--cases", "90"}, 3},
}

// The command line, the assistant's server and the page find the same, word for word.
func TestSurfacesFindTheSame(t *testing.T) {
	for _, op := range everywhere {
		t.Run(op.operation+op.input, func(t *testing.T) {
			t.Parallel()
			command := findings(t, "command line", runCommand(t,
				append(append([]string{"--json"}, strings.Fields(op.operation)...), append(op.flags, op.server)...)...))
			if len(command) < op.least {
				t.Errorf("%d findings, want %d or more", len(command), op.least)
			}
			if diff := cmp.Diff(command, findings(t, "assistant",
				runTool(t, op.server, op.tool, op.input))); diff != "" {
				t.Errorf("the assistant's server finds something else (-command line +assistant):\n%s", diff)
			}
			p := newPage(t, nil, "")
			l := p.connect(view.NewLink{Server: "builtin-" + op.server})
			event := p.run(strings.ReplaceAll(op.operation, " ", "/"), l.ID, op.input)
			if !event.Failed {
				t.Error("the page does not say that findings count as a failure")
			}
			if diff := cmp.Diff(command, findings(t, "page", event.ResultJSON)); diff != "" {
				t.Errorf("the page finds something else (-command line +page):\n%s", diff)
			}
		})
	}
}

// findings are those of a report, each as its own JSON.
func findings(t *testing.T, who, report string) []string {
	t.Helper()
	var r struct {
		Results []struct {
			Findings []json.RawMessage `json:"findings"`
		} `json:"results"`
	}
	if err := json.Unmarshal([]byte(report), &r); err != nil {
		t.Fatalf("%s: %v in %.400s", who, err, report)
	}
	var all []string
	for _, result := range r.Results {
		for _, f := range result.Findings {
			all = append(all, steady(t, f))
		}
	}
	return all
}

// steady is a finding without what differs from one run to the next, on one surface, too: the checks of conform run
// side by side, so that the numbers of frames and requests, and with them where evidence is cut off, depend on who came
// first.
func steady(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var f finding.Finding
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	f.Where.Frames, f.Evidence = nil, nil
	f.Reproduce = ownNumbers.ReplaceAllString(f.Reproduce, `"$1":…`)
	var plain bytes.Buffer
	out := json.NewEncoder(&plain)
	out.SetEscapeHTML(false)
	if err := out.Encode(f); err != nil {
		t.Fatal(err)
	}
	return plain.String()
}

// ownNumbers are what a command says of its own request and of the mcptest that made it.
var ownNumbers = regexp.MustCompile(`"(id|progressToken|version)":("[a-z]*"|[0-9]+)`)

func builtins() target.Builtins {
	all := target.Builtins{}
	for _, s := range demo.All() {
		all[s.Name] = s.Serve
	}
	return all
}

// runCommand runs a command line and returns what it prints.
func runCommand(t *testing.T, args ...string) string {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	code := cli.Run(context.Background(), &cli.Env{Args: args, Stdin: strings.NewReader(""), Stdout: &out,
		Stderr: &notes, Getenv: func(string) string { return "" }, System: sys})
	if code != 1 {
		t.Fatalf("mcptest %s: exit %d, want 1\n%s", strings.Join(args, " "), code, notes.String())
	}
	return out.String()
}

// runTool has the assistant's server connect to a server and run one of its tools, and returns the report.
func runTool(t *testing.T, server, tool, input string) string {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	w := &workbench.Workbench{Version: "dev", System: sys, Builtins: builtins(), Secrets: redact.New()}
	serve := func(ctx context.Context, in io.Reader, out io.Writer) error {
		return mcpserver.New(w, connections.Policy{}).Stream(ctx, in, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	s, err := mcp.Connect(ctx, wire.Target{Name: "assistant", Serve: serve}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	call := func(name, arguments string) json.RawMessage {
		ex, err := s.Call(ctx, "tools/call", mcp.Object("name", name, "arguments", json.RawMessage(arguments)))
		if err != nil {
			t.Fatal(err)
		}
		content, _ := schema.Get(ex.Reply.Result, "/structuredContent")
		if ok, _ := schema.Get(content, "/success"); string(ok) != "true" {
			t.Fatalf("%s: %.1000s", name, ex.Reply.Frame.Body)
		}
		return content
	}
	call("connect_to_server", `{"url":"`+server+`"}`)
	all, err := schema.Apply(json.RawMessage(input), []finding.Edit{{Pointer: "/verbosity",
		Value: json.RawMessage(`"full"`)}})
	if err != nil {
		t.Fatal(err)
	}
	report, _ := schema.Get(call(tool, string(all)), "/report")
	return string(report)
}
