package hosts

import (
	"fmt"
	"slices"
)

// An Arrival is what reaches the model of one host of the tools of a server.
type Arrival struct {
	Host    string `json:"host"`
	Name    string `json:"name"`
	Version string `json:"version"`
	Checked string `json:"checked"`
	Tools   int    `json:"tools"`             // that the server lists
	Arrived int    `json:"arrived"`           // that reach the model
	Blame   *Loss  `json:"blame,omitempty"`   // why no tool arrives
	Dropped []Loss `json:"dropped,omitempty"` // single tools that do not arrive
	Pages   int    `json:"pages,omitempty"`   // of tools/list that the host reads, if the server has more
	Unread  int    `json:"unread,omitempty"`  // tools on further pages
}

// A Loss is a tool that a host does not pass on, or that costs it the whole server.
type Loss struct {
	Tool string `json:"tool,omitempty"`
	Why  string `json:"why"`
}

// Arrivals returns what each host that was run passes on of the tools of a server. The ends are the number of tools up to
// the end of each page of tools/list; nil if all are on one page.
func Arrivals(server string, tools []Tool, ends []int) []Arrival {
	var all []Arrival
	for _, p := range passAll(server, tools, ends) {
		all = append(all, p.Arrival)
	}
	return all
}

// A passing is what one host passes on.
type passing struct {
	Arrival
	profile Profile
	read    int // tools that the host reads
	tokens  int // of the definitions that arrive
}

// passAll returns what each host that was run passes on of the tools. It goes through the tools once, so that no more
// than one of them is in memory as a tree.
func passAll(server string, tools []Tool, ends []int) []passing {
	var all []passing
	for _, p := range profiles() {
		if p.Measured() {
			all = append(all, newPassing(p, len(tools), ends))
		}
	}
	for i, tool := range tools {
		tool = tool.again()
		for k := range all {
			if i < all[k].read && all[k].Blame == nil {
				all[k].pass(server, tool)
			}
		}
	}
	return all
}

func newPassing(p Profile, tools int, ends []int) passing {
	a := passing{profile: p, read: tools, Arrival: Arrival{Host: p.ID, Name: p.Name, Version: p.Version,
		Checked: p.Checked, Tools: tools}}
	if o, _ := ObservedOf(p.ID); o.Pages > 0 && o.Pages < len(ends) {
		a.Pages, a.read = o.Pages, min(ends[o.Pages-1], tools)
		a.Unread = tools - a.read
	}
	if p.MaxTools > 0 && a.read > p.MaxTools {
		a.Blame = &Loss{Why: fmt.Sprintf("more than %d tools", p.MaxTools)}
	}
	return a
}

// pass adds what happens to a tool.
func (a *passing) pass(server string, tool Tool) {
	seen := View(a.profile, server, tool)
	switch {
	case seen.LosesServer:
		a.Blame, a.Arrived, a.Dropped, a.Unread, a.tokens = &Loss{tool.Name, seen.Lost}, 0, nil, 0, 0
	case seen.Lost != "":
		a.Dropped = append(a.Dropped, Loss{tool.Name, seen.Lost})
	default:
		a.Arrived++
		a.tokens += definitionTokens(seen)
	}
}

// WithOutput returns what arrives if the server also writes lines to stdout that are not messages: some hosts close the
// connection. Not all do so for lines that all come before the first message of the server.
func WithOutput(all []Arrival, onlyBefore bool) []Arrival {
	for i := range all {
		if p, ok := Find(all[i].Host); ok && p.StrictOut && !(p.Banner && onlyBefore) {
			all[i].Arrived, all[i].Dropped, all[i].Unread, all[i].Blame = 0, nil, 0,
				&Loss{Why: "stdout contains a line that is not a message"}
		}
	}
	return all
}

// WithRevision returns what arrives if the server serves only one revision: most hosts do not request the newest.
func WithRevision(all []Arrival, revision string) []Arrival {
	for i := range all {
		if o, ok := ObservedOf(all[i].Host); ok && !slices.Contains(o.Requests, revision) {
			all[i].Arrived, all[i].Dropped, all[i].Unread, all[i].Blame = 0, nil, 0,
				&Loss{Why: "the server serves only " + revision + ", which the host does not request"}
		}
	}
	return all
}
