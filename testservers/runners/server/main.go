// Command server is an MCP server for the scenarios of test runners: tools that work, fail, exit, hang and write what they
// must not. SLOW is how long it takes to start; DIES is the chance that it exits instead of responding, such as 0.3.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"
)

const tools = `[{"name":"add","description":"Adds two numbers.","inputSchema":{"type":"object","properties":` +
	`{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}},` +
	`{"name":"lines","description":"Returns three lines.","inputSchema":{"type":"object"}},` +
	`{"name":"fail","description":"Fails.","inputSchema":{"type":"object"}},` +
	`{"name":"die","description":"Exits.","inputSchema":{"type":"object"}},` +
	`{"name":"hang","description":"Does not respond.","inputSchema":{"type":"object"}},` +
	`{"name":"noise","description":"Writes a line to stdout.","inputSchema":{"type":"object"}},` +
	`{"name":"shape","description":"Violates its output schema.","inputSchema":{"type":"object"},` +
	`"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}}]`

type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name            string
		Arguments       map[string]float64
		ProtocolVersion string
	}
}

func main() {
	slow, _ := time.ParseDuration(os.Getenv("SLOW"))
	time.Sleep(slow)
	dies, _ := strconv.ParseFloat(os.Getenv("DIES"), 64)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r request
		if json.Unmarshal(in.Bytes(), &r) != nil || r.ID == nil {
			continue
		}
		if rand.Float64() < dies {
			fmt.Fprintln(os.Stderr, "exits at random")
			os.Exit(4)
		}
		reply(r)
	}
}

func reply(r request) {
	switch r.Method {
	case "initialize":
		send(r, `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"scenarios",`+
			`"version":"1"}}`)
	case "tools/list":
		send(r, `"result":{"tools":`+tools+`}`)
	case "tools/call":
		call(r)
	case "ping":
		send(r, `"result":{}`)
	default:
		send(r, `"error":{"code":-32601,"message":"unknown method"}`)
	}
}

func call(r request) {
	switch r.Params.Name {
	case "add":
		fmt.Fprintln(os.Stderr, "adding")
		sum := r.Params.Arguments["a"] + r.Params.Arguments["b"]
		send(r, fmt.Sprintf(`"result":{"content":[{"type":"text","text":"%v"}],"structuredContent":{"sum":%v,"exact":true}}`,
			sum, sum))
	case "lines":
		send(r, `"result":{"content":[{"type":"text","text":"one\ntwo\nthree"}]}`)
	case "fail":
		send(r, `"result":{"content":[{"type":"text","text":"no such file"}],"isError":true}`)
	case "die":
		fmt.Fprintln(os.Stderr, "out of memory")
		os.Exit(3)
	case "hang":
	case "noise":
		fmt.Println("debug: noise")
		send(r, `"result":{"content":[{"type":"text","text":"done"}]}`)
	case "shape":
		send(r, `"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"count":"three"}}`)
	default:
		send(r, fmt.Sprintf(`"error":{"code":-32602,"message":%q}`, "unknown tool "+r.Params.Name))
	}
}

func send(r request, member string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", r.ID, member)
}
