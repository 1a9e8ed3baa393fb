package changes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// VerdictTitles are the headings of the sections.
var VerdictTitles = map[change.Verdict]string{
	change.Breaking: "breaking", change.Unknown: "unknown", change.Meaning: "meaning changed",
	change.Compatible: "compatible", change.Cosmetic: "cosmetic",
}

// A diffLine is one change, in one or several items.
type diffLine struct {
	change change.Change
	names  []string // of the items
	sole   bool     // the item has no more than its status
}

func writeDiffText(t *workbench.Text, r *DiffResult) error {
	t.Line(t.Dim("old  ") + sideText(t, r.Old))
	t.Line(t.Dim("new  ") + sideText(t, r.New))
	if len(r.Items) == 0 {
		writeRemarks(t, r.Diff)
		t.Line("\n" + t.Good("No differences."))
		return t.Err
	}
	suspicions(t, r.Diff)
	for _, verdict := range change.Verdicts() {
		lines := diffLines(r.Diff, verdict)
		if len(lines) == 0 {
			continue
		}
		t.Line("\n" + heading(t, verdict, lines))
		if verdict == change.Cosmetic && !r.verbose {
			continue
		}
		for _, line := range lines {
			writeDiffLine(t, line, r.verbose)
		}
	}
	artifacts(t, r.Artifacts)
	undeclared(t, r.Diff)
	writeRemarks(t, r.Diff)
	writeAffected(t, r.Affected)
	t.Line("")
	t.Fill(0, conclusion(r.Diff))
	return t.Err
}

// A suspicionLine is a suspicious change, in one or several items.
type suspicionLine struct {
	change.Suspicion
	names []string
}

// suspicionLines groups the same suspicion in several items.
func suspicionLines(d *change.Diff) []suspicionLine {
	var lines []suspicionLine
	for _, item := range d.Items {
		for _, s := range item.Suspicions {
			i := slices.IndexFunc(lines, func(line suspicionLine) bool {
				return line.Rule == s.Rule &&
					line.Message == s.Message
			})
			if i < 0 {
				i, lines = len(lines), append(lines, suspicionLine{Suspicion: s})
			}
			if name := itemName(item); !slices.Contains(lines[i].names, name) {
				lines[i].names = append(lines[i].names, name)
			}
		}
	}
	return lines
}

// suspicions shows what an attack on a model would change.
func suspicions(t *workbench.Text, d *change.Diff) {
	lines := suspicionLines(d)
	if len(lines) == 0 {
		return
	}
	t.Line("\n" + t.Bad("suspicious: %s, review before you approve", workbench.Plural(len(lines), "change")))
	for _, line := range lines {
		t.Fill(2, fmt.Sprintf("%s: %s (%s)", shorten(line.names), line.Message, line.Rule))
	}
}

func sideText(t *workbench.Text, s change.Side) string {
	name := strings.TrimSpace(s.Name + " " + s.Version)
	if name == "" || strings.Contains(s.Source, name) {
		return t.Bold("%s", s.Source) + t.Dim("  %s", workbench.Plural(s.Tools, "tool"))
	}
	return t.Bold("%s", s.Source) + t.Dim("  %s, %s", name, workbench.Plural(s.Tools, "tool"))
}

func heading(t *workbench.Text, v change.Verdict, lines []diffLine) string {
	items := map[string]bool{}
	for _, line := range lines {
		for _, name := range line.names {
			items[name] = true
		}
	}
	title := fmt.Sprintf("%s: %s in %s", VerdictTitles[v], workbench.Plural(len(lines), "change"),
		workbench.Plural(len(items), "definition"))
	switch v {
	case change.Breaking:
		return t.Bad("%s", title)
	case change.Cosmetic:
		return t.Dim("%s", title)
	}
	return t.Bold("%s", title)
}

// diffLines lists the changes of a verdict. The same change in three or more items is one line; the artifacts of
// generators are left to their own section.
func diffLines(d *change.Diff, v change.Verdict) []diffLine {
	folded := map[string]bool{}
	for _, a := range d.Artifacts {
		folded[a.ID] = true
	}
	byText := map[string]*diffLine{}
	var order []string
	for _, item := range d.Items {
		for _, c := range item.Changes {
			if c.Verdict != v || c.Artifact != "" && folded[c.Artifact] {
				continue
			}
			key := item.Kind + c.Kind + c.Message
			if c.Kind == "description" || c.Kind == "title" || c.Kind == "instructions" || c.Kind == "prompt-text" {
				key += item.Name // each text is its own
			}
			if byText[key] == nil {
				byText[key] = &diffLine{change: c, sole: item.Status == change.Added || item.Status == change.Removed}
				order = append(order, key)
			}
			byText[key].names = append(byText[key].names, itemName(item))
		}
	}
	return ungroup(byText, order)
}

// ungroup splits the groups of one or two, and keeps the changes of an item together.
func ungroup(groups map[string]*diffLine, order []string) []diffLine {
	var single, several []diffLine
	for _, key := range order {
		g := *groups[key]
		if len(g.names) >= 3 || g.sole {
			several = append(several, g)
			continue
		}
		for _, name := range g.names {
			single = append(single, diffLine{change: g.change, names: []string{name}})
		}
	}
	slices.SortStableFunc(single, func(a, b diffLine) int { return strings.Compare(a.names[0], b.names[0]) })
	return append(several, single...)
}

func itemName(item change.Item) string {
	switch item.Kind {
	case change.ToolItem:
		return item.Name
	case change.ServerItem:
		return "server"
	}
	return item.Kind + " " + item.Name
}

// maxNames is how many names of a group are listed.
const maxNames = 12

func writeDiffLine(t *workbench.Text, line diffLine, verbose bool) {
	names := line.names
	more := ""
	if len(names) > maxNames && !verbose {
		more = fmt.Sprintf(" and %d more", len(names)-maxNames)
		names = names[:maxNames]
	}
	if len(line.names) > 1 {
		t.Fill(2, fmt.Sprintf("%s (%d): %s%s", line.change.Message, len(line.names), strings.Join(names, ", "), more))
	} else {
		t.Fill(2, fmt.Sprintf("%s: %s", names[0], line.change.Message))
	}
	proof(t, line.change)
	textDiff(t, line.change)
	if verbose || line.change.Verdict == change.Unknown {
		t.Line(t.Dim("      basis  %s", line.change.Basis))
	}
}

// maxProof is how much of a counterexample is shown; --format json has it all.
const maxProof = 160

// proof shows the counterexample as a call that can be sent.
func proof(t *workbench.Text, c change.Change) {
	proof := c.Counterexample
	if proof == nil || c.Kind == "tool-removed" || c.Kind == "resource-removed" || c.Kind == "template-removed" ||
		c.Kind == "prompt-removed" {
		return
	}
	switch {
	case proof.Result != nil:
		t.Line(t.Dim("      result %s", clip.Runes(string(proof.Result), maxProof)))
	case proof.Method == "tools/call" || proof.Method == "prompts/get":
		t.Line(t.Dim("      call   %s %s", proof.Name, clip.Runes(string(proof.Arguments), maxProof)))
	default:
		t.Line(t.Dim("      send   %s", strings.TrimSpace(proof.Method+" "+string(proof.Arguments))))
	}
	t.Fill(6, "now    "+proof.Rejection)
}

// textDiff shows how a text changed, without what both have in common.
func textDiff(t *workbench.Text, c change.Change) {
	if c.Verdict != change.Meaning || c.Kind == "annotation" {
		return
	}
	before, okBefore := plainString(c.Old)
	after, okAfter := plainString(c.New)
	if !okBefore && !okAfter {
		return
	}
	if okBefore && okAfter {
		before, after = withoutCommon(before, after)
	}
	width := max(t.Columns-8, 60)
	if before != "" {
		t.Line(t.Bad("      - %s", clip.Runes(before, 3*width)))
	}
	if after != "" {
		t.Line(t.Good("      + %s", clip.Runes(after, 3*width)))
	}
}

func plainString(raw json.RawMessage) (string, bool) {
	var s string
	if raw == nil || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return strings.Join(strings.Fields(s), " "), true
}

// withoutCommon cuts the words that both texts begin and end with, except for a few.
func withoutCommon(before, after string) (string, string) {
	a, b := strings.Fields(before), strings.Fields(after)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	const context = 3
	cut := func(words []string) string {
		from, to := max(start-context, 0), min(len(words)-end+context, len(words))
		text := strings.Join(words[from:to], " ")
		if from > 0 {
			text = "… " + text
		}
		if to < len(words) {
			text += " …"
		}
		return text
	}
	return cut(a), cut(b)
}

func artifacts(t *workbench.Text, list []change.ArtifactFolded) {
	if len(list) == 0 {
		return
	}
	t.Line("\n" + t.Bold("in most tools at once (schema generator or SDK)"))
	for _, a := range list {
		t.Fill(2, fmt.Sprintf("%s: %s (%d of %s)", VerdictTitles[a.Verdict], a.Message, a.Tools,
			workbench.Plural(a.Of, "tool")))
	}
}

// undeclared summarizes the calls with undeclared arguments that are rejected now.
func undeclared(t *workbench.Text, d *change.Diff) {
	var names []string
	var example *change.Counterexample
	for _, item := range d.Items {
		if item.Undeclared != nil && item.Undeclared.Result == nil {
			names = append(names, item.Name)
			if example == nil {
				example = item.Undeclared
			}
		}
	}
	if example == nil {
		return
	}
	t.Line("\n" + t.Bold("undeclared arguments (not counted)"))
	t.Fill(2, fmt.Sprintf("calls with arguments that the old schema does not declare are rejected now in %s: %s",
		workbench.Plural(len(names), "tool"), shorten(names)))
	t.Line(t.Dim("      call   %s %s", example.Name, clip.Runes(string(example.Arguments), 200)))
}

// writeRemarks shows what could not be compared.
func writeRemarks(t *workbench.Text, d *change.Diff) {
	if len(d.Remarks) == 0 {
		return
	}
	t.Line("\n" + t.Bold("not compared"))
	for _, remark := range d.Remarks {
		t.Fill(2, report.Line(remark))
	}
}

func shorten(names []string) string {
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}

// conclusion is the verdict in one sentence.
func conclusion(d *change.Diff) string {
	var counts []string
	for _, v := range change.Verdicts() {
		if n := d.Counts[v]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, VerdictTitles[v]))
		}
	}
	text := strings.Join(counts, ", ") + ". Suggested version step: " + d.Semver.Suggested
	if d.Semver.Released != "" && d.Semver.Released != "none" {
		text += fmt.Sprintf(" (released as %s)", d.Semver.Released)
	}
	return report.Visible(text + ".")
}
