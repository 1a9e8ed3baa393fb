package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// fixture is the word by which the test binary, run again, is a server on its standard input and output. It answers
// what the tests of the page need and no clean server says: many tools, large results, errors, hostile text.
const fixture = "serve-fixture"

// Sizes of what the fixture serves.
const (
	manyTools  = 1000
	largeItems = 50_000 // of the large result: over 5 MB of JSON

	manyNotifications = 10_000
	flood             = "tool_0999" // the tool that sends them before its response
)

// serveFixture answers line by line until the input ends.
func serveFixture() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintln(os.Stderr, "fixture: ready")
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		if m.Params.Name == "nothing" {
			fmt.Fprintln(out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning",`+
				`"logger":"fixture","data":"nothing to say"}}`)
		}
		if m.Params.Name == flood {
			for i := range manyNotifications {
				fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"line %d"}}`+"\n", i)
			}
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, fixtureAnswer(m.Method, m.Params.Name))
		_ = out.Flush()
	}
}

func fixtureAnswer(method, tool string) string {
	switch method {
	case "initialize":
		return `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},` +
			`"serverInfo":{"name":"fixture","version":"1"},"instructions":"# Hello\n\n<img src=x onerror=alert(1)>"}`
	case "tools/list":
		return `"result":{"tools":[` + fixtureTools() + `]}`
	case "tools/call":
		fmt.Fprintf(os.Stderr, "fixture: \x1b[33mcalled\x1b[0m\n\tat %s\n", tool)
		return fixtureCall(tool)
	case "ping", "logging/setLevel":
		return `"result":{}`
	}
	return `"error":{"code":-32601,"message":"no such method"}`
}

func fixtureTools() string {
	const input = `"inputSchema":{"type":"object","properties":{"v":{"type":"string","description":"A value."}}}`
	tools := []string{
		`{"name":"large","description":"A result of several megabytes.",` + input + `}`,
		`{"name":"refused","description":"A JSON-RPC error.",` + input + `}`,
		`{"name":"mismatch","description":"Departs from its output schema.",` + input +
			`,"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`,
		`{"name":"twice","description":"Text that repeats the structured content.",` + input + `}`,
		`{"name":"wrapped","description":"Text that repeats the only property of the structured content.",` + input + `}`,
		`{"name":"markdown","description":"Text to be rendered.",` + input + `}`,
		`{"name":"odd","description":"Blocks that cannot be shown.",` + input + `}`,
		`{"name":"nothing","description":"A result without content. ` + strings.Repeat("And much to say. ", 100) +
			`",` + input + `}`,
		`{"name":"hostile","title":"<script>alert(1)</script>","description":"<img src=x onerror=alert(1)> ` +
			`[x](javascript:alert(1))",` + input + `}`,
	}
	for i := range manyTools {
		tools = append(tools, fmt.Sprintf(`{"name":"tool_%04d","description":"Number %d of many.",%s}`, i, i, input))
	}
	return strings.Join(tools, ",")
}

func fixtureCall(tool string) string {
	switch tool {
	case "large":
		return `"result":{"content":[{"type":"text","text":` + quote(largeJSON()) + `}]}`
	case "refused":
		return `"error":{"code":-32050,"message":"not today","data":{"reason":"closed","limit":9007199254740993}}`
	case "mismatch":
		return `"result":{"content":[{"type":"text","text":"the payload"}],"structuredContent":{"n":"not a number"}}`
	case "twice":
		return `"result":{"content":[{"type":"text","text":"{\n \"n\": 1.0\n}"}],"structuredContent":{"n":1.0}}`
	case "wrapped":
		return `"result":{"content":[{"type":"text","text":"[\n 1.0]"}],"structuredContent":{"items":[1.0]}}`
	case "markdown":
		return `"result":{"content":[{"type":"text","text":"# Title\n\nSome **bold** text and [a ` +
			`link](https://example.com/).\n\n- one\n- two\n"}]}`
	case "odd":
		return `"result":{"content":[{"type":"text","text":"","annotations":{"priority":0.5}},{"type":"image",` +
			`"mimeType":"image/png","data":"!"},` +
			`{"type":"image","mimeType":"image/png","data":"AAAA"},{"type":"video","data":"zz"},{"type":"audio",` +
			`"mimeType":"audio/x-unheard","data":"AAAA"}]}`
	case "nothing":
		return `"result":{"content":[]}`
	case "hostile":
		return `"result":{"content":[{"type":"text","text":"# <img src=x ` +
			`onerror=alert(1)>\n\n[click](javascript:alert(1)) <script>alert(1)</script>"},` +
			`{"type":"resource_link","uri":"javascript:alert(1)","name":"<b>link</b>"},` +
			`{"type":"image","mimeType":"image/svg+xml","data":"PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"}]}`
	}
	return `"result":{"content":[{"type":"text","text":"done"}]}`
}

func largeJSON() string {
	var b strings.Builder
	b.WriteString("[")
	for i := range largeItems {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"item number %d","tags":["a","b"],"ratio":1.0,"note":"some more text to `+
			`make it long"}`, i, i)
	}
	return b.String() + "]"
}
