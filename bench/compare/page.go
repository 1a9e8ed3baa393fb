package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// A machine is where a run was made.
type machine struct {
	Date, CPU, System, SDK string
	Load                   string // processes that wanted a core, in the last minute
	Cores                  int
}

func thisMachine() machine {
	m := machine{Date: time.Now().UTC().Format("2006-01-02"), Cores: runtime.NumCPU(),
		System: runtime.GOOS + "/" + runtime.GOARCH + ", " + runtime.Version(), CPU: "unknown"}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
				m.CPU = strings.TrimSpace(value)
				break
			}
		}
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Fields(string(text))[0]
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/modelcontextprotocol/go-sdk" {
				m.SDK = dep.Version
			}
		}
	}
	return m
}

// page is docs/benchmarks.md.
func page(m machine, turns int, results []result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- Written by go run ./bench/compare -write. -->\n\n# Benchmarks\n\n"+
		"mcptest beside its peers, both sides in one run. **Better** is how many times better mcptest did, the "+
		"median of %d paired turns, with the range\n"+
		"of the middle half of them; below 1 the peer did better.\n\n", turns)
	b.WriteString("| what | mcptest | peer | better |\n|---|---|---|---|\n")
	var skipped []string
	for _, r := range results {
		if r.skipped != "" {
			skipped = append(skipped, fmt.Sprintf("- %s, beside %s: %s", r.title, r.theirs, r.skipped))
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s: %s | **%.2f** (%.2f to %.2f) |\n", r.title, amount(r.our, r.unit), r.theirs,
			amount(r.their, r.unit), r.ratio, r.low, r.high)
	}
	if len(skipped) > 0 {
		fmt.Fprintf(&b, "\nLeft out in this run:\n\n%s\n", strings.Join(skipped, "\n"))
	}
	fmt.Fprintf(&b, "\n## The run\n\n%s, %d cores of %s, %s", m.Date, m.Cores, m.CPU, m.System)
	if m.Load != "" {
		fmt.Fprintf(&b, ", under a load of %s", m.Load)
	}
	b.WriteString(". Peers: Go SDK " + m.SDK + ", mcp-go " + mcpGo)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range pinned {
			if !yield(name) {
				return
			}
		}
	}) {
		fmt.Fprintf(&b, ", %s %s", name, pinned[name])
	}
	b.WriteString(".\n" + caveats)
	return b.String()
}

const caveats = `
Again, on your machine, with Go and npm (peers go into a folder that is removed):

` + "```text\ngo run ./bench/compare\n```" + `

## How to read it

- The figures are those of one machine, which had other work to do if its load is above its cores. Both sides take turns, so that it falls on
  both: trust the ratios, not the figures.
- The server behind all of them does next to nothing, so that what is measured is the client or the gateway. With a server that works for 50 ms
  a call, none of this is felt.
- mcptest's client records every frame while it is measured; the client of the Go SDK has no record.
- "From start to end" is a command that starts the server, lists its tools and ends. Most of it is the start of the program itself: that of Node,
  for the peers.
- Gateways: the same client before them, the revision 2025-11-25, one server over stdio behind. mcptest's checks the arguments against the tool's
  schema on the way; with ` + "`--transparent`" + ` it changes nothing. mcp-hub is reached over HTTP+SSE,
  which is what it serves. Gateways that need Docker or Kubernetes are not measured.
- The thin mcp-go proxy is the least that mark3labs/mcp-go allows: it passes the tools of one server on, validates nothing and logs nothing
  (bench/mcpgo). mcptest's gateway validates arguments and results, and logs each call to a file. Both sides have the same bare HTTP client. CPU time is
  user and system time of the processes; other work on the machine changes it far less than times and rates.
- With a server that supports both styles of the protocol, the gateway uses 2026-07-28, because only there a question of a server to a client names the
  call it belongs to. It costs such a server about a third more CPU time. ` + "`protocol`" + ` of the server in the config selects 2025-11-25.
- The official conformance suite and ` + "`mcptest conform`" + ` do not make the same checks, so that their times say nothing; they are not compared.

What mcptest promises about itself alone (memory over many calls, time to start, processor time a call) is tested by
` + "`go test -v ./bench`" + `.
`
