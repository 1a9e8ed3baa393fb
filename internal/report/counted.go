package report

import "github.com/mcptest-dev/mcptest/internal/finding"

// counts reports whether a finding fails the run. Other findings are shown as notes, so that no report contradicts the
// exit status of its run.
func (o *Options) counts(f finding.Finding) bool { return o == nil || o.Counts == nil || o.Counts(f) }

// status returns the status of a result in which only findings that count are failures.
func (o *Options) status(r finding.Result) finding.Status {
	r.Findings, _ = o.split(r.Findings)
	return r.Status()
}

// split separates the findings that count from those that do not.
func (o *Options) split(findings []finding.Finding) (counted, notes []finding.Finding) {
	for _, f := range findings {
		if o.counts(f) {
			counted = append(counted, f)
		} else {
			notes = append(notes, f)
		}
	}
	return counted, notes
}
