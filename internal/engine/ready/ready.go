// Package ready checks what a server needs to be published: in the MCP registry, as a bundle (MCPB), and in the
// directories of Claude and ChatGPT. Each finding names the place that rejects the server and what to change.
package ready

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// The places where a server can be published.
const (
	Registry = "registry"
	MCPB     = "mcpb"
	Claude   = "claude"
	ChatGPT  = "chatgpt"
)

// Places lists every place, in the order of the report.
func Places() []string { return []string{Registry, MCPB, Claude, ChatGPT} }

// The files that a place requires.
const (
	serverFile   = "server.json"
	manifestFile = "manifest.json"
)

// maxFile is the maximum size of a file that is read.
const maxFile = 4 << 20

// Options configure a run.
type Options struct {
	Places  []string // empty for all that apply
	Target  string
	Version string
	Folder  fs.FS             // with server.json, manifest.json or both; nil for a server
	Packed  bool              // Folder is a packed bundle
	Tools   []json.RawMessage // of a running server; nil for a folder
	NoTools string            // why the tools of a server are not known
	Views   []View            // of a running server
	Started []Started         // the servers of the folder that were to be started

	Authorizations []*Authorization // what a running server requires
}

// An Outcome is the report of a run, with the state of each place.
type Outcome struct {
	Report *finding.Report
	Places []Place
}

// A Place is where a server can be published, and what stands between the server and it.
type Place struct {
	Name     string `json:"place"`
	Title    string `json:"title"`
	Ready    bool   `json:"ready"`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Skipped  string `json:"skipped,omitempty"` // why it was not checked
	// what to change, in the order of the rules
	Todo []Todo `json:"todo,omitempty"`
	// what could not be started, and why
	NotStarted []string `json:"not_started,omitempty"`
	// what could not be checked, and why
	Unchecked string `json:"unchecked,omitempty"`
	Basis     string `json:"basis"` // what the requirements are those of
	AsOf      string `json:"as_of"`
	Source    string `json:"source"`
}

// A Todo is what one rule demands to be changed.
type Todo struct {
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	Title    string           `json:"title"`
	Fix      string           `json:"fix"`
	Count    int              `json:"count"`
}

// A run collects the findings.
type run struct {
	opts     *Options
	findings map[string][]finding.Finding // by rule

	unchecked map[string]string // by place
}

// Run checks a folder or the tools of a server.
func Run(opts Options) (*Outcome, error) {
	r := &run{opts: &opts, findings: map[string][]finding.Finding{}, unchecked: map[string]string{}}
	if opts.Folder != nil && !r.exists(serverFile) && !r.exists(manifestFile) {
		return nil, ErrNothing
	}
	out := &Outcome{Report: &finding.Report{Engine: "ready", Target: opts.Target, Version: opts.Version,
		Started: time.Now(), Rules: Rules()}}
	checks := map[string]func() (skipped string, err error){Registry: r.registry, MCPB: r.bundle,
		Claude: r.claude, ChatGPT: r.chatGPT}
	skipped := map[string]string{}
	for _, name := range Places() {
		if len(opts.Places) > 0 && !slices.Contains(opts.Places, name) {
			continue
		}
		why, err := checks[name]()
		if err != nil {
			return nil, err
		}
		skipped[name] = why
		p := profiles[name]
		out.Places = append(out.Places, Place{Name: name, Title: p.title, Skipped: why, NotStarted: r.notStartable(name),
			Unchecked: r.unchecked[name],
			Basis:     p.of, AsOf: p.date, Source: p.source})
	}
	for _, rule := range rules {
		result := finding.Result{Rule: rule.ID, Name: rule.Title(), Findings: r.findings[rule.ID]}
		if why, asked := skipped[rule.place]; !asked {
			result.Skipped = "not asked for"
		} else if result.Skipped = why; why == "" {
			out.count(&rule, result.Findings)
			if len(result.Findings) == 0 {
				result.Skipped = r.unchecked[rule.place]
			}
		}
		out.Report.Results = append(out.Report.Results, result)
	}
	return out, nil
}

// notStartable lists what a place declares and what could not be started here.
func (r *run) notStartable(place string) (all []string) {
	for _, s := range r.opts.Started {
		if s.Place == place && s.Cannot != "" {
			all = append(all, s.What+": "+s.Cannot)
		}
	}
	return all
}

// count adds the findings of a rule to the state of its place.
func (o *Outcome) count(rule *placeRule, findings []finding.Finding) {
	p := &o.Places[slices.IndexFunc(o.Places, func(p Place) bool { return p.Name == rule.place })]
	for _, f := range findings {
		switch f.Severity {
		case finding.Error, finding.Critical:
			p.Errors++
		case finding.Warning:
			p.Warnings++
		}
	}
	if len(findings) > 0 {
		p.Todo = append(p.Todo, Todo{rule.ID, rule.Severity, rule.Title(), rule.fix(), len(findings)})
	}
	p.Ready = p.Errors == 0
}

// found records a finding in a file, or about a subject if file is nil.
func (r *run) found(id string, in *file, pointer, format string, args ...any) {
	f := finding.Finding{Rule: id, Severity: ruleByID(id).Severity, Message: fmt.Sprintf(format, args...)}
	if in != nil {
		f.Where = finding.Location{Subject: in.name, Pointer: pointer, File: in.name, Line: in.line(pointer)}
	}
	r.findings[id] = append(r.findings[id], f)
}

// ErrNothing is returned for a folder without a file that a place requires.
var ErrNothing = errors.New("the folder has neither " + serverFile + " nor " + manifestFile)
