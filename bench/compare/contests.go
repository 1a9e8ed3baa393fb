package main

// contests are what is compared.
var contests = []contest{
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
}
