package report

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              sarifTool         `json:"tool"`
	AutomationDetails sarifID           `json:"automationDetails"`
	Invocations       []sarifInvocation `json:"invocations"`
	ColumnKind        string            `json:"columnKind"`
	Results           []sarifResult     `json:"results"`
}

type sarifID struct {
	ID string `json:"id"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string        `json:"id"`
	ShortDescription *sarifText    `json:"shortDescription,omitempty"`
	FullDescription  *sarifText    `json:"fullDescription,omitempty"`
	Help             *sarifText    `json:"help,omitempty"`
	HelpURI          string        `json:"helpUri,omitempty"`
	Configuration    *sarifDefault `json:"defaultConfiguration,omitempty"`
}

type sarifDefault struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Properties   *sarifProperties  `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

// Bounds of what GitHub code scanning accepts of one run.
const (
	maxSARIFResults = 25_000
	maxSARIFText    = 1024 // characters of a description
)

type sarifLogical struct {
	Name               string `json:"name,omitempty"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

type sarifProperties struct {
	Evidence []string `json:"evidence,omitempty"`
	Fixes    []string `json:"fixes,omitempty"`
	Frames   []int    `json:"frames,omitempty"`
}

// writeSARIF writes one run of SARIF 2.1.0. Fixes are described but not written as SARIF fixes, which replace text in a
// file, whereas ours change a JSON document.
func writeSARIF(w io.Writer, r *finding.Report, o *Options) error {
	rules, index := sarifRules(r)
	run := sarifRun{
		Tool: sarifTool{Driver: sarifDriver{Name: "mcptest", Version: escapeControl(r.Version),
			Rules: rules}},
		AutomationDetails: sarifID{ID: "mcptest/" + escapeControl(r.Engine) + "/"},
		Invocations:       []sarifInvocation{sarifInvoked(r)},
		ColumnKind:        "unicodeCodePoints",
		Results:           []sarifResult{},
	}
	findings := r.Findings()
	if left := len(findings) - maxSARIFResults; left > 0 {
		findings = mostSevere(findings, maxSARIFResults)
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{Level: "warning",
			Message: sarifMessage(fmt.Sprintf("%d findings were omitted: services accept %d", left, maxSARIFResults))})
	}
	for _, f := range findings {
		hash := entryOf(f).hash()
		result := sarifResult{
			RuleID: escapeControl(f.Rule), RuleIndex: index[f.Rule], Level: sarifResultLevel(f, o),
			Message: sarifMessage(f.Message),
			// Without a line hash of ours, GitHub computes it from the line alone, which findings about many tools
			// share.
			Fingerprints: map[string]string{"mcptest/v1": hash, "primaryLocationLineHash": hash},
		}
		result.Locations = []sarifLocation{sarifWhere(f.Where, o)}
		result.Properties = sarifExtra(f)
		run.Results = append(run.Results, result)
	}
	return encode(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifRules describes the rules of the report, and those that occur only in findings.
func sarifRules(r *finding.Report) ([]sarifRule, map[string]int) {
	rules, index := []sarifRule{}, map[string]int{}
	add := func(rule finding.Rule) {
		if _, known := index[rule.ID]; known {
			return
		}
		index[rule.ID] = len(rules)
		described := sarifRule{ID: escapeControl(rule.ID)}
		if rule.Doc != "" {
			doc := strings.Join(visibleLines(rule.Doc), "\n")
			described.ShortDescription = &sarifText{Text: clip.Runes(escapeControl(rule.Title()), maxSARIFText)}
			described.FullDescription = &sarifText{Text: clip.Runes(doc, maxSARIFText)}
			described.Help = &sarifText{Text: doc}
		}
		if strings.HasPrefix(rule.Spec, "https://") {
			described.HelpURI = rule.Spec
		}
		if rule.Severity != "" {
			described.Configuration = &sarifDefault{Level: sarifLevel(rule.Severity)}
		}
		rules = append(rules, described)
	}
	for _, rule := range r.Rules {
		add(rule)
	}
	for _, f := range r.Findings() {
		add(finding.Rule{ID: f.Rule})
	}
	return rules, index
}

// mostSevere returns the most severe findings, the most severe first.
func mostSevere(all []finding.Finding, most int) []finding.Finding {
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b finding.Finding) int {
		switch {
		case a.Severity == b.Severity:
			return 0
		case a.Severity.AtLeast(b.Severity):
			return -1
		}
		return 1
	})
	return ranked[:most]
}

func sarifInvoked(r *finding.Report) sarifInvocation {
	invocation := sarifInvocation{Successful: true}
	for _, result := range r.Results {
		if result.Status() == finding.Broken {
			invocation.Successful = false
			invocation.Notifications = append(invocation.Notifications,
				sarifNotification{Level: "error", Message: sarifMessage(title(result, r.Rules) + ": " + result.Broken)})
		}
	}
	return invocation
}

// sarifFile is the location of findings without a file: services that show results require a location, and projects
// usually configure their servers in this file.
const sarifFile = "mcp.json"

// sarifWhere returns the file and line of a finding, and its subject. Services show only results with both.
func sarifWhere(l finding.Location, o *Options) sarifLocation {
	file, line := l.File, l.Line
	if file == "" {
		file, line = o.File, o.Line
	}
	if file == "" {
		file = sarifFile
	}
	location := sarifLocation{Physical: &sarifPhysical{Artifact: sarifArtifact{URI: fileURI(file)},
		Region: &sarifRegion{max(line, 1), 1, max(line, 1), 1}}}
	if l.Subject != "" || l.Pointer != "" {
		location.Logical = []sarifLogical{{Name: escapeControl(l.Subject),
			FullyQualifiedName: escapeControl(l.Subject + l.Pointer)}}
	}
	return location
}

// fileURI returns a relative URI for a file in the working directory: services resolve it from the repository root.
func fileURI(file string) string {
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(file) {
		if inside, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(inside) {
			file = inside
		}
	}
	slashed := filepath.ToSlash(file)
	if !filepath.IsAbs(file) {
		return (&url.URL{Path: slashed}).String() // puts ./ before a first segment with a colon
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String()
}

func sarifExtra(f finding.Finding) *sarifProperties {
	extra := &sarifProperties{Frames: f.Where.Frames, Evidence: proof(f)}
	for _, fix := range f.Fixes {
		extra.Fixes = append(extra.Fixes, escapeControl(fix.Message))
	}
	if len(extra.Fixes) == 0 && len(extra.Frames) == 0 && len(extra.Evidence) == 0 {
		return nil
	}
	return extra
}

// sarifResultLevel returns note for findings that do not count: services fail a run by the level.
func sarifResultLevel(f finding.Finding, o *Options) string {
	if !o.counts(f) {
		return "note"
	}
	return sarifLevel(f.Severity)
}

func sarifLevel(s finding.Severity) string {
	switch s {
	case finding.Critical, finding.Error:
		return "error"
	case finding.Warning:
		return "warning"
	}
	return "note"
}

// sarifMessage returns plain text in which brackets are not links.
func sarifMessage(text string) sarifText {
	escaped := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(strings.Join(visibleLines(text), "\n"))
	return sarifText{Text: escaped}
}
