//go:build unix

package diagnose

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"testing"
	"time"
)

// The test binary is two programs: the tests, and a server with a defect.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "__server" {
		serve(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// goodTool is a definition that all clients accept.
const goodTool = `{"name":"echo","description":"Returns its input.","inputSchema":{"type":"object",` +
	`"properties":{"text":{"type":"string"}}}}`

// toolsOf are the tools of servers with a definition that some clients reject.
var toolsOf = map[string]string{
	"null-annotation": `{"name":"bad","description":"d","inputSchema":{"type":"object"},` +
		`"annotations":{"destructiveHint":null}},` + goodTool,
	"root-anyof": `{"name":"query","description":"d","inputSchema":{"type":"object","anyOf":[{"required":["a"]}]}},` +
		goodTool,
	"none": "",
}

// serve is a server over stdio.
func serve(mode string) {
	switch mode {
	case "banner":
		fmt.Println("Server running on stdio")
	case "slow":
		time.Sleep(10 * time.Second)
	case "port":
		if _, err := net.Listen("tcp", os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "variable":
		if os.Getenv("SERVICE_TOKEN") == "" {
			fmt.Fprintln(os.Stderr, "Error: SERVICE_TOKEN environment variable is required")
			os.Exit(1)
		}
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Version string `json:"protocolVersion"`
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		fmt.Println(reply(mode, m.Method, m.Params.Version, m.ID))
	}
}

// reply returns the response to a request.
func reply(mode, method, version string, id json.RawMessage) string {
	switch {
	case method == "initialize" && mode == "no-capability":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{},`+
			`"serverInfo":{"name":"s","version":"1"}}}`, id, version)
	case method == "initialize" && mode == "refuses":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"license has expired"}}`, id)
	case method == "initialize":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},`+
			`"serverInfo":{"name":"s","version":"1"}}}`, id, version)
	case method == "tools/list" && mode == "list-crash":
		fmt.Fprintln(os.Stderr, "panic: database is closed")
		os.Exit(3)
	case method == "tools/list" && mode == "list-error":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no database"}}`, id)
	case method == "tools/list" && mode == "log":
		fmt.Println("listing the tools")
		return reply("good", method, version, id)
	case method == "tools/list":
		tools, special := toolsOf[mode]
		if !special {
			tools = goodTool
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`, id, tools)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown method"}}`, id)
}
