package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt014 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-014",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `required argument of a prompt should have an effect

The prompt was requested with several values of a required argument, and its messages were the same. The input of the
user is lost: the argument is read under another name, or not inserted. Each required argument is changed alone. The
values include the suggestions of the server and the words of the description, because an argument may have few values
that matter. An optional argument is reported only if the messages have a placeholder in them that was not replaced, such as {name}.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			if g.Exchange.Reply.Error != nil ||
				schema.TextAt(g.Exchange.Reply.Result, "/resultType") == "input_required" {
				continue
			}
			arguments, _ := schema.Elements(At(g.Item.Raw, "/arguments"))
			for _, a := range arguments[:min(len(arguments), maxChangedArguments)] {
				name := schema.TextAt(a, "/name")
				left := ""
				if string(At(a, "/required")) != "true" {
					left = unreplaced().FindString(promptText(g.Exchange.Reply.Result))
				}
				if name == "" || string(At(a, "/required")) != "true" && left == "" {
					continue
				}
				ex, err := p.withoutEffect(ctx, g, a)
				if err != nil {
					return err
				}
				if ex == nil {
					continue
				}
				if left != "" {
					left = ", which have " + left + " in them"
				}
				p.Report(Evidence{Subject: g.Item.Name, Exchange: ex, Pointer: "/messages"},
					"two values of the argument %s: expected different messages, got the same%s", quoted(name), left)
			}
		}
		return p.orNotRendered(got, err)
	},
}

// unreplaced matches the placeholders of usual template languages.
var unreplaced = lazyregexp.New(`\{\{\s*\.?[A-Za-z_]\w*\s*\}\}|\$?\{[A-Za-z_]\w*\}|%\([A-Za-z_]\w*\)s`)

// promptText is the text of the messages of a prompt.
func promptText(result json.RawMessage) string {
	messages, _ := schema.Elements(At(result, "/messages"))
	var all []string
	for _, m := range messages {
		all = append(all, schema.TextAt(m, "/content/text"))
	}
	return strings.Join(all, "\n")
}

// Limits for arguments that have no effect: of those that have one, the first value shows it.
const (
	maxChangedArguments = 10
	maxOtherValues      = 24
)

// withoutEffect returns an exchange whose messages are those of another value of the argument, if no value has an
// effect: neither with the required arguments alone nor with all of them. nil if one has.
func (p *CheckContext) withoutEffect(ctx context.Context, g Read, argument json.RawMessage) (*mcp.Exchange, error) {
	name := schema.TextAt(argument, "/name")
	first := g.Exchange
	ex, err := p.sameMessages(ctx, g.Item, first, g.Arguments, name, otherSample(name))
	if ex == nil || err != nil {
		return nil, err
	}
	values := append(p.suggestedFor(ctx, g.Item, name), "mcptest other text", "100000", "-1", "true",
		"https://example.com/other")
	values = append(values, wordsIn(schema.TextAt(argument, "/description"))...)
	values = values[:min(len(values), maxOtherValues)]
	for _, value := range values {
		same, err := p.sameMessages(ctx, g.Item, first, g.Arguments, name, value)
		if same == nil || err != nil {
			return nil, err
		}
	}
	all, optional := everyArgument(g)
	if !optional {
		return ex, nil
	}
	if first, err = p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", all)); err != nil {
		return nil, err
	}
	if first.Reply.Error != nil {
		return ex, nil
	}
	for _, value := range append([]string{otherSample(name)}, values...) {
		same, err := p.sameMessages(ctx, g.Item, first, all, name, value)
		if same == nil || err != nil {
			return nil, err
		}
	}
	return ex, nil
}

// sameMessages gets a prompt with another value of an argument, and returns the exchange if its messages are those of
// the first one; nil if they differ or if the value was rejected.
func (p *CheckContext) sameMessages(ctx context.Context, prompt mcp.Item, first *mcp.Exchange,
	arguments json.RawMessage, name, value string) (*mcp.Exchange, error) {
	text, _ := json.Marshal(value) // a string always marshals
	other, err := schema.Apply(arguments, []finding.Edit{{Pointer: "/" + schema.Token(name), Value: text}})
	if err != nil {
		return nil, nil // arguments with one name twice
	}
	ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", prompt.Name, "arguments", other))
	if err != nil {
		return nil, err
	}
	messages := At(ex.Reply.Result, "/messages")
	if ex.Reply.Error != nil || messages == nil || !equalJSON(messages, At(first.Reply.Result, "/messages")) {
		return nil, nil
	}
	return ex, nil
}

// suggestedFor returns values that the server suggests for an argument of a prompt.
func (p *CheckContext) suggestedFor(ctx context.Context, prompt mcp.Item, name string) []string {
	if !p.Declares("completions") {
		return nil
	}
	ex, err := p.Call(ctx, "completion/complete", mcp.Object("ref", mcp.Object("type", "ref/prompt", "name",
		prompt.Name), "argument", mcp.Object("name", name, "value", "")))
	if err != nil {
		return nil // other checks report it
	}
	var all []string
	values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
	for _, raw := range values[:min(len(values), maxOtherValues/3)] {
		if text, ok := schema.Text(raw); ok {
			all = append(all, text)
		}
	}
	return all
}

// wordsIn returns the different words of a description: it may list the values of an argument.
func wordsIn(description string) []string {
	var all []string
	for _, word := range strings.FieldsFunc(description, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	}) {
		if !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	slices.Reverse(all) // values come last: "the tone: formal or casual"
	return all
}

// otherSample returns a text for an argument that differs from sampleText.
func otherSample(name string) string {
	if sampleText(name) == "1" {
		return "2"
	}
	return "https://example.com/mcptest-other"
}
