package workbench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A TapInput is the input of Tap.
type TapInput struct {
	URL     string   `json:"url,omitempty" cli:"target" jsonschema:"the URL of an HTTP server"`
	Command []string `json:"command,omitempty" cli:"command" jsonschema:"the command that starts a stdio server, as argv"`
	Name    string   `json:"name,omitempty" placeholder:"NAME" jsonschema:"name of the server in the list of recordings"`
}

// Tap passes messages between a client and a server and records them. It is for the command line only: it runs a
// command with the whole environment of the user.
var Tap = Op[TapInput, struct{}]{
	Name: "tap",
	Doc: "Record the messages between a client and a server\n\n" +
		"Put \"mcptest tap --\" before the command of a stdio server in the config of a client. The client and the server\n" +
		"notice no difference: bytes, stderr, signals, end of input and exit status are passed on unchanged. The recording is\n" +
		"written to the state directory of the user; \"mcptest tap list\" lists recordings.",
	Example: "mcptest tap -- mcptest demo",
	Uses:    Records,
	Run: func(ctx context.Context, w *Workbench, in *TapInput) (struct{}, error) {
		return struct{}{}, w.tap(ctx, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// A ServerExit is the error of an operation that exits as its server did.
type ServerExit struct{ Exit *wire.ExitError }

// Error returns how the server exited.
func (e *ServerExit) Error() string { return e.Exit.Error() }

// TapDir returns the directory of the recordings.
func TapDir(sys target.System) string { return filepath.Join(StateDir(sys), "tap") }

func (w *Workbench) tap(_ context.Context, in *TapInput) error {
	if len(in.Command) == 0 {
		return &UsageError{Message: fmt.Sprintf("unexpected argument %q", in.URL), Hint: "put the command of the server after --"}
	}
	server := wire.Target{Command: in.Command, Env: os.Environ(), Supervisor: w.Supervisor}
	exit, err := tap.Stdio(w.tapOptions(in), server, tap.Streams{In: w.In, Out: w.Out, Err: w.Err})
	if err != nil {
		return err
	}
	return &ServerExit{exit}
}

// tapOptions returns the options of a recording. The secrets are what the environment and the command contain.
func (w *Workbench) tapOptions(in *TapInput) tap.Options {
	o := tap.Options{Dir: TapDir(w.System), Version: w.Version, Name: in.Name, Command: in.Command, URL: in.URL}
	if w.Reveal {
		return o
	}
	o.Secrets = redact.New(target.SecretsOf(w.System.Environ, in.Command)...)
	return o
}
