package check

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The minimum that must be tested before an area gets a grade. docs/check.md states it.
const (
	minChecks      = 10 // protocol: checks that finished
	minCheckShare  = 90 // protocol: percent of the applicable checks that finished
	minCalls       = 10 // robustness: calls, and at least one for each tool that may be called
	minToolPercent = 50 // robustness: percent of the tools that must be called for an A
	minToolCalls   = 10 // robustness: calls to each of them, on average, for an A if the time limit ended them
)

// An AreaState is whether an area was tested.
type AreaState string

// The states of an area.
const (
	Graded     AreaState = "graded"
	Incomplete AreaState = "incomplete" // something should have been tested and could not be
	NotTested  AreaState = "not tested" // there was nothing to test, or nothing that may be called
)

// A Area is the verdict of one engine.
type Area struct {
	Name     string    `json:"name"`
	State    AreaState `json:"state"`
	Grade    string    `json:"grade,omitempty"`   // none below the minimum
	Evidence string    `json:"evidence"`          // how much was tested
	About    string    `json:"about"`             // what was found, or why nothing was tested
	Partial  string    `json:"partial,omitempty"` // why too little was tested for an A; empty if it was enough

	absent bool // the server does not offer what the area tests
}

// protocolEvidence returns the state of the protocol area, by how many of the applicable checks finished. A check that
// could not finish because of the SDK leaves nothing to test: the finding about the lost server says why.
func protocolEvidence(r *finding.Report, library *sdk.SDK) (a Area, enough bool) {
	finished, broken, excused, first := 0, 0, lostBySDK(r, library), ""
	unfinished := 0
	for _, one := range r.Results {
		switch one.Status() {
		case finding.Passed, finding.Failed:
			finished++
		case finding.Broken:
			if unfinished++; excused[one.Rule] {
				continue
			}
			if broken++; first == "" {
				first = one.Broken
			}
		}
	}
	a = Area{Name: "protocol", State: Graded, Evidence: fmt.Sprintf("%d of %d checks", finished, finished+unfinished)}
	switch {
	case broken > 0:
		a.State, a.About = Incomplete, fmt.Sprintf("%s not finished: %s", workbench.Plural(broken, "check"), first)
	case finished < minChecks:
		a.State, a.About = Incomplete, "too few checks apply"
	}
	return a, finished >= minChecks && 100*finished >= minCheckShare*(finished+unfinished)
}

// lostServerRule is the rule about checks that lost the server; its subjects are these checks.
const lostServerRule = "RUN-002"

// lostBySDK returns the checks in which the SDK is known to end the server.
func lostBySDK(r *finding.Report, library *sdk.SDK) map[string]bool {
	lost := map[string]bool{}
	for _, one := range r.Results {
		if one.Rule != lostServerRule {
			continue
		}
		for i := range one.Findings {
			if _, known := sdkCause(library, &one.Findings[i]); known {
				lost[one.Findings[i].Where.Subject] = true
			}
		}
	}
	return lost
}

// A callRecord counts the calls of a fuzz run.
type callRecord struct {
	calls, called, tools int      // calls made, tools that may be called, each in turn, and tools listed
	suspects             []string // tools with a call without a response that is not proven to be a hang
	ended                string   // why the run stopped early
	limited              bool     // every tool that may be called has openWorldHint, and so a limit
	onlyErrors           bool     // no call succeeded, and nothing was found
	late                 bool     // the time limit was reached before all calls were made
}

// partial returns why the calls are too few for an A.
func (c callRecord) partial() string {
	switch {
	case 100*c.called < minToolPercent*c.tools:
		return fmt.Sprintf("less than %d %% of the tools were called", minToolPercent)
	case c.late && c.calls < minToolCalls*c.called:
		return fmt.Sprintf("%d of %d calls within the time limit", c.calls, checkCases)
	}
	return ""
}

// robustnessEvidence returns the state of the robustness area.
func robustnessEvidence(c callRecord) (a Area, enough bool) {
	made := workbench.Plural(c.calls, "call")
	if c.late {
		made = fmt.Sprintf("%d of %d calls", c.calls, checkCases)
	}
	a = Area{Name: "robustness", State: Graded, Partial: c.partial(),
		Evidence: fmt.Sprintf("%s to %d of %s", made, min(c.called, c.calls), workbench.Plural(c.tools, "tool"))}
	switch {
	case c.called == 0:
		a.State, a.Evidence = NotTested, "no calls"
		a.About = fmt.Sprintf("none of %s may be called without permission", workbench.Plural(c.tools, "tool"))
	case len(c.suspects) > 0:
		a.State = Incomplete
		a.About = fmt.Sprintf("%s did not respond to a call in time", workbench.JoinNames(c.suspects))
	case c.ended != "":
		a.State, a.About = Incomplete, c.ended
	case c.calls < minCalls && c.limited:
		a.State, a.About = Incomplete, "too few calls: the tools affect external systems (openWorldHint) and are called "+
			"only a few times; use --tools NAME to call one more often"
	case c.calls < max(minCalls, c.called):
		a.State, a.About = Incomplete, "too few calls within the time limit"
	case c.onlyErrors:
		a.State, a.About = NotTested, "no call succeeded, so only the rejection of arguments was tested"
	}
	return a, a.State == Graded
}
