package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var leak003 = &Check{
	Rule: finding.Rule{
		ID:       "LEAK-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `results and descriptions should not contain instructions to the model

A text in a result, a resource or an error instructs the model to ignore its instructions, to hide something from the
user, or to send data elsewhere. This is prompt injection through a tool. Find out where the text comes from. The
instructions of the server and the descriptions of prompts, their arguments and resources are reported if they have two
such phrases; SEC-009 reports tools. The check is a heuristic; prompts are meant to instruct and are not checked, nor are
lists of quoted phrases and tools that by their description detect or list such phrases, or return specimens or harmless examples.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, s := range p.texts(ctx) {
			text := withoutQuotedList(escapedMarkup.Replace(s.text))
			kinds, start := exposure.FindInstructions(text)
			if len(kinds) > 0 && s.method != "prompts/get" && !p.round.isAbout(s.name, injections()) &&
				!p.round.isAbout(s.name, specimens()) {
				p.once(s.proof(), "text instructs the model (%s): expected data, got %s", strings.Join(kinds, "; "),
					excerpt(text, start))
			}
		}
		described, err := p.descriptions(ctx)
		for _, d := range described {
			if signs := exposure.FindPoison(d.text); len(signs) >= 2 {
				p.once(d.seen, "text instructs the model: %s", strings.Join(signs, "; "))
			}
		}
		return err
	},
}

// escapedMarkup replaces what JSON libraries write for markup, so that it is found in JSON as well.
var escapedMarkup = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// withoutQuotedList returns a text without the items of a list that are quotes: they are examples, not instructions. One
// item is not a list.
func withoutQuotedList(text string) string {
	if len(quotedItem().FindAllStringIndex(text, 2)) < 2 {
		return text
	}
	return quotedItem().ReplaceAllString(text, "")
}

// quotedItem matches a line that is a quoted item of a list; injections matches descriptions of what detects or lists
// instructions to a model.
var (
	quotedItem = lazyregexp.New("(?m)^[ \t]*(?:[-*•]|\\d+[.)])[ \t]+(?:\"[^\"\\n]*\"|'[^'\\n]*'|“[^”\\n]*”|`[^`\\n]*`)[,.;]?[ \t\r]*$")
	injections = lazyregexp.New(`(?i)\b(?:scan|detect|find|flag|recogni[sz]e|block|classif|list|report|check|example|` +
		`pattern|phrase|signature)[a-z]*\b[^.\n]{0,50}\b(?:prompt.?injection|jailbreak|injected (?:instruction|prompt)|` +
		`(?:malicious|adversarial) (?:instruction|prompt))s?\b|` +
		`\b(?:prompt.?injection|jailbreak) (?:scan|detect|classif|list|check|example|pattern|phrase|signature)[a-z]*\b`)
)
