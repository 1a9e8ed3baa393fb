package engines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ToolSource is the origin of the tools to check.
type ToolSource struct {
	Catalog  *lint.Catalog
	result   []byte // of a server's tools/list, to be fixed; nil for a file
	file     string // empty for a server
	Protocol string // the revision that the server uses; empty for a file

	Instructions string    // of the server
	Transport    wire.Kind // that the server uses; empty for a file
}

// maxCatalog is the maximum file size: no catalog of a real server is nearly as large.
const maxCatalog = 64 << 20

// Tools reads the catalog of a file, or lists the tools of a server.
func Tools(ctx context.Context, w *workbench.Workbench, in *LintInput) (*ToolSource, error) {
	if file, ok := CatalogFile(w, in.Target); ok {
		read := lint.ReadCatalog
		if in.Fix {
			read = lint.ReadLoose
		}
		return toolsOfFile(w, in, file, read)
	}
	if in.Write {
		return nil, &workbench.UsageError{Message: "--write requires a file, but the target is a server",
			Hint: "use {--fix} alone to print the fixed tool list"}
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	for _, problem := range list.Problems {
		w.Event(workbench.Event{Notice: "tools/list: " + problem})
	}
	return ListedTools(s, list)
}

// ListedTools returns the tools that a server listed.
func ListedTools(s *mcp.Session, list *mcp.List) (*ToolSource, error) {
	if list.Refused != nil {
		return nil, fmt.Errorf("the server rejected tools/list: %w", list.Refused)
	}
	if len(list.Items) == 0 && len(list.Problems) > 0 { // nothing was read, so there is nothing to check
		return nil, &mcp.ProtocolError{Target: s.Target().String(), Problem: "tools/list: " + list.Problems[0]}
	}
	raw := make([]json.RawMessage, len(list.Items))
	for i, item := range list.Items {
		raw[i] = item.Raw
	}
	catalog := lint.NewCatalog(s.Target().String(), raw)
	catalog.SetPages(list.Ends)
	return &ToolSource{Catalog: catalog, result: list.Result(), Protocol: s.Version,
		Instructions: s.Instructions, Transport: s.Target().Transport()}, nil
}

func toolsOfFile(w *workbench.Workbench, in *LintInput, file string,
	read func(data []byte, name string) (*lint.Catalog, error)) (*ToolSource, error) {
	data, err := ReadCatalogFile(w, file)
	if err != nil {
		return nil, err
	}
	if flags := ofServer(&in.Connection); len(flags) > 0 {
		w.Event(workbench.Event{Notice: fmt.Sprintf("%s is a file: ignored %s", file, strings.Join(flags, ", "))})
	}
	name := file
	if file == "-" {
		name = "stdin"
	}
	catalog, err := read(data, name)
	if err != nil {
		return nil, WrongCatalog(err)
	}
	return &ToolSource{Catalog: catalog, file: file}, nil
}

// ofServer lists the given flags that apply only to a server.
func ofServer(c *workbench.Connection) []string {
	var given []string
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--header", len(c.Header) > 0}, {"--env", len(c.Env) > 0}, {"--cwd", c.Cwd != ""},
		{"--config", c.Config != ""},
		{"--insecure", c.Insecure}, {"--log-level", c.LogLevel != ""}, {"--timeout", c.Timeout != 0},
		{"--extensions", c.Extensions != ""},
	} {
		if flag.given {
			given = append(given, flag.name)
		}
	}
	return given
}

// CatalogFile distinguishes a file from a server name: it exists, is written as a path, or is -. The name of a
// built-in server is never a file.
func CatalogFile(w *workbench.Workbench, target string) (string, bool) {
	if _, builtin := w.Builtins[target]; builtin || !w.Grants.Files || target == "" || strings.Contains(target, "://") {
		return "", false
	}
	if target == "-" || strings.HasSuffix(target, ".json") || strings.ContainsAny(target, `/\`) {
		return target, true
	}
	info, err := os.Stat(target)
	return target, err == nil && !info.IsDir()
}

func ReadCatalogFile(w *workbench.Workbench, file string) ([]byte, error) {
	if err := w.MayUseFiles(); err != nil {
		return nil, err
	}
	in, err := w.Stdin()
	if err != nil {
		return nil, err
	}
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, &workbench.UsageError{Message: err.Error(),
				Hint: "pass a file with a captured tools/list, or a server"}
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Size() > maxCatalog {
			return nil, tooLargeCatalog(file)
		}
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxCatalog+1))
	switch {
	case err != nil:
		return nil, &workbench.UsageError{Message: err.Error()}
	case len(data) > maxCatalog:
		return nil, tooLargeCatalog(file)
	}
	return data, nil
}

func tooLargeCatalog(file string) error {
	return &workbench.UsageError{Message: fmt.Sprintf("%s is larger than %d MiB, which is too large for a tool list",
		file,
		maxCatalog>>20)}
}

func WrongCatalog(err error) error {
	var wrong *lint.ReadError
	if errors.As(err, &wrong) {
		return &workbench.UsageError{Message: wrong.Error(),
			Hint: "to capture one, run: {mcptest tools list --json TARGET > tools.json}"}
	}
	return err
}

// fix fixes the catalog, and writes it back if requested.
func fix(w *workbench.Workbench, in *LintInput, source *ToolSource) (*LintResult, error) {
	mode := lint.Mode(in.FixMode)
	if mode == "" {
		mode = lint.Strict
	}
	catalog := source.Catalog
	if source.result != nil {
		read, err := lint.ReadLoose(source.result, catalog.Name)
		if err != nil {
			return nil, WrongCatalog(err)
		}
		catalog = read
	}
	fixed, notes, err := lint.Fix(catalog, mode)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	for _, n := range notes {
		w.Event(workbench.Event{Notice: strings.TrimSpace(n.Subject + n.Pointer + " " + n.Message)})
	}
	if !in.Write {
		if !bytes.HasSuffix(fixed, []byte("\n")) {
			fixed = append(fixed, '\n')
		}
		return &LintResult{Fixed: fixed}, nil
	}
	if source.file == "-" {
		return nil, &workbench.UsageError{Message: "--write cannot be used with stdin", Hint: "remove {--write}"}
	}
	if old, err := os.ReadFile(source.file); err == nil && bytes.Equal(old, fixed) {
		return &LintResult{}, nil
	}
	if err := workbench.ReplaceFile(source.file, fixed); err != nil {
		return nil, &workbench.UsageError{Message: err.Error(),
			Hint: "nothing was changed; use {--fix} alone to print the result"}
	}
	w.Event(workbench.Event{Notice: "written to " + source.file})
	return &LintResult{}, nil
}
