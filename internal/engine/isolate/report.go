package isolate

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// A reporter collects what was tested and found, by rule.
type reporter struct {
	opts     *Options
	mu       sync.Mutex
	findings []finding.Finding
	subjects map[string][]string // tested, by rule
	skipped  map[string]string
	notes    map[string][]string
	calls    []string // tools that were not called
}

func newReporter(opts *Options) *reporter {
	return &reporter{opts: opts, subjects: map[string][]string{}, skipped: map[string]string{},
		notes: map[string][]string{}}
}

func (r *reporter) found(rule, subject string, frames []int, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := finding.Finding{Rule: rule, Severity: ruleByID(rule).Severity, Message: fmt.Sprintf(format, args...),
		Where: finding.Location{Subject: subject}}
	for _, frame := range frames {
		if frame > 0 {
			f.Where.Frames = append(f.Where.Frames, frame)
		}
	}
	for _, known := range r.findings {
		if known.Rule == f.Rule && known.Where.Subject == subject && known.Message == f.Message {
			return
		}
	}
	r.findings = append(r.findings, f)
}

func (r *reporter) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.findings)
}

// tested records that a rule was tested with a subject.
func (r *reporter) tested(rule, subject string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.subjects[rule], subject) {
		r.subjects[rule] = append(r.subjects[rule], subject)
	}
}

// skip records why rules could not be tested.
func (r *reporter) skip(why string, ids ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ids {
		r.skipped[id] = why
	}
}

func (r *reporter) note(rule, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes[rule] = append(r.notes[rule], text)
}

func (r *reporter) notCalled(tool, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text := tool + " (" + why + ")"; !slices.Contains(r.calls, text) {
		r.calls = append(r.calls, text)
	}
}

// messages records that everything a pair received was searched.
func (r *reporter) messages(p *pair) {
	r.tested(ruleNotice, "every message to "+p.owner.Name+" and "+p.other.Name)
	if len(p.owner.Secrets)+len(p.other.Secrets) > 0 {
		r.tested(ruleCredential, "every message to "+p.owner.Name+" and "+p.other.Name)
	} else {
		r.skip("the users have no credentials", ruleCredential)
	}
}

// seen converts a sighting to a finding.
func seen(s sighting) finding.Finding {
	message := fmt.Sprintf("%s received a %s of %s", s.by, s.mark.kind, s.mark.owner)
	if s.mark.from != "" {
		message += ", sent with " + strings.Join(strings.Fields(s.mark.from), " ") // a name must not add a line
	}
	f := finding.Finding{Rule: s.rule, Severity: ruleByID(s.rule).Severity, Message: message,
		Where: finding.Location{Subject: s.subject}, Evidence: []string{s.by + " received: " + clip.Text(s.text, 400)}}
	if s.frame > 0 {
		f.Where.Frames = []int{s.frame}
	}
	return f
}

// outcome creates the report: a result for each rule.
func (r *reporter) outcome(started time.Time, l *ledger) *Outcome {
	all := slices.Clone(r.findings)
	for _, s := range l.seen() {
		all = append(all, seen(s))
	}
	out := &Outcome{Report: &finding.Report{Engine: "isolate", Target: r.opts.Target, Version: r.opts.Version,
		Started: started, Rules: Rules()},
		Requested: len(r.subjects[ruleResult])+len(r.subjects[ruleResource])+len(r.subjects[ruleHidden]) > 0}
	for _, rule := range rules {
		result := finding.Result{Rule: rule.ID, Name: rule.Title()}
		for _, f := range all {
			if f.Rule == rule.ID {
				result.Findings = append(result.Findings, f)
			}
		}
		tested := r.subjects[rule.ID]
		switch {
		case len(tested) > 0:
			out.Tested = append(out.Tested, Area{rule.ID + " " + rule.Title(), few(tested)})
		case len(result.Findings) == 0:
			result.Skipped = r.why(rule.ID)
			out.NotTested = append(out.NotTested, Area{rule.ID + " " + rule.Title(), result.Skipped})
		}
		for _, note := range r.notes[rule.ID] {
			out.NotTested = append(out.NotTested, Area{rule.ID + " " + rule.Title(), note})
		}
		out.Report.Results = append(out.Report.Results, result)
	}
	if len(r.calls) > 0 {
		out.NotTested = append(out.NotTested, Area{"not requested", strings.Join(r.calls, ", ")})
	}
	return out
}

// why returns the reason for a rule without a test.
func (r *reporter) why(rule string) string {
	if why := r.skipped[rule]; why != "" {
		return why
	}
	switch rule {
	case ruleHidden, ruleResource:
		return "both users have the same lists and no readable resource"
	case ruleCache:
		return "no response succeeded for both users"
	}
	return "nothing to test it with"
}

// few lists at most five names.
func few(names []string) string {
	const most = 5
	switch {
	case len(names) == 0:
		return "nothing"
	case len(names) > most:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
