package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt017 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-017",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `text of an argument should appear unchanged in the prompt

The prompt inserts a plain text unchanged, but not one with letters of other alphabets, with a second line or with
characters such as < and &: they are replaced or escaped, or the rest is missing. A text with $& that changes is the second
argument of String.replace in JavaScript, which treats $ in a special way: pass a function instead. The model then answers
about something that the user did not write. Insert the text as it is, and read and write UTF-8.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			if g.Exchange.Reply.Error != nil {
				continue
			}
			ex, err := p.getWith(ctx, g.Item, plainLetters(pastedText))
			if err != nil {
				return err
			}
			if ex == nil || !strings.Contains(textsOf(ex.Reply.Result), plainLetters(pastedText)) {
				if ex != nil && strings.Contains(textsOf(ex.Reply.Result), plainLetters(pastedText)[:firstPart]) {
					p.Report(Evidence{Subject: g.Item.Name, Exchange: ex, Pointer: "/messages"},
						"prompt with a text of %d characters: expected the text, got only its start: %s",
						len(plainLetters(pastedText)), quoted(clip.Text(textsOf(ex.Reply.Result), 120)))
				}
				continue // it does more with the text than to insert it
			}
			if ex, err = p.getWith(ctx, g.Item, pastedText); err != nil {
				return err
			}
			if ex.Reply.Error != nil {
				continue // PROMPT-016 reports it
			}
			if text := textsOf(ex.Reply.Result); lostPart(text) != "" {
				p.Report(Evidence{Subject: g.Item.Name, Exchange: ex, Pointer: "/messages"},
					"prompt with the text %s: expected the text, got %s without %s", quoted(pastedText),
					quoted(clip.Text(text, 120)), quoted(lostPart(text)))
			}
		}
		return p.orNotRendered(got, err)
	},
}

// pastedText is what a user may paste: letters of two alphabets, a second line, characters that HTML escapes, and those
// that replacements of patterns treat in a special way.
const pastedText = "mcptest žluťoučký 漢字\nsecond line <a & b> for $& or $$5"

// firstPart is how many characters of a text show that a prompt inserts it.
const firstPart = 16

// lostPart returns the first part of pastedText that a text does not contain; empty if it has all, in any case, or if
// it has them as escapes of JSON.
func lostPart(text string) string {
	if strings.Contains(text, `\u`) {
		return ""
	}
	for _, part := range []string{"mcptest", "žluťoučký", "漢字", "second line", "<a & b>",
		"$&", "$$5"} {
		if !strings.Contains(strings.ToLower(text), part) {
			return part
		}
	}
	return ""
}
