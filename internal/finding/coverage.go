package finding

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Coverage is what the tests of one shard called, and the tests of coverage that only all shards together can decide.
type Coverage struct {
	Shard  int            `json:"shard"`
	Shards int            `json:"shards"`
	Called []CoverageCall `json:"called"`
	Tests  []CoverageTest `json:"tests,omitempty"`
}

// A CoverageCall is what the tests of a suite covered of one tool.
type CoverageCall struct {
	Suite      string   `json:"suite"` // its file
	Server     string   `json:"server"`
	Tool       string   `json:"tool"`
	Parameters []string `json:"parameters,omitempty"`
	EnumValues []string `json:"enum_values,omitempty"`
	Failed     bool     `json:"failed,omitempty"` // a call ended with a JSON-RPC error or isError
}

// A CoverageTest is a test of coverage that has not been decided.
type CoverageTest struct {
	Name      string          `json:"name"`
	Suite     string          `json:"suite"`
	Server    string          `json:"server"`
	Tools     []CoverageTool  `json:"tools"`  // of the server
	Expect    json.RawMessage `json:"expect"` // the expectations, as in a suite
	Where     Location        `json:"where"`
	Reproduce string          `json:"reproduce,omitempty"`
}

// A CoverageTool is a tool that tests can call, with its parameters and the values of its enumerations.
type CoverageTool struct {
	Name       string   `json:"name"`
	Parameters []string `json:"parameters,omitempty"`
	EnumValues []string `json:"enum_values,omitempty"`
}

// CoverageShares are how much of a server the tests of a suite exercise.
type CoverageShares struct {
	Tools      CoverageShare `json:"tools"`
	Parameters CoverageShare `json:"parameters"`
	EnumValues CoverageShare `json:"enum_values"`
	ErrorPaths CoverageShare `json:"error_paths"` // tools of which a call failed
}

// A CoverageShare counts items of one kind.
type CoverageShare struct {
	Covered int      `json:"covered"`
	Total   int      `json:"total"`
	Missing []string `json:"missing,omitempty"`
}

// Count adds one item.
func (s *CoverageShare) Count(name string, covered bool) {
	s.Total++
	if covered {
		s.Covered++
	} else {
		s.Missing = append(s.Missing, name)
	}
}

// A NamedShare is a share with the key that it has in suites and reports.
type NamedShare struct {
	Key string
	CoverageShare
}

// All lists the shares.
func (s *CoverageShares) All() []NamedShare {
	return []NamedShare{{"tools", s.Tools}, {"parameters", s.Parameters}, {"enum_values", s.EnumValues},
		{"error_paths", s.ErrorPaths}}
}

// String is a line for people: tools 4 of 9, parameters 5 of 16 …
func (s *CoverageShares) String() string {
	var parts []string
	for _, one := range s.All() {
		parts = append(parts, fmt.Sprintf("%s %d of %d", strings.ReplaceAll(one.Key, "_", " "), one.Covered, one.Total))
	}
	return "covered: " + strings.Join(parts, ", ")
}
