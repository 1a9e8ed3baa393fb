package lint

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Kind is what an entry is.
type Kind string

// The kinds of entries, by the name of their list.
const (
	ResourceEntry Kind = "resources" // of resources/list
	ContentEntry  Kind = "contents"  // of resources/read
	SkillEntry    Kind = "skills"    // of skills/list, or of a folder
)

var entryKinds = []Kind{ResourceEntry, ContentEntry, SkillEntry}

// An Entry is what a file lists besides tools.
type Entry struct {
	Kind  Kind
	Raw   json.RawMessage
	URI   string
	Index int

	Broken string   // why the SKILL.md of a folder cannot be read; its frontmatter is not known then
	Links  []string // files of a folder that are links out of it

	offset int    // where Raw starts in the catalog's file
	file   string // SKILL.md of a folder; empty for an entry of the catalog's file
	text   string // of that file
}

func newEntry(kind Kind, raw json.RawMessage, index, offset int) *Entry {
	return &Entry{Kind: kind, Raw: raw, URI: schema.TextAt(raw, "/uri"), Index: index, offset: offset}
}

// Subject names the entry in a finding.
func (e *Entry) Subject() string {
	switch {
	case e.file != "":
		return e.file
	case e.URI != "":
		return e.URI
	}
	return fmt.Sprintf("%s[%d]", e.Kind, e.Index)
}

// IsView reports whether the entry is a view of MCP Apps.
func (e *Entry) IsView() bool { return e.Kind != SkillEntry && strings.HasPrefix(e.URI, apps.Scheme) }

// line returns the line of a JSON Pointer into the entry of a folder: that of the field in the frontmatter.
func (e *Entry) line(pointer string) int {
	field, ok := strings.CutPrefix(pointer, "/frontmatter/")
	if !ok {
		return 1
	}
	for i, line := range strings.Split(e.text, "\n") {
		if strings.HasPrefix(line, field+":") {
			return i + 1
		}
	}
	return 1
}

// checkEntries runs the rules about entries. There are few entries, and their findings follow those of the tools.
func (r *run) checkEntries() {
	for _, e := range r.catalog.Entries {
		result := finding.Result{Name: e.Subject()}
		pass := Pass{Revision: r.revision, Entry: e, Entries: r.catalog.Entries}
		pass.report = func(_ *Tool, f finding.Finding) {
			if len(result.Findings) < maxFindings {
				result.Findings = append(result.Findings, f)
			}
		}
		for _, rule := range r.rules {
			if rule.Entry != nil {
				pass.Rule = rule
				rule.Entry(&pass)
			}
		}
		result.Findings = aboveFloor(result.Findings, r.opts.Severity)
		r.locateEntry(e, result.Findings)
		r.entries = append(r.entries, result)
	}
}

// locateEntry adds file and line to findings about an entry.
func (r *run) locateEntry(e *Entry, findings []finding.Finding) {
	for i := range findings {
		where := &findings[i].Where
		if e.file != "" {
			where.File, where.Line = e.file, e.line(where.Pointer)
		} else if r.catalog.data != nil {
			where.File = r.catalog.Name
			where.Line = r.catalog.locate(e.Raw, e.offset, []string{where.Pointer})[where.Pointer]
		}
	}
}

// Listed returns the entry of resources/list for the URI of a content, and Content the reverse; nil if the file has none.
func (p *Pass) Listed(uri string) *Entry  { return p.entry(ResourceEntry, uri) }
func (p *Pass) Content(uri string) *Entry { return p.entry(ContentEntry, uri) }

func (p *Pass) entry(kind Kind, uri string) *Entry {
	for _, e := range p.Entries {
		if e.Kind == kind && e.URI == uri {
			return e
		}
	}
	return nil
}

// Inform is Report as information.
func (p *Pass) Inform(pointer, format string, args ...any) {
	p.reportAs(finding.Info, pointer, format, args...)
}
