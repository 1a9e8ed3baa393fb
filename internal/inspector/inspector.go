// Package inspector implements the logic behind the page: the servers that a user can connect to, open
// connections with their calls, frames and pending requests, and events about them. It is independent of HTTP.
//
// JSON from a server or a user is passed as text in fields whose names end in JSON, so that no parser in
// between can round a number or reorder a key.
package inspector

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/inspector/surfacestore"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits of one inspector.
const (
	maxLinks   = 32
	maxServers = 256
)

// An Inspector holds the state of one user. Its methods are safe for concurrent use.
type Inspector struct {
	bench     *workbench.Workbench
	config    string
	approvals *target.Approvals
	given     *entry
	journal   *ChangeFeed
	shelf     *serverStore
	surfaces  *surfacestore.Store
	sandbox   *appview.Sandbox // nil if views cannot be shown

	mu     sync.Mutex
	added  []*entry // in the page, now or in an earlier run
	nextID int
	links  []*conn // oldest first
	closed bool

	signIns []*signIn // oldest first
}

// Options configure an inspector.
type Options struct {
	Config    string            // the only config file to read; empty means the hosts' config files
	Approvals *target.Approvals // what may be started without being given on the command line; nil approves nothing
	Given     *target.Spec      // the target of the command line, which needs no approval; may be nil
	// the directory for servers that are added in the page, so that the next run has them; empty stores none
	Keep string
	// the directory for what each server offered, so that changes can be shown; empty stores nothing
	Surfaces string
	Sandbox  *appview.Sandbox // serves views of MCP Apps; nil if they cannot be shown
}

// New returns an inspector without connections. The workbench's handlers and log are not used, as each connection has
// its own.
func New(w *workbench.Workbench, o Options) *Inspector {
	i := &Inspector{bench: w, config: o.Config, approvals: o.Approvals, journal: newJournal(),
		shelf: &serverStore{dir: o.Keep}, surfaces: &surfacestore.Store{Dir: o.Surfaces}, sandbox: o.Sandbox}
	if o.Given != nil {
		i.given = givenEntry(w, *o.Given)
	}
	i.restore()
	return i
}

// Journal returns the event journal.
func (i *Inspector) Journal() *ChangeFeed { return i.journal }

// Connect opens a connection. It returns immediately: see the link for its state.
func (i *Inspector) Connect(in view.NewLink) (view.Link, error) {
	e, err := i.find(in.Server)
	if err != nil {
		return view.Link{}, err
	}
	if err := checkLink(in); err != nil {
		return view.Link{}, err
	}
	found, err := i.mayReach(e)
	if err != nil {
		return view.Link{}, err
	}
	c := newConn(i, e, in)
	if err := i.store(c); err != nil {
		return view.Link{}, err
	}
	c.restart(e, found)
	return c.snapshot(), nil
}

// store assigns an ID to the connection.
func (i *Inspector) store(c *conn) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.closed:
		return errors.New("mcptest is shutting down")
	case len(i.links) >= maxLinks:
		return view.Usage("connection limit reached (%d)", maxLinks).WithHint("close one of them")
	}
	i.nextID++
	c.id = "c" + strconv.Itoa(i.nextID)
	i.links = append(i.links, c)
	return nil
}

// Links lists the connections, oldest first.
func (i *Inspector) Links() view.Links {
	out := view.Links{Links: []view.Link{}}
	for _, c := range i.all() {
		out.Links = append(out.Links, c.snapshot())
	}
	return out
}

// Link returns one connection.
func (i *Inspector) Link(id string) (view.Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Link{}, err
	}
	return c.snapshot(), nil
}

// Close closes a connection and keeps its data.
func (i *Inspector) Close(id string) (view.Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Link{}, err
	}
	c.close()
	return c.snapshot(), nil
}

// Reconnect closes a connection and opens it again, with the current settings of its entry.
func (i *Inspector) Reconnect(id string) (view.Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Link{}, err
	}
	e := c.origin()
	if e == nil {
		return view.Link{}, view.Usage("cannot connect to a transcript")
	}
	if now, err := i.find(e.shown.ID); err == nil {
		e = now // a file may have changed
	}
	found, err := i.mayReach(e)
	if err != nil {
		return view.Link{}, err
	}
	c.restart(e, found)
	return c.snapshot(), nil
}

// RemoveConnection closes a connection and deletes all of its data.
func (i *Inspector) RemoveConnection(id string) error {
	c, err := i.conn(id)
	if err != nil {
		return err
	}
	c.end()
	i.mu.Lock()
	i.links = slices.DeleteFunc(i.links, func(other *conn) bool { return other == c })
	i.mu.Unlock()
	i.journal.remove(id)
	return nil
}

// Shutdown closes all connections concurrently, and prevents new ones.
func (i *Inspector) Shutdown() {
	i.mu.Lock()
	i.closed = true
	i.mu.Unlock()
	var wg sync.WaitGroup
	wg.Go(i.endSignIns)
	for _, c := range i.all() {
		wg.Go(c.end)
	}
	wg.Wait()
}

func (i *Inspector) all() []*conn {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.links)
}

func (i *Inspector) conn(id string) (*conn, error) {
	for _, c := range i.all() {
		if c.id == id {
			return c, nil
		}
	}
	return nil, view.NotFound("unknown connection %q", id)
}

// Problem converts an error to a problem, without secrets.
func (i *Inspector) Problem(err error) *view.Problem {
	var known *view.Problem
	if errors.As(err, &known) {
		return known
	}
	p := view.ProblemOf(err)
	clean := i.bench.Secrets.Text
	p.Message, p.Hint, p.Cause, p.Stderr = clean(p.Message), i.bench.Secrets.Exact(p.Hint), clean(p.Cause),
		clean(p.Stderr)
	return p
}
