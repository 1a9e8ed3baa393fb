package hostrun

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A Recorder runs a host with tools, and records what reaches its model, one tool per line.
type Recorder struct {
	Host       Host
	Program    string        // its executable
	Self       string        // the executable of mcptest, which the host starts
	Supervisor []string      // see wire.Target
	Limit      time.Duration // of one start of the host
	Version    string        // of the host, known after a run
	Progress   func(text string)
}

// A RecordTool is a tool to record.
type RecordTool struct {
	Server string          `json:"server"`
	Tool   json.RawMessage `json:"tool"`
}

// A RecordLine is what happened to a tool.
type RecordLine struct {
	Server  string     `json:"server"`
	Tool    string     `json:"tool"`
	Given   *GivenTool `json:"given"` // nil if the tool did not reach the model
	Outcome string     `json:"outcome"`
	Why     any        `json:"why"` // a text; nil for a tool that arrived as it was sent
	Batch   int        `json:"batch"`
	Index   int        `json:"index"`
}

// A GivenTool is a tool as the model got it.
type GivenTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Namespace   string          `json:"namespace,omitempty"`
}

// The outcomes of a tool.
const (
	AsSent     = "as sent"
	Changed    = "changed"
	Dropped    = "dropped"     // other tools of its server arrived
	ServerLost = "server lost" // alone on its server, nothing arrived
)

// Record returns a line for each tool of a batch, and writes them as JSON Lines.
func (r *Recorder) Record(ctx context.Context, out io.Writer, number int, tools []RecordTool) error {
	lines, err := r.batch(ctx, number, 0, tools)
	if err != nil {
		return err
	}
	write := json.NewEncoder(out)
	write.SetEscapeHTML(false)
	for _, l := range lines {
		if err := write.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

// batch runs the host with tools. If it loses the server, the halves are run, until a tool is alone.
func (r *Recorder) batch(ctx context.Context, number, first int, tools []RecordTool) ([]RecordLine, error) {
	if len(tools) == 0 {
		return nil, nil
	}
	arrived, lost, err := r.run(ctx, tools)
	if err != nil {
		return nil, err
	}
	if lost && len(tools) > 1 {
		half := len(tools) / 2
		left, err := r.batch(ctx, number, first, tools[:half])
		if err != nil {
			return nil, err
		}
		right, err := r.batch(ctx, number, first+half, tools[half:])
		return append(left, right...), err
	}
	var lines []RecordLine
	for i, tool := range tools {
		lines = append(lines, r.line(number, first+i, tool, arrived, lost))
	}
	return lines, nil
}

// companion is a tool that every host passes on: if it does not arrive, the host has lost the server.
const companion = "mcptest_companion"

// run starts the host with tools, and returns those of the server that its model got, and whether the server is lost.
func (r *Recorder) run(ctx context.Context, tools []RecordTool) (arrived []hosts.Tool, lost bool, err error) {
	tools = append(slices.Clone(tools), RecordTool{Tool: json.RawMessage(`{"name":"` + companion + `","description":"Adds ` +
		`two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"}}}}`)})
	run, err := Start(ctx, Options{Host: r.Host, Program: r.Program, Server: "t",
		Target: wire.Target{Name: "tools", Serve: serveTools(tools)}, Limit: r.Limit, Self: r.Self,
		Supervisor: r.Supervisor,
		Find:       func([]hosts.Tool, string) (hosts.Tool, bool) { return hosts.Tool{}, false }})
	if err != nil {
		return nil, false, err
	}
	if run.Requests == 0 {
		return nil, false, fmt.Errorf("%s did not ask its model: %s %s", r.Host.ID, run.Exit, run.Output)
	}
	r.Version = run.Version
	arrived = slices.DeleteFunc(slices.Clone(run.Tools), func(t hosts.Tool) bool {
		return strings.HasSuffix(t.Name, companion)
	})
	r.Progress(fmt.Sprintf("%s %s: %d of %d tools in %.1f s", r.Host.ID, run.Version, len(arrived), len(tools)-1,
		run.Duration.Seconds()))
	return arrived, len(arrived) == len(run.Tools), nil
}

// line describes what happened to a tool.
func (r *Recorder) line(batch, index int, tool RecordTool, arrived []hosts.Tool, lost bool) RecordLine {
	sent := hosts.Read(tool.Tool)
	l := RecordLine{Server: tool.Server, Tool: sent.Name, Batch: batch, Index: index}
	seen, found := r.find(sent, arrived)
	switch {
	case lost:
		l.Outcome, l.Why = ServerLost, "alone on its server, nothing arrived"
	case !found:
		l.Outcome, l.Why = Dropped, "the other tools of its server arrived"
	default:
		if l.Outcome = Outcome(sent, seen); l.Outcome == Changed {
			l.Why = changedParts(sent, seen)
		}
		l.Given = &GivenTool{seen.Name, seen.Description, seen.Schema, seen.Namespace}
	}
	return l
}

// changedParts names the parts of a tool that the host has changed.
func changedParts(sent, seen hosts.Tool) string {
	var parts []string
	if !hosts.SameSchema(sent.Schema, seen.Schema) {
		parts = append(parts, "parameters")
	}
	if seen.Description != sent.Description {
		parts = append(parts, "description")
	}
	if !strings.HasSuffix(seen.Name, sent.Name) {
		parts = append(parts, "name")
	}
	return strings.Join(parts, ", ")
}

// find returns a tool by the name that the profile foresees, or else by the end of its name.
func (r *Recorder) find(sent hosts.Tool, arrived []hosts.Tool) (hosts.Tool, bool) {
	profile, _ := hosts.Find(r.Host.ID)
	foreseen := hosts.View(profile, "t", sent)
	for _, t := range arrived {
		if t.Name == foreseen.Name && t.Namespace == foreseen.Namespace {
			return t, true
		}
	}
	for _, t := range arrived {
		if foreseen.Lost == "" && strings.HasSuffix(t.Name, sent.Name) {
			return t, true
		}
	}
	return hosts.Tool{}, false
}

// serveTools returns a server that lists tools, exactly as they are.
func serveTools(tools []RecordTool) func(ctx context.Context, in io.Reader, out io.Writer) error {
	var list [][]byte
	for _, t := range tools {
		raw := []byte(t.Tool)
		if bytes.ContainsAny(raw, "\r\n") { // a message is one line
			var one bytes.Buffer
			if json.Compact(&one, raw) == nil {
				raw = one.Bytes()
			}
		}
		list = append(list, raw)
	}
	results := map[string]string{
		"ping":       `{}`,
		"tools/list": `{"tools":[` + string(bytes.Join(list, []byte(","))) + `]}`,
		"initialize": `{"protocolVersion":"` + spec.June2025 + `","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"tools","version":"1"}}`,
	}
	return func(_ context.Context, in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var request struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(lines.Bytes(), &request) != nil || request.ID == nil {
				continue
			}
			response := `"error":{"code":-32601,"message":"method not found"}`
			if result, ok := results[request.Method]; ok {
				response = `"result":` + result
			}
			if _, err := fmt.Fprintf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", request.ID, response); err != nil {
				return err
			}
		}
		return lines.Err()
	}
}

// Outcome names what happened to a tool that reached the model, or that a profile foresees.
func Outcome(sent, seen hosts.Tool) string {
	switch {
	case seen.LosesServer:
		return ServerLost
	case seen.Lost != "":
		return Dropped
	case strings.HasSuffix(seen.Name, sent.Name) && seen.Description == sent.Description &&
		hosts.SameSchema(sent.Schema, seen.Schema):
		return AsSent
	}
	return Changed
}
