// Package find reproduces the tool searches of hosts that do not pass all tools to the model: it ranks the tools of
// servers for a query as the host would.
package find

import "slices"

// A Tool is what a search knows about a tool.
type Tool struct {
	Server       string
	Name         string
	Title        string
	Description  string
	Properties   []string // names of the top-level properties of the input schema
	Instructions string   // of the server
}

// A Hit is a tool that a search returned.
type Hit struct {
	Tool  int // index of the tool
	Score float64
}

// A Search is the tool search of one host over a set of tools.
type Search interface {
	// Rank returns the tools that match a query, best first.
	Rank(query string) []Hit
}

// An Engine is the tool search of a host.
type Engine struct {
	ID      string
	Name    string
	Version string // of the host that it reproduces; empty for our own
	Limit   int    // tools that the host returns by default
	New     func([]Tool) Search
}

// Engines lists the searches that are reproduced.
func Engines() []Engine {
	return []Engine{
		{ID: "codex", Name: "Codex", Version: "0.166.0", Limit: 8, New: newCodex},
		{ID: "claude-code", Name: "Claude Code", Version: "2.1.325", Limit: 5, New: newClaude},
	}
}

// RankOf returns the rank of a tool, from 1 on; 0 if it is not among the hits.
func RankOf(hits []Hit, tool int) int {
	return 1 + slices.IndexFunc(hits, func(h Hit) bool { return h.Tool == tool })
}
