package sdk

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// write makes files with these texts below a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestInstalled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs executable scripts")
	}
	dir := write(t, map[string]string{
		"bin/node":    "",
		"dist/one.js": "#!/usr/bin/env node\nimport { McpServer } from \"@modelcontextprotocol/sdk/server/mcp.js\";\n",
		// a server written by hand beside an SDK, one that uses the SDK through a file beside it, and one that contains it
		"dist/hand.mjs":    "import * as lines from 'node:readline/promises'\nimport fs from \"fs/promises\"\nimport './data.mjs'\n",
		"dist/data.mjs":    "export const all = require(`path`)\n",
		"dist/through.ts":  "import { run } from './helper.js'\n",
		"dist/helper.ts":   "const { Server } = await import('@modelcontextprotocol/sdk/server/index.js')\n",
		"dist/bundle.js":   strings.Repeat("var a = 1\n", maxScript/10+1),
		"dist/missing.js":  "import './not-there.js'\n",
		"dist/express.mjs": "import express from 'express'\n",
		"node_modules/@modelcontextprotocol/sdk/package.json": `{"version":"1.32.2"}`,
		// a server written by hand with a package that is no SDK, and one with a package that depends on one
		"dist/validator.mjs":                     "import './ajv.mjs'\n",
		"dist/ajv.mjs":                           "import Ajv from 'ajv/dist/2020.js'\n",
		"dist/wrapped.mjs":                       "import { serve } from 'wrapper'\n",
		"node_modules/ajv/package.json":          `{"version":"8.17.1","dependencies":{"fast-uri":"^3"}}`,
		"node_modules/fast-uri/package.json":     `{"version":"3.0.0","dependencies":{"ajv":"^8"}}`,
		"node_modules/wrapper/package.json":      `{"version":"0.1.0","dependencies":{"inner":"^1"}}`,
		"node_modules/inner/package.json":        `{"version":"1.0.0","peerDependencies":{"@modelcontextprotocol/sdk":"^1"}}`,
		"fast/server.js":                         "import 'a-wrapper'",
		"fast/node_modules/fastmcp/package.json": `{"version":"4.20.0"}`,
		"venv/bin/python3":                       "",
		"venv/lib/python3.13/site-packages/mcp-2.3.0.dist-info/METADATA": "",
		"fastmcp/bin/python": "",
		"fastmcp/lib/python3.12/site-packages/mcp-1.9.0.dist-info/METADATA":      "",
		"fastmcp/lib/python3.12/site-packages/fastmcp-2.11.0.dist-info/METADATA": "",
		"bare/bin/python": "",
		"other/tool.sh":   "#!/bin/sh\n",
		// several servers in one node_modules folder
		"many/node_modules/@modelcontextprotocol/server/package.json": `{"version":"2.0.0"}`,
		"many/node_modules/@modelcontextprotocol/sdk/package.json":    `{"version":"1.29.0"}`,
		"many/node_modules/old/package.json": `{"name":"old",` +
			`"dependencies":{"@modelcontextprotocol/sdk":"^1"}}`,
		"many/node_modules/old/dist/package.json": `{"type":"module"}`,
		"many/node_modules/old/dist/main.js":      "require('@modelcontextprotocol/sdk')",
		"many/node_modules/bundled/package.json": `{"name":"bundled",` +
			`"devDependencies":{"@modelcontextprotocol/sdk":"^1"}}`,
		"many/node_modules/bundled/main.js": "",
		"many/alone.js":                     "import 'a-wrapper'",
		// a server written by hand in the environment of an SDK, and one that imports the SDK through a file beside it
		"venv/hand.py": "import json, sys\nfrom base import Server\n", "venv/base.py": "import asyncio\n",
		"venv/through.py": "from helper import run\n", "venv/helper.py": "from mcp.server import Server\n",
		"venv/other.py": "import jsonschema\n", "venv/lib/python3.13/site-packages/jsonschema/__init__.py": "",
		// a server on the SDK beside one on FastMCP
		"fastmcp/direct.py": "import sys\nfrom mcp.server.fastmcp import FastMCP\n",
		"fastmcp/built.py":  "import fastmcp\n",
		"fastmcp/lib/python3.12/site-packages/some_server-1.0.dist-info/METADATA": "Name: some-server\n" +
			"Requires-Dist: mcp[cli]<3\n",
	})
	scripts := write(t, map[string]string{"serve": "#!" + dir + "/venv/bin/python3\n",
		"some-server": "#!" + dir + "/fastmcp/bin/python\nfrom some_server import main\n"})
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct {
		command []string
		want    string
	}{
		{[]string{"node", "dist/one.js", "/data"}, "TypeScript SDK 1.32.2"},
		{[]string{"node", "--inspect", dir + "/dist/one.js"}, "TypeScript SDK 1.32.2"},
		{[]string{"./dist/one.js"}, "TypeScript SDK 1.32.2"},
		{[]string{"node", "dist/validator.mjs"}, ""},
		{[]string{"node", "dist/wrapped.mjs"}, "TypeScript SDK 1.32.2 (not certain)"},
		{[]string{"node", "fast/server.js"}, "fastmcp (TypeScript) 4.20.0 (not certain)"},
		{[]string{"node", "dist/hand.mjs"}, ""},
		{[]string{"node", "dist/through.ts"}, "TypeScript SDK 1.32.2"},
		{[]string{"node", "dist/bundle.js"}, "TypeScript SDK 1.32.2"},
		{[]string{"node", "dist/missing.js"}, "TypeScript SDK 1.32.2"},
		{[]string{"node", "dist/express.mjs"}, "TypeScript SDK 1.32.2 (not certain)"},
		{[]string{"node", "missing.js"}, ""}, {[]string{"node"}, ""},
		{[]string{"venv/bin/python3", "-m", "server"}, "Python SDK 2.3.0"},
		{[]string{"env", "A=1", "B=", "venv/bin/python3", "server.py"}, "Python SDK 2.3.0"},
		{[]string{"venv/bin/python3", "venv/hand.py"}, ""},
		{[]string{"venv/bin/python3", "venv/other.py"}, "Python SDK 2.3.0 (not certain)"},
		{[]string{"venv/bin/python3", "venv/through.py"}, "Python SDK 2.3.0"},
		{[]string{"/usr/bin/env", "node", "dist/one.js"}, "TypeScript SDK 1.32.2"}, {[]string{"env", "A=1"}, ""},
		{[]string{"fastmcp/bin/python", "server.py"}, "FastMCP (Python) 2.11.0 (not certain)"},
		{[]string{"bare/bin/python", "server.py"}, ""},
		{[]string{scripts + "/serve"}, "Python SDK 2.3.0"},
		{[]string{"node", "many/node_modules/old/dist/main.js"}, "TypeScript SDK 1.29.0"},
		{[]string{"node", "many/node_modules/bundled/main.js"}, ""},
		{[]string{"node", "many/alone.js"}, "TypeScript SDK 2 2.0.0 (not certain)"},
		{[]string{"fastmcp/bin/python", "fastmcp/direct.py"}, "Python SDK 1.9.0"},
		{[]string{"fastmcp/bin/python", "fastmcp/built.py"}, "FastMCP (Python) 2.11.0"},
		{[]string{"fastmcp/bin/python", "-m", "some_server"}, "Python SDK 1.9.0"},
		{[]string{scripts + "/some-server"}, "Python SDK 1.9.0"},
		{[]string{"other/tool.sh"}, ""}, {[]string{"no-such-program"}, ""}, {nil, ""},
	} {
		got := ""
		if found := Installed(c.command, dir); found != nil {
			if got = found.String(); found.Evidence == "" {
				t.Errorf("%q: %+v", c.command, found)
			}
			if !found.Certain {
				got += " (not certain)"
			}
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.command, got, c.want)
		}
	}
}

// A Go program carries the modules that it is built from. This test has none of an SDK.
func TestGoProgram(t *testing.T) {
	if found := ofGo(os.Args[0]); found != nil {
		t.Errorf("%+v", found)
	}
}

// The words of an error are evidence only where no author would write them, or with what the SDK alone declares.
func TestInferred(t *testing.T) {
	const (
		python = `{"experimental":{},"prompts":{"listChanged":false},"resources":{"subscribe":false,` +
			`"listChanged":false},"tools":{"listChanged":false}}`
		golang = `{"logging":{},"tools":{"listChanged":true}}`
	)
	failed := func(text string) json.RawMessage {
		quoted, _ := json.Marshal(text) // a string always marshals
		return json.RawMessage(`{"content":[{"type":"text","text":` + string(quoted) + `}],"isError":true}`)
	}
	for _, c := range []struct {
		info, capabilities string
		result             json.RawMessage
		refusal            string
		want               string
		unhandled          Response
	}{
		{`{"name":"notes"}`, ``, failed("MCP error -32602: Tool mcptest-no-such-tool not found"), "", "TypeScript SDK", Response{}},
		{`{}`, python, failed("Unknown tool: mcptest-no-such-tool"), "", "Python SDK", Response{}},
		{`{}`, strings.ReplaceAll(python, "false", "true"), failed("Unknown tool: mcptest-no-such-tool"), "",
			"Python SDK", Response{}},
		{`{}`, python, failed("Unknown tool: 'mcptest-no-such-tool'"), "", "FastMCP (Python)", Response{}},
		{`{}`, golang, nil, `unknown tool "mcptest-no-such-tool"`, "Go SDK", Response{}},
		{`{}`, ``, nil, `tool 'mcptest-no-such-tool' not found: tool not found`, "mcp-go", Response{}},
		{`{"name":"rmcp","version":"0.8.1"}`, ``, nil, "", "Rust SDK 0.8.1", Response{}},
		{`{}`, `{"tools":{}}`, nil, `no tool`, "Go SDK",
			Response{Text: `JSON RPC not handled: "mcptest/no-such-method" unsupported` + "\n"}},
		{`{}`, `{"tools":{"listChanged":false}}`, nil, "no tool", "Python SDK", Response{Text: "Invalid request parameters"}},
		{`{}`, `{"tools":{"listChanged":false}}`, nil, "no tool", "Python SDK",
			Response{Text: "Method not found", Data: json.RawMessage(`"mcptest/no-such-method"`), Server: "uvicorn"}},
		// servers without an SDK, with the words of the specification
		{`{}`, python, nil, "Unknown tool: mcptest-no-such-tool", "", Response{}},
		{`{}`, `{"tools":{}}`, failed("Unknown tool: mcptest-no-such-tool"), "", "", Response{}},
		{`{}`, `{"tools":{"listChanged":false}}`, failed("Unknown tool: mcptest-no-such-tool"), "", "", Response{}},
		{`{}`, `{"tools":{}}`, failed("Unknown tool: 'mcptest-no-such-tool'"), "", "", Response{}},
		{`{}`, python, json.RawMessage(`{"content":[{"type":"text","text":"Unknown tool: mcptest-no-such-tool"}]}`), "",
			"", Response{}},
		{`{}`, `{"tools":{}}`, nil, `unknown tool "mcptest-no-such-tool"`, "", Response{}},
		{`{}`, `{"logging":{},"tools":{}}`, nil, `unknown tool "mcptest-no-such-tool"`, "", Response{}},
		{`{"name":"notes"}`, python, nil, "no such tool", "", Response{}}, {``, ``, nil, "", "", Response{}},
		{`{}`, `{"tools":{}}`, nil, "", "", Response{Text: "Method not found", Server: "uvicorn"}},
		{`{}`, `{"tools":{}}`, nil, "", "", Response{Text: "Method not found", Data: json.RawMessage(`"mcptest/no-such-method"`)}},
		{`{}`, `{"tools":{}}`, nil, "", "", Response{Text: `"mcptest/no-such-method" unsupported`}},
	} {
		got := ""
		found := Inferred(Observed{json.RawMessage(c.info), json.RawMessage(c.capabilities), c.result, c.refusal, c.unhandled})
		if found != nil {
			if got = found.String(); found.Certain {
				t.Errorf("%+v is certain", found)
			}
		}
		if got != c.want {
			t.Errorf("%s %s %s %s: %q, want %q", c.info, c.capabilities, c.result, c.refusal, got, c.want)
		}
	}
}

// Every SDK has causes, and a language where there are snippets for it.
func TestCauses(t *testing.T) {
	deep := `{"deep":` + strings.Repeat(`{"a":`, 200) + "1"
	for _, name := range []string{TypeScript, TypeScript2, FastMCPNode, MCPFramework, MCPLite, Python, FastMCP, Go,
		MCPGo, Rust} {
		s := &SDK{Name: name, Certain: true}
		if len(causes[name]) == 0 || (s.Language() == "") != (name == Rust) {
			t.Errorf("%s: %d causes, language %q", name, len(causes[name]), s.Language())
		}
	}
	roots := &SDK{Name: TypeScript, Certain: true}
	if _, ok := roots.Causes("STDIO-002", "the server did not exit", false); ok {
		t.Error("STDIO-002 without roots/list is excused")
	}
	if _, ok := roots.Causes("STDIO-002", "with its roots/list not answered", false); !ok {
		t.Error("STDIO-002 with roots/list is not excused")
	}
	for _, c := range []struct {
		sdk     SDK
		rule    string
		message string
		want    bool
	}{
		{SDK{Name: Python, Version: "1.30.0", Certain: true}, "RPC-003", "got error -32602: Invalid request parameters",
			true},
		{SDK{Name: Python}, "RPC-003", "got error -32602: Invalid request parameters", true}, // its own words
		{SDK{Name: Go}, "RPC-003", `HTTP 400: JSON RPC not handled: "x" unsupported`, true},  // its own words
		{SDK{Name: Go}, "LIFE-022", `HTTP 400 Bad Request (text/plain): "Bad Request: Unsupported protocol version (supported versions: 2`, true},
		{SDK{Name: MCPGo}, "LIFE-022", `got error 0: HTTP 400 Bad Request (text/plain): "Unsupported protocol version: 1900-01-01", expected`, true},
		{SDK{Name: TypeScript, Certain: true}, "PROMPT-013", "prompt without required arguments, requested without arguments: expected messages as for {}, " +
			"got error -32602: MCP error -32602: Invalid arguments for prompt status: expected object, received undefined", true},
		{SDK{Name: TypeScript, Certain: true}, "PROMPT-013", "prompt with all its arguments: expected messages, got error -32602: MCP error -32602: " +
			"Invalid arguments for prompt status", false},
		{SDK{Name: MCPGo}, "LIFE-022", "the request was served", false},
		{SDK{Name: Go}, "HTTP-025", `error -32020: header mismatch: Mcp-Name header value '=?base64?`, true},
		{SDK{Name: Go}, "HTTP-025", "the server did not decode it", false},
		{SDK{Name: Go, Certain: true}, "FUZZ-023", "the error repeats id rounded: expected 12345678901234567", true},
		{SDK{Name: FastMCP}, "FUZZ-027", "1 validation error for call[x]\nTopic\n  Unexpected keyword argument [type=unexpected_keyword_argument, i", true},
		{SDK{Name: FastMCP}, "FUZZ-027", "1 validation error for call[x]\nTopic\n  Input should be a valid string [type=string_type", false},
		{SDK{Name: Go}, "RPC-003", "unknown method returned a result", false},
		{SDK{Name: Python, Version: "1.30.0", Certain: true}, "RPC-003", "unknown method returned a result", false},
		{SDK{Name: Python, Version: "2.3.0", Certain: true}, "RPC-003", "got error -32602: Invalid request parameters",
			false},
		{SDK{Name: FastMCP, Version: "2.14.7", Certain: true}, "RPC-014",
			"second response (error 0: Request cancelled)", true},
		{SDK{Name: FastMCP, Version: "4.1.2", Certain: true}, "RPC-014", "second response (error 0: Request cancelled)",
			false},
		{SDK{Name: Python, Version: "1.30.0", Certain: true}, "RPC-014", "second response with id 1", false},
		{SDK{Name: FastMCP, Version: "4.1.2", Certain: true}, "TOOL-015",
			`no text block contains the JSON of structuredContent, which wraps a value as "result"`, true},
		{SDK{Name: FastMCP, Version: "4.1.2", Certain: true}, "TOOL-015",
			"no text block contains the JSON of structuredContent, expected one", false},
		{SDK{Name: Python}, "RPC-014", `unsolicited response with id "server-error" (error -32600: Bad Request), expected 1`, true},
		{SDK{Name: Go}, "RPC-014", `unsolicited response with id "server-error" (error -32600: Bad Request), expected 1`, false},
		{SDK{Name: FastMCP}, "RPC-019", `requests with ids 4711 and "4711": no response to 4711, expected both`, true},
		{SDK{Name: FastMCP}, "RPC-008", "got error -32602: Validation error: 4 validation errors for JSONRPCMessage", true},
		{SDK{Name: FastMCP}, "RPC-008", "got error -32602: wrong method", false},
		{SDK{Name: Python, Version: "1.30.0", Certain: true}, "CANCEL-001", "after 3 cancelled requests: no response",
			true},
		{SDK{Name: Python}, "FUZZ-002", "no response\nstderr: 1 validation error for JSONRPCMessage\n  Invalid JSON: " +
			"recursion limit exceeded at line 1", true},
		{SDK{Name: Python, Version: "1.30.0", Certain: true}, "FUZZ-002", "no response\ncall: echo {}", false},
		{SDK{Name: Python, Version: "2.3.0", Certain: true}, "FUZZ-002", "no response\ncall: echo " + deep, true},
		{SDK{Name: FastMCP, Version: "4.1.2", Certain: true}, "FUZZ-002", "no response\ncall: echo " + deep, true},
		{SDK{Name: FastMCP, Version: "4.1.2", Certain: true}, "FUZZ-002", `no response\ncall: echo {"a":{"a":1}}`, false},
		{SDK{Name: Go, Version: "1.2.0", Certain: true}, "FUZZ-002", "no response\ncall: echo " + deep, false},
		{SDK{Name: Python, Version: "2.3.0", Certain: true}, "PROMPT-008",
			"without argument: got error 0: Missing required arguments, expected error -32602", true},
		{SDK{Name: Python, Version: "2.3.0", Certain: true}, "PROMPT-008",
			"without argument: expected error -32602, got a result", false}, // only the author's own handler does this
		{SDK{Name: FastMCP, Version: "4.1.2", Certain: true}, "PROMPT-008",
			"without argument: expected error -32602, got a result", false},
		{SDK{Name: Python}, "CANCEL-001", "after 3 cancelled requests: no response", false}, // behavior alone
		{SDK{Name: Python, Version: "1.30.0"}, "LOG-005", `server sent it` + "\n" +
			`{"params":{"level":"error","logger":"mcp.server.exception_handler","data":"Internal Server Error"}}`, true},
		{SDK{Name: Python, Version: "1.30.0", Certain: true}, "LOG-005", `{"params":{"level":"info","data":"started"}}`, false},
		{SDK{Name: TypeScript, Certain: true}, "TOOL-009", "unknown tool: expected error -32602, got a result with isError\n{}", true},
		{SDK{Name: TypeScript, Certain: true}, "TOOL-009", "unknown tool: got error -32603: x, expected error -32602\n{}", true},
		{SDK{Name: TypeScript, Certain: true}, "TOOL-009", "unknown tool: expected error -32602, got a result\n{}", false},
		{SDK{Name: FastMCP}, "HTTP-013", "got HTTP 400\n" + `{"error":{"code":-32600,"message":"Bad Request: Missing session ID"}}`, true},
		{SDK{Name: Python}, "HTTP-013", "got HTTP 200\n" +
			`{"error":{"code":-32601,"message":"Method not found","data":"server/discover"}}`, true},
		{SDK{Name: FastMCP}, "HTTP-013", "got success", false},
		{SDK{Name: Python, Certain: true}, "TOOL-009", "unknown tool: expected error -32602, got a result", false},
		{SDK{Name: TypeScript, Certain: true}, "RES-007", "unknown resource URI: expected error -32602, got a result\n{}", false},
	} {
		if _, ok := c.sdk.Causes(c.rule, c.message, true); ok != c.want {
			t.Errorf("%+v causes %s %q: %v, want %v", c.sdk, c.rule, c.message, ok, c.want)
		}
	}
	var none *SDK
	if _, ok := none.Causes("TOOL-009", "", false); ok || none.Language() != "" {
		t.Error("an unknown SDK causes something")
	}
}

// What a handler of the author decides is not caused by the SDK, unlike what the SDK does before it.
func TestOwnHandlers(t *testing.T) {
	low := "import { Server } from '@modelcontextprotocol/sdk/server/index.js'\nserver.setRequestHandler(\n  " +
		"types.ListToolsRequestSchema, list)\nserver.setRequestHandler('resources/read', read)\n"
	dir := write(t, map[string]string{"bin/node": "",
		"low.mjs":  low,
		"high.mjs": "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'\n",
		"node_modules/@modelcontextprotocol/sdk/package.json": `{"version":"1.32.2"}`,
		"two/bin/python": "", "two/lib/python3.13/site-packages/mcp-2.3.0.dist-info/METADATA": "",
		"one/bin/python": "", "one/lib/python3.13/site-packages/mcp-1.30.0.dist-info/METADATA": "",
		"low.py":  "from mcp.server.lowlevel import Server\nServer('x', on_list_tools=one,\n  on_get_prompt = two)\n",
		"high.py": "from mcp.server import MCPServer\n",
	})
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct {
		command string
		caused  string
	}{
		{"node low.mjs", "TOOL-004 TOOL-009 RPC-016"},
		{"node high.mjs", "TOOL-004 TOOL-009 TOOL-019 RES-007 RPC-016"},
		{"two/bin/python low.py", "TOOL-004 TOOL-009 RPC-016"},
		{"two/bin/python high.py", "TOOL-004 TOOL-009 PROMPT-007 RPC-016"},
		{"one/bin/python low.py", "TOOL-004 TOOL-009 PROMPT-007 RPC-016"},
	} {
		found := Installed(strings.Fields(c.command), dir)
		var caused []string
		for _, rule := range []string{"TOOL-004", "TOOL-009", "TOOL-019", "PROMPT-007", "RES-007", "RPC-016"} {
			if _, ok := found.Causes(rule, "got error -32000: unknown", false); ok {
				caused = append(caused, rule)
			}
		}
		if got := strings.Join(caused, " "); got != c.caused {
			t.Errorf("%s: %s causes %q, expected %q", c.command, found, got, c.caused)
		}
	}
}

func TestPhrase(t *testing.T) {
	for sdk, want := range map[SDK]string{{Name: Go, Version: "1.2"}: "the Go SDK 1.2",
		{Name: FastMCP, Version: "4.1"}: "FastMCP (Python) 4.1", {Name: MCPGo}: "mcp-go"} {
		if got := sdk.Phrase(); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}
