package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A Context is how much of a model's context a server takes, in estimated tokens.
type Context struct {
	Hosts   []hosts.Budget `json:"hosts"`
	Results *ResultContext `json:"results,omitempty"` // of the calls of the check; nil if no tool was called
}

// A ResultContext is the size of the results of the calls.
type ResultContext struct {
	Median int      `json:"median"`
	Max    int      `json:"max"`
	Cut    []string `json:"cut,omitempty"` // hosts that are known not to pass the longest result on whole
}

func newContext(server, instructions string, catalog *lint.Catalog) *Context {
	if len(catalog.Tools) == 0 {
		return nil
	}
	return &Context{Hosts: hosts.Budgets(server, instructions, readTools(catalog))}
}

// addResults adds what fuzz measured.
func (c *Context) addResults(metrics map[string]float64) {
	median, called := metrics["fuzz.result_tokens_median"]
	if c == nil || !called {
		return
	}
	c.Results = &ResultContext{Median: int(median), Max: int(metrics["fuzz.result_tokens_max"])}
	for _, b := range c.Hosts {
		if hosts.CutsResult(b.Host, int(metrics["fuzz.result_bytes_max"])) != "" {
			c.Results.Cut = append(c.Results.Cut, b.Name)
		}
	}
}

// write shows the context in a sentence or two.
func (c *Context) write(t *workbench.Text) {
	if c == nil || len(c.Hosts) == 0 {
		return
	}
	order := func(a, b hosts.Budget) int { return a.Total - b.Total }
	least, most := slices.MinFunc(c.Hosts, order), slices.MaxFunc(c.Hosts, order)
	text := fmt.Sprintf("Context: tools and instructions take %d tokens (%s) to %d (%s)", least.Total, least.Name,
		most.Total, most.Name)
	if least.Total == most.Total {
		text = fmt.Sprintf("Context: tools and instructions take %d tokens", most.Total)
	}
	if r := c.Results; r != nil {
		text += fmt.Sprintf(", results %d in the median and %d at most", r.Median, r.Max)
		if len(r.Cut) > 0 {
			text += ", which is cut in " + strings.Join(r.Cut, ", ")
		}
	}
	t.Fill(0, text+" ("+hosts.TokenError+").")
	t.Line("")
}
