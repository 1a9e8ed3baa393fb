package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A client makes one call of the echo tool and checks its answer.
type client func(context.Context) error

const arguments = `{"message":"hello"}`

// ours connects with a session of mcptest's, recorded as every session is.
func ours(t testing.TB, era string, log *wire.Transcript) client {
	t.Helper()
	s, err := mcp.Connect(t.Context(), wire.Target{Name: "echo", Command: echoCommand(t, era)}, log, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if string(s.Era) != era {
		t.Fatalf("the session is %s, want %s", s.Era, era)
	}
	params := json.RawMessage(`{"name":"echo","arguments":` + arguments + `}`)
	return func(ctx context.Context) error {
		ex, err := s.Do(ctx, mcp.Request{Method: "tools/call", Params: params})
		if err != nil {
			return err
		}
		if got := len(ex.Reply.Result); got < 50 || ex.Reply.Error != nil {
			return fmt.Errorf("an answer of %d bytes: %s", got, ex.Reply.Result)
		}
		return nil
	}
}

// theirs connects with the client of the Go SDK.
func theirs(t testing.TB, era string) client {
	t.Helper()
	command := echoCommand(t, era)
	s, err := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil).Connect(t.Context(),
		&sdk.CommandTransport{Command: exec.Command(command[0], command[1:]...)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return func(ctx context.Context) error {
		result, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: json.RawMessage(arguments)})
		if err != nil {
			return err
		}
		if len(result.Content) != 1 {
			return errors.New("no content")
		}
		return nil
	}
}

func echoCommand(t testing.TB, era string) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, echoMode, era}
}
