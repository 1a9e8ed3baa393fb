package engines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// listing is a server that has these tools, written as given.
func listing(tools string) target.Builtins {
	return target.Builtins{"scripted": func(_ context.Context, in io.Reader, out io.Writer) error {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			id, ok := schema.Get(lines.Bytes(), "/id")
			if !ok {
				continue
			}
			result := `{"tools":` + tools + `}`
			if method, _ := schema.Get(lines.Bytes(), "/method"); string(method) == `"initialize"` {
				result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s",` +
					`"version":"1"}}`
			}
			if _, err := fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result); err != nil {
				return err
			}
		}
		return lines.Err()
	}}
}

// TestLintWithoutTools lints servers whose tools/list has no array of tools: that is an error, not a clean result.
func TestLintWithoutTools(t *testing.T) {
	for _, tools := range []string{`null`, `{}`, `[],"tools":7`} {
		here := config.System{GOOS: "linux", Dir: t.TempDir(), Lookup: func(string) (string, bool) { return "", false }}
		w := &workbench.Workbench{System: target.System{System: here}, Builtins: listing(tools), Secrets: redact.New()}
		in := &LintInput{Connection: workbench.Connection{Target: "scripted", Protocol: "2025-06-18",
			Timeout: 10 * time.Second}}
		var wrong *mcp.ProtocolError
		if got, err := runLint(context.Background(), w, in); !errors.As(err, &wrong) {
			t.Errorf("tools %s: got %v, %v; want a protocol error", tools, got, err)
		}
	}
}

// TestFixOfServer has one tool among others that no two readers read alike: the others are fixed, and it stays.
func TestFixOfServer(t *testing.T) {
	const fine, tight = `{"name":"fine","inputSchema":{"type":"object"}}`,
		`{"name":"fine","inputSchema":{"type":"object","additionalProperties":false}}`
	for _, odd := range []string{
		`{"name":"odd","name":"odd","inputSchema":{"type":"object"}}`,
		`{"name":"odd","description":"\ud800","inputSchema":{"type":"object"}}`,
		`{"name":"odd","inputSchema":` + strings.Repeat(`{"not":`, 2000) + `{}` + strings.Repeat(`}`, 2000) + `}`,
	} {
		var notes []string
		here := config.System{GOOS: "linux", Dir: t.TempDir(), Lookup: func(string) (string, bool) { return "", false }}
		w := &workbench.Workbench{System: target.System{System: here}, Builtins: listing("[" + odd + "," + fine + "]"),
			Secrets: redact.New(), Grants: workbench.CommandLine,
			Notify: func(e workbench.Event) { notes = append(notes, e.Notice) }}
		in := &LintInput{Connection: workbench.Connection{Target: "scripted", Protocol: "2025-06-18",
			Timeout: 10 * time.Second},
			Fix: true}
		got, err := runLint(context.Background(), w, in)
		if err != nil {
			t.Errorf("%.60s: %v", odd, err)
		} else if want := `{"tools":[` + odd + "," + tight + "]}\n"; string(got.Fixed) != want {
			t.Errorf("%.60s: %.200s, want the other one fixed", odd, got.Fixed)
		}
		if said := strings.Join(notes, "\n"); !strings.Contains(said, "odd not fixed: ") {
			t.Errorf("%.60s: notes %s", odd, said)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLargeFile refuses a file by its size, before it is read.
func TestLargeFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.json")
	if err := os.WriteFile(file, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, maxCatalog+1); err != nil {
		t.Fatal(err)
	}
	_, err := runLint(context.Background(), &workbench.Workbench{Grants: workbench.CommandLine},
		&LintInput{Connection: workbench.Connection{Target: file}})
	var wrong *workbench.UsageError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "larger than 64 MiB") {
		t.Errorf("a file of more than 64 MiB: %v, want it refused", err)
	}
}
