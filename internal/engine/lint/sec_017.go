package lint

import (
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var sec017 = &Rule{
	Rule: finding.Rule{
		ID:       "SEC-017",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-annotations"),
		Doc: `incorrect destructiveHint

The tool has destructiveHint: false, which means that it only adds something, but its name starts with a verb such as delete
or purge, and its description says that it deletes or that this is permanent. Hosts may call such a tool without a
warning.

Remove the hint, since true is the default, or set it to true. Tools that by their description move items to the trash or can
restore them are not reported.`,
	},
	Check: func(p *Pass) {
		if p.Tool.hint("destructiveHint") != "false" || p.Tool.hint("readOnlyHint") == "true" {
			return
		}
		name := nameWords(p.Tool.Name)
		about := p.Tool.Description()
		if len(name) == 0 || !slices.Contains(deletingVerbs, name[0]) || restorable().MatchString(about) {
			return
		}
		found := lostForGood().FindString(about)
		if found == "" && !minorThings().MatchString(about) {
			found = deletes().FindString(about)
		}
		if found != "" {
			p.Report("/annotations/destructiveHint", "destructiveHint is false, but the name starts with %s and the description "+
				"contains %s", quoted(name[0]), quoted(found))
		}
	},
}

// hint returns the value of an annotation, as JSON; empty if it is absent.
func (t *Tool) hint(name string) string {
	value, _ := schema.Get(t.Raw, "/annotations/"+name)
	return string(value)
}

// Names and descriptions of tools that delete something, descriptions by which nothing is lost, and things that are easily
// created again.
var (
	deletingVerbs = []string{"delete", "remove", "drop", "purge", "erase", "wipe", "destroy"}
	deletes       = lazyregexp.New(`(?i)\b(?:delete|erase|destroy|wipe|purge)s?\b`)
	lostForGood   = lazyregexp.New(`(?i)\b(?:permanent(?:ly)?|irreversibl[ey]|(?:cannot|can ?not|can't) be (?:undone|restored|recovered|reversed))\b`)
	restorable    = lazyregexp.New(`(?i)(?:\b(?:not|never|without)|n't) (?:\w+ )?(?:delet|remov|eras|destroy)|\bsoft.?delet|\btrash|\brecycle|` +
		`\bundelete|\bcan (?:later )?be (?:restored|undone|recovered|reversed)|\brestorable|\breversibl[ey]|\bdry.?run|\bpreview`)
	minorThings = lazyregexp.New(`(?i)\b(?:cache[ds]?|temporary|sessions?|cookies?|cart|drafts?|filters?|selection|bookmarks?|favou?rites?|` +
		`labels?|tags?|reactions?)\b`)
)
