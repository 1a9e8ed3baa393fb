package main

import "slices"

// contests are what is compared.
var contests = append([]contest{
	{title: "Calls over stdio, 32 at a time", ours: "mcptest's client", theirs: "Go SDK client", unit: "calls/s",
		prepare: clients(false, busy)},
	{title: "Median time of a call over stdio", ours: "mcptest's client", theirs: "Go SDK client", unit: "µs",
		less: true, prepare: clients(false, latency)},
	{title: "Calls over HTTP, 32 at a time", ours: "mcptest's client", theirs: "Go SDK client", unit: "calls/s",
		prepare: clients(true, busy)},
	{title: "Median time of a call over HTTP", ours: "mcptest's client", theirs: "Go SDK client", unit: "µs",
		less: true, prepare: clients(true, latency)},
	{title: "List the tools of a server, from start to end", ours: "mcptest tools list", theirs: "inspector --cli",
		unit: "ms", less: true, prepare: commands("mcp-inspector",
			func(server []string) []string {
				return append(append([]string{"--cli"}, server...), "--method", "tools/list")
			})},
	{title: "List the tools of a server, from start to end", ours: "mcptest tools list", theirs: "mcporter list",
		unit: "ms", less: true, prepare: commands("mcporter",
			func(server []string) []string {
				return []string{"list", "--stdio", server[0], "--stdio-arg", server[1], "--json"}
			})},
	{title: "Median time of a call through a gateway", ours: "mcptest gateway", theirs: "mcp-hub", unit: "µs",
		less: true, prepare: gateways(hub, latency)},
	{title: "Calls through a gateway, 32 at a time", ours: "mcptest gateway", theirs: "mcp-hub", unit: "calls/s",
		prepare: gateways(hub, busy)},
	{title: "Median time of a call through a proxy before one server", ours: "mcptest gateway --transparent",
		theirs: "mcp-proxy", unit: "µs", less: true, prepare: gateways(proxy, latency)},
	{title: "Calls through a proxy before one server, 32 at a time", ours: "mcptest gateway --transparent",
		theirs: "mcp-proxy", unit: "calls/s", prepare: gateways(proxy, busy)},
}, slices.Concat(thinContests("a minimal stdio server", echoMode, "auto"),
	thinContests("a stdio server of the Go SDK", echoSDKMode, "auto"),
	thinContests("a stdio server of the Go SDK with protocol "+revision, echoSDKMode, revision))...)

// thinContests compare the gateway, which validates and logs, with a proxy that does neither.
func thinContests(server, mode, protocol string) []contest {
	one := func(what, unit string, less bool, f figure) contest {
		return contest{title: what + ", " + server + " behind", ours: "mcptest gateway", theirs: "thin mcp-go proxy",
			unit: unit, less: less, prepare: thin(mode, protocol, f)}
	}
	return []contest{
		one("CPU time of a call, one caller, proxy and server", "µs", true, cpu(1, true)),
		one("CPU time of a call, 32 callers, proxy and server", "µs", true, cpu(32, true)),
		one("CPU time of a call, one caller, proxy alone", "µs", true, cpu(1, false)),
		one("CPU time of a call, 32 callers, proxy alone", "µs", true, cpu(32, false)),
		one("Median time of a call, one caller", "µs", true, plain(latency)),
		one("Median time of a call, 32 callers", "µs", true, plain(latencyBusy)),
		one("Calls, one caller", "calls/s", false, plain(single)),
		one("Calls, 32 callers", "calls/s", false, plain(busy)),
	}
}
