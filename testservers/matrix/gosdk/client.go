//lint:file-ignore SA1019 sampling is deprecated, and servers of every SDK still support it

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	timeout = 60 * time.Second // per operation
	lost    = 10 * time.Second // until a notification counts as lost
)

// A job is described in README.md.
type job struct {
	Era     string   `json:"era"`
	URL     string   `json:"url"`
	Command []string `json:"command"`
	Servers []string `json:"servers"`
	Skip    []string `json:"skip"`
	Calls   [][2]any `json:"calls"`

	Invocations   [][2]any  `json:"invocations"`
	CancelThrough [2]string `json:"cancel_through"`
}

func runClient(ctx context.Context, text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	c := &client{progress: make(chan *mcp.ProgressNotificationParams, 100)}
	var err error
	if c.session, err = c.connect(ctx, j); err != nil {
		return err
	}
	emit(map[string]string{"op": "connect", "got": c.session.InitializeResult().ProtocolVersion})
	for _, call := range j.Calls {
		op, _ := call[0].(string)
		arguments, _ := call[1].(map[string]any)
		got, err := c.run(ctx, func(c *client, ctx context.Context, _ names) (string, error) {
			return c.call(ctx, op, arguments)
		}, "")
		line := map[string]string{"op": op, "got": got}
		if err != nil {
			line["error"] = err.Error()
		}
		emit(line)
	}
	for _, call := range j.Invocations {
		emit(c.result(ctx, call))
	}
	if tool := j.CancelThrough[0]; tool != "" {
		line := map[string]any{"op": "cancel"}
		var err error
		if line["got"], err = c.cancelThrough(ctx, tool, names(j.CancelThrough[1])); err != nil {
			line["error"] = err.Error()
		}
		emit(line)
	}
	for _, server := range j.Servers {
		for _, o := range operations {
			if slices.Contains(j.Skip, server+"/"+o.name) {
				continue
			}
			got, err := c.run(ctx, o.run, names(server))
			line := map[string]string{"server": server, "op": o.name, "got": got}
			if err != nil {
				line["error"] = err.Error()
			}
			emit(line)
		}
	}
	return c.session.Close()
}

func emit(line any) { _ = json.NewEncoder(os.Stdout).Encode(line) }

// names is the name of a server, from which the gateway derives the names of its tools, prompts and resources; "" is a
// server that the client reaches directly.
type names string

func (n names) prefix() string {
	if n == "" {
		return ""
	}
	return string(n) + "__"
}

func (n names) of(name string) string { return n.prefix() + name }

func (n names) uri(uri string) string {
	if n == "" {
		return uri
	}
	return uri + "#gateway=" + string(n)
}

type client struct {
	session  *mcp.ClientSession
	progress chan *mcp.ProgressNotificationParams
}

func (c *client) connect(ctx context.Context, j job) (*mcp.ClientSession, error) {
	sdk := mcp.NewClient(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler:   elicited,
		CreateMessageHandler: sampled,
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.progress <- r.Params
		},
	})
	var opts *mcp.ClientSessionOptions
	if j.Era == "handshake" {
		opts = &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}
	}
	if j.URL != "" {
		return sdk.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: j.URL}, opts)
	}
	command := exec.Command(j.Command[0], j.Command[1:]...)
	command.Stderr = os.Stderr
	return sdk.Connect(ctx, &mcp.CommandTransport{Command: command}, opts)
}

func elicited(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	if r.Params.Message != "Which color?" {
		return nil, errors.New("unknown question")
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"color": "blue"}}, nil
}

func sampled(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	if text, ok := r.Params.Messages[0].Content.(*mcp.TextContent); !ok || text.Text != "Say hi" {
		return nil, errors.New("unknown question")
	}
	return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: "model: hi"}}, nil
}

type operation func(*client, context.Context, names) (string, error)

var operations = []struct {
	name string
	run  operation
}{
	{"list", (*client).list},
	{"call", (*client).callEcho},
	{"progress", (*client).count},
	{"cancel", (*client).cancel},
	{"resource", (*client).read},
	{"prompt", (*client).prompt},
	{"elicitation", func(c *client, ctx context.Context, n names) (string, error) {
		return c.call(ctx, n.of("ask"), map[string]any{})
	}},
	{"sampling", func(c *client, ctx context.Context, n names) (string, error) {
		return c.call(ctx, n.of("sample"), map[string]any{})
	}},
}

func (c *client) run(ctx context.Context, o operation, n names) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return o(c, ctx, n)
}

func (c *client) call(ctx context.Context, name string, args map[string]any) (string, error) {
	return c.callWith(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
}

func (c *client) callWith(ctx context.Context, params *mcp.CallToolParams) (string, error) {
	result, err := c.session.CallTool(ctx, params)
	if err != nil {
		return "", err
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return "", fmt.Errorf("expected a text, got %T", result.Content[0])
	}
	return text.Text, nil
}

func (c *client) list(ctx context.Context, n names) (string, error) {
	var tools []string
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return "", err
		}
		if own, ok := strings.CutPrefix(tool.Name, n.prefix()); ok {
			tools = append(tools, own)
		}
	}
	slices.Sort(tools)
	return strings.Join(tools, " "), nil
}

func (c *client) callEcho(ctx context.Context, n names) (string, error) {
	return c.call(ctx, n.of("echo"), map[string]any{"text": "grün 1"})
}

// count holds the response back until the notifications have arrived: some SDKs drop those that arrive together with
// it.
func (c *client) count(ctx context.Context, n names) (string, error) {
	key := rand.Text()
	params := &mcp.CallToolParams{Name: n.of("count"), Arguments: map[string]any{"steps": 3, "key": key}}
	params.SetProgressToken(key)
	response := make(chan string, 1)
	go func() {
		text, err := c.callWith(ctx, params)
		if err != nil {
			text = err.Error()
		}
		response <- text
	}()
	var seen []string
	for end := time.After(lost); len(seen) < 3; {
		select {
		case p := <-c.progress:
			seen = append(seen, fmt.Sprintf("%g/%g", p.Progress, p.Total))
			continue
		case text := <-response:
			response <- text
		case <-end:
		}
		break
	}
	if _, err := c.call(ctx, n.of("release"), map[string]any{"key": key}); err != nil {
		return "", err
	}
	return strings.Join(append(seen, <-response), " "), nil
}

func (c *client) cancel(ctx context.Context, n names) (string, error) {
	key := rand.Text()
	return c.cancelCall(ctx, n, key, n.of("pause"), map[string]any{"key": key})
}

// cancelThrough cancels a call of a tool that calls pause.
func (c *client) cancelThrough(ctx context.Context, tool string, n names) (string, error) {
	key := rand.Text()
	return c.cancelCall(ctx, n, key, tool, map[string]any{"name": n.of("pause"), "arguments": map[string]any{"key": key}})
}

func (c *client) cancelCall(ctx context.Context, n names, key, tool string, args map[string]any) (string, error) {
	paused, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = c.call(paused, tool, args)
	}()
	_, err := c.until(ctx, n, key, "running")
	stop()
	if err != nil {
		return "", err
	}
	<-ended
	return c.until(ctx, n, key, "cancelled")
}

// until polls the state of a pause and returns the last one seen.
func (c *client) until(ctx context.Context, n names, key, want string) (string, error) {
	for end := time.Now().Add(lost); ; time.Sleep(50 * time.Millisecond) {
		state, err := c.call(ctx, n.of("state"), map[string]any{"key": key})
		if err != nil || state == want || time.Now().After(end) {
			return state, err
		}
	}
}

func (c *client) read(ctx context.Context, n names) (string, error) {
	result, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: n.uri("matrix://note")})
	if err != nil {
		return "", err
	}
	return result.Contents[0].Text, nil
}

func (c *client) prompt(ctx context.Context, n names) (string, error) {
	result, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: n.of("greet"),
		Arguments: map[string]string{"name": "Ada"}})
	if err != nil {
		return "", err
	}
	text, ok := result.Messages[0].Content.(*mcp.TextContent)
	if !ok {
		return "", fmt.Errorf("expected a text, got %T", result.Messages[0].Content)
	}
	return text.Text, nil
}
