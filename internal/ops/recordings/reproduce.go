package recordings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/distill"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/shell"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// ServerOf returns the server of a recording. dir is the current directory: the suite or command states another one.
func ServerOf(s *tap.Session, dir string) *workbench.Connection {
	c := &workbench.Connection{Target: s.URL, Command: s.Command}
	if len(s.Command) > 0 && s.Dir != dir {
		c.Cwd = s.Dir
	}
	return c
}

// SuiteServer returns the server entry of a suite, with environment variables for the secrets that the recording does
// not contain.
func SuiteServer(c *workbench.Connection) (lines string, variables []string) {
	lines = workbench.ServerLines(c)
	for n := 1; strings.Contains(lines, redact.Placeholder); n++ {
		name := fmt.Sprintf("SERVER_SECRET_%d", n)
		lines = strings.Replace(lines, redact.Placeholder, "${"+name+"}", 1)
		variables = append(variables, name)
	}
	return lines, variables
}

// errNotRepeatable is why a frame is no command and no test.
var errNotRepeatable = errors.New("only a request of the client can be repeated")

// Command returns the command that sends a recorded request to the recorded server again. What it contains was chosen
// by others: it is quoted, also for terminals that interpret what is pasted.
func Command(s *tap.Session, dir string, request wire.Frame) (string, error) {
	m := mcp.Read(request)
	if request.From != wire.Client || !m.IsRequest() || len(m.Rest) > 0 {
		return "", errNotRepeatable
	}
	server := ServerOf(s, dir)
	words := append([]string{"mcptest"}, requestWords(&m)...)
	if s.Server != nil && slices.Contains(spec.IDs(), s.Server.Protocol) {
		words = append(words, "--protocol", s.Server.Protocol)
	}
	switch {
	case len(server.Command) > 0:
		if server.Cwd != "" {
			words = append(words, "--cwd", server.Cwd)
		}
		words = append(append(words, "--"), server.Command...)
	case strings.HasPrefix(server.Target, "http://"), strings.HasPrefix(server.Target, "https://"):
		words = append(words, server.Target)
	default:
		return "", errors.New("the recording does not name its server")
	}
	return shell.Join(words), nil
}

// requestWords returns the subcommand that sends a request.
func requestWords(m *mcp.Message) []string {
	params := recording.Bare(m.Params)
	name := schema.TextAt(params, "/name")
	switch {
	case m.Method == "initialize", m.Method == "server/discover":
		return []string{"raw", "--bare", "--body", string(m.Frame.Body)}
	case m.Method == "tools/call" && name != "" && !strings.HasPrefix(name, "-"):
		words := []string{"tools", "call", name, "--no-validate"}
		if arguments, given := schema.Get(params, "/arguments"); given {
			words = append(words, "--args", string(arguments))
		}
		return words
	}
	words := []string{"raw", m.Method}
	if params != nil {
		words = append(words, string(params))
	}
	return words
}

// SuiteTest returns a suite with one test: a recorded request, and what its response was. frames are those of the
// recording, and seq is the number of the request.
func SuiteTest(s *tap.Session, dir string, frames []wire.Frame, seq int) (string, error) {
	recorded := recording.Of(frames)
	server := ServerOf(s, dir)
	if slices.Contains(spec.IDs(), recorded.Protocol) {
		server.Protocol = recorded.Protocol
	}
	lines, _ := SuiteServer(server)
	at := slices.IndexFunc(recorded.Exchanges, func(x *recording.Exchange) bool { return x.Seq == seq })
	if at < 0 {
		return "", errNotRepeatable
	}
	made := distill.One(recorded, recorded.Exchanges[at], lines)
	if made.Tests == 0 {
		why := "each session sends it"
		if len(made.Skipped) > 0 {
			why = made.Skipped[0].Why
		}
		return "", fmt.Errorf("no test for %s: %s", recorded.Exchanges[at].Method, why)
	}
	return string(made.YAML), nil
}
