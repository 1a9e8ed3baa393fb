package lint

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A Pass is the run of one rule on one tool, or on the whole catalog.
type Pass struct {
	Rule     *Rule
	Revision spec.Revision // the revision that the tools are checked against
	Tool     *Tool         // nil for a rule about the whole catalog
	Tools    []*Tool       // every tool of the catalog, in order; only Tool has its schemas and texts loaded

	Entry   *Entry   // nil for a rule about tools
	Entries []*Entry // every entry of the catalog, in order, if Entry is set

	report func(*Tool, finding.Finding)
}

// Report adds a finding at a JSON Pointer into the tool's definition.
func (p *Pass) Report(pointer, format string, args ...any) {
	p.ReportTool(p.Tool, pointer, nil, format, args...)
}

// Warn is Report as a warning: the fault has an effect only in some hosts.
func (p *Pass) Warn(pointer, format string, args ...any) {
	p.reportAs(finding.Warning, pointer, format, args...)
}

func (p *Pass) reportAs(severity finding.Severity, pointer, format string, args ...any) {
	report := p.report
	p.report = func(t *Tool, f finding.Finding) {
		f.Severity = severity
		report(t, f)
	}
	p.Report(pointer, format, args...)
	p.report = report
}

// ReportFix is Report with a fix. A fix without edits is omitted.
func (p *Pass) ReportFix(pointer string, fix finding.Fix, format string, args ...any) {
	p.ReportTool(p.Tool, pointer, []finding.Fix{fix}, format, args...)
}

// ReportTool adds a finding for any tool, for rules about the whole catalog. A nil tool means the catalog itself.
func (p *Pass) ReportTool(tool *Tool, pointer string, fixes []finding.Fix, format string, args ...any) {
	f := finding.Finding{
		Rule:     p.Rule.ID,
		Severity: p.Rule.Severity,
		Message:  fmt.Sprintf(format, args...),
		Where:    finding.Location{Pointer: pointer},
	}
	for _, fix := range fixes {
		if len(fix.Edits) > 0 {
			f.Fixes = append(f.Fixes, fix)
		}
	}
	if tool != nil {
		f.Where.Subject = tool.Subject()
	} else if p.Entry != nil {
		f.Where.Subject = p.Entry.Subject()
	}
	p.report(tool, f)
}

// Schemas lists the schemas of the tool: its inputSchema, and its outputSchema if it has one.
func (p *Pass) Schemas() []*Document {
	var all []*Document
	for _, doc := range []*Document{p.Tool.Input, p.Tool.Output} {
		if doc != nil {
			all = append(all, doc)
		}
	}
	return all
}

// Subschemas lists every subschema of the tool's inputSchema in document order, or none if it has no schema.
func (p *Pass) Subschemas() []*Subschema { return p.Tool.subschemas() }
