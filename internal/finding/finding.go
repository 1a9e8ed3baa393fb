// Package finding is the result model that all engines share: rules, findings, and the report of a run.
//
// It imports only the standard library, so that any package can use it.
package finding

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// A Severity is how much a finding matters.
type Severity string

// The severities, from the least to the most severe.
const (
	Info     Severity = "info"
	Warning  Severity = "warning"
	Error    Severity = "error"
	Critical Severity = "critical"
)

// Severities lists every severity in ascending order.
var Severities = []Severity{Info, Warning, Error, Critical}

// Rank orders severities: a higher rank is more severe. An unknown severity ranks below Info.
func (s Severity) Rank() int {
	for i, known := range Severities {
		if s == known {
			return i + 1
		}
	}
	return 0
}

// AtLeast reports whether s is as severe as floor, or more.
func (s Severity) AtLeast(floor Severity) bool { return s.Rank() >= floor.Rank() }

// A Rule is one thing that an engine can check. The meaning of its ID never changes.
type Rule struct {
	ID       string   `json:"id"`
	Doc      string   `json:"doc"` // the first line is the title; the rest explains why it matters and what to do
	Severity Severity `json:"severity"`
	Spec     string   `json:"spec,omitempty"` // URL of the requirement
}

// Title returns the first line of the documentation of the rule.
func (r Rule) Title() string {
	for i := range len(r.Doc) {
		if r.Doc[i] == '\n' {
			return r.Doc[:i]
		}
	}
	return r.Doc
}

// Family returns the family of the rule.
func (r Rule) Family() string { return Family(r.ID) }

// Family returns the part of a rule ID that names its family: SCH of SCH-001, codex of codex/over-5000-bytes.
func Family(id string) string {
	if name, _, ok := strings.Cut(id, "/"); ok {
		return name
	}
	name, _, _ := strings.Cut(id, "-")
	return name
}

// A Finding is one violation of a rule, with its evidence.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Where    Location `json:"where"`
	Fixes    []Fix    `json:"fixes,omitempty"`
	Origin   string   `json:"origin,omitempty"` // the SDK that causes it, if it is not caused by the server's own code

	// The proof and how to reproduce it. Neither is part of the identity of a finding.
	Evidence  []string `json:"evidence,omitempty"`  // what was sent and received, one frame per line
	Calls     []Call   `json:"calls,omitempty"`     // the tool calls that show it, in order, if they can be repeated
	Reproduce string   `json:"reproduce,omitempty"` // one command
}

// A Call is a tool call that shows a finding.
type Call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Times     int             `json:"times,omitempty"` // how often it is made, if more than once
}

// Detail returns the message without its subject, for output that shows the subject beside it.
func (f Finding) Detail() string {
	if f.Where.Subject == "" {
		return f.Message
	}
	return strings.TrimPrefix(f.Message, f.Where.Subject+": ")
}

// Line returns the subject and the message. A message that starts with the subject does not repeat it.
func (f Finding) Line() string {
	subject := f.Where.Subject
	if subject == "" || strings.HasPrefix(f.Message, subject+" ") {
		return f.Message
	}
	return subject + ": " + f.Detail()
}

// A Location is the subject of a finding, the location within it, and the frames that prove it.
type Location struct {
	Subject string `json:"subject,omitempty"` // the tool, resource, prompt or method
	Pointer string `json:"pointer,omitempty"` // JSON Pointer into the definition of the subject
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Frames  []int  `json:"frames,omitempty"` // sequence numbers in the transcript
}

// A Fix is a change to the raw document of the subject that removes the finding.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit sets the value at a JSON Pointer; a nil Value removes it.
type Edit struct {
	Pointer string          `json:"pointer"`
	Value   json.RawMessage `json:"value,omitempty"`
}

// A Result is the outcome of one rule, check or test.
type Result struct {
	Rule     string        `json:"rule,omitempty"`
	Name     string        `json:"name,omitempty"`
	Findings []Finding     `json:"findings,omitempty"`
	Elapsed  time.Duration `json:"elapsed_ns,omitempty"`
	Attempts int           `json:"attempts,omitempty"`
	Skipped  string        `json:"skipped,omitempty"` // why it did not apply
	Broken   string        `json:"broken,omitempty"`  // why it could not be finished
	Notes    []string      `json:"notes,omitempty"`   // remarks that are not failures
	// location of the test that could not be finished, if it is defined in a file
	Where    *Location       `json:"where,omitempty"`
	Coverage *CoverageShares `json:"coverage,omitempty"` // of a test of coverage
}

// A Status is the outcome of a Result.
type Status string

// The statuses of a Result.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
	Broken  Status = "broken"
)

// Status is derived from the other fields, so that it cannot contradict them.
func (r Result) Status() Status {
	switch {
	case r.Broken != "":
		return Broken
	case len(r.Findings) > 0:
		return Failed
	case r.Skipped != "":
		return Skipped
	}
	return Passed
}

// A Report is the complete result of one run of an engine.
type Report struct {
	Engine  string             `json:"engine"`
	Target  string             `json:"target"`
	Version string             `json:"version"`
	Started time.Time          `json:"started"`
	Rules   []Rule             `json:"rules"`
	Results []Result           `json:"results"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
	// of one of several shards of a suite: what is needed to evaluate the coverage of all of them
	Coverage *Coverage `json:"coverage,omitempty"`
}

// Findings lists the findings of every result, in the order of the results.
func (r *Report) Findings() []Finding {
	count := 0
	for i := range r.Results {
		count += len(r.Results[i].Findings)
	}
	all := slices.Grow([]Finding(nil), count) // nil without any
	for i := range r.Results {
		all = append(all, r.Results[i].Findings...)
	}
	return all
}
