// Package hosts describes what host applications and the APIs of model providers do with a tool definition: what
// they reject, drop silently, and rename.
//
// A host is a program that connects to servers, such as Claude Code; an API receives the tools that a host selected.
// Both change their behavior, so every profile has the date on which it was checked and the sources. The profile of
// a host that was run also has its version: it reproduces what that version passed to the model. The rules of the
// lint engine use the profiles.
package hosts

import (
	"fmt"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// A Profile is the behavior of one host or API on a given date.
type Profile struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	API     bool     `json:"api,omitempty"`     // an API of a model provider, not a host
	Version string   `json:"version,omitempty"` // the version that was run and recorded; empty if none was
	Checked string   `json:"checked"`           // the date of that run, or on which the sources were last read
	Sources []string `json:"sources"`
	OptIn   bool     `json:"opt_in,omitempty"` // a mode that a caller requests, not what happens to every tool

	ToolName    Name `json:"tool_name"`
	PropertyKey Name `json:"property_key,omitzero"`
	MaxTools    int  `json:"max_tools,omitempty"`
	StrictOut   bool `json:"strict_stdout,omitempty"` // loses a server that writes anything but messages to stdout
	Banner      bool `json:"banner,omitempty"`        // but not for lines before the first message

	view func(*conversion)
}

// Measured reports whether the profile reproduces a recorded run of the host.
func (p Profile) Measured() bool { return p.Version != "" }

// A Name defines which names a host accepts unchanged.
type Name struct {
	Pattern string `json:"pattern,omitempty"` // a regular expression; empty for any
	Max     int    `json:"max,omitempty"`     // characters; 0 for no limit
}

// Refuses returns why a host rejects a name; empty if it accepts it.
func (n Name) Refuses(name string) string {
	if length := utf8.RuneCountInString(name); n.Max > 0 && length > n.Max {
		return fmt.Sprintf("%d characters, expected at most %d", length, n.Max)
	}
	if pattern, ok := patterns()[n.Pattern]; ok && !pattern.MatchString(name) {
		return "expected a match for " + n.Pattern
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

// A Breaks is what is lost if a host cannot use a tool.
type Breaks string

// What a violation costs, from most to least severe.
const (
	Session    Breaks = "session"    // the whole request fails, and every tool with it
	LosesTool  Breaks = "tool"       // this tool is rejected or dropped
	Constraint Breaks = "constraint" // the tool works and the model sees a looser schema
	Cosmetic   Breaks = "cosmetic"   // a name or text is changed
)

// Profiles lists every profile.
func Profiles() []Profile { return slices.Clone(profiles()) }

var profiles = sync.OnceValue(func() []Profile {
	return []Profile{
		codex(), claudeCode(), geminiCLI(), copilotCLI(), opencode(), kilo(), qwenCode(), continueCLI(), cline(), // run
		copilot(), cursor(),
		openAIStrict(), anthropic(), anthropicStrict(), gemini(),
	}
})

// Find returns the profile with the ID.
func Find(id string) (Profile, bool) {
	all := profiles()
	i := slices.IndexFunc(all, func(p Profile) bool { return p.ID == id })
	if i < 0 {
		return Profile{}, false
	}
	return all[i], true
}

// IDs lists the IDs of the profiles.
func IDs() []string {
	var ids []string
	for _, p := range profiles() {
		ids = append(ids, p.ID)
	}
	return ids
}
