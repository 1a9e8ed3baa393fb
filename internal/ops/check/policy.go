package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A checkPolicy is the options of a check in a file, for all servers of a project. Permissions are not among
// them: only the user can grant those.
type checkPolicy struct {
	FailOn   []string      `yaml:"fail_on"`
	Skip     []string      `yaml:"skip"`
	Baseline string        `yaml:"baseline"`
	Budget   time.Duration `yaml:"budget"`
	Location string        `yaml:"location"`
}

// applyPolicy applies the options of the policy file that no flag sets. File names in it are relative to it.
func (in *Input) applyPolicy(w *workbench.Workbench) error {
	if in.Policy == "" {
		return nil
	}
	text, err := w.ReadFile(in.Policy)
	if err != nil {
		return &workbench.UsageError{Message: "--policy: " + err.Error(),
			Hint: "pass a YAML file with fail_on, skip and baseline"}
	}
	node, problems := document.Parse(in.Policy, text)
	var p checkPolicy
	if len(problems) == 0 {
		problems = userKeysIn(in.Policy, node)
	}
	if len(problems) == 0 {
		d := &document.Decoder{File: in.Policy}
		d.Decode(node, &p)
		problems = d.Problems
	}
	if len(problems) > 0 {
		return &workbench.UsageError{Message: problems.Error(),
			Hint: "see docs/check.md for the options of a policy file"}
	}
	in.FailOn = cmp.Or(in.FailOn, strings.Join(p.FailOn, ","))
	in.Skip = slices.Concat(in.Skip, p.Skip)
	in.Budget, in.Location = cmp.Or(in.Budget, p.Budget), cmp.Or(in.Location, p.Location)
	if in.Baseline == "" && p.Baseline != "" {
		if !filepath.IsLocal(p.Baseline) { // --write-baseline would write it
			return &workbench.UsageError{Message: fmt.Sprintf("%s: baseline %q is not in the folder of the policy file",
				in.Policy, p.Baseline),
				Hint: "move the file there, or use {--baseline} FILE"}
		}
		in.Baseline = filepath.Join(filepath.Dir(in.Policy), p.Baseline)
	}
	in.Policy = ""
	return nil
}

// userKeysIn finds options in a policy file that only the user may set.
func userKeysIn(file string, policy *document.Node) (problems document.Problems) {
	flags := map[string]string{"tools": "--tools", "allow_unannotated": "--allow-unannotated",
		"allow_disruptive": "--allow-disruptive"}
	for _, given := range policy.Pairs {
		if flag := flags[given.Key]; flag != "" {
			problems = append(problems, document.Problem{File: file, Line: given.Line, Column: given.Column,
				Message: fmt.Sprintf("%s is not allowed in a policy file: only the user can permit it; use %s",
					given.Key, flag)})
		}
	}
	return problems
}

// location returns the file and line that reports point at: the given one, or the location of the server in a
// config file.
func (in *Input) location(w *workbench.Workbench) (report.Options, error) {
	if in.Location != "" {
		file, line := in.Location, 0
		if colon := strings.LastIndex(file, ":"); colon >= 0 && !strings.ContainsAny(file[colon:], `/\`) {
			// C:\mcp.json has no line
			line, _ = strconv.Atoi(file[colon+1:])
			if file = file[:colon]; line < 1 {
				file = ""
			}
		}
		if file == "" {
			return report.Options{}, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --location: "+
				"expected "+
				"FILE or FILE:LINE", in.Location)}
		}
		return report.Options{File: file, Line: line}, nil
	}
	if in.entry != nil {
		return report.Options{File: in.entry.File, Line: in.entry.Line}, nil
	}
	if in.Target == "" || !w.Grants.Files || w.System.Lookup == nil || in.Session() != nil {
		return report.Options{}, nil
	}
	if found, err := config.Load(w.System.System, in.Config); err == nil {
		for _, e := range found.Entries {
			if e.Name == in.Target {
				return report.Options{File: e.File, Line: e.Line}, nil
			}
		}
	}
	return report.Options{}, nil
}

// ofServer adds the name and the location of the server to the findings if there are several servers.
func (c *checkRun) ofServer(place report.Options) {
	e := c.in.entry
	if e == nil {
		return
	}
	for i := range c.report.Results {
		for j := range c.report.Results[i].Findings {
			f := &c.report.Results[i].Findings[j]
			f.Where.Subject = strings.TrimSuffix(e.Name+": "+f.Where.Subject, ": ")
			if f.Where.File == "" {
				f.Where.File, f.Where.Line = place.File, place.Line
			}
		}
	}
}

// permit returns the tools that the user permits to call although they are not safe.
func (c *checkRun) permit() safety.Permit {
	if !c.w.Grants.UnsafeTools {
		return safety.Permit{}
	}
	return safety.Permit{Tools: workbench.Commas(c.in.Tools), Unannotated: c.in.AllowUnannotated}
}

// hasNamedTools returns an error if the server does not have a tool that --tools names. With several servers
// this is not checked.
func (c *checkRun) hasNamedTools() error {
	if c.in.entry != nil || c.result.tools == nil {
		return nil
	}
	for _, name := range workbench.Commas(c.in.Tools) {
		if !slices.ContainsFunc(c.result.tools.Tools, func(t *lint.Tool) bool { return t.Name == name }) {
			return &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --tools: no such tool on the server", name),
				Hint: "run: {mcptest tools list}"}
		}
	}
	return nil
}

// verdict returns the verdict on one server for reports.
func (r *Result) verdict() *report.Verdict {
	v := &report.Verdict{Line: r.sentence(), Head: []string{"area", "grade", "state", "found", "tested"}}
	for _, a := range r.Areas {
		v.Rows = append(v.Rows, []string{a.Name, cmp.Or(a.Grade, "–"), string(a.State), a.About, a.Evidence})
	}
	return v
}
