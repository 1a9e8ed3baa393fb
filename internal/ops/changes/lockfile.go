package changes

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// DefaultLock is the lock file of a repository.
const DefaultLock = "mcptest.lock"

// lockVersion is the version of the file format.
const lockVersion = 1

// A LockFile is what the servers of a repository offered when it was approved. Maps are sorted by name, so that a merge
// conflicts only where both sides changed the same entry.
type LockFile struct {
	Lockfile int                    `json:"lockfile"` // the version of the format
	Servers  map[string]*lockServer `json:"servers"`
}

// A lockServer is one server: how it is reached, what it is, and what it offers.
type lockServer struct {
	Target       string               `json:"target,omitempty"`  // a URL, a configured name or a built-in server
	Command      []string             `json:"command,omitempty"` // or the command that starts it
	Env          []string             `json:"env,omitempty"`     // names of variables, never values
	Name         string               `json:"name,omitempty"`
	Version      string               `json:"version,omitempty"`
	Protocol     string               `json:"protocol,omitempty"`
	SDK          *sdk.SDK             `json:"sdk,omitempty"`
	Capabilities json.RawMessage      `json:"capabilities,omitempty"`
	Instructions *lockText            `json:"instructions,omitempty"`
	Tools        map[string]lockEntry `json:"tools,omitempty"`
	Prompts      map[string]lockEntry `json:"prompts,omitempty"`
	Resources    map[string]lockEntry `json:"resources,omitempty"`
	Templates    map[string]lockEntry `json:"templates,omitempty"`
}

// A lockEntry is one definition. Without an approval it is proposed.
type lockEntry struct {
	Hash       string          `json:"hash"`
	Approved   lockApproval    `json:"approved,omitzero"` // omitted in a proposal
	Definition json.RawMessage `json:"definition"`        // as the server wrote it
	Text       *lockPrompt     `json:"text,omitempty"`    // of a prompt
}

// A lockText is a text. Without an approval it is proposed.
type lockText struct {
	Text     string       `json:"text"`
	Approved lockApproval `json:"approved,omitzero"`
}

// A lockApproval says who approved something, and when.
type lockApproval struct {
	By     string `json:"by,omitempty"`
	At     string `json:"at"`
	Reason string `json:"reason,omitempty"`
}

// given reports whether somebody approved.
func (a lockApproval) given() bool { return a != lockApproval{} }

// isLock recognizes a lock file by its first field.
func isLock(data []byte) bool {
	_, ok := schema.Get(bytes.TrimSpace(data), "/lockfile")
	return ok && schema.Kind(data) == '{'
}

func parseLock(file string, data []byte) (*LockFile, error) {
	l := &LockFile{}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s is not a valid lock file: %v", file,
			rawjson.Problem(data, err)),
			Hint: "resolve merge conflicts in it, or write it again: {mcptest lock TARGET}"}
	}
	if l.Lockfile != lockVersion {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s has the format version %d, expected %d", file,
			l.Lockfile,
			lockVersion),
			Hint: "use the mcptest version that wrote it"}
	}
	for name, s := range l.Servers {
		if s == nil {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: server %q is empty", file, name),
				Hint: "write it again: {mcptest lock TARGET}"}
		}
		if wrong := s.tampered(); wrong != "" {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: the hash of %q does not match its definition",
				file,
				wrong),
				Hint: "the file was edited; review it and write it again: {mcptest lock TARGET}"}
		}
	}
	return l, nil
}

// tampered returns an entry whose definition does not match its hash; empty if there is none.
func (s *lockServer) tampered() string {
	for _, list := range []map[string]lockEntry{s.Tools, s.Prompts, s.Resources, s.Templates} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			entry := list[name]
			if entry.Hash != change.Hash(entry.Definition) ||
				entry.Text != nil && entry.Text.Hash != change.Hash(entry.Text.Result) {
				return name
			}
		}
	}
	return ""
}

// ReadLock reads a lock file; an absent one is empty if it may be created.
func ReadLock(w *workbench.Workbench, file string, create bool) (*LockFile, error) {
	if err := w.MayUseFiles(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && create {
		return &LockFile{Lockfile: lockVersion, Servers: map[string]*lockServer{}}, nil
	}
	if err != nil {
		return nil, notFound(err, "to create it, run: {mcptest lock TARGET}")
	}
	l, err := parseLock(file, data)
	if err == nil && l.Servers == nil {
		l.Servers = map[string]*lockServer{}
	}
	return l, err
}

func (l *LockFile) encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(l)
	return out.Bytes(), err
}

// surface is the recorded state of one server, with what was only proposed.
func (l *LockFile) surface(file, name, other string) (*change.Surface, error) {
	name, err := l.pick(file, name, other)
	if err != nil {
		return nil, err
	}
	return l.Servers[name].surface(file+"#"+name, func(lockApproval) bool { return true }), nil
}

// ApprovedSurface is the approved state of one server. What was only proposed is not part of it.
func (l *LockFile) ApprovedSurface(file, name string) (*change.Surface, error) {
	name, err := l.pick(file, name, "")
	if err != nil {
		return nil, err
	}
	return l.Servers[name].surface(file+"#"+name, lockApproval.given), nil
}

func (s *lockServer) surface(source string, includes func(lockApproval) bool) *change.Surface {
	out := &change.Surface{Source: source, Name: s.Name, Version: s.Version, Protocol: s.Protocol,
		Capabilities: s.Capabilities, Unordered: true,
		Tools: listed(s.Tools, includes), Prompts: listed(s.Prompts, includes),
		Resources: listed(s.Resources, includes), Templates: listed(s.Templates, includes)}
	out.Texts, out.Unread = texts(s.Prompts, includes)
	if s.Instructions != nil && includes(s.Instructions.Approved) {
		out.Instructions = s.Instructions.Text
	}
	return out
}

// pick selects a server: the named one, the one that the other side names, or the only one.
func (l *LockFile) pick(file, name, other string) (string, error) {
	if _, ok := l.Servers[other]; name == "" && ok {
		return other, nil
	}
	names := slices.Sorted(maps.Keys(l.Servers))
	if name == "" && len(names) == 1 {
		return names[0], nil
	}
	if _, ok := l.Servers[name]; ok {
		return name, nil
	}
	return "", &workbench.UsageError{Message: fmt.Sprintf("%s has no server %q", file, name),
		Hint: hint.Text(fmt.Sprintf("use %s#NAME with one of: %s", file, strings.Join(names, ", ")))}
}

// Find returns the name of a connection's server: the given one, or the entry with the same target or command.
func (l *LockFile) Find(w *workbench.Workbench, c *workbench.Connection, as string) (string, bool) {
	name, err := lockName(c, as)
	if _, ok := l.Servers[name]; err == nil && ok || as != "" {
		return name, ok
	}
	for _, name := range slices.Sorted(maps.Keys(l.Servers)) {
		s := l.Servers[name]
		if c.Target != "" && s.Target == withoutSecrets(w, c.Target) {
			return name, true
		}
		if len(c.Command) > 0 && slices.EqualFunc(s.Command, c.Command,
			func(a, b string) bool { return a == withoutSecrets(w, b) }) {
			return name, true
		}
	}
	return name, false
}

func listed(entries map[string]lockEntry, includes func(lockApproval) bool) []json.RawMessage {
	var all []json.RawMessage
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if includes(entries[name].Approved) {
			all = append(all, entries[name].Definition)
		}
	}
	return all
}

// entriesOf makes entries of definitions. What was approved before keeps its approval.
func entriesOf(definitions []json.RawMessage, known map[string]lockEntry, approval lockApproval) map[string]lockEntry {
	if len(definitions) == 0 {
		return nil
	}
	all := map[string]lockEntry{}
	for _, raw := range definitions {
		name := entryKey(raw)
		if _, duplicate := all[name]; duplicate {
			continue
		}
		entry := lockEntry{Hash: change.Hash(raw), Approved: approval, Definition: raw}
		if old, ok := known[name]; ok && old.Hash == entry.Hash && old.Approved.given() {
			entry.Approved = old.Approved
		}
		all[name] = entry
	}
	return all
}

// approvalNow is an approval by the current user.
func approvalNow(w *workbench.Workbench, now time.Time) lockApproval {
	by := ""
	if w.Grants.Environment {
		by = cmp.Or(os.Getenv("GIT_AUTHOR_NAME"), os.Getenv("USER"), os.Getenv("USERNAME"))
		if account, err := user.Current(); by == "" && err == nil {
			by = account.Username
		}
	}
	return lockApproval{By: by, At: now.UTC().Format(time.RFC3339)}
}
