// Package connections keeps connections open between operations, for the page and for assistants, within a policy.
package connections

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// MainLink is the name of a connection that was opened without one.
const MainLink = "main"

// Limits per principal.
const (
	maxLinks      = 32
	linkKeepBytes = 64 << 20
)

// A Set is the connections that one principal keeps open between operations, by name. Sets are isolated
// from each other. Its methods are safe for concurrent use.
type Set struct {
	bench  *workbench.Workbench
	policy Policy
	grants grantBook

	mu      sync.Mutex
	links   map[string]*Link
	opening map[string]bool
	current string
	closed  bool
}

// New returns an empty desk. Operations use the given workbench; its handlers and log are not used, as each
// connection has its own.
func New(w *workbench.Workbench, policy Policy) *Set {
	return &Set{bench: w, policy: policy, grants: grantBook{approvals: policy.Approvals},
		links: map[string]*Link{}, opening: map[string]bool{}}
}

// A NoLinkError reports that no open connection has the name.
type NoLinkError struct {
	Name string   // empty if none was named
	Open []string // the open connections
}

// Error returns which connection is missing.
func (e *NoLinkError) Error() string {
	if e.Name == "" {
		return "no open connection"
	}
	return fmt.Sprintf("no open connection named %q", e.Name)
}

// A TakenError reports that a connection with the name is already open.
type TakenError struct{ Name, Address string }

// Error returns the name of the connection.
func (e *TakenError) Error() string {
	return fmt.Sprintf("connection %q to %s is already open", e.Name, e.Address)
}

// A LinkOptions configures a connection.
type LinkOptions struct {
	Protocol string        // Auto or a revision
	Timeout  time.Duration // request timeout; 0 means the default
	LogLevel string        // request log messages of this level and above
	// the extensions to declare; see workbench.Connection
	Extensions string

	Log            *wire.Transcript                                   // where frames are recorded; nil creates one
	Roots          func(ctx context.Context) (json.RawMessage, error) // the result of roots/list; nil offers none
	OnNotification func(mcp.Message)                                  // see mcp.Options
	OnNotice       func(mcp.Notice)                                   // see mcp.Options
	OnExpired      func()                                             // see mcp.Options
	// called when the pending requests change; it must not use the link and wait
	OnQuestions func()
}

// Open connects to the named server, within the desk's policy, and makes it the current one. An empty name
// means MainLink. A connection whose server has disconnected releases its name.
func (d *Set) Open(ctx context.Context, name, address string, opts LinkOptions) (*Link, error) {
	if name == "" {
		name = MainLink
	}
	gone, err := d.reserve(name)
	if err != nil {
		return nil, err
	}
	if gone != nil {
		_ = gone.close()
	}
	l, err := d.dial(ctx, name, address, opts)
	d.mu.Lock()
	delete(d.opening, name)
	if err == nil && d.closed {
		err = errors.New("the server is shutting down")
	}
	if err == nil {
		d.links[name], d.current = l, name
	}
	d.mu.Unlock()
	if err != nil && l != nil {
		_ = l.close()
		l = nil
	}
	return l, err
}

// reserve reserves the name, so that two calls cannot open it at once. It returns the previous connection of
// that name, if its server has disconnected.
func (d *Set) reserve(name string) (gone *Link, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	gone = d.links[name]
	switch {
	case gone != nil && gone.Session.Err() == nil:
		return nil, &TakenError{Name: name, Address: gone.Address}
	case d.opening[name]:
		return nil, &TakenError{Name: name, Address: "a server that is still connecting"}
	case gone == nil && len(d.links)+len(d.opening) >= maxLinks:
		return nil, &workbench.UsageError{Message: fmt.Sprintf("connection limit reached (%d)", maxLinks),
			Hint: "close one of them with disconnect"}
	}
	delete(d.links, name)
	d.opening[name] = true
	return gone, nil
}

func (d *Set) dial(ctx context.Context, name, address string, o LinkOptions) (*Link, error) {
	found, err := d.policy.resolve(ctx, d.bench, address, &d.grants)
	if err != nil {
		return nil, err
	}
	l, err := Connect(ctx, d.bench, name, redact.URL(address), found, o)
	if request := addressRequest(err, address); request != nil && found.Entry == nil {
		err = &RefusedError{Message: err.Error(), Request: request, cause: err}
	}
	if err == nil && found.Entry == nil && len(found.Target.Command) > 0 {
		l.Command = workbench.QuoteWords(found.Target.Command)
	}
	return l, err
}

// Link returns the connection of the name, or the current one if it is empty. A disconnected one is kept, so
// that its last stderr output can be read.
func (d *Set) Link(name string) (*Link, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := name
	if key == "" {
		key = d.current
	}
	if l := d.links[key]; l != nil {
		return l, nil
	}
	return nil, &NoLinkError{Name: name, Open: d.namesLocked()}
}

// Use makes the connection of the name the current one.
func (d *Set) Use(name string) (*Link, error) {
	l, err := d.Link(name)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.links[l.Name] == l {
		d.current = l.Name
	}
	return l, nil
}

// Links lists the connections by name, and returns the name of the current one.
func (d *Set) Links() (links []*Link, current string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range d.namesLocked() {
		links = append(links, d.links[name])
	}
	return links, d.current
}

func (d *Set) namesLocked() []string {
	names := make([]string, 0, len(d.links))
	for name := range d.links {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// Close closes a connection, by default the current one, and returns it. If it was the current one and exactly
// one other is left, that becomes the current one.
func (d *Set) Close(name string) (*Link, error) {
	d.mu.Lock()
	if name == "" {
		name = d.current
	}
	l := d.links[name]
	if l == nil {
		defer d.mu.Unlock()
		return nil, &NoLinkError{Name: name, Open: d.namesLocked()}
	}
	delete(d.links, name)
	if d.current == name {
		d.current = ""
		if names := d.namesLocked(); len(names) == 1 {
			d.current = names[0]
		}
	}
	d.mu.Unlock()
	return l, l.close()
}

// CloseAll closes all connections concurrently, and prevents new ones.
func (d *Set) CloseAll() error {
	d.mu.Lock()
	d.closed = true
	var links []*Link
	for _, l := range d.links {
		links = append(links, l)
	}
	clear(d.links)
	d.mu.Unlock()
	errs := make([]error, len(links))
	var wg sync.WaitGroup
	for i, l := range links {
		wg.Go(func() { errs[i] = l.close() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// Bench returns a workbench for one operation on a connection of the desk.
func (d *Set) Bench(ctx context.Context, notify func(workbench.Event)) *workbench.Workbench {
	b := d.bench
	return &workbench.Workbench{Version: b.Version, System: b.System, Builtins: b.Builtins, Secrets: b.Secrets,
		Notify:  notify,
		Grants:  workbench.ForAssistants,
		Granted: func(id string) bool { return d.grants.granted(ctx, id) }}
}

// AskTimeout returns how long the host may take to return the user's answer.
func (d *Set) AskTimeout() time.Duration {
	return cmp.Or(d.policy.AskTimeout, defaultAskTimeout)
}

// Scrub removes the secrets of all connections from a text.
func (d *Set) Scrub(text string) string { return d.bench.Secrets.Exact(text) }
