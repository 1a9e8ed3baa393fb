package hosts

import (
	"encoding/json"
	"unicode/utf8"
)

// A Budget is how much of a model's context a server takes in one host, in estimated tokens.
type Budget struct {
	Host         string `json:"host"`
	Name         string `json:"name"`
	Version      string `json:"version"`
	Checked      string `json:"checked"`
	Tools        int    `json:"tools"`               // that the server lists
	Arrived      int    `json:"arrived"`             // that reach the model
	Definitions  int    `json:"definitions"`         // tokens of these tools, as the host passes them on
	Instructions int    `json:"instructions"`        // tokens of the instructions that reach the model
	Total        int    `json:"total"`               // tokens of both
	Omitted      int    `json:"omitted,omitempty"`   // characters of the instructions that do not reach the model
	Search       string `json:"search,omitempty"`    // the definitions enter the context one by one, when this search finds them
	Result       string `json:"result"`              // what happens to a long result
	MaxResult    int    `json:"max_result,omitzero"` // characters of a long result that reach the model; 0 if not known
}

// Budgets returns the context that a server takes in each host that was run.
func Budgets(server, instructions string, tools []Tool) []Budget {
	var all []Budget
	for _, p := range passAll(server, tools, nil) {
		all = append(all, p.budget(instructions))
	}
	return all
}

func (a *passing) budget(instructions string) Budget {
	seen := observations[a.Host]
	b := Budget{Host: a.Host, Name: a.Name, Version: a.Version, Checked: a.Checked, Tools: a.Tools, Arrived: a.Arrived,
		Search: seen.Search, Result: seen.Result.Long.How, MaxResult: seen.Result.Long.Kept}
	if a.Blame != nil { // the host has nothing of this server
		b.Omitted = utf8.RuneCountInString(instructions)
		return b
	}
	shown := seen.Instructions.of(instructions)
	b.Omitted = utf8.RuneCountInString(instructions) - utf8.RuneCountInString(shown)
	b.Definitions, b.Instructions = a.tokens, TextTokens(shown)
	b.Total = b.Definitions + b.Instructions
	return b
}

// of returns the part of the instructions that reaches the model.
func (i Instructions) of(text string) string {
	if !i.Shown {
		return ""
	}
	if i.Max > 0 {
		text, _ = cutUTF16(text, i.Max)
	}
	return text
}

// definitionTokens counts a tool as APIs of models receive it.
func definitionTokens(t Tool) int {
	name, _ := json.Marshal(t.Name)
	description, _ := json.Marshal(t.Description)
	return Tokens([]byte(`{"name":`+string(name)+`,"description":`+string(description)+`,"parameters":}`)) +
		Tokens(t.Schema)
}

// CutsResult returns what a host is known to do with a text of a length that it does not pass on whole; empty if it
// passes it on, or if that was not tried.
func CutsResult(host string, characters int) string {
	if long := observations[host].Result.Long; long.Cut > 0 && characters >= long.Cut {
		return long.How
	}
	return ""
}
