package conform

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt016 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-016",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `prompt must accept any text in its arguments

Users paste code, JSON and text in other languages. A prompt that works with a simple text and fails internally with
braces, percent signs or quotes uses the text as a template or a pattern. Insert it as data. If the error does not show
an exception, and its code is not -32602, the finding is a warning: the same text with letters instead of these
characters was accepted.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			if g.Exchange.Reply.Error != nil {
				continue
			}
			for _, text := range trickyTexts {
				ex, err := p.getWith(ctx, g.Item, text)
				if err != nil {
					return err
				}
				if ex == nil {
					break
				}
				refusal := ex.Reply.Error
				if refusal == nil {
					continue
				}
				severity, err := p.failsOn(ctx, g.Item, text, refusal)
				if err != nil {
					return err
				}
				if severity == "" {
					continue
				}
				p.report(severity, Evidence{Subject: g.Item.Name, Exchange: ex},
					"prompt with the text %s: expected messages, got error %d: %s", quoted(text), refusal.Code,
					errorLine(refusal))
				break
			}
		}
		return p.orNotRendered(got, err)
	},
}

// failsOn returns how severe it is that a prompt rejects a text: empty if the prompt validates its arguments.
func (p *CheckContext) failsOn(ctx context.Context, prompt mcp.Item, text string,
	refusal *mcp.RPCError) (finding.Severity, error) {
	switch {
	case failsInside(refusal):
		return finding.Error, nil
	case refusal.Code == mcp.CodeInvalidParams:
		return "", nil
	}
	plain, err := p.getWith(ctx, prompt, plainLetters(text))
	if err != nil || plain.Reply.Error != nil {
		return "", err
	}
	return finding.Warning, nil
}

// trickyTexts contain what templates, patterns and formats treat in a special way.
var trickyTexts = []string{`{"a": {b}} {0} {{c}}`, `100% %s %(x)s ${y} \d+[(`, "it's \"ünï\" 日本\nnext"}

// plainLetters returns a text of the same words with a letter for every other character.
func plainLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && unicode.IsLetter(r) || r == ' ' {
			return r
		}
		return 'x'
	}, text)
}

// getWith gets a prompt with a text for its arguments; nil if none takes a text.
func (p *CheckContext) getWith(ctx context.Context, prompt mcp.Item, text string) (*mcp.Exchange, error) {
	arguments, ok := argumentsWith(prompt, text)
	if !ok {
		return nil, nil
	}
	return p.Call(ctx, "prompts/get", mcp.Object("name", prompt.Name, "arguments", arguments))
}

// argumentsWith returns a text for each required argument of a prompt, or for the first one if none is required; ok is
// false if there is none. Arguments with a format get a sample: a server may return them as they are.
func argumentsWith(prompt mcp.Item, text string) (arguments json.RawMessage, ok bool) {
	var pairs []any
	required := requiredArgument(prompt)
	elements, _ := schema.Elements(At(prompt.Raw, "/arguments"))
	for _, a := range elements {
		name := schema.TextAt(a, "/name")
		switch sample := sampleText(name); {
		case name == "", required != "" && string(At(a, "/required")) != "true", required == "" && len(pairs) > 0:
		case sample != plainSample:
			pairs = append(pairs, name, sample)
		default:
			pairs, ok = append(pairs, name, text), true
		}
	}
	return mcp.Object(pairs...), ok
}
