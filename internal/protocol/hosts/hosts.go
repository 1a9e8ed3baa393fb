// Package hosts knows what model providers and host applications do with a tool definition: what they refuse, what
// they drop without a word, and what they rename.
//
// Providers change their minds, so every profile carries the day on which it was checked and the sources. A profile is
// data about others and judges nothing; rules in the lint engine do.
package hosts

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// A Profile is one host or provider, as it was on a day.
type Profile struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Checked string   `json:"checked"` // the day on which the facts were last looked at
	Sources []string `json:"sources"`
	OptIn   bool     `json:"opt_in,omitempty"` // a mode that a caller asks for, not what happens to every tool

	ToolName    Name `json:"tool_name"`
	PropertyKey Name `json:"property_key,omitzero"`
	MaxTools    int  `json:"max_tools,omitempty"`

	view func(Tool) Tool
}

// A Name says which names a host takes as they are.
type Name struct {
	Pattern string `json:"pattern,omitempty"` // a regular expression; empty for any
	Max     int    `json:"max,omitempty"`     // characters; 0 for no limit
}

// Refuses says what a host has against a name; empty where it takes it.
func (n Name) Refuses(name string) string {
	if length := utf8.RuneCountInString(name); n.Max > 0 && length > n.Max {
		return fmt.Sprintf("%d characters; want at most %d", length, n.Max)
	}
	if pattern, ok := patterns()[n.Pattern]; ok && !pattern.MatchString(name) {
		return "want " + n.Pattern
	}
	return ""
}

// patterns holds the compiled patterns of all profiles.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	compiled := map[string]*regexp.Regexp{}
	for _, p := range profiles() {
		for _, name := range []Name{p.ToolName, p.PropertyKey} {
			if name.Pattern != "" {
				compiled[name.Pattern] = regexp.MustCompile(name.Pattern)
			}
		}
	}
	return compiled
})

// A Breaks says what is lost where a host cannot take a tool.
type Breaks string

// What a departure costs, from the worst to the least.
const (
	Session    Breaks = "session"    // the whole request fails, and every tool with it
	LosesTool  Breaks = "tool"       // this tool is refused or left out
	Constraint Breaks = "constraint" // the tool works and the model sees a looser schema
	Cosmetic   Breaks = "cosmetic"   // a name or text is changed
)

// Profiles lists every profile.
func Profiles() []Profile { return slices.Clone(profiles()) }

var profiles = sync.OnceValue(func() []Profile {
	return []Profile{openAIStrict(), anthropic(), anthropicStrict(), gemini(), copilot(), codex(), cursor()}
})

// Find returns the profile with the id.
func Find(id string) (Profile, bool) {
	all := profiles()
	i := slices.IndexFunc(all, func(p Profile) bool { return p.ID == id })
	if i < 0 {
		return Profile{}, false
	}
	return all[i], true
}

// IDs lists the ids of the profiles.
func IDs() []string {
	var ids []string
	for _, p := range profiles() {
		ids = append(ids, p.ID)
	}
	return ids
}
