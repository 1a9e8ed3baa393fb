package mcpserver_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The revisions by which the tests talk to the server: one of each era.
var eras = map[string]string{"legacy": "2025-11-25", "modern": "2026-07-28"}

// A user is the machine of someone who runs mcptest: a home directory with a config file.
type user struct {
	t    *testing.T
	home string
	env  []string
	dir  string // where mcptest runs; the home if empty
}

func newUser(t *testing.T) *user {
	t.Helper()
	return &user{t: t, home: t.TempDir()}
}

// configure writes a config file that names servers: each is the test binary as a server that misbehaves.
func (u *user) configure(servers map[string]any) string {
	u.t.Helper()
	text, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		u.t.Fatal(err)
	}
	file := filepath.Join(u.home, "servers.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		u.t.Fatal(err)
	}
	return file
}

func misbehaving(mode string) map[string]any {
	return map[string]any{"command": self(), "args": []string{asTarget, mode}}
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// command is mcptest with the user's environment and nothing else.
func (u *user) command(args ...string) *exec.Cmd {
	cmd := exec.Command(self(), args...)
	cmd.Env = []string{asMcptest + "=1", "HOME=" + u.home, "PATH=" + os.Getenv("PATH")}
	cmd.Env = append(cmd.Env, u.env...)
	cmd.Dir = cmp.Or(u.dir, u.home)
	return cmd
}

// in is the same user in a subtest.
func (u *user) in(t *testing.T) *user { return &user{t, u.home, u.env, u.dir} }

// withEnv is the same user with more variables.
func (u *user) withEnv(env ...string) *user { return &user{u.t, u.home, env, u.dir} }

// approve lets the named servers be started.
func (u *user) approve(config string, names ...string) {
	u.t.Helper()
	args := []string{"serve", "--config", config, "--approve", "--yes"}
	for _, name := range names {
		args = append(args, "--agent-may-spawn", name)
	}
	if out, err := u.command(args...).CombinedOutput(); err != nil {
		u.t.Fatalf("approve: %v\n%s", err, out)
	}
}

// A client is an assistant's side of the server.
type client struct {
	*sdk.ClientSession
	t        *testing.T
	progress *progress
	stderr   *strings.Builder
	elicit   func(question string) string // outputSchema a question for a grant; nil declares no elicitation
	byHand   bool                         // questions in results are left to the test
}

// A progress collects progress notifications.
type progress struct {
	mu   sync.Mutex
	seen []string
}

func (p *progress) options() *sdk.ClientOptions {
	return &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context,
		req *sdk.ProgressNotificationClientRequest) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.seen = append(p.seen, req.Params.Message)
	}}
}

// await waits for so many of them and tells how many there are: they may be handled after the answer.
func (p *progress) await(atLeast int) int {
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		seen := len(p.seen)
		p.mu.Unlock()
		if seen >= atLeast || time.Now().After(deadline) {
			return seen
		}
	}
}

// stdio starts mcptest serve as a host does.
func (u *user) stdio(revision string, args ...string) *client {
	u.t.Helper()
	return u.overCommand(u.command(append([]string{"serve"}, args...)...), revision)
}

// asked is stdio with a host whose user answers questions.
func (u *user) asked(revision string, elicit func(string) string, args ...string) *client {
	u.t.Helper()
	return u.start(&client{elicit: elicit}, u.command(append([]string{"serve"}, args...)...), revision)
}

// overCommand starts a command that is a server.
func (u *user) overCommand(cmd *exec.Cmd, revision string) *client {
	u.t.Helper()
	return u.start(&client{}, cmd, revision)
}

func (u *user) start(c *client, cmd *exec.Cmd, revision string) *client {
	u.t.Helper()
	c.t, c.progress, c.stderr = u.t, &progress{}, &strings.Builder{}
	cmd.Stderr = c.stderr
	c.connect(&sdk.CommandTransport{Command: cmd}, revision)
	return c
}

// An endpoint is mcptest serve --listen.
type endpoint struct {
	url    string
	tokens []string
	output *strings.Builder
}

// listen starts mcptest serve --listen with two tokens.
func (u *user) listen(args ...string) *endpoint {
	u.t.Helper()
	file := filepath.Join(u.home, "tokens")
	e := &endpoint{tokens: []string{strings.Repeat("a1B2", 11), strings.Repeat("c3D4", 11)}, output: &strings.Builder{}}
	if err := os.WriteFile(file, []byte("# callers\n"+strings.Join(e.tokens, "\n")+"\n"), 0o600); err != nil {
		u.t.Fatal(err)
	}
	cmd := u.command(append([]string{"serve", "--listen", "127.0.0.1:0", "--token-file", file}, args...)...)
	cmd.Stderr = e.output
	out, err := cmd.StdoutPipe()
	if err != nil {
		u.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		u.t.Fatalf("serve --listen: %v\n%s", err, e.output)
	}
	e.output.WriteString(line)
	_, rest, _ := strings.Cut(line, "serves ")
	e.url, _, _ = strings.Cut(rest, ";")
	return e
}

// A bearer adds a token to each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// http connects over HTTP with a token.
func (u *user) http(e *endpoint, token, revision string, elicit ...func(string) string) *client {
	u.t.Helper()
	c := &client{t: u.t, progress: &progress{}, stderr: e.output}
	if len(elicit) > 0 {
		c.elicit = elicit[0]
	}
	c.connect(&sdk.StreamableClientTransport{Endpoint: e.url, HTTPClient: &http.Client{Transport: bearer{token}}},
		revision)
	return c
}

// elicited is what a host returns for an answer of its user, or for its own failure.
func elicited(ctx context.Context, answer string) (*sdk.ElicitResult, error) {
	switch answer {
	case "decline", "cancel", "an unknown action":
		return &sdk.ElicitResult{Action: answer}, nil
	case "an error":
		return nil, errors.New("the window is closed")
	case "nothing at all":
		<-ctx.Done()
		return nil, ctx.Err()
	case "no content":
		return &sdk.ElicitResult{Action: "accept"}, nil
	case "a number":
		return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": 5.0}}, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"answer": answer}}, nil
}

func (c *client) connect(transport sdk.Transport, revision string) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	options := c.progress.options()
	if c.elicit != nil {
		options.ElicitationHandler = func(ctx context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return elicited(ctx, c.elicit(req.Params.Message))
		}
		options.MultiRoundTrip = &sdk.MultiRoundTripOptions{Disabled: c.byHand}
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "assistant", Version: "1"}, options).
		Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		c.t.Fatalf("connect with %s: %v\n%s", revision, err, c.stderr)
	}
	c.ClientSession = session
	c.t.Cleanup(func() { _ = session.Close() })
}

// An answer is what a tool returned.
type answer struct {
	t    *testing.T
	tool string
	raw  json.RawMessage
	bad  bool
}

// call calls a tool and checks what every answer has: structured content, the same as text, and the form of its kind.
func (c *client) call(tool, arguments string) answer {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 60*time.Second)
	defer cancel()
	return c.callWith(ctx, tool, arguments)
}

func (c *client) callWith(ctx context.Context, tool, arguments string) answer {
	c.t.Helper()
	params := &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}
	params.SetProgressToken("p")
	result, err := c.CallTool(ctx, params)
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", tool, arguments, err, c.stderr)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	var fromText any
	if err := json.Unmarshal([]byte(text), &fromText); err != nil ||
		!reflect.DeepEqual(fromText, result.StructuredContent) {
		c.t.Errorf("%s: the text is not the structured content: %v\n%.300s", tool, err, text)
	}
	a := answer{c.t, tool, json.RawMessage(text), result.IsError}
	if a.bad {
		a.fits("error")
	}
	return a
}

// fits holds the answer against the form of the name.
func (a answer) fits(form string) answer {
	a.t.Helper()
	if wrong := forms()[form].Validate(a.raw); len(wrong) > 0 {
		a.t.Errorf("%s does not answer as %q: %s\n%.2000s", a.tool, form, wrong[0].Message, a.raw)
	}
	return a
}

// ok wants an answer of success in the form of the tool.
func (a answer) ok() answer {
	a.t.Helper()
	if a.bad {
		a.t.Fatalf("%s failed: %.2000s", a.tool, a.raw)
	}
	if _, documented := forms()[a.tool]; documented {
		a.fits(a.tool)
	}
	return a
}

// fails wants an error of the type.
func (a answer) fails(kind string) answer {
	a.t.Helper()
	if got := a.at("/error/type"); !a.bad || got != kind {
		a.t.Errorf("%s: error.type %q, isError %v; want %q\n%.2000s", a.tool, got, a.bad, kind, a.raw)
	}
	return a
}

// at is the string, or else the JSON, at a pointer.
func (a answer) at(pointer string) string {
	raw, _ := schema.Get(a.raw, pointer)
	if s, ok := schema.Text(raw); ok {
		return s
	}
	return string(raw)
}

// has wants a value at a pointer.
func (a answer) has(pointer, want string) answer {
	a.t.Helper()
	if got := a.at(pointer); got != want {
		a.t.Errorf("%s: %s = %.200s; want %s", a.tool, pointer, got, want)
	}
	return a
}

// contains wants text at a pointer.
func (a answer) contains(pointer, want string) answer {
	a.t.Helper()
	if got := a.at(pointer); !strings.Contains(got, want) {
		a.t.Errorf("%s: %s = %.300s; want it to contain %s", a.tool, pointer, got, want)
	}
	return a
}

// forms are the answers that callers rely on, by the tool's name.
var forms = sync.OnceValue(func() map[string]*schema.Schema {
	text, err := os.ReadFile("testdata/answers.json")
	if err != nil {
		panic(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		panic(err)
	}
	compiled := map[string]*schema.Schema{}
	for name, raw := range all {
		if compiled[name], err = schema.Compile(raw, nil); err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
	}
	return compiled
})
