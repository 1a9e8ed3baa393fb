// Command probe is a server whose tools hosts treat differently. Its argument is the case: clean, null-annotation,
// root-oneof, noise (a line on stdout after the handshake) or banner (the line at its start).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

const echoTool = `{"name":"echo","description":"Returns the text.","annotations":{"readOnlyHint":true},` +
	`"inputSchema":{"type":"object","properties":{"text":{"type":"string","minLength":2}},"required":["text"]}}`

// others are the other tools of each case.
var others = map[string]string{
	"clean": `,{"name":"add.numbers","description":"Adds two numbers.","inputSchema":{"type":"object","properties":` +
		`{"a":{"type":"number"},"b":{"type":["number","null"]}},"required":["a"]}}` +
		`,{"name":"report","description":"Writes a report.","inputSchema":{"type":"object"}}`,
	"null-annotation": `,{"name":"report","description":"Writes a report.","annotations":{"destructiveHint":null},` +
		`"inputSchema":{"type":"object","properties":{}}}`,
	"root-oneof": `,{"name":"merge","description":"Merges branches.","inputSchema":{"type":"object","properties":` +
		`{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}}`,
	"noise": `,{"name":"report","description":"Writes a report.","inputSchema":{"type":"object","properties":{}}}`,
}

func main() {
	others["banner"] = others["noise"]
	more, known := others[os.Args[len(os.Args)-1]]
	if !known {
		fmt.Fprintln(os.Stderr, "usage: probe CASE")
		os.Exit(2)
	}
	if os.Args[1] == "banner" {
		fmt.Println("probe is ready")
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				ProtocolVersion string
				Arguments       struct{ Text string }
			}
		}
		if json.Unmarshal(lines.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		result := ""
		switch request.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"` + os.Args[1] +
				`","version":"1.0.0"}}`
		case "ping":
			result = `{}`
		case "tools/list":
			if os.Args[1] == "noise" {
				fmt.Println("probe is ready")
			}
			result = `{"tools":[` + echoTool + more + `]}`
		case "tools/call":
			text, _ := json.Marshal("echo: " + request.Params.Arguments.Text)
			result = `{"content":[{"type":"text","text":` + string(text) + `}]}`
		}
		if result == "" {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", request.ID)
			continue
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", request.ID, result)
	}
}
