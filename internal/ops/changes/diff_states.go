package changes

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A State is one side of a comparison: what a server offers on an open connection, or a text that says what it offered.
type State struct {
	Name    string       // for messages
	Session *mcp.Session // nil for a text
	Text    []byte       // the content of a lock file, of a captured tools/list or of a transcript
	Server  string       // the name of the server in a lock file with several
}

func (s *State) read(ctx context.Context, other string) (*change.Surface, error) {
	if s.Session == nil {
		return dataSurface(s.Name, s.Text, s.Server, other)
	}
	lists, err := s.Session.Surface(ctx)
	if err != nil {
		return nil, err
	}
	return SurfaceOf(s.Session, lists, s.Name)
}

// readTexts reads the texts of prompts, if those of the other side are or can be known.
func (s *State) readTexts(ctx context.Context, w *workbench.Workbench, own *change.Surface, other *State,
	theirs *change.Surface) {
	if s.Session != nil && (other.Session != nil || theirs.Texts != nil) {
		readTexts(ctx, w, s.Session, own)
	}
}

// DiffStates compares two states without access to files. Cosmetic changes are counted, and listed if verbose.
func DiffStates(ctx context.Context, w *workbench.Workbench, before, after *State, verbose bool) (*DiffResult, error) {
	old, err := before.read(ctx, after.Name)
	if err != nil {
		return nil, err
	}
	now, err := after.read(ctx, before.Name)
	if err != nil {
		return nil, err
	}
	before.readTexts(ctx, w, old, after, now)
	after.readTexts(ctx, w, now, before, old)
	d := change.Compare(old, now)
	affected, err := affected(ctx, w, &DiffInput{}, old, now, d)
	if err != nil {
		return nil, err
	}
	if !verbose {
		d.OmitCosmetic()
	}
	return &DiffResult{Diff: d, Affected: affected, failOn: change.Breaking}, ctx.Err()
}

// A LockProposal is a lock file that nobody approved.
type LockProposal struct {
	Server string          `json:"server"`
	Tools  int             `json:"tools"`
	Other  int             `json:"other"` // prompts, resources and templates
	Diff   *change.Diff    `json:"diff,omitempty"`
	Lock   json.RawMessage `json:"lock"`
}

// ProposeLock returns the lock file with the present state of a server. Definitions that are approved in the current
// file keep their approval; the others have none, so that the user must approve them.
func ProposeLock(ctx context.Context, w *workbench.Workbench, l *connections.Link, name string,
	current []byte) (*LockProposal, error) {
	file := &LockFile{Lockfile: lockVersion, Servers: map[string]*lockServer{}}
	if len(current) > 0 {
		read, err := parseLock("lock", current)
		if err != nil {
			return nil, err
		}
		if file = read; file.Servers == nil {
			file.Servers = map[string]*lockServer{}
		}
	}
	c := &workbench.Connection{Target: l.Address}
	name, err := lockName(c, name)
	if err != nil {
		return nil, err
	}
	now, err := (&State{Name: l.Address, Session: l.Session}).read(ctx, "")
	if err != nil {
		return nil, err
	}
	readTexts(ctx, w, l.Session, now)
	out := &LockProposal{Server: name, Tools: len(now.Tools),
		Other: len(now.Prompts) + len(now.Resources) + len(now.Templates)}
	known := file.Servers[name]
	if known != nil {
		out.Diff = change.Compare(known.surface("lock#"+name, lockApproval.given), now)
		out.Diff.OmitCosmetic()
	}
	proposed := lockedServer(w, c, now, known, lockApproval{})
	if known != nil { // how the server is reached is not proposed
		proposed.Target, proposed.Command, proposed.Env, proposed.SDK = known.Target, known.Command, known.Env,
			known.SDK
	}
	file.Servers[name] = proposed
	out.Lock, err = file.encode()
	return out, err
}
