package catalog

// DefaultLimit is how many tools a search returns if the filter does not say.
const DefaultLimit = 10

// A Hit is a tool that a search found.
type Hit struct {
	Tool    Tool
	Score   float64  // 0..1, the best first
	Matched []string // the words of the query that were found
	Queries []int    // which of the queries it answers
}

// Search finds tools by relevance, within what the filter lets through: a tool that the caller may not see has no part
// in the ranking. Several queries are several needs; the best tools for each come first. Words in double quotes must
// stand next to each other.
func (c *Catalog) Search(queries []string, f Filter) []Hit {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.index.search(queries, f)
}
