// Package sdk recognizes the SDK that a server is made with, and knows which findings that SDK causes.
package sdk

import (
	"slices"
	"strings"
)

// An SDK is the library that a server is made with.
type SDK struct {
	Name     string `json:"name"`              // such as "TypeScript SDK"
	Version  string `json:"version,omitempty"` // empty if it is not known
	Evidence string `json:"evidence"`          // how it was recognized
	Certain  bool   `json:"certain"`           // it was found where the server is installed, and not inferred from behavior
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

// String is the name with the version.
func (s *SDK) String() string { return strings.TrimSpace(s.Name + " " + s.Version) }

// Language is the language of the snippets that help its users: python, typescript, go, or empty.
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

// A Cause is something that an SDK does, whatever the server does with it.
type Cause struct {
	Rules    []string // the rules that report it
	Says     string   // a part of the message, where the rule alone is not enough
	Reported string   // where it was reported, if it was
}

// Causes returns the cause in the SDK of a finding, and whether there is one. An error needs a certain SDK: what was
// inferred from behavior does not excuse a server.
func (s *SDK) Causes(rule, message string, isError bool) (Cause, bool) {
	if s == nil || isError && !s.Certain {
		return Cause{}, false
	}
	for _, c := range causes[s.Name] {
		if slices.Contains(c.Rules, rule) && strings.Contains(message, c.Says) {
			return c, true
		}
	}
	return Cause{}, false
}
