package render

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// An Outcome is the report of a run, and the pictures of the view.
type Outcome struct {
	Report   *finding.Report
	Pictures []Picture
}

// A run collects findings.
type run struct {
	uri      string
	start    time.Duration
	findings map[string][]finding.Finding
}

// Run shows the view in a browser and checks it. OnStep is called before each way of showing it.
func Run(ctx context.Context, o Options, target string, onStep func(done, total int)) (*Outcome, error) {
	started := time.Now()
	seen, pictures, err := o.observeAll(ctx, onStep)
	if err != nil {
		return nil, err
	}
	r := &run{uri: o.Resource.URI, start: o.start(), findings: map[string][]finding.Finding{}}
	r.first(seen[0])
	for _, s := range seen {
		r.each(s)
	}
	for _, s := range seen[1:] {
		r.robust(seen[0], s)
	}
	return &Outcome{Report: r.report(target, o.Version, started, len(seen) > 1), Pictures: pictures}, nil
}

// Skipped returns a report in which nothing was checked.
func Skipped(target, version, why string) *finding.Report {
	report := &finding.Report{Engine: "app", Target: target, Version: version, Started: time.Now(), Rules: rules}
	for _, rule := range rules {
		report.Results = append(report.Results, finding.Result{Rule: rule.ID, Name: rule.Title(), Skipped: why})
	}
	return report
}

func (r *run) report(target, version string, started time.Time, complete bool) *finding.Report {
	report := &finding.Report{Engine: "app", Target: target, Version: version, Started: started, Rules: rules}
	for _, rule := range rules {
		result := finding.Result{Rule: rule.ID, Name: rule.Title(), Findings: r.findings[rule.ID]}
		if !complete && rule.ID != ruleStart && rule.ID != ruleErrors {
			result.Skipped = "the view did not start"
		}
		report.Results = append(report.Results, result)
	}
	return report
}

func (r *run) found(id, format string, args ...any) {
	n := slices.IndexFunc(rules, func(rule finding.Rule) bool { return rule.ID == id })
	f := finding.Finding{Rule: id, Severity: rules[n].Severity, Message: fmt.Sprintf(format, args...),
		Where: finding.Location{Subject: r.uri}}
	known := slices.ContainsFunc(r.findings[id], func(other finding.Finding) bool { return other.Message == f.Message })
	if !known && len(r.findings[id]) < maxPerRule {
		r.findings[id] = append(r.findings[id], f)
	}
}

// first checks the start of the view, and how it shows the result.
func (r *run) first(o *observation) {
	switch {
	case o.Phase == "initialized":
	case o.Initializes > 0:
		r.found(ruleStart, "ui/notifications/initialized: expected after the response to ui/initialize, got none within %s",
			r.start)
	default:
		r.found(ruleStart, "ui/initialize: expected within %s, got none", r.start)
	}
	if o.Phase != "initialized" {
		return
	}
	if o.blank {
		r.found(ruleRender, "the view is blank after the result: its picture has one color")
	}
	if o.Reports == 0 {
		r.found(ruleRender, "ui/notifications/size-changed: expected after the result, got none")
	}
}

// each checks what holds in every scene.
func (r *run) each(o *observation) {
	for _, fault := range o.Faults {
		r.found(ruleStart, "%s", fault)
	}
	if o.Locked || len(o.Heights) > 10 {
		r.found(ruleHeight, "the height changed more than 10 times after one result")
	}
	evals := 0
	for _, b := range o.blocked {
		if b.URI == "eval" {
			evals += b.Count
		}
	}
	for _, b := range o.blocked {
		switch {
		case b.Entry != "":
			r.found(ruleErrors, "%s blocked %s: add %q to _meta.ui.csp.%s", b.Directive, b.URI, b.Entry, b.List)
		case b.URI != "eval" || evals > 1: // zod, a part of the SDK, tries it once and goes on without
			r.found(ruleErrors, "%s blocked %s: no entry of _meta.ui.csp can allow it", b.Directive, b.URI)
		}
	}
	for _, method := range o.Refused {
		r.found(ruleOffered, "%s: not in hostCapabilities", method)
	}
	if o.Mode != "" {
		r.found(ruleOffered, "ui/request-display-mode: %q is not in availableDisplayModes", o.Mode)
	}
	for _, tool := range o.foreign {
		r.found(ruleForeign, "call of %q: not a tool of this server with the visibility app", tool)
	}
	if o.scene.name == "light" {
		for _, text := range o.errors {
			r.found(ruleErrors, "%s", text)
		}
	}
	if o.Phase == "initialized" && !o.answered {
		r.found(ruleRobust, "ui/resource-teardown: expected a response, got none")
	}
}

// robust compares a scene with the first one.
func (r *run) robust(first, o *observation) {
	if o.Phase != "initialized" && o.Phase != "ended" {
		r.found(ruleRobust, "%s: the view did not start", o.scene.what)
		return
	}
	for _, text := range o.errors {
		logged := strings.HasPrefix(text, "console.error:") && !o.scene.pictured // a failed call may be logged
		if !logged && !slices.Contains(first.errors, text) {
			r.found(ruleRobust, "%s: %s", o.scene.what, text)
		}
	}
	if o.blank && !first.blank {
		r.found(ruleRobust, "%s: the view is blank", o.scene.what)
	}
}
