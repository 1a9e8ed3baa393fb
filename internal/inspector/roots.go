package inspector

import (
	"context"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// SetRoots changes the result of roots/list for a connection, and notifies the server if its revision allows
// it.
func (i *Inspector) SetRoots(ctx context.Context, id string, roots []view.Root) (view.Roots, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Roots{}, err
	}
	for _, r := range roots {
		if u, err := url.Parse(r.URI); err != nil || u.Scheme == "" {
			return view.Roots{}, view.Usage("%q is not a URI",
				r.URI).WithHint("use a root such as file:///home/you/project")
		}
	}
	c.mu.Lock()
	c.roots = append([]view.Root{}, roots...)
	c.mu.Unlock()
	if link, err := c.session(); err == nil && link.Session.Era == spec.Legacy {
		ctx, stop := context.WithTimeout(ctx, 10*time.Second)
		defer stop()
		if err := link.Session.Notify(ctx, "notifications/roots/list_changed", nil); err != nil {
			return view.Roots{}, err
		}
	}
	return i.Roots(id)
}

// Roots returns the result of roots/list for a connection.
func (i *Inspector) Roots(id string) (view.Roots, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.Roots{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return view.Roots{Roots: append([]view.Root{}, c.roots...)}, nil
}
