package catalog

// Serve says which servers this process stands before. What other servers listed is in the store for whoever has those
// servers: here it is neither listed nor found. Tools that were registered are always shown. Before the first call
// everything is.
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

// shows tells whether a tool is one of this process's.
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
