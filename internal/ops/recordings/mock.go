package recordings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/mock"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A MockInput is the input of Mock.
type MockInput struct {
	Session  string   `json:"session,omitempty" cli:"optional" jsonschema:"a recorded session (ID, its unique beginning or end, or its name), or a transcript file; default: the latest session"`
	Command  []string `json:"command,omitempty" cli:"command" jsonschema:"the command that starts a server for unknown calls, as argv"`
	Listen   string   `json:"listen,omitempty" placeholder:"ADDRESS" jsonschema:"serve HTTP at this loopback address, such as 127.0.0.1:8080 or :0 (default: stdin and stdout)"`
	Upstream string   `json:"upstream,omitempty" placeholder:"TARGET" jsonschema:"forward calls that are not recorded to this server: a URL, or the name of a configured server"`
	Sample   bool     `json:"sample,omitempty" jsonschema:"answer calls that are not recorded with samples of the schemas"`
	From     string   `json:"from,omitempty" placeholder:"FILE" jsonschema:"serve the tools of this file (a captured tools/list) with samples, without a recording"`
	Speed    string   `json:"speed,omitempty" placeholder:"SPEED" jsonschema:"full (default) answers at once, recorded takes as long as the recorded server"`
}

// Mock serves a recording. It is for the command line only: it listens, and may start a server.
var Mock = workbench.Op[MockInput, struct{}]{
	Name: "mock", Section: workbench.Serve, Order: 40,
	Doc: "Serve the recorded responses of a server\n\n" +
		"The mock answers a request with the recorded response to the same method and arguments. If there are " +
		"several,\nit returns them in order, then the last one again. It serves clients of all protocol versions, " +
		"not only\nthat of the recording, and sends the recorded notifications and requests for input.\n\n" +
		"A request that is not recorded gets an error and is reported on stderr, unless --upstream, a command or\n" +
		"--sample answers it.",
	Example: "mcptest mock --from tools.json\n" +
		"mcptest mock session.jsonl --listen 127.0.0.1:0",
	Run: func(ctx context.Context, w *workbench.Workbench, in *MockInput) (struct{}, error) {
		return struct{}{}, runMock(ctx, w, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

func runMock(ctx context.Context, w *workbench.Workbench, in *MockInput) error {
	options, err := mockOptions(w, in)
	if err != nil {
		return err
	}
	server := mock.New(*options)
	defer server.Close()
	endpoint := serve.NewEndpoint(server, &serve.EndpointOptions{MaxMessage: netguard.MaxBody})
	if in.Listen != "" {
		return mockHTTP(ctx, w, in.Listen, endpoint)
	}
	if err := endpoint.ServeLines(ctx, w.In, w.Out); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// mockOptions reads what the mock serves.
func mockOptions(w *workbench.Workbench, in *MockInput) (*mock.Options, error) {
	switch {
	case in.From != "" && in.Session != "":
		return nil, &workbench.UsageError{Message: "--from and a session are mutually exclusive",
			Hint: "remove one of them"}
	case in.Upstream != "" && len(in.Command) > 0:
		return nil, &workbench.UsageError{Message: "--upstream and a command are mutually exclusive",
			Hint: "remove one of them"}
	case in.Speed != "" && in.Speed != "full" && in.Speed != "recorded":
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --speed", in.Speed),
			Hint: "use full or recorded"}
	}
	var out sync.Mutex
	options := &mock.Options{Recorded: in.Speed == "recorded", Sample: in.Sample || in.From != "",
		Log: func(line string) {
			out.Lock()
			defer out.Unlock()
			fmt.Fprintln(w.Err, "mock: "+report.Visible(w.Secrets.Text(line)))
		}}
	if in.Upstream != "" || len(in.Command) > 0 {
		connection := &workbench.Connection{Target: in.Upstream, Command: in.Command}
		if _, err := w.Resolve(connection); err != nil {
			return nil, err
		}
		options.Upstream = func(ctx context.Context) (*mcp.Session, error) {
			return w.Connect(ctx, connection, mcp.Options{OnNotification: func(mcp.Message) {}})
		}
	}
	var err error
	if in.From != "" {
		options.Session, err = toolsAsRecording(w, in.From)
	} else {
		options.Session, err = recordedSession(w, in.Session)
	}
	return options, err
}

// toolsAsRecording reads a captured tools/list as a recording.
func toolsAsRecording(w *workbench.Workbench, file string) (*recording.Session, error) {
	data, err := w.ReadFile(file)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--from: " + err.Error()}
	}
	catalog, err := lint.ReadCatalog(data, file)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--from: " + err.Error(),
			Hint: "to capture a file, run: {mcptest tools list --json TARGET > tools.json}"}
	}
	tools := make([]json.RawMessage, len(catalog.Tools))
	for i, t := range catalog.Tools {
		tools[i] = t.Raw
	}
	return recording.FromTools(tools), nil
}

// recordedSession reads a session of tap, or a transcript file.
func recordedSession(w *workbench.Workbench, typed string) (*recording.Session, error) {
	s, _, err := Recorded(w, typed)
	return s, err
}

// Recorded reads a session of tap with its description, or a transcript file, which has none.
func Recorded(w *workbench.Workbench, typed string) (*recording.Session, *tap.Session, error) {
	file, about := typed, (*tap.Session)(nil)
	if !strings.ContainsAny(typed, `/\`) && !strings.HasSuffix(typed, ".jsonl") {
		var err error
		if about, err = TapSession(w, typed); err != nil {
			return nil, nil, err
		}
		file = tap.FramesFile(TapDir(w.System), about.ID)
	} else if err := w.MayUseFiles(); err != nil {
		return nil, nil, err
	}
	s, err := recording.ReadFile(file)
	if err != nil {
		return nil, nil, &workbench.UsageError{Message: err.Error(),
			Hint: "pass a session of {mcptest tap list}, or a file of {mcptest tap export}"}
	}
	return s, about, nil
}

// mockHTTP serves at /mcp until it is stopped.
func mockHTTP(ctx context.Context, w *workbench.Workbench, address string, endpoint *serve.Endpoint) error {
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	address, err := netguard.Loopback(address)
	if err != nil {
		return &workbench.UsageError{Message: "--listen: " + err.Error(), Hint: "use 127.0.0.1:PORT"}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return &workbench.UsageError{Message: "--listen: " + workbench.ListenProblem(address, err),
			Hint: "use another port, or port 0 for any free port"}
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpoint)
	handler, err := netguard.New(mux, netguard.Options{Hosts: netguard.Hosts(listener.Addr()), Open: true})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server := netguard.Server(handler)
	fmt.Fprintf(w.Out, "mcptest mock serves http://%s/mcp\n", listener.Addr())
	stop := context.AfterFunc(ctx, func() {
		stopped, cancel := context.WithCancel(context.Background())
		cancel() // a mock has nothing to finish
		endpoint.Drain(stopped)
		_ = server.Close()
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return context.Canceled
}
