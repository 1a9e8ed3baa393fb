package catalog

// SetServers sets the servers of this process. Tools listed by other servers are in the store for processes that have
// those servers: here they are neither listed nor found. Registered tools are always visible. Before the first call
// everything is visible.
func (c *Catalog) SetServers(servers []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served = setOf(servers)
	c.showAgain()
}

// SetFilter sets which tools that servers list are visible in this process; nil means all. The function must not use
// the catalog.
func (c *Catalog) SetFilter(visible func(*Tool) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.filter = visible
	c.showAgain()
}

// showAgain decides for each tool whether it is visible. The catalog is locked.
func (c *Catalog) showAgain() {
	var changes []Change
	for key, t := range c.hidden {
		if c.shows(t) {
			shown := *t
			change, _ := c.set(key, readTool{tool: &shown, words: split(t)})
			changes = append(changes, change)
		}
	}
	for key, t := range c.tools {
		if !c.shows(t) {
			change, _ := c.set(key, readTool{tool: t})
			changes = append(changes, change)
		}
	}
	c.index.settle()
	c.notify(changes)
}

// shows reports whether a tool is visible in this process.
func (c *Catalog) shows(t *Tool) bool {
	if t.Source != FromUpstream {
		return true
	}
	return (c.served == nil || c.served[t.Server]) && (c.filter == nil || c.filter(t))
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
