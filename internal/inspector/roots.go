package inspector

import (
	"context"
	"net/url"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// SetRoots changes what a connection answers to roots/list, and tells the server if its era knows how.
func (i *Inspector) SetRoots(ctx context.Context, id string, roots []Root) (Roots, error) {
	c, err := i.conn(id)
	if err != nil {
		return Roots{}, err
	}
	for _, r := range roots {
		if u, err := url.Parse(r.URI); err != nil || u.Scheme == "" {
			return Roots{}, usage("%q is no URI", r.URI).hint("a root looks like file:///home/you/project")
		}
	}
	c.mu.Lock()
	c.roots = append([]Root{}, roots...)
	c.mu.Unlock()
	if link, err := c.session(); err == nil && link.Session.Era == mcp.Legacy {
		ctx, stop := context.WithTimeout(ctx, 10*time.Second)
		defer stop()
		if err := link.Session.Notify(ctx, "notifications/roots/list_changed", nil); err != nil {
			return Roots{}, err
		}
	}
	return i.Roots(id)
}

// Roots are what a connection answers to roots/list.
func (i *Inspector) Roots(id string) (Roots, error) {
	c, err := i.conn(id)
	if err != nil {
		return Roots{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return Roots{Roots: append([]Root{}, c.roots...)}, nil
}
