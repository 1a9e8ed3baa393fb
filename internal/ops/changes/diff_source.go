package changes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// oldState reads OLD. In a lock file with several servers, it is the entry of NEW.
func oldState(ctx context.Context, w *workbench.Workbench, in *DiffInput) (*change.Surface, error) {
	other := in.New
	if file, name, _ := strings.Cut(in.Old, "#"); len(in.Command) > 0 && name == "" {
		if found, ok := engines.CatalogFile(w, file); ok {
			other = lockedCommand(w, found, in.Command)
		}
	}
	return state(ctx, w, in, in.Old, other)
}

// lockedCommand is the name of a command in a lock file; empty if it has none, or if the file is something else.
func lockedCommand(w *workbench.Workbench, file string, command []string) string {
	data, err := engines.ReadCatalogFile(w, file)
	if err != nil || !isLock(data) {
		return ""
	}
	l, err := parseLock(file, data)
	if err != nil {
		return ""
	}
	name, _ := l.Find(w, &workbench.Connection{Command: command}, "")
	return name
}

// newState reads NEW, or what the command offers.
func newState(ctx context.Context, w *workbench.Workbench, in *DiffInput) (*change.Surface, error) {
	if len(in.Command) == 0 {
		return state(ctx, w, in, in.New, in.Old)
	}
	c := workbench.Connection{Command: in.Command, Env: in.Env, Header: in.Header, Timeout: in.Timeout,
		Protocol: in.Protocol, Config: in.Config}
	return liveSurface(ctx, w, &c, strings.TrimPrefix(engines.Shown(&c), "-- "))
}

// state reads what a server, a file or a package offers. The other side selects the server in a lock file.
func state(ctx context.Context, w *workbench.Workbench, in *DiffInput, source, other string) (*change.Surface, error) {
	c := workbench.Connection{Target: source, Env: in.Env, Header: in.Header, Timeout: in.Timeout,
		Protocol: in.Protocol,
		Config:   in.Config}
	if command, ok := packageCommand(source); ok {
		c.Target, c.Command = "", command
		return liveSurface(ctx, w, &c, source)
	}
	file, name, _ := strings.Cut(source, "#")
	if found, ok := engines.CatalogFile(w, file); ok {
		return fileSurface(w, found, name, other)
	}
	return liveSurface(ctx, w, &c, source)
}

// packageCommand is the command that runs a package at a version.
func packageCommand(source string) ([]string, bool) {
	if name, ok := strings.CutPrefix(source, "npm:"); ok && name != "" {
		return []string{"npx", "-y", name}, true
	}
	if name, ok := strings.CutPrefix(source, "pypi:"); ok && name != "" {
		return []string{"uvx", name}, true
	}
	return nil, false
}

// liveSurface reads what a server offers now.
func liveSurface(ctx context.Context, w *workbench.Workbench, c *workbench.Connection, source string) (*change.Surface,
	error) {
	s, err := w.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return sessionSurface(ctx, w, s, source)
}

// sessionSurface reads what a server offers on a session, with the texts of its prompts.
func sessionSurface(ctx context.Context, w *workbench.Workbench, s *mcp.Session, source string) (*change.Surface,
	error) {
	lists, err := s.Surface(ctx)
	if err != nil {
		return nil, err
	}
	out, err := SurfaceOf(s, lists, source)
	if err == nil {
		readTexts(ctx, w, s, out)
	}
	return out, err
}

// SurfaceOf is what a server offers on a session.
func SurfaceOf(s *mcp.Session, lists *mcp.Surface, source string) (*change.Surface, error) {
	out := &change.Surface{Source: source, Name: schema.TextAt(s.Server, "/name"),
		Version:      schema.TextAt(s.Server, "/version"),
		Protocol:     s.Version,
		Instructions: s.Instructions, Capabilities: s.Capabilities}
	if out.Capabilities == nil {
		out.Capabilities = json.RawMessage("{}")
	}
	for _, part := range []struct {
		list *mcp.List
		into *[]json.RawMessage
	}{{lists.Tools, &out.Tools}, {lists.Prompts, &out.Prompts}, {lists.Resources, &out.Resources},
		{lists.Templates, &out.Templates}} {
		if part.list == nil {
			continue
		}
		if err := complete(s, part.list); err != nil {
			return nil, err
		}
		for _, item := range part.list.Items {
			*part.into = append(*part.into, item.Raw)
		}
	}
	return out, nil
}

// complete rejects a list that could not be read as a whole: what is missing would count as removed. A server may
// declare resources and have no templates.
func complete(s *mcp.Session, list *mcp.List) error {
	switch {
	case list.Refused != nil && list.Key == "resourceTemplates":
		return nil
	case list.Refused != nil:
		return fmt.Errorf("the server rejected the list of %s: %w", list.Key, list.Refused)
	case len(list.Problems) > 0:
		return &mcp.ProtocolError{Target: s.Target().String(),
			Problem: fmt.Sprintf("list of %s: %s", list.Key, list.Problems[0])}
	}
	return nil
}

// fileSurface reads a lock file, a captured tools/list or a transcript.
func fileSurface(w *workbench.Workbench, file, name, other string) (*change.Surface, error) {
	data, err := engines.ReadCatalogFile(w, file)
	if err != nil {
		return nil, err
	}
	return dataSurface(file, data, name, other)
}

// dataSurface reads the content of a lock file, of a captured tools/list or of a transcript.
func dataSurface(file string, data []byte, name, other string) (*change.Surface, error) {
	if isLock(data) {
		l, err := parseLock(file, data)
		if err != nil {
			return nil, err
		}
		return l.surface(file, name, other)
	}
	if out := surfaceOfTranscript(data); out != nil {
		out.Source = file
		return out, nil
	}
	catalog, err := lint.ReadCatalog(data, file)
	if err != nil {
		return nil, engines.WrongCatalog(err)
	}
	out := &change.Surface{Source: file, Partial: []string{"server", "prompts", "resources", "templates"}}
	for _, tool := range catalog.Tools {
		out.Tools = append(out.Tools, tool.Raw)
	}
	if catalog.Partial {
		return nil, &workbench.UsageError{Message: file +
			" contains only the first page of a tool list: the other tools would " +
			"count as removed",
			Hint: "to capture all pages, run: {mcptest tools list --json TARGET > tools.json}"}
	}
	return out, nil
}

// surfaceOfTranscript reads the last complete lists in a transcript; nil if it is not one, or has no tools/list.
func surfaceOfTranscript(data []byte) *change.Surface {
	if !isTranscript(data) {
		return nil
	}
	r := transcriptReader{methods: map[string]string{}, seen: map[string]bool{}, out: &change.Surface{}}
	if err := wire.ReadTranscript(bytes.NewReader(data), r.frame); err != nil || !r.seen["tools/list"] {
		return nil
	}
	for _, part := range []struct{ method, name string }{{"initialize", "server"}, {"prompts/list", "prompts"},
		{"resources/list", "resources"},
		{"resources/templates/list", "templates"}} {
		if !r.seen[part.method] {
			r.out.Partial = append(r.out.Partial, part.name)
		}
	}
	return r.out
}

// A transcriptReader pairs responses with requests.
type transcriptReader struct {
	methods map[string]string // by connection and ID
	seen    map[string]bool
	out     *change.Surface
}

func (r *transcriptReader) frame(f wire.Frame) error {
	id, _ := schema.Get(f.Body, "/id")
	key := fmt.Sprint(f.Conn, " ", string(id))
	if method := schema.TextAt(f.Body, "/method"); method != "" {
		if f.From == wire.Client {
			r.methods[key] = method
		}
		return nil
	}
	result, ok := schema.Get(f.Body, "/result")
	if !ok || f.From == wire.Client {
		return nil
	}
	method := r.methods[key]
	switch method {
	case "initialize", "server/discover":
		r.handshake(result)
		method = "initialize"
	case "tools/list":
		r.list(&r.out.Tools, result, "/tools", r.seen[method])
	case "prompts/list":
		r.list(&r.out.Prompts, result, "/prompts", r.seen[method])
	case "resources/list":
		r.list(&r.out.Resources, result, "/resources", r.seen[method])
	case "resources/templates/list":
		r.list(&r.out.Templates, result, "/resourceTemplates", r.seen[method])
	}
	r.seen[method] = true
	return nil
}

func (r *transcriptReader) handshake(result json.RawMessage) {
	r.out.Name, r.out.Version = schema.TextAt(result, "/serverInfo/name"),
		schema.TextAt(result, "/serverInfo/version")
	r.out.Instructions, r.out.Protocol = schema.TextAt(result, "/instructions"),
		schema.TextAt(result, "/protocolVersion")
	if capabilities, ok := schema.Get(result, "/capabilities"); ok {
		r.out.Capabilities = capabilities
	}
}

// list adds the entries of a page; an entry that is listed again replaces the first.
func (r *transcriptReader) list(into *[]json.RawMessage, result json.RawMessage, pointer string, more bool) {
	entries, ok := schema.Get(result, pointer)
	if !ok {
		return
	}
	elements, err := schema.Elements(entries)
	if err != nil {
		return
	}
	for _, element := range elements {
		replaced := false
		for i, have := range *into {
			if more && entryKey(have) == entryKey(element) {
				(*into)[i], replaced = element, true
			}
		}
		if !replaced {
			*into = append(*into, element)
		}
	}
}

func entryKey(entry json.RawMessage) string {
	for _, pointer := range []string{"/uriTemplate", "/uri", "/name"} {
		if text := schema.TextAt(entry, pointer); text != "" {
			return text
		}
	}
	return ""
}

// notFound reports a missing file with a hint.
func notFound(err error, advice hint.Text) error {
	if errors.Is(err, os.ErrNotExist) {
		return &workbench.UsageError{Message: err.Error(), Hint: advice}
	}
	return &workbench.UsageError{Message: err.Error()}
}
