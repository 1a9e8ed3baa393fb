package changes

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
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A LockInput is the input of Lock.
type LockInput struct {
	workbench.Connection
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

	NotLocked []string `json:"not_locked,omitempty"` // texts of prompts that were not recorded, and why
}

// Lock records what a server offers.
var Lock = workbench.Op[LockInput, *LockResult]{
	Name: "lock", Section: workbench.Test, Order: 90,
	Doc: "Record what a server offers in a lock file\n\n" +
		"Writes the definitions of all tools, prompts, resources and templates, the instructions and the " +
		"capabilities to\n" +
		"mcptest.lock, with a hash and the approval of each. One file holds many servers. What did not change keeps " +
		"its\n" +
		"approval. The texts of prompts (prompts/get) are read twice, with the names of required arguments as " +
		"their values,\n" +
		"and recorded if they are stable. The file contains names of environment variables and no values.\n\n" +
		"To compare a server with the file, run: mcptest diff mcptest.lock TARGET. To fail in CI if the server is " +
		"not what was\n" +
		"approved, run: mcptest check --locked TARGET. To accept changes one by one, run: mcptest approve.",
	Example: "mcptest lock demo" + "\n" +
		"mcptest lock --as demo-copy -- mcptest demo",
	Run:  runLock,
	Text: writeLock,
}

func runLock(ctx context.Context, w *workbench.Workbench, in *LockInput) (*LockResult, error) {
	file := cmp.Or(in.File, DefaultLock)
	l, err := ReadLock(w, file, true)
	if err != nil {
		return nil, err
	}
	name, err := lockName(&in.Connection, in.As)
	if err != nil {
		return nil, err
	}
	now, err := liveSurface(ctx, w, &in.Connection, name)
	if err != nil {
		return nil, err
	}
	return l.record(w, file, name, &in.Connection, now)
}

// LockSession records what a server offers on an open session, in the default file.
func LockSession(ctx context.Context, w *workbench.Workbench, c *workbench.Connection, s *mcp.Session) (*LockResult,
	error) {
	l, err := ReadLock(w, DefaultLock, true)
	if err != nil {
		return nil, err
	}
	if _, err := lockName(c, ""); err != nil {
		return nil, err
	}
	name, _ := l.Find(w, c, "")
	now, err := sessionSurface(ctx, w, s, name)
	if err != nil {
		return nil, err
	}
	return l.record(w, DefaultLock, name, c, now)
}

// record replaces the entry of a server and writes the file.
func (l *LockFile) record(w *workbench.Workbench, file, name string, c *workbench.Connection,
	now *change.Surface) (*LockResult, error) {
	out := &LockResult{File: file, Server: name, Tools: len(now.Tools),
		Other: len(now.Prompts) + len(now.Resources) + len(now.Templates), NotLocked: textsNotLocked(now)}
	if _, known := l.Servers[name]; known {
		before, err := l.surface(file, name, "")
		if err != nil {
			return nil, err
		}
		out.Diff = change.Compare(before, now)
		out.Verdict = out.Diff.Verdict
	}
	l.Servers[name] = lockedServer(w, c, now, l.Servers[name], approvalNow(w, time.Now()))
	var err error
	out.Changed, err = writeLockFile(w, file, l)
	return out, err
}

// lockName is the key of the server in the file.
func lockName(c *workbench.Connection, as string) (string, error) {
	name := cmp.Or(as, c.Target)
	if name == "" && len(c.Command) > 0 {
		name = commandName(c.Command)
	}
	if strings.ContainsAny(name, "#\n") {
		return "", &workbench.UsageError{Message: fmt.Sprintf("%q cannot be the name of a server in a lock file", name),
			Hint: "use {--as} NAME"}
	}
	return name, nil
}

// commandName names the server that a command starts: by the package (npx -y PACKAGE) without its version, by the file
// that an interpreter runs, or by the program. It is the same on other machines and in other versions.
func commandName(command []string) string {
	name := command[0]
	for _, word := range command[1:] {
		if !strings.HasPrefix(word, "-") {
			name = word
			break
		}
	}
	if at := strings.LastIndexByte(name, '@'); at > 0 && !strings.ContainsAny(name[at:], `/\`) {
		name = name[:at]
	}
	if strings.HasPrefix(name, "@") { // a scope, not a folder
		return name
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' })
	for len(parts) > 1 && slices.Contains(genericNames, strings.TrimSuffix(parts[len(parts)-1],
		filepath.Ext(parts[len(parts)-1]))) && parts[len(parts)-2] != "." && parts[len(parts)-2] != ".." {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return name
	}
	return parts[len(parts)-1]
}

// genericNames are files and folders whose name does not identify a server.
var genericNames = []string{"index", "main", "__main__", "server", "app", "cli", "dist", "build", "src", "bin", "lib"}

// lockedServer is the entry of a server.
func lockedServer(w *workbench.Workbench, c *workbench.Connection, now *change.Surface, known *lockServer,
	approval lockApproval) *lockServer {
	if known == nil {
		known = &lockServer{}
	}
	s := &lockServer{Target: c.Target, Name: now.Name, Version: now.Version, Protocol: now.Protocol,
		Capabilities: now.Capabilities,
		Tools:        entriesOf(now.Tools, known.Tools, approval),
		Prompts:      entriesOf(now.Prompts, known.Prompts, approval),
		Resources:    entriesOf(now.Resources, known.Resources, approval),
		Templates:    entriesOf(now.Templates, known.Templates, approval)}
	addTexts(s.Prompts, now, known.Prompts, approval)
	for _, word := range c.Command {
		s.Command = append(s.Command, withoutSecrets(w, word))
	}
	s.Target = withoutSecrets(w, s.Target)
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
		if known.Instructions != nil && known.Instructions.Text == now.Instructions &&
			known.Instructions.Approved.given() {
			s.Instructions.Approved = known.Instructions.Approved
		}
	}
	return s
}

// withoutSecrets redacts known secrets and what looks like one.
func withoutSecrets(w *workbench.Workbench, text string) string {
	if w.Secrets == nil {
		return text
	}
	return w.Secrets.Text(text)
}

// writeLockFile replaces the file if its content changes.
func writeLockFile(w *workbench.Workbench, file string, l *LockFile) (bool, error) {
	content, err := l.encode()
	if err != nil {
		return false, err
	}
	old, err := os.ReadFile(file)
	if err == nil && bytes.Equal(old, content) {
		return false, nil
	}
	if os.IsNotExist(err) {
		err = workbench.WriteFile(file, content)
	} else {
		err = workbench.ReplaceFile(file, content)
	}
	if err != nil {
		return false, &workbench.UsageError{Message: "lock file: " + err.Error(),
			Hint: "use {--file} FILE to write elsewhere"}
	}
	return true, nil
}

func writeLock(out io.Writer, r *LockResult) error {
	t := workbench.NewText(out)
	what := workbench.Plural(r.Tools, "tool")
	if r.Other > 0 {
		what += fmt.Sprintf(" and %d prompts, resources and templates", r.Other)
	}
	switch {
	case !r.Changed:
		t.Line(fmt.Sprintf("%s: %s unchanged, %s", r.File, r.Server, what))
	case r.Diff != nil && r.Verdict != "":
		t.Line(fmt.Sprintf("%s: %s updated, %s; changes since it was locked:", r.File, r.Server, what))
		t.Line("")
		if err := writeDiffText(t, &DiffResult{Diff: r.Diff}); err != nil {
			return err
		}
	default:
		t.Line(fmt.Sprintf("%s: %s locked, %s", r.File, r.Server, what))
	}
	for _, remark := range r.NotLocked {
		t.Fill(0, "not locked: "+report.Line(remark))
	}
	return t.Err
}
