package change

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// rules are the rules of differences and lock files.
var rules = []finding.Rule{
	{ID: "DIFF-001", Severity: finding.Error, Doc: "breaking change\n\nA call that was valid is rejected now, a " +
		"promised result is no longer promised, or something was removed. The counterexample shows a call that " +
		"fails. Keep the old form next to the new one, or release a major version."},
	{ID: "DIFF-002", Severity: finding.Warning,
		Doc: "change that could not be decided\n\nThe schemas are too complex, or use keywords that are not " +
			"compared. The report says what was tried."},
	{ID: "DIFF-003", Severity: finding.Warning,
		Doc: "changed meaning\n\nThe same calls are accepted, but a model may act differently: descriptions, titles, " +
			"defaults, annotations or instructions changed. Read the new text."},
	{ID: "DIFF-004", Severity: finding.Info, Doc: "compatible change\n\nEverything that worked still works."},
	{ID: "DIFF-005", Severity: finding.Info, Doc: "cosmetic change\n\nAnother order or notation that accepts exactly " +
		"the same and says the same."},
	{ID: "LOCK-001", Severity: finding.Error, Doc: "definition is not as approved\n\nThe server offers something " +
		"else than the lock file. Users and models rely on what was reviewed. Compare with mcptest diff, then accept " +
		"the change with mcptest approve, or install the approved version."},
	{ID: "LOCK-002", Severity: finding.Error, Doc: "server is not in the lock file\n\nNobody approved what this " +
		"server offers. Review it, then record it with mcptest lock."},
	{ID: "SEC-101", Severity: finding.Error, Doc: "new instructions to the model\n\nA text that changed instructs " +
		"the model: to call other tools, to act without the user, to read or send data. A server that was harmless " +
		"when it was reviewed can attack its users this way later. The rule is a heuristic; read the text, then run " +
		"mcptest approve if it is legitimate."},
	{ID: "SEC-102", Severity: finding.Error, Doc: "new hidden text\n\nA text that changed contains characters that a " +
		"reviewer does not see and a model reads: Unicode tags, bidirectional controls, zero-width characters, " +
		"control characters or a long gap. Do not approve it."},
	{ID: "SEC-103", Severity: finding.Error, Doc: "new URL or mail address\n\nA text that changed names a host or " +
		"mail address that the server did not mention before. A model may send data to it. Approve the change if the " +
		"address belongs to the author."},
	{ID: "SEC-104", Severity: finding.Error, Doc: "hint changed to avoid confirmation\n\nreadOnlyHint became true or " +
		"destructiveHint became false, so that hosts call the tool without asking the user. Approve the change if " +
		"the tool really has no such effect."},
	{ID: "SEC-105", Severity: finding.Error, Doc: "new name that looks like another\n\nA new name consists of " +
		"characters that look like those of another name, such as a Cyrillic е. Users and allow lists take one for " +
		"the other. Do not approve it."},
	{ID: "SEC-106", Severity: finding.Error, Doc: "new definition that shadows another\n\nA new tool has the name of " +
		"another in a different spelling, its description, or a description that asks to use it in place of another; " +
		"or the server lists a name twice. Calls that were meant for the other tool go to the new one."},
}

// Rules lists the rules of differences and lock files.
func Rules() []finding.Rule { return append([]finding.Rule(nil), rules...) }

// RuleOf returns the rule of a verdict.
func RuleOf(v Verdict) finding.Rule { return rules[v.rank()] }

// FindRule returns a rule by its ID.
func FindRule(id string) finding.Rule {
	for _, r := range rules {
		if r.ID == id {
			return r
		}
	}
	return finding.Rule{ID: id}
}

// Explain returns the documentation of a rule as Markdown.
func Explain(id string) (string, bool) {
	for _, r := range rules {
		if !strings.EqualFold(r.ID, id) {
			continue
		}
		found := "`mcptest diff`"
		switch r.Family() {
		case "LOCK":
			found = "`mcptest check --locked`"
		case "SEC":
			found += " and `mcptest check --locked`"
		}
		_, body, _ := strings.Cut(r.Doc, "\n")
		return fmt.Sprintf("# %s: %s\n\nSeverity: %s. Reported by %s.\n\n%s\n", r.ID, r.Title(), r.Severity, found,
			strings.TrimSpace(body)), true
	}
	return "", false
}
