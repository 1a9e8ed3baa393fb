package report

import "github.com/mcptest-dev/mcptest/internal/finding"

// counts reports whether a finding is reason to fail. Those that are not are shown as notes, so that no report
// contradicts the exit status of the run that wrote it.
func (o *Options) counts(f finding.Finding) bool { return o == nil || o.Counts == nil || o.Counts(f) }

// status is what a result comes to where only findings that count can make it fail.
func (o *Options) status(r finding.Result) finding.Status {
	r.Findings, _ = o.split(r.Findings)
	return r.Status()
}

// split tells the findings that count from those that do not.
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
