// Package finding is the result model that every engine shares: rules, what they found, and the report of a run.
//
// It imports nothing but the standard library, so that anything may speak it.
package finding

import (
	"encoding/json"
	"strings"
	"time"
)

// A Severity says how much a finding matters.
type Severity string

// The severities, from the least to the most serious.
const (
	Info     Severity = "info"
	Warning  Severity = "warning"
	Error    Severity = "error"
	Critical Severity = "critical"
)

// Severities lists every severity in ascending order.
var Severities = []Severity{Info, Warning, Error, Critical}

// Rank orders severities: a higher rank is more serious. An unknown severity ranks below Info.
func (s Severity) Rank() int {
	for i, known := range Severities {
		if s == known {
			return i + 1
		}
	}
	return 0
}

// AtLeast reports whether s is as serious as floor, or more.
func (s Severity) AtLeast(floor Severity) bool { return s.Rank() >= floor.Rank() }

// A Rule is one thing that an engine can judge. Its id never changes its meaning.
type Rule struct {
	ID       string   `json:"id"`
	Doc      string   `json:"doc"` // the first line is the title; the rest says why it matters and what to do
	Severity Severity `json:"severity"`
	Spec     string   `json:"spec,omitempty"` // where the requirement stands
}

// Title is the first line of the rule's documentation.
func (r Rule) Title() string {
	for i := range len(r.Doc) {
		if r.Doc[i] == '\n' {
			return r.Doc[:i]
		}
	}
	return r.Doc
}

// Family is what the rule belongs to.
func (r Rule) Family() string { return Family(r.ID) }

// Family is the part of a rule's id that names its family: SCH of SCH-001, codex of codex/over-5000-bytes.
func Family(id string) string {
	if name, _, ok := strings.Cut(id, "/"); ok {
		return name
	}
	name, _, _ := strings.Cut(id, "-")
	return name
}

// A Finding is one departure from a rule, with the evidence for it.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Where    Location `json:"where"`
	Fixes    []Fix    `json:"fixes,omitempty"`
	Origin   string   `json:"origin,omitempty"` // the SDK that causes it, if it is not the server's own code

	// What proves it and how to see it again. Neither is part of what makes two findings the same.
	Evidence  []string `json:"evidence,omitempty"`  // what was sent and what came, a line each
	Reproduce string   `json:"reproduce,omitempty"` // one command
}

// A Location says what a finding is about, where in it, and which frames prove it.
type Location struct {
	Subject string `json:"subject,omitempty"` // the tool, resource, prompt or method
	Pointer string `json:"pointer,omitempty"` // JSON Pointer into the subject's definition
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Frames  []int  `json:"frames,omitempty"` // sequence numbers in the transcript
}

// A Fix is a change of the subject's raw document that removes the finding.
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
	Notes    []string      `json:"notes,omitempty"`   // what was noticed and is no failure
	Where    *Location     `json:"where,omitempty"`   // where what could not be finished stands, if it stands in a file
}

// A Status is what a Result comes to.
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

// A Report is all that one run of an engine has to say.
type Report struct {
	Engine  string             `json:"engine"`
	Target  string             `json:"target"`
	Version string             `json:"version"`
	Started time.Time          `json:"started"`
	Rules   []Rule             `json:"rules"`
	Results []Result           `json:"results"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

// Findings lists the findings of every result, in the order of the results.
func (r *Report) Findings() []Finding {
	var all []Finding
	for _, result := range r.Results {
		all = append(all, result.Findings...)
	}
	return all
}
