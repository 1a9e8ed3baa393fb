package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// runLimit is the time limit of one start of a host.
const runLimit = 3 * time.Minute

// A recorder runs a host with the tools of the batches, and writes what reached its model.
type recorder struct {
	host    hostrun.Host
	profile hosts.Profile
	program string
	mcptest string // a built mcptest, which the host starts
	version string
}

// An entry is a tool of a batch.
type entry struct {
	Server string          `json:"server"`
	Tool   json.RawMessage `json:"tool"`
}

// A line of a recording.
type line struct {
	Server  string `json:"server"`
	Tool    string `json:"tool"`
	Given   *given `json:"given"`
	Outcome string `json:"outcome"`
	Why     any    `json:"why"` // a text; nil for a tool that arrived as it was sent
	Batch   int    `json:"batch"`
	Index   int    `json:"index"`
}

type given struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Namespace   string          `json:"namespace,omitempty"`
}

// recordHost records a host: all batches of a folder, or at most tools of each. It returns the file.
func recordHost(ctx context.Context, folder, from, out, name string, tools int) (string, error) {
	h, ok := hostrun.Find(name)
	if !ok {
		return "", fmt.Errorf("unknown host %q, expected one of %s", name, strings.Join(hostrun.IDs(), ", "))
	}
	r := &recorder{host: h}
	r.profile, _ = hosts.Find(h.ID)
	var err error
	if r.program, err = hostrun.Locate(h, from, exec.LookPath); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp("", "hostdata-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	r.mcptest = filepath.Join(temp, "mcptest")
	if text, err := exec.Command("go", "build", "-o", r.mcptest, "./cmd/mcptest").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, text)
	}
	batches, err := readEntries(folder)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	write := json.NewEncoder(&text)
	write.SetEscapeHTML(false)
	for number, batch := range batches {
		if tools > 0 {
			batch = batch[:min(tools, len(batch))]
		}
		lines, err := r.batch(ctx, number, 0, batch)
		if err != nil {
			return "", err
		}
		for _, l := range lines {
			if err := write.Encode(l); err != nil {
				return "", err
			}
		}
	}
	file := filepath.Join(out, files[h.ID]+"-"+r.version+".jsonl")
	return file, os.WriteFile(file, text.Bytes(), 0o644)
}

// batch runs the host with tools. If it loses the server, the halves are run, until a tool is alone.
func (r *recorder) batch(ctx context.Context, number, first int, tools []entry) ([]line, error) {
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
	var lines []line
	for i, tool := range tools {
		lines = append(lines, r.line(number, first+i, tool, arrived, lost))
	}
	return lines, nil
}

// companion is a tool that every host passes on: if it does not arrive, the host has lost the server.
const companion = "hostdata_companion"

// run starts the host with tools, and returns those of the server that its model got, and whether the server is lost.
func (r *recorder) run(ctx context.Context, tools []entry) (arrived []hosts.Tool, lost bool, err error) {
	tools = append(slices.Clone(tools), entry{Tool: json.RawMessage(`{"name":"` + companion + `","description":"Adds ` +
		`two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"}}}}`)})
	run, err := hostrun.Start(ctx, hostrun.Options{Host: r.host, Program: r.program, Server: "t",
		Target: wire.Target{Name: "tools", Serve: serveTools(tools)}, Limit: runLimit, Self: r.mcptest,
		Supervisor: []string{r.mcptest, supervise.Command},
		Find:       func([]hosts.Tool, string) (hosts.Tool, bool) { return hosts.Tool{}, false }})
	if err != nil {
		return nil, false, err
	}
	if run.Requests == 0 {
		return nil, false, fmt.Errorf("%s did not ask its model: %s %s", r.host.ID, run.Exit, run.Output)
	}
	r.version = run.Version
	arrived = slices.DeleteFunc(slices.Clone(run.Tools), func(t hosts.Tool) bool {
		return strings.HasSuffix(t.Name, companion)
	})
	fmt.Fprintf(os.Stderr, "%s %s: %d of %d tools in %.1f s\n", r.host.ID, run.Version, len(arrived), len(tools)-1,
		run.Duration.Seconds())
	return arrived, len(arrived) == len(run.Tools), nil
}

// line describes what happened to a tool.
func (r *recorder) line(batch, index int, tool entry, arrived []hosts.Tool, lost bool) line {
	sent := hosts.Read(tool.Tool)
	l := line{Server: tool.Server, Tool: sent.Name, Batch: batch, Index: index}
	seen, found := r.find(sent, arrived)
	switch {
	case lost:
		l.Outcome, l.Why = "server lost", "alone on its server, nothing arrived"
	case !found:
		l.Outcome, l.Why = "dropped", "the other tools of its server arrived"
	default:
		if l.Outcome = outcomeOf(sent, seen); l.Outcome == "changed" {
			l.Why = changedParts(sent, seen)
		}
		l.Given = &given{seen.Name, seen.Description, seen.Schema, seen.Namespace}
	}
	return l
}

// changedParts names the parts of a tool that the host has changed.
func changedParts(sent, seen hosts.Tool) string {
	var parts []string
	if !sameText(sent.Schema, seen.Schema) {
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
func (r *recorder) find(sent hosts.Tool, arrived []hosts.Tool) (hosts.Tool, bool) {
	foreseen := hosts.View(r.profile, "t", sent)
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
func serveTools(tools []entry) func(ctx context.Context, in io.Reader, out io.Writer) error {
	var list [][]byte
	for _, t := range tools {
		list = append(list, t.Tool)
	}
	results := map[string]string{
		"ping":       `{}`,
		"tools/list": `{"tools":[` + string(bytes.Join(list, []byte(","))) + `]}`,
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"tools",` +
			`"version":"1"}}`,
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
