// Command player stands for a host, by the name of its executable: it connects to the server in its config, and sends
// the requests to its model that the real host sent in a recorded run with the same server. With a server that was not
// recorded it starts another process and waits forever. As npm it installs itself.
package main

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

//go:embed recorded
var recordings embed.FS

// hosts are the executables with their packages and the paths of their requests.
var hosts = map[string]struct{ pkg, path string }{
	"claude":   {"@anthropic-ai/claude-code", "/v1/messages"},
	"cline":    {"cline", "/v1/chat/completions"},
	"cn":       {"@continuedev/cli", "/v1/chat/completions"},
	"codex":    {"@openai/codex", "/v1/responses"},
	"copilot":  {"@github/copilot", "/v1/chat/completions"},
	"gemini":   {"@google/gemini-cli", "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"},
	"kilo":     {"@kilocode/cli", "/v1/chat/completions"},
	"opencode": {"opencode-ai", "/v1/chat/completions"},
	"qwen":     {"@qwen-code/qwen-code", "/v1/chat/completions"},
}

// A recorded run.
type recorded struct {
	Case, Version string
	Bodies        []json.RawMessage
}

func main() {
	name := filepath.Base(os.Args[0])
	if name == "npm" {
		installSelf()
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "wait" {
		waitForever()
	}
	for _, pair := range os.Environ() {
		if strings.Contains(pair, "secret-of-the-user") {
			fail("the environment has a secret: %s", pair)
		}
	}
	interfaces, _ := net.Interfaces()
	for _, i := range interfaces {
		fmt.Fprintln(os.Stderr, "interface", i.Name)
	}
	runs := read(name)
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println(runs[0].Version)
		return
	}
	model, command, searches := config()
	server := connect(command)
	if searches {
		server.search(model+hosts[name].path, read(name + "-search")[0].Bodies)
		return
	}
	for _, run := range runs {
		if run.Case == server.name {
			server.play(model+hosts[name].path, run.Bodies)
			return
		}
	}
	if server.name == "tools" && name == "qwen" { // of mcptest hosts record
		server.passOn(model + hosts[name].path)
		return
	}
	self, _ := os.Executable()
	_ = exec.Command(self, "wait").Start()
	waitForever()
}

// waitForever does not return: a program without C that waits for nothing ends with "all goroutines are asleep".
func waitForever() {
	for {
		time.Sleep(time.Hour)
	}
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(7)
}

func read(name string) []recorded {
	text, err := recordings.ReadFile("recorded/" + name + ".jsonl")
	if err != nil {
		fail("%v", err)
	}
	var all []recorded
	for line := range bytes.Lines(text) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			fail("%v", err)
		}
		all = append(all, r)
	}
	return all
}

var (
	modelURL      = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	serverCommand = regexp.MustCompile(`command"?\s*[:=]\s*\[?"([^"]+)"`)
	serverSocket  = regexp.MustCompile(`"__connect",\s*"([^"]+)"`)
)

// config finds the model and the server in the variables and the config files of the host, and whether its model searches
// for tools.
func config() (model string, command []string, searches bool) {
	text := strings.Join(os.Environ(), "\n")
	_ = filepath.WalkDir(os.Getenv("HOME"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			file, _ := os.ReadFile(path)
			text += "\n" + string(file)
		}
		return nil
	})
	program, socket := serverCommand.FindStringSubmatch(text), serverSocket.FindStringSubmatch(text)
	if program == nil || socket == nil {
		fail("no server in the config")
	}
	searches = strings.Contains(text, "ENABLE_TOOL_SEARCH=true") || strings.Contains(text, `"gpt-5.5"`)
	return modelURL.FindString(text), []string{program[1], "__connect", socket[1]}, searches
}

// A server is a connection to the server.
type server struct {
	in   io.Writer
	out  *bufio.Scanner
	name string
	list json.RawMessage // the result of tools/list
	id   int
}

// connect starts the server and lists its tools.
func connect(command []string) *server {
	cmd := exec.Command(command[0], command[1:]...)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		fail("%v", err)
	}
	s := &server{in: in, out: bufio.NewScanner(out)}
	s.out.Buffer(nil, 16<<20)
	var result struct{ ServerInfo struct{ Name string } }
	_ = json.Unmarshal(s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"clientInfo":{"name":"player","version":"1"}}`), &result)
	s.name = result.ServerInfo.Name
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.list = s.ask("tools/list", `{}`)
	return s
}

// ask sends a request and returns its result.
func (s *server) ask(method, params string) json.RawMessage {
	s.id++
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`+"\n", s.id, method, params)
	for s.out.Scan() {
		var response struct {
			ID     int
			Result json.RawMessage
		}
		if json.Unmarshal(s.out.Bytes(), &response) == nil && response.ID == s.id {
			return response.Result
		}
	}
	fail("no response to %s", method)
	return nil
}

// play sends the recorded requests, and calls the tool when the model has asked for it.
func (s *server) play(url string, bodies []json.RawMessage) {
	for i, body := range bodies {
		response, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			fail("%v", err)
		}
		said, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if called := bytes.Contains(said, []byte("echo")); called != (i < len(bodies)-1) {
			fail("response %d of the model: %s", i, said)
		}
		if i < len(bodies)-1 {
			s.ask("tools/call", `{"name":"echo","arguments":{"text":"xx"}}`)
		}
	}
}

// search sends the recorded requests of a model that searches for tools. The server takes no part in it.
func (s *server) search(url string, bodies []json.RawMessage) {
	for i, body := range bodies {
		response, err := http.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			fail("%v", err)
		}
		said, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		called := bytes.Contains(said, []byte("ToolSearch")) || bytes.Contains(said, []byte("tool_search_call"))
		if called != (i < len(bodies)-1) {
			fail("response %d of the model: %s", i, said)
		}
	}
}

// passOn sends the tools to the model as Qwen Code does: without those that have no description.
func (s *server) passOn(url string) {
	var list struct {
		Tools []struct {
			Name, Description string
			InputSchema       json.RawMessage
		}
	}
	_ = json.Unmarshal(s.list, &list)
	var tools []any
	for _, t := range list.Tools {
		if t.Description != "" {
			tools = append(tools, map[string]any{"type": "function", "function": map[string]any{
				"name": "mcp__t__" + t.Name, "description": t.Description, "parameters": t.InputSchema}})
		}
	}
	body, _ := json.Marshal(map[string]any{"model": "m", "tools": tools, "messages": []any{}})
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		fail("%v", err)
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
}

// installSelf copies the program to where npm puts the executables of a package.
func installSelf() {
	self, _ := os.Executable()
	text, err := os.ReadFile(self)
	if err != nil {
		fail("%v", err)
	}
	folder := ""
	for i, arg := range os.Args {
		if arg == "--prefix" {
			folder = filepath.Join(os.Args[i+1], "node_modules", ".bin")
		}
	}
	_ = os.MkdirAll(folder, 0o755)
	for name, h := range hosts {
		if strings.HasPrefix(os.Args[len(os.Args)-1], h.pkg+"@") {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o755); err != nil {
				fail("%v", err)
			}
			fmt.Println("added", os.Args[len(os.Args)-1])
		}
	}
}
