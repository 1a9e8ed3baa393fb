package suiterun

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/scaffold"
	locks "github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An InitInput is the input of SuiteInit.
type InitInput struct {
	workbench.Connection
	workbench.Limit
	Tools []string `json:"tools,omitempty" placeholder:"LIST" jsonschema:"also call these tools, regardless of their annotations"`
	Out   string   `json:"out,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"output file (default mcptest.yaml); - prints to stdout"`
	Force bool     `json:"force,omitempty" surface:"cli" jsonschema:"overwrite an existing file, instead of adding to it"`
	Lock  bool     `json:"lock,omitempty" surface:"cli" jsonschema:"also record the server in mcptest.lock, and add a test that it stays as it is"`
}

// An InitResult is a generated suite.
type InitResult struct {
	Suite   string   `json:"suite"`
	Tests   int      `json:"tests"`
	Skipped []string `json:"skipped,omitempty"` // what has no test, and why
	File    string   `json:"file,omitempty"`    // where it was written
	Locked  string   `json:"locked,omitempty"`  // the name of the server in the lock file

	extends bool // the tests were added to an existing suite
}

// Init generates a suite from a running server, or adds what an existing one lacks.
var Init = workbench.Op[InitInput, *InitResult]{
	Uses: workbench.Frames,
	Name: "init", Section: workbench.Maintain, Order: 10, Tool: "scaffold_suite", Page: true, Calls: true,
	Doc: "Generate a test suite from a running server\n\n" +
		"Safe tools (readOnlyHint) are called with sample arguments, without each optional argument, with values at " +
		"the limits, and with wrong ones; those of --tools are called twice. Others become skipped tests, which state " +
		"why.",
	Help: "The suite is written to mcptest.yaml, or to the file given with --out. If the file exists, tests of new\n" +
		"tools are added to it, and nothing else is changed. Run it with mcptest run. If mcptest.lock has the server,\n" +
		"or with --lock, a test compares the server with the lock file.",
	Example: "mcptest init demo --out first.yaml" + "\n" +
		"mcptest init demo --tools write_note --out notes.yaml" + "\n" +
		"mcptest init demo --lock --out locked.yaml",
	Run:  runInit,
	Text: writeInit,
}

// defaultSuite is the default file of init, and the first that mcptest run looks for.
const defaultSuite = "mcptest.yaml"

func runInit(ctx context.Context, w *workbench.Workbench, in *InitInput) (*InitResult, error) {
	file := cmp.Or(in.Out, defaultSuite)
	toFile := file != "-" && in.Session() == nil && w.Grants.Files
	var old *extended
	if toFile && !in.Force {
		var err error
		if old, err = existingSuite(w, file); err != nil {
			return nil, err
		}
	}
	connect := func(ctx context.Context) (*mcp.Session, error) {
		// like a run: requests from the server are not answered
		if open := in.Session(); open != nil { // it stays as it is, whatever the calls do
			return w.ConnectBeside(ctx, &in.Connection, open.Target(), w.Log, &mcp.Options{Protocol: open.Version})
		}
		return w.Connect(ctx, &in.Connection, mcp.Options{})
	}
	s, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	if err := in.mayCall(ctx, w, s); err != nil {
		return nil, err
	}
	locked, err := in.pin(ctx, w, s)
	if err != nil {
		return nil, err
	}
	bounded, cancel := in.Begin(ctx)
	defer cancel()
	scaffold, err := scaffold.New(bounded, s, in.scaffoldOptions(bounded, w, s, old, connect))
	if err != nil && (scaffold == nil || !workbench.TimeOver(bounded)) {
		return nil, err
	}
	if locked != "" && !old.has("locked") {
		scaffold.AddLocked(workbench.QuoteYAML(locked))
	}
	text, err := old.with(w, file, scaffold)
	if err != nil {
		return nil, err
	}
	result := &InitResult{Suite: string(text), Tests: scaffold.Tests, Skipped: scaffold.Skipped, Locked: locked,
		extends: old != nil}
	if !toFile {
		return result, nil
	}
	if old == nil || !bytes.Equal(text, old.text) {
		if err := w.WriteFile(file, text); err != nil {
			return nil, &workbench.UsageError{Message: err.Error(), Hint: "use {--out} to choose another file"}
		}
	}
	result.File = file
	return result, nil
}

// scaffoldOptions are how the server is inspected.
func (in *InitInput) scaffoldOptions(ctx context.Context, w *workbench.Workbench, s *mcp.Session, old *extended,
	connect func(context.Context) (*mcp.Session, error)) *scaffold.Options {
	o := &scaffold.Options{Server: workbench.ServerLines(&in.Connection),
		Permit: safety.Permit{Tools: workbench.Commas(in.Tools)}, Timeout: in.callTimeout(), Vary: vary,
		Here: []string{w.System.Home, w.System.Dir}, Again: connect, Quality: qualityNow(ctx, w, s)}
	if w.Secrets != nil {
		o.Scrub = w.Secrets.Text
	}
	if old != nil {
		o.Has = old.has
	}
	return o
}

// callTimeout is how long one call may take: many calls are made, and one that blocks must not cost the others.
func (in *InitInput) callTimeout() time.Duration {
	if limit := in.TimeLimit() / maxCallShare; limit > 0 {
		return limit
	}
	return maxCallTime
}

// maxCallTime is how long one call may take without a time limit. A tool that takes longer gets no test.
const maxCallTime = 20 * time.Second

// maxCallShare is the part of the time limit that one call may take: a tool that blocks must not cost the others.
const maxCallShare = 4

// mayCall checks the tools that are called regardless of their annotations. An assistant needs the permission of its
// user for exactly these tools on this server.
func (in *InitInput) mayCall(ctx context.Context, w *workbench.Workbench, s *mcp.Session) error {
	named := workbench.Commas(in.Tools)
	if len(named) == 0 {
		return nil
	}
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		return err
	}
	var unsafe []string
	for _, name := range named {
		item, listed := list.Find(name)
		if !listed {
			return &workbench.UsageError{Message: fmt.Sprintf("no such tool on the server: %q", name),
				Hint: "run: {mcptest tools list}"}
		}
		if safety.Of(item.Raw).Calls < scaffold.Calls && !slices.Contains(unsafe, name) {
			unsafe = append(unsafe, name)
		}
	}
	if w.Grants.UnsafeTools || len(unsafe) == 0 {
		return nil
	}
	request := workbench.CallsRequest(s.Target(), unsafe, scaffold.Calls)
	if request != nil && w.Granted != nil && w.Granted(request.ID) {
		return nil
	}
	return &workbench.UsageError{Message: "the user has not allowed to call tools that are not safe: " +
		strings.Join(unsafe, ", "), Request: request,
		Hint: "call them one by one with call_tool, or have the user run: {mcptest init --tools LIST}"}
}

// pin returns the name of the server in the lock file; empty if it is not locked. With --lock, it is locked first.
func (in *InitInput) pin(ctx context.Context, w *workbench.Workbench, s *mcp.Session) (string, error) {
	if in.Session() != nil || !w.Grants.Files {
		return "", nil
	}
	if in.Lock {
		locked, err := locks.LockSession(ctx, w, &in.Connection, s)
		if err != nil {
			return "", err
		}
		return locked.Server, nil
	}
	lock, err := locks.ReadLock(w, locks.DefaultLock, true)
	if err != nil {
		return "", err
	}
	name, known := lock.Find(w, &in.Connection, "")
	if !known {
		return "", nil
	}
	return name, nil
}

func writeInit(out io.Writer, r *InitResult) error {
	if r.File == "" {
		_, err := io.WriteString(out, r.Suite)
		return err
	}
	t := workbench.NewText(out)
	switch {
	case r.extends && r.Tests == 0 && len(r.Skipped) == 0:
		t.Line(fmt.Sprintf("%s has tests of all that the server has; nothing was added.", r.File))
	case r.extends:
		t.Line(fmt.Sprintf("%s added to %s.", workbench.Plural(r.Tests, "test"), r.File))
	default:
		t.Line(fmt.Sprintf("%s has %s.", r.File, workbench.Plural(r.Tests, "test")))
	}
	if len(r.Skipped) > 0 {
		t.Line(fmt.Sprintf("%s skipped as todo; see the file. Use --tools to call tools that are not safe.",
			map[bool]string{true: "One more is", false: fmt.Sprintf("%d more are",
				len(r.Skipped))}[len(r.Skipped) == 1]))
	}
	if r.Locked != "" {
		t.Line(fmt.Sprintf("One test compares the server with %s, as %s. Commit both files.", locks.DefaultLock,
			r.Locked))
	}
	t.Line("Next: mcptest run" + map[bool]string{false: " " + r.File}[r.File == defaultSuite])
	return t.Err
}
