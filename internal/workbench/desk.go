package workbench

import (
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
)

// MainLink is the name of a connection that was opened without one.
const MainLink = "main"

// Bounds of what one principal may hold open.
const (
	maxLinks      = 32
	linkKeepBytes = 64 << 20
)

// A Desk is the connections that one principal keeps open between operations, by name. What is on one desk cannot be
// seen from another. Its methods may be used by many goroutines at once.
type Desk struct {
	bench  *Workbench
	policy Policy
	grants grantBook

	mu      sync.Mutex
	links   map[string]*Link
	opening map[string]bool
	current string
	closed  bool
}

// NewDesk returns an empty desk. The workbench is what its operations work with; its handlers and log are not used, as
// each connection has its own.
func NewDesk(w *Workbench, policy Policy) *Desk {
	return &Desk{bench: w, policy: policy, grants: grantBook{approvals: policy.Approvals}, links: map[string]*Link{}, opening: map[string]bool{}}
}

// A NoLinkError says that there is no open connection of the name.
type NoLinkError struct {
	Name string   // empty when none was named
	Open []string // those that there are
}

// Error tells which connection is missing.
func (e *NoLinkError) Error() string {
	if e.Name == "" {
		return "there is no open connection"
	}
	return fmt.Sprintf("there is no open connection named %q", e.Name)
}

// A TakenError says that a connection of the name is open already.
type TakenError struct{ Name, Address string }

// Error names the connection.
func (e *TakenError) Error() string {
	return fmt.Sprintf("the connection %q to %s is open already", e.Name, e.Address)
}

// A LinkOptions says how to talk on a connection.
type LinkOptions struct {
	Protocol string        // Auto or a revision
	Timeout  time.Duration // silence after which a request has failed; 0 means the default
	LogLevel string        // ask the server for log messages of this level and above

	Log            *wire.Transcript                                   // where frames are recorded; nil makes one
	Roots          func(ctx context.Context) (json.RawMessage, error) // the result of roots/list; nil offers none
	OnNotification func(mcp.Message)                                  // see mcp.Options
	OnNotice       func(mcp.Notice)                                   // see mcp.Options
	OnExpired      func()                                             // see mcp.Options
	OnQuestions    func()                                             // the open questions are others than before; it must not use the link and wait
}

// Open connects to the server that is named, within the desk's policy, and makes it the current one. An empty name means
// MainLink. A connection whose server is gone gives up its name.
func (d *Desk) Open(ctx context.Context, name, address string, opts LinkOptions) (*Link, error) {
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

// reserve takes the name, so that two calls cannot open it at once. It returns the connection that had it, if that one's
// server is gone.
func (d *Desk) reserve(name string) (gone *Link, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	gone = d.links[name]
	switch {
	case gone != nil && gone.Session.Err() == nil:
		return nil, &TakenError{Name: name, Address: gone.Address}
	case d.opening[name]:
		return nil, &TakenError{Name: name, Address: "a server that is being reached"}
	case gone == nil && len(d.links)+len(d.opening) >= maxLinks:
		return nil, &UsageError{Message: fmt.Sprintf("%d connections are open, and no more are allowed", maxLinks), Hint: "disconnect one of them"}
	}
	delete(d.links, name)
	d.opening[name] = true
	return gone, nil
}

func (d *Desk) dial(ctx context.Context, name, address string, o LinkOptions) (*Link, error) {
	found, err := d.policy.resolve(ctx, d.bench, address, &d.grants)
	if err != nil {
		return nil, err
	}
	l, err := d.bench.Connect(ctx, name, redact.URL(address), found, o)
	if request := addressRequest(err, address); request != nil && found.Entry == nil {
		err = &RefusedError{Message: err.Error(), Request: request, cause: err}
	}
	return l, err
}

// Link returns the connection of the name, or the current one if it is empty. One whose server is gone is still there, so
// that its last words can be read.
func (d *Desk) Link(name string) (*Link, error) {
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
func (d *Desk) Use(name string) (*Link, error) {
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

// Links lists the connections by name, and tells which is the current one.
func (d *Desk) Links() (links []*Link, current string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, name := range d.namesLocked() {
		links = append(links, d.links[name])
	}
	return links, d.current
}

func (d *Desk) namesLocked() []string {
	names := make([]string, 0, len(d.links))
	for name := range d.links {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// Close ends a connection, by default the current one, and returns it. If it was the current one and one other is left,
// that becomes the current one.
func (d *Desk) Close(name string) (*Link, error) {
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

// CloseAll ends every connection, all at once, and lets none be opened after.
func (d *Desk) CloseAll() error {
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
func (d *Desk) Bench(ctx context.Context, notify func(Event)) *Workbench {
	b := d.bench
	return &Workbench{Version: b.Version, System: b.System, Builtins: b.Builtins, Secrets: b.Secrets, Notify: notify, Grants: ForAssistants,
		Granted: func(id string) bool { return d.grants.granted(ctx, id) }}
}

// Scrub takes the secrets that connections were given out of a text.
func (d *Desk) Scrub(text string) string { return d.bench.Secrets.Exact(text) }
