package workbench

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/sdk"
)

// A LockInput is the input of Lock.
type LockInput struct {
	Connection
	File string `json:"file,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"the lock file (default mcptest.lock)"`
	As   string `json:"as,omitempty" surface:"cli" placeholder:"NAME" jsonschema:"the name of the server in the lock file (default: the target, or the program of the command)"`
}

// A LockResult says what was recorded.
type LockResult struct {
	File    string         `json:"file"`
	Server  string         `json:"server"`
	Tools   int            `json:"tools"`
	Other   int            `json:"other"` // prompts, resources and templates
	Changed bool           `json:"changed"`
	Diff    *change.Diff   `json:"diff,omitempty"` // against what was locked before
	Verdict change.Verdict `json:"verdict,omitempty"`
}

// Lock records what a server offers.
var Lock = Op[LockInput, *LockResult]{
	Name: "lock",
	Doc: "Record what a server offers in a lock file\n\n" +
		"Writes the definitions of all tools, prompts, resources and templates, the instructions and the capabilities to\n" +
		"mcptest.lock, with a hash and the approval of each. One file holds many servers. What did not change keeps its\n" +
		"approval. The file contains names of environment variables and no values.\n\n" +
		"To compare a server with the file, run: mcptest diff mcptest.lock TARGET. To fail in CI if the server is not what was\n" +
		"approved, run: mcptest check --locked TARGET. To accept changes one by one, run: mcptest approve.",
	Example: "mcptest lock demo" + "\n" +
		"mcptest lock --as demo-copy -- mcptest demo",
	Run:  runLock,
	Text: writeLock,
}

func runLock(ctx context.Context, w *Workbench, in *LockInput) (*LockResult, error) {
	file := cmp.Or(in.File, DefaultLock)
	l, err := w.readLock(file, true)
	if err != nil {
		return nil, err
	}
	name, err := in.Connection.lockName(in.As)
	if err != nil {
		return nil, err
	}
	now, err := w.liveSurface(ctx, &in.Connection, name)
	if err != nil {
		return nil, err
	}
	out := &LockResult{File: file, Server: name, Tools: len(now.Tools), Other: len(now.Prompts) + len(now.Resources) + len(now.Templates)}
	if _, known := l.Servers[name]; known {
		before, err := l.surface(file, name, "")
		if err != nil {
			return nil, err
		}
		out.Diff = change.Compare(before, now)
		out.Verdict = out.Diff.Verdict
	}
	l.Servers[name] = w.lockedServer(&in.Connection, now, l.Servers[name], w.approvalNow(time.Now()))
	out.Changed, err = w.writeLockFile(file, l)
	return out, err
}

// lockName is the key of the server in the file.
func (c *Connection) lockName(as string) (string, error) {
	name := cmp.Or(as, c.Target)
	if name == "" && len(c.Command) > 0 {
		name = filepath.Base(c.Command[len(c.Command)-1])
		for _, word := range c.Command[1:] { // npx -y PACKAGE: the package names the server
			if !strings.HasPrefix(word, "-") {
				name = word
				break
			}
		}
	}
	if strings.ContainsAny(name, "#\n") {
		return "", &UsageError{Message: fmt.Sprintf("%q cannot be the name of a server in a lock file", name), Hint: "use {--as} NAME"}
	}
	return name, nil
}

// lockedServer is the entry of a server.
func (w *Workbench) lockedServer(c *Connection, now *change.Surface, known *lockServer, approval lockApproval) *lockServer {
	if known == nil {
		known = &lockServer{}
	}
	s := &lockServer{Target: c.Target, Name: now.Name, Version: now.Version, Protocol: now.Protocol, Capabilities: now.Capabilities,
		Tools: entriesOf(now.Tools, known.Tools, approval), Prompts: entriesOf(now.Prompts, known.Prompts, approval),
		Resources: entriesOf(now.Resources, known.Resources, approval), Templates: entriesOf(now.Templates, known.Templates, approval)}
	for _, word := range c.Command {
		s.Command = append(s.Command, w.withoutSecrets(word))
	}
	s.Target = w.withoutSecrets(s.Target)
	for _, variable := range c.Env {
		name, _, _ := strings.Cut(variable, "=")
		s.Env = append(s.Env, name)
	}
	slices.Sort(s.Env)
	if len(c.Command) > 0 {
		s.SDK = sdk.Installed(c.Command, c.Cwd)
	}
	if now.Instructions != "" {
		s.Instructions = &lockText{now.Instructions, approval}
		if known.Instructions != nil && known.Instructions.Text == now.Instructions {
			s.Instructions.Approved = known.Instructions.Approved
		}
	}
	return s
}

// withoutSecrets redacts known secrets and what looks like one.
func (w *Workbench) withoutSecrets(text string) string {
	if w.Secrets == nil {
		return text
	}
	return w.Secrets.Text(text)
}

// writeLockFile replaces the file if its content changes.
func (w *Workbench) writeLockFile(file string, l *lockFile) (bool, error) {
	content, err := l.encode()
	if err != nil {
		return false, err
	}
	old, err := os.ReadFile(file)
	if err == nil && bytes.Equal(old, content) {
		return false, nil
	}
	if os.IsNotExist(err) {
		err = writeFile(file, content)
	} else {
		err = replaceFile(file, content)
	}
	if err != nil {
		return false, &UsageError{Message: "cannot write the lock file: " + err.Error(), Hint: "use {--file} FILE"}
	}
	return true, nil
}

func writeLock(out io.Writer, r *LockResult) error {
	t := newText(out)
	what := plural(r.Tools, "tool")
	if r.Other > 0 {
		what += fmt.Sprintf(" and %d prompts, resources and templates", r.Other)
	}
	switch {
	case !r.Changed:
		t.line(fmt.Sprintf("%s: %s unchanged, %s", r.File, r.Server, what))
	case r.Diff != nil && r.Verdict != "":
		t.line(fmt.Sprintf("%s: %s updated, %s; changes since it was locked:", r.File, r.Server, what))
		t.line("")
		return writeDiffText(t, &DiffResult{Diff: r.Diff})
	default:
		t.line(fmt.Sprintf("%s: %s locked, %s", r.File, r.Server, what))
	}
	return t.err
}
