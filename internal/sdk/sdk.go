// Package sdk recognizes the SDK of a server and lists which findings that SDK causes.
package sdk

import (
	"slices"
	"strconv"
	"strings"
)

// An SDK is the library that a server is built with.
type SDK struct {
	Name     string `json:"name"`              // such as "TypeScript SDK"
	Version  string `json:"version,omitempty"` // empty if unknown
	Evidence string `json:"evidence"`          // how it was recognized
	// it was found in the installation of the server, not inferred from behavior
	Certain bool `json:"certain"`

	handled string // the methods that the author's code handles itself, separated by spaces
}

// The SDKs that are recognized.
const (
	TypeScript   = "TypeScript SDK"
	TypeScript2  = "TypeScript SDK 2"
	FastMCPNode  = "fastmcp (TypeScript)"
	MCPFramework = "mcp-framework"
	MCPLite      = "mcp-lite"
	Python       = "Python SDK"
	FastMCP      = "FastMCP (Python)"
	Go           = "Go SDK"
	MCPGo        = "mcp-go"
	Rust         = "Rust SDK"
)

// String returns the name with the version.
func (s *SDK) String() string { return strings.TrimSpace(s.Name + " " + s.Version) }

// Phrase returns the name with the version for a sentence: "the Go SDK 1.2", "mcp-go 0.4".
func (s *SDK) Phrase() string {
	if strings.Contains(s.Name, "SDK") {
		return "the " + s.String()
	}
	return s.String()
}

// Language returns the language of the snippets for its users: python, typescript, go, or empty.
func (s *SDK) Language() string {
	switch {
	case s == nil:
	case s.Name == Python, s.Name == FastMCP:
		return "python"
	case s.Name == Go, s.Name == MCPGo:
		return "go"
	case s.Name == TypeScript, s.Name == TypeScript2, s.Name == FastMCPNode, s.Name == MCPFramework, s.Name == MCPLite:
		return "typescript"
	}
	return ""
}

// A Cause is behavior of an SDK that does not depend on the server's own code.
type Cause struct {
	Rules    []string // the rules that report it
	Contains string   // a part of the message or the evidence, if the rule alone is not sufficient
	Own      bool     // that part is a text of the SDK, or input for its parser: with it, an SDK inferred from behavior is sufficient
	Before   int      // the first major version without it; 0 if all versions have it
	Reported string   // where it was reported, if it was
}

// Causes returns the cause of a finding in the SDK, and whether there is one; text is its message with the evidence. An
// error requires an SDK that is known for certain, or the SDK's own words: behavior alone does not excuse a server.
func (s *SDK) Causes(rule, text string, isError bool) (Cause, bool) {
	if s == nil || authorAnswered(rule, text) || s.isAuthors(rule) {
		return Cause{}, false
	}
	for _, c := range causes[s.Name] {
		if !slices.Contains(c.Rules, rule) || !strings.Contains(text, c.Contains) || isError && !s.Certain && !c.Own {
			continue
		}
		if c.Before == 0 || s.Version == "" || s.major() < c.Before {
			return c, true
		}
	}
	return Cause{}, false
}

// major returns the first number of the version.
func (s *SDK) major() int {
	first, _, _ := strings.Cut(s.Version, ".")
	n, _ := strconv.Atoi(first) // 0 for a version without numbers
	return n
}
