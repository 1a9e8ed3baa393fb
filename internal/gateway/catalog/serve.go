package catalog

// Serve sets the servers of this process. Tools listed by other servers are in the store for processes that have those
// servers: here they are neither listed nor found. Registered tools are always visible. Before the first call
// everything is visible.
func (c *Catalog) Serve(servers []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served = setOf(servers)
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
	c.tell(changes)
}

// shows reports whether a tool is visible in this process.
func (c *Catalog) shows(t *Tool) bool {
	return c.served == nil || t.Source != FromUpstream || c.served[t.Server]
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}
