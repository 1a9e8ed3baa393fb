// Package inspector is what the page stands on: the servers that a person can connect to, connections that stay open
// with their calls, frames and questions, and what is told of all this as it happens. It knows nothing of HTTP.
//
// What a server or a person wrote as JSON travels as text in fields whose names end in JSON, so that no parser on the way
// can round a number or reorder a key.
package inspector

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Bounds of what one inspector keeps.
const (
	maxLinks   = 32
	maxServers = 256
)

// An Inspector holds what one person works with. Its methods may be used by many goroutines at once.
type Inspector struct {
	bench     *workbench.Workbench
	config    string
	approvals *target.Approvals
	given     *entry
	journal   *Journal
	shelf     *shelf

	mu     sync.Mutex
	added  []*entry // by the page, now or in an earlier run
	nextID int
	links  []*conn // the oldest first
	closed bool

	signIns []*signIn // the oldest first
}

// Options say what an inspector may use.
type Options struct {
	Config    string            // the only config file to look into; empty means those of the hosts
	Approvals *target.Approvals // what may be started without being typed; nil approves nothing
	Given     *target.Spec      // the target of the command line, which is approved by being typed; may be nil
	Keep      string            // the directory for servers that the page adds, so that the next run has them; empty keeps none
}

// New returns an inspector without connections. The workbench's handlers and log are not used, as each connection has its
// own.
func New(w *workbench.Workbench, o Options) *Inspector {
	i := &Inspector{bench: w, config: o.Config, approvals: o.Approvals, journal: newJournal(), shelf: &shelf{dir: o.Keep}}
	if o.Given != nil {
		i.given = givenEntry(w, *o.Given)
	}
	i.restore()
	return i
}

// Journal tells what happens.
func (i *Inspector) Journal() *Journal { return i.journal }

// Connect opens a connection. It returns at once: the link tells how it goes.
func (i *Inspector) Connect(in NewLink) (Link, error) {
	e, err := i.find(in.Server)
	if err != nil {
		return Link{}, err
	}
	if err := checkLink(in); err != nil {
		return Link{}, err
	}
	found, err := i.mayReach(e)
	if err != nil {
		return Link{}, err
	}
	c := newConn(i, e, in)
	if err := i.keep(c); err != nil {
		return Link{}, err
	}
	c.restart(e, found)
	return c.snapshot(), nil
}

// keep gives the connection its id.
func (i *Inspector) keep(c *conn) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.closed:
		return errors.New("mcptest is shutting down")
	case len(i.links) >= maxLinks:
		return usage("%d connections are kept, and no more", maxLinks).hint("close one of them")
	}
	i.nextID++
	c.id = "c" + strconv.Itoa(i.nextID)
	i.links = append(i.links, c)
	return nil
}

// Links lists the connections, the oldest first.
func (i *Inspector) Links() Links {
	out := Links{Links: []Link{}}
	for _, c := range i.all() {
		out.Links = append(out.Links, c.snapshot())
	}
	return out
}

// Link returns one connection.
func (i *Inspector) Link(id string) (Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return Link{}, err
	}
	return c.snapshot(), nil
}

// Close ends a connection and keeps what is known of it.
func (i *Inspector) Close(id string) (Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return Link{}, err
	}
	c.close()
	return c.snapshot(), nil
}

// Reconnect ends a connection and opens it again, as its entry is now.
func (i *Inspector) Reconnect(id string) (Link, error) {
	c, err := i.conn(id)
	if err != nil {
		return Link{}, err
	}
	e := c.origin()
	if e == nil {
		return Link{}, usage("a transcript cannot be connected to")
	}
	if now, err := i.find(e.shown.ID); err == nil {
		e = now // a file may have changed
	}
	found, err := i.mayReach(e)
	if err != nil {
		return Link{}, err
	}
	c.restart(e, found)
	return c.snapshot(), nil
}

// Forget ends a connection and forgets all of it.
func (i *Inspector) Forget(id string) error {
	c, err := i.conn(id)
	if err != nil {
		return err
	}
	c.end()
	i.mu.Lock()
	i.links = slices.DeleteFunc(i.links, func(other *conn) bool { return other == c })
	i.mu.Unlock()
	i.journal.forget(id)
	return nil
}

// Shutdown ends every connection, all at once, and lets none be opened after.
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
	return nil, notFound("there is no connection %q", id)
}
